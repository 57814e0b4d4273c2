/** What a voice says in a preview, by the primary subtag of its language. */
const sentences: Readonly<Record<string, string>> = {
  af: 'Goeiemôre. So klink ek wanneer ek ’n storie voorlees.',
  ar: 'صباح الخير. هكذا يبدو صوتي عندما أقرأ قصة.',
  bg: 'Добро утро. Така звучи гласът ми, когато чета приказка.',
  bn: 'সুপ্রভাত। গল্প পড়ার সময় আমার কণ্ঠ এমন শোনায়।',
  ca: 'Bon dia. Així sona la meva veu quan llegeixo una història.',
  cs: 'Dobré ráno. Takhle zní můj hlas, když čtu příběh.',
  da: 'Godmorgen. Sådan lyder jeg, når jeg læser en historie op.',
  de: 'Guten Morgen. So klinge ich, wenn ich eine Geschichte vorlese.',
  el: 'Καλημέρα. Έτσι ακούγεται η φωνή μου όταν διαβάζω μια ιστορία.',
  en: 'Good morning. This is how I sound when I read a story aloud.',
  es: 'Buenos días. Así suena mi voz cuando leo una historia.',
  et: 'Tere hommikust. Nii kõlab minu hääl, kui ma lugu ette loen.',
  fa: 'صبح بخیر. صدای من هنگام خواندن داستان این‌طور است.',
  fi: 'Hyvää huomenta. Tältä kuulostan, kun luen tarinaa ääneen.',
  fr: 'Bonjour. Voici comment sonne ma voix quand je lis une histoire.',
  he: 'בוקר טוב. כך נשמע הקול שלי בקריאת סיפור.',
  hi: 'नमस्ते। कहानी पढ़ते समय मेरी आवाज़ ऐसी सुनाई देती है।',
  hr: 'Dobro jutro. Ovako zvuči moj glas kad čitam priču.',
  hu: 'Jó reggelt! Így szól a hangom, amikor mesét olvasok.',
  id: 'Selamat pagi. Beginilah suara saya saat membacakan cerita.',
  it: 'Buongiorno. Ecco come suona la mia voce quando leggo una storia.',
  ja: 'おはようございます。物語を読むと、こんな声になります。',
  ko: '안녕하세요. 이야기를 읽을 때 제 목소리는 이렇습니다.',
  lt: 'Labas rytas. Taip skamba mano balsas, kai skaitau pasaką.',
  lv: 'Labrīt. Tā skan mana balss, kad es lasu stāstu.',
  ms: 'Selamat pagi. Beginilah suara saya semasa membacakan cerita.',
  nl: 'Goedemorgen. Zo klink ik als ik een verhaal voorlees.',
  no: 'God morgen. Slik høres jeg ut når jeg leser en historie.',
  pl: 'Dzień dobry. Tak brzmi mój głos, kiedy czytam opowieść.',
  pt: 'Bom dia. É assim que a minha voz soa quando leio uma história.',
  ro: 'Bună dimineața. Așa sună vocea mea când citesc o poveste.',
  ru: 'Доброе утро. Так звучит мой голос, когда я читаю рассказ.',
  sk: 'Dobré ráno. Takto znie môj hlas, keď čítam príbeh.',
  sl: 'Dobro jutro. Tako zveni moj glas, ko berem zgodbo.',
  sr: 'Добро јутро. Овако звучи мој глас кад читам причу.',
  sv: 'God morgon. Så här låter jag när jag läser en berättelse.',
  sw: 'Habari za asubuhi. Hivi ndivyo sauti yangu inavyosikika ninaposoma hadithi.',
  ta: 'வணக்கம். நான் கதை வாசிக்கும்போது என் குரல் இப்படி இருக்கும்.',
  th: 'สวัสดี นี่คือเสียงของฉันเวลาอ่านนิทาน',
  tr: 'Günaydın. Bir hikâye okurken sesim böyle çıkıyor.',
  uk: 'Доброго ранку. Так звучить мій голос, коли я читаю оповідання.',
  ur: 'صبح بخیر۔ کہانی پڑھتے وقت میری آواز ایسی ہوتی ہے۔',
  vi: 'Xin chào. Đây là giọng của tôi khi đọc một câu chuyện.',
  zh: '早上好。我读故事的时候，声音就是这样的。',
};

const otherNames: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', cmn: 'zh', iw: 'he', in: 'id' };

/** The sentence that a preview speaks in a language, a tag such as `en-GB`; in English for one without a sentence. */
export function previewSentence(language: string): string {
  const [primary = ''] = language.toLowerCase().split(/[-_]/);
  const name = otherNames[primary] ?? primary;
  return (Object.hasOwn(sentences, name) ? sentences[name] : undefined) ?? sentences['en'] ?? '';
}
