import { expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Speaker, SpeechSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { jobSettings, spokenPassages } from './spoken-passages.ts';

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

it('a text of nothing but names is empty', async () => {
  await expect(settle('Anna:\n\nAnna:', { ...base, speakers: [anna] })).rejects.toMatchObject({
    code: 'input/text-empty',
  });
});
