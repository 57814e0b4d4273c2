import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Speaker, SpeechSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { assertSpoken, jobSettings, spokenPassages, withTextFormat } from './spoken-passages.ts';

const base = { voiceId: 'bronze', language: '', speed: 1, pitch: 1, engine: 'v7', platform: 'web' } as const;
const anna: Speaker = { name: 'Anna', voiceId: 'glass', voiceName: 'High glass' };
const ben: Speaker = { name: 'Ben', voiceId: 'oak', voiceName: 'Old oak', speed: 0.8, pitch: 1.2 };
const languages: Readonly<Record<string, string>> = { bronze: 'en-GB', glass: 'en-GB', oak: 'de-DE' };

const find = (id: string): Promise<Voice> =>
  id in languages
    ? Promise.resolve({ id, name: id, language: languages[id] } as Voice)
    : Promise.reject(new AppError('voice/not-found', id, { facts: { name: id } }));
const settle = (text: string, settings: SpeechSettings) => jobSettings(text, settings, { language: 'en-GB' }, find);

it('each passage is spoken with the settings of its speaker, and the rest with those of the text', () => {
  const settings = { ...base, language: 'en-GB', speakers: [anna, ben] };
  const text = 'Evening.\n\nAnna: Hello.\nBen: Oh.';
  expect(spokenPassages(text, settings, null).map(({ text: words, settings: own }) => [words, own])).toEqual([
    ['Evening.', { ...base, language: 'en-GB' }],
    ['Hello.', { ...base, language: 'en-GB', voiceId: 'glass' }],
    ['Oh.', { ...base, language: 'en-GB', voiceId: 'oak', speed: 0.8, pitch: 1.2 }],
  ]);
});

it('a job keeps the speakers of its text, in order of appearance, and no others', async () => {
  const text = 'BEN: Who is there?\n\nAnna: Me.';
  const kept = await settle(text, { ...base, language: 'en-US', speakers: [anna, { ...anna, name: 'Carl' }, ben] });
  expect(kept).toEqual({ ...base, language: 'en-US', speakers: [ben, anna] });
  const none = await settle('Who is there?', { ...base, speakers: [anna, { ...anna, name: 'X', voiceId: 'gone' }] });
  expect(JSON.stringify(none)).toBe(JSON.stringify({ ...base, language: 'en-GB' }));
});

it('a name of a speaker without words is not spoken', async () => {
  const settings = { ...base, speakers: [anna, ben] };
  const said = async (text: string) =>
    spokenPassages(text, await settle(text, settings), null).map(({ text: words, settings: own }) => [
      ...[own.voiceId, words],
    ]);
  const hello = ['glass', 'Hello.'];
  expect(await said('Anna: Hello.\n\nBen:\n\nAnna: And again.\nBen:\n')).toEqual([hello, ['glass', 'And again.']]);
  expect(await said('Ben:\nAnna: Hello.')).toEqual([hello]);
  for (const text of ['Anna:', 'Anna:\nBen:\n', 'Anna:\n\nBen: \n']) {
    await expect(assertSpoken(text, await settle(text, settings), null)).rejects.toMatchObject({
      code: 'input/text-empty',
    });
  }
});

it('without a language for the text, each speaker speaks that of their voice', async () => {
  const kept = await settle('Anna: Hello.\nBen: Hallo.', { ...base, speakers: [anna, ben] });
  expect(kept).toMatchObject({ language: 'en-GB', speakers: [{ name: 'Anna' }, { name: 'Ben', language: 'de-DE' }] });
  expect(kept.speakers?.[0]).toEqual(anna);
});

it('the voice of a speaker that is gone is named before anything is spoken', async () => {
  const gone = { ...anna, voiceId: 'gone' };
  await expect(settle('Anna: Hello.', { ...base, speakers: [gone] })).rejects.toMatchObject({
    problem: { code: 'voice/speaker-not-found', facts: { name: 'Anna', voice: 'High glass' } },
  });
});

const nginx = { language: '', word: 'nginx', spoken: 'engine x' };

it('passages are sent with the pronunciations of their language, and keep their places', () => {
  const text = 'It is nginx. Really.\n\nBen: Nginx, echt.';
  const settings = {
    ...{ ...base, language: 'en-GB', speakers: [{ ...ben, language: 'de-DE' }] },
    pronunciations: [nginx, { language: 'de', word: 'echt', spoken: 'ächt' }, { ...nginx, language: 'fr' }],
  };
  const passages = spokenPassages(text, settings, null);
  expect(passages.map(({ text: sent }) => sent)).toEqual(['It is engine x.', 'Really.', 'engine x, ächt.']);
  expect(passages.map(({ start, end }) => text.slice(start, end).trim())).toEqual([
    ...['It is nginx.', 'Really.', 'Nginx, echt.'],
  ]);
});

it('no passage is longer than a service accepts after its pronunciations are put in', () => {
  const settings = { ...base, language: 'en', pronunciations: [{ ...nginx, word: 'ng', spoken: 'en gee' }] };
  const passages = spokenPassages('ng ng ng ng ng ng ng ng.', settings, 24);
  expect(passages.map(({ text: sent }) => sent).join(' ')).toBe(`${'en gee '.repeat(8).trim()}.`);
  expect(Math.max(...passages.map(({ text: sent }) => sent.length))).toBeLessThanOrEqual(24);
  expect(passages.map(({ ends }) => ends).at(-1)).toBe('paragraph');
  expect(new Set(passages.slice(0, -1).map(({ ends }) => ends))).toEqual(new Set(['nothing']));
});

it('a job keeps the pronunciations that apply to its text, and no others', async () => {
  const list = [{ ...nginx, word: 'apache' }, nginx, { ...nginx, language: 'de' }];
  const kept = await jobSettings('It is NGINX.', base, { language: 'en-GB' }, find, list);
  expect(kept.pronunciations).toEqual([nginx]);
  const none = await jobSettings('It is late.', base, { language: 'en-GB' }, find, list);
  expect(JSON.stringify(none)).toBe(JSON.stringify({ ...base, language: 'en-GB' }));
});

const arrow = { language: '', word: '→', spoken: 'leads to' };
const sent = (text: string, maxLength: number | null = null, pronunciations = [arrow]) =>
  spokenPassages(text, { ...base, language: 'en', pronunciations }, maxLength).map((passage) => passage.text);

it('signs are spoken if a pronunciation makes words of them, and otherwise left out', async () => {
  expect(sent('→')).toEqual(['leads to']);
  expect(sent('One.\n\n→\n\n***\n\nTwo.')).toEqual(['One.', 'leads to', 'Two.']);
  expect(sent('***')).toEqual([]);
  expect(sent('→', null, [])).toEqual([]);
  expect(sent('One.\n\nUm.\n\nTwo.', null, [{ language: '', word: 'um', spoken: '…' }])).toEqual(['One.', 'Two.']);
  const kept = await jobSettings('→', base, { language: 'en-GB' }, find, [arrow]);
  expect(kept.pronunciations).toEqual([arrow]);
});

it('a passage ends what signs that are left out of it ended', () => {
  const settings = { ...base, language: 'en', pronunciations: [arrow] };
  expect(spokenPassages('One.\u2063 ***\n\nTwo.', settings, null).map(({ text, ends }) => [text, ends])).toEqual([
    ['One.', 'paragraph'],
    ['Two.', 'paragraph'],
  ]);
});

it('a text of nothing but names or signs cannot become a job', async () => {
  const settings = { ...base, language: 'en-GB', speakers: [anna] };
  for (const text of ['', 'Anna:\n\nAnna:', '***', '→', 'Anna: …'])
    await expect(assertSpoken(text, settings, null)).rejects.toMatchObject({ code: 'input/text-empty' });
  await assertSpoken('Anna: Oh.', settings, null);
});

it('a text can become a job if it has passages, and only then', async () => {
  const settings = { ...base, language: 'en-GB', speakers: [anna] };
  const parts = ['Anna:', 'Oh', '…', '***', '\n', '\n\n', ' ', '- ', '😀', '\u2063', 'Ben:'];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), async (some) => {
      const words = some.join('');
      const isPossible = spokenPassages(words, settings, null).length > 0;
      const asserted = assertSpoken(words, settings, null);
      if (isPossible) await asserted;
      else await expect(asserted).rejects.toMatchObject({ code: 'input/text-empty' });
    }),
    { numRuns: 2000 },
  );
});

it('what pronunciations make too long is divided between words, and each is said as a whole', () => {
  const york = { language: '', word: 'New York', spoken: 'Noo Yawrk City' };
  const words = 'Nginx in New York in New York in New York is self-evident.';
  const said = /^engine x by name in Noo Yawrk City in Noo Yawrk City in Noo Yawrk City is self- ?evident\.$/;
  for (let limit = words.length; limit < 80; limit += 1) {
    const parts = sent(words, limit, [york, { ...nginx, spoken: 'engine x by name' }]);
    expect(parts.join(' ')).toMatch(said);
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(limit);
  }
  expect(sent('微软nginx微软', 10, [{ ...nginx, spoken: 'engine x' }])).toEqual(['微软engine x', '微软']);
});

it('a pronunciation that is too long for one call is refused by its word', () => {
  const long = { ...nginx, spoken: 'a name that is said as engine x' };
  expect(() => sent('It is nginx, is it not?', 20, [long])).toThrow(
    expect.objectContaining({ problem: { code: 'pronunciation/too-long', facts: { word: 'nginx', limit: 20 } } }),
  );
});

it('subtitles that the user wrote are spoken as such, and named by their first words', () => {
  const subtitles = '1\n00:00:01,000 --> 00:00:02,000\n<i>One.</i>\n\n2\n00:00:04,000 --> 00:00:05,000\nTwo.\n';
  expect(withTextFormat(subtitles, base)).toEqual({ ...base, textFormat: 'subtitles', title: 'One. Two.' });
  expect(withTextFormat('One. Two.', base)).toEqual(base);
  const unreadable = subtitles.replace('00:00:04', '00:99:04');
  expect(() => withTextFormat(unreadable, base)).toThrow(
    new AppError('input/subtitle-times', 'subtitles', { facts: { count: 1, lines: '6' } }),
  );
});

it('subtitles of signs are spoken at their time if a pronunciation makes words of them', () => {
  const cue = (second: number, words: string) => `00:00:0${second},000 --> 00:00:0${second},900\n${words}\n\n`;
  const settings = { ...base, language: 'en', textFormat: 'subtitles', pronunciations: [arrow] } as const;
  const passages = spokenPassages(cue(1, '♪') + cue(2, '→') + cue(3, 'One → two.'), settings, 10);
  expect(passages.map(({ text, atSeconds }) => [text, atSeconds])).toEqual([
    ['leads to', 2],
    ['One', 3],
    ['leads to', undefined],
    ['two.', undefined],
  ]);
});
