import { loadMessages } from '../../../../shared/messages/index.ts';
import { expect, test } from 'vitest';
import { voiceFacts } from './voice-facts.ts';

const [de, ru] = [await loadMessages('de'), await loadMessages('ru')];
const voice = { id: 'a', name: 'Anna', language: 'de-DE', gender: 'female', category: '' };

const measures = (pitch: string | null, speed: string | null, messages: typeof de) =>
  voiceFacts(voice, { ...voice, voiceId: 'a', description: '', supportedFormats: [], pitch, speed }, messages)
    .filter(({ label }) => label === messages.voices.pitch || label === messages.voices.speed)
    .map(({ value }) => value);

test('a number that the service wrote is read in the user’s language', () => {
  expect(measures('178 Hz', '1.0', de)).toEqual(['178\u00a0Hz', '1,0']);
  expect(measures('178.2 Hz', '0.85', ru)).toEqual(['178\u00a0Гц', '0,85']);
});

test('formats are listed with the comma of the language', async () => {
  const [ar, ja] = [await loadMessages('ar'), await loadMessages('ja')];
  const formatsIn = (messages: typeof de) =>
    voiceFacts(
      voice,
      { ...voice, voiceId: 'a', description: '', supportedFormats: ['wav', 'mp3'], pitch: null, speed: null },
      messages,
    ).at(-1)?.value;
  expect([ar, ja, de].map(formatsIn)).toEqual(['wav، mp3', 'wav、mp3', 'wav, mp3']);
});

test('any other text of the service stays as it is, and what it omits is left out', () => {
  expect(measures('medium', '+10%', de)).toEqual(['medium', '+10%']);
  expect(measures('1.2.3', '90 bpm', de)).toEqual(['1.2.3', '90 bpm']);
  expect(measures('', null, de)).toEqual([]);
  expect(voiceFacts(voice, null, de).map(({ value }) => value)).toEqual(['Deutsch', 'weiblich']);
});
