import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadMessages } from '../../../shared/messages/index.ts';
import { decodeOldEncoding } from './old-encoding.ts';

/** The bytes of each character of an encoding, as its decoder has them. */
function encoderOf(encoding: string): (text: string) => Uint8Array | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const bytesOf = new Map<string, readonly number[]>();
  function add(...bytes: number[]): void {
    try {
      const character = decoder.decode(new Uint8Array(bytes));
      if (Array.from(character).length === 1 && !bytesOf.has(character)) bytesOf.set(character, bytes);
    } catch {
      // Not of this encoding.
    }
  }
  for (let byte = 0; byte < 256; byte += 1) add(byte);
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) add(first, second);
  return (text) => {
    const bytes = Array.from(text, (character) => bytesOf.get(character));
    return bytes.includes(undefined) ? undefined : new Uint8Array(bytes.flatMap((each) => each ?? []));
  };
}

/** A text that the encoding has all characters of. */
const encode = (encoding: string, text: string): Uint8Array =>
  encoderOf(encoding)(text) ?? expect.fail(`${text} is not in ${encoding}`);

const subtitles = (lines: readonly string[]): string =>
  lines.map((line, k) => `${k + 1}\r\n00:00:0${k},000 --> 00:00:0${k},900\r\n${line}\r\n`).join('\r\n');

const samples: readonly (readonly [language: string, encodings: readonly string[], lines: readonly string[]])[] = [
  [
    'Polish',
    ['windows-1250', 'iso-8859-2'],
    [
      'Łódź odpłynęła, zanim zdążył.',
      'Pięć minut później przyszła jego żona i wzięła klucz.',
      'Śnieg leżał na całej wyspie aż do końca świata.',
      'Gdzież są moje ciężkie żółte buty?',
    ],
  ],
  [
    'Czech',
    ['windows-1250', 'iso-8859-2'],
    ['Příliš žluťoučký kůň úpěl ďábelské ódy.', 'Děda šel ke stařičké věži.', 'Čtyři ženy už čekaly na náměstí.'],
  ],
  [
    'Hungarian',
    ['windows-1250'],
    [
      'Öt szép szűz lány őrült írót nyúz.',
      'Árvíztűrő tükörfúrógép állt az erdő szélén.',
      'Később mégis visszajött, és leült a tűzhöz.',
      'Ősszel mindig kinéz az ablakon, és énekel.',
    ],
  ],
  [
    'Croatian',
    ['windows-1250'],
    [
      'Čekao je svoju kćer pokraj mračne šume.',
      'Đačka knjižica ležala je na žutom stolu.',
      'Već će doći noć, a još nećemo kući.',
      'Muž i žena šutjeli su cijelo veče.',
      'Riječi su bile teške kao željezo.',
      'Anđeo čuva njihove snove.',
    ],
  ],
  [
    'Turkish',
    ['windows-1254'],
    [
      'İstanbul’da güneşli bir gün başladı.',
      'Çocuk ağacın altında uyuyordu, kuşlar şarkı söylüyordu.',
      'Öğretmen kapıyı yavaşça açtı.',
    ],
  ],
  ['Russian', ['windows-1251', 'koi8-r'], ['Паром ушёл без него.', 'Он сел и стал ждать.']],
  ['Ukrainian', ['windows-1251', 'koi8-u'], ['Їжак біжить через ліс.', 'Де моя свічка, Ганно?']],
  ['Serbian', ['windows-1251'], ['Љубав је чудна ствар.', 'Његов ђак чека испред куће.']],
  [
    'Greek',
    ['windows-1253', 'iso-8859-7'],
    ['Καλημέρα σας, κύριε.', 'Το πλοίο έφυγε χωρίς εμένα.', 'Άσε την Άννα ήσυχη.', 'Άντε, πάμε.'],
  ],
  ['Arabic', ['windows-1256'], ['صباح الخير يا صديقي.', 'غادرت السفينة قبل أن أصل إلى الميناء.']],
  ['Japanese', ['shift_jis', 'euc-jp'], ['おはようございます。', '船はもう出てしまったよ、アンナ。', '仕方がないね。']],
  ['Korean', ['euc-kr'], ['안녕하세요, 선생님.', '배가 벌써 떠났어요.', '여기에서 기다릴까요?']],
  ['simplified Chinese', ['gb18030'], ['早上好，我的朋友。', '船已经走了，我们来晚了。', '你在这里等我吧。']],
  ['traditional Chinese', ['big5'], ['早安，我的朋友。', '船已經走了，我們來晚了。', '你在這裡等我吧。']],
  [
    'French',
    ['windows-1252'],
    [
      'Où est le garçon ? demanda-t-elle à voix basse.',
      'Le cœur léger, il s’en alla vers la forêt.',
      'Noël approchait, et l’île était déjà déserte.',
      'Ça ne sert à rien de pleurer, même là-bas.',
      'La fenêtre était fermée, hélas.',
    ],
  ],
];

describe('a text of before Unicode', () => {
  it.each(samples.flatMap(([language, encodings, lines]) => encodings.map((each) => [language, each, lines] as const)))(
    'in %s is read from %s',
    (_, encoding, lines) => {
      const text = subtitles(lines);
      expect(decodeOldEncoding(encode(encoding, text))).toBe(text);
    },
  );

  it.each([
    ['ru', 'windows-1251'],
    ['ru', 'koi8-r'],
    ['pl', 'windows-1250'],
    ['pl', 'iso-8859-2'],
    ['ja', 'shift_jis'],
    ['ja', 'euc-jp'],
    ['ko', 'euc-kr'],
    ['zh-Hans', 'gb18030'],
    ['ar', 'windows-1256'],
    ['fr', 'windows-1252'],
    ['es', 'windows-1252'],
    ['it', 'windows-1252'],
    ['pt-BR', 'windows-1252'],
    ['de', 'windows-1252'],
  ])('of some length in the language %s is read from %s', async (language, encoding) => {
    const { problems } = await loadMessages(language);
    const encodeLine = encoderOf(encoding);
    const lines = Object.values(problems).map(({ advice }) => `${advice}\n`);
    const text = lines.filter((line) => encodeLine(line)).join('');
    expect(decodeOldEncoding(encode(encoding, text))).toBe(text);
  });

  it.each([
    ['Lithuanian', 'windows-1257', 'Ąžuolas šlamėjo, kai jį pjovė. Žmogus išėjo į mišką, o jų šuo liko.'],
    ['Hebrew', 'windows-1255', 'שלום לך, ידידי הטוב. הספינה כבר יצאה לדרך בלעדיי.'],
    ['Thai', 'windows-874', 'สวัสดีครับเพื่อนของฉัน เรือออกไปแล้วโดยไม่มีฉัน'],
    ['Vietnamese', 'windows-1258', 'Đêm đa khuya, ông già ngôi môt minh bên bêp lua và cho đoi.'],
    ['Russian without a capital', 'windows-1251', 'паром ушёл без него. он сел и стал ждать.'],
    ['Russian in capitals', 'koi8-r', 'ПАРОМ УШЁЛ БЕЗ НЕГО. ОН СЕЛ И СТАЛ ЖДАТЬ.'],
    ['Russian of a few letters', 'windows-1251', 'Паром ушёл.'],
    [
      'French that may be Czech',
      'windows-1252',
      'Le père, la mère et le frère, très fiers, répétèrent: Hélène, Irène, Agnès, Thérèse.',
    ],
    ['two languages', 'windows-1251', `${'Паром ушёл без него. '.repeat(9)}${'Ђћџ ѓќљ. '.repeat(9)}`],
  ])('is never guessed: %s', (_, encoding, text) => {
    expect(decodeOldEncoding(encode(encoding, text))).toBeNull();
  });

  it('is never read from what is none', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 50, maxLength: 400 }), (bytes) => {
        fc.pre(bytes.some((byte) => byte >= 0x80));
        expect(decodeOldEncoding(bytes)).toBeNull();
      }),
    );
  });

  it('is read to its end, and refused if that is of another encoding', () => {
    const book = encode('windows-1251', 'Паром ушёл без него. Он сел и стал ждать.\n'.repeat(10_000));
    expect(decodeOldEncoding(book)).toHaveLength(book.length);
    expect(decodeOldEncoding(Buffer.concat([book, new Uint8Array([0x98])]))).toBeNull();
  });
});
