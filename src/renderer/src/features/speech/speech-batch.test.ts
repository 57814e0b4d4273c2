import { expect, it } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { BatchPage, SpeechSettings } from '../../../../shared/schemas/speech.ts';
import { SpeechBatch } from './speech-batch.svelte.ts';

const settingsOf = (voiceId: string): SpeechSettings => ({
  ...{ voiceId, language: '', speed: 1, pitch: 1 },
  ...{ engine: 'v7', platform: 'web' },
});
const pageOf = (calls: number): BatchPage => ({ rows: [], next: null, texts: 2, bad: 0, characters: calls, calls });

async function open(listBatch: (settings: SpeechSettings) => Promise<BatchPage>, isAdded = Promise.resolve()) {
  const spoken: unknown[] = [];
  const batch = new SpeechBatch({
    openFiles: () => Promise.reject(new AppError('input/not-text', 'a picture')),
    openDraft: () =>
      Promise.resolve({ kind: 'batch', name: null, files: 0, divisions: ['paragraphs'], isEditable: false }),
    listBatch: ({ settings }) => listBatch(settings),
    speakBatch({ settings, division }) {
      spoken.push([settings.voiceId, division]);
      return isAdded.then(() => ({ added: 2, known: 0 }));
    },
  });
  await batch.openDraft(5);
  return { batch, spoken };
}

it('a batch is spoken with the settings whose figures are shown, and with no others', async () => {
  const listed = Promise.withResolvers<BatchPage>();
  const { batch, spoken } = await open(({ voiceId }) =>
    voiceId === 'dear' ? listed.promise : Promise.resolve(pageOf(0)),
  );
  await batch.follow(settingsOf('cheap'));
  const reading = batch.follow(settingsOf('dear'));
  expect(batch.isReading).toBe(true);
  await batch.speak();
  expect(spoken).toEqual([]);
  listed.resolve(pageOf(90));
  await reading;
  expect([batch.isReading, batch.summary?.calls]).toEqual([false, 90]);
  await batch.speak();
  expect(spoken).toEqual([['dear', 'paragraphs']]);
});

it('a batch that is read again with the same settings can be spoken meanwhile', async () => {
  const { batch, spoken } = await open(() => Promise.resolve(pageOf(1)));
  await batch.follow(settingsOf('a'));
  const reading = batch.follow(settingsOf('a'));
  expect(batch.isReading).toBe(false);
  await batch.speak();
  await reading;
  expect(spoken).toHaveLength(1);
});

it('a batch that cannot be read is not being read any more, and speaks nothing', async () => {
  const { batch, spoken } = await open(() => Promise.reject(new AppError('network/unreachable', 'no service')));
  await batch.follow(settingsOf('a'));
  expect([batch.isReading, batch.isListFailed, batch.problem?.code]).toEqual([false, true, 'network/unreachable']);
  await batch.speak();
  expect(spoken).toEqual([]);
});

it('a file that cannot be opened leaves the batch as it is, with nothing to read again', async () => {
  const { batch } = await open(() => Promise.resolve(pageOf(1)));
  await batch.follow(settingsOf('a'));
  await batch.open(['/picture.txt']);
  expect([batch.problem?.code, batch.isListFailed, batch.ready]).toEqual(['input/not-text', false, 2]);
});

it('what was added is reported until the texts are listed for other settings, which cost anew', async () => {
  const { batch } = await open(() => Promise.resolve(pageOf(1)));
  await batch.follow(settingsOf('a'));
  await batch.speak();
  await batch.follow(settingsOf('a'));
  expect(batch.added).toEqual({ added: 2, known: 0 });
  await batch.follow(settingsOf('b'));
  expect(batch.added).toBeNull();
});

it('what was added of a batch is not reported of the one that was opened meanwhile', async () => {
  const isAdded = Promise.withResolvers<void>();
  const { batch } = await open(() => Promise.resolve(pageOf(1)), isAdded.promise);
  await batch.follow(settingsOf('a'));
  const speaking = batch.speak();
  await batch.openDraft(5);
  isAdded.resolve();
  await speaking;
  expect([batch.added, batch.isSubmitting]).toEqual([null, false]);
});
