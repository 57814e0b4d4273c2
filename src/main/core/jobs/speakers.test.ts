import { beforeEach, describe, expect, it } from 'vitest';
import type { Speaker, SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import { buzz, encoded } from '../../../sound/sound.fixture.ts';
import type { SpeechJob } from './job.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const queue = useTestQueue();
const { openService, speak } = usePaidService(queue);

interface Sent {
  readonly voice: string;
  readonly speech: string;
  readonly Parameter: { readonly Speed: string; readonly Pitch: string };
}

/** Voice, speed, pitch and words of the calls, in order. */
let calls: (readonly string[])[];
beforeEach(async () => {
  calls = [];
  const sound = await encoded('wav', [buzz(120, 0.2, 24_000)], 24_000);
  await openService((step, response, { body }) => {
    if (step !== 'paid') return false;
    const sent = JSON.parse(String(body)) as Sent;
    calls.push([sent.voice, sent.Parameter.Speed, sent.Parameter.Pitch, sent.speech]);
    response.end(sound);
    return true;
  });
});

const anna: Speaker = { name: 'Anna', voiceId: 'high-glass', voiceName: 'High glass' };
const ben: Speaker = { name: 'Ben', voiceId: 'old-oak', voiceName: 'Old oak', speed: 0.8, pitch: 1.2 };

async function run(text: string, settings: Partial<SpeechJobSettings>): Promise<SpeechJob> {
  const { id } = speak(text, settings);
  queue().scheduler.start();
  const [job] = await settled(queue().store, [id]);
  expect(job?.state).toBe('done');
  return job as SpeechJob;
}

const own = ['low-bronze', '1.0', '1.0'];

describe('pronunciations', () => {
  const pronunciations = [{ language: 'en', word: 'nginx', spoken: 'engine x' }];

  it('are sent in place of the words, also in a short text', async () => {
    await run('It is nginx.', { pronunciations });
    await run('Late.\n\nIt is nginx.', { pronunciations });
    expect(calls.map(([, , , text]) => text)).toEqual(['It is engine x.', 'Late.', 'It is engine x.']);
  });

  it('make words of signs, of which nothing is spoken without them', async () => {
    await run('→', { pronunciations: [{ language: '', word: '→', spoken: 'leads to' }] });
    expect(calls.map(([, , , text]) => text)).toEqual(['leads to']);
    const [silent] = await settled(queue().store, [speak('→', { pronunciations }).id]);
    expect(silent).toMatchObject({ state: 'failed', problem: { code: 'input/text-empty' } });
    expect(calls).toHaveLength(1);
  });

  it('that change cost a call for each sentence that they occur in', async () => {
    const text = 'Late.\n\nIt is nginx.';
    await run(text, {});
    await run(text, { pronunciations });
    await run(text, {});
    expect(calls.map(([, , , words]) => words)).toEqual(['Late.', 'It is nginx.', 'It is engine x.']);
  });
});

describe('the lines of a speaker', () => {
  it('are spoken by their voice, speed and pitch, without the name', async () => {
    await run('It was late.\n\nAnna: Hello.\nBen: Oh.\n\nNote: it rained.', { speakers: [anna, ben] });
    expect(calls).toEqual([
      [...own, 'It was late.'],
      ['high-glass', '1.0', '1.0', 'Hello.'],
      ['old-oak', '0.8', '1.2', 'Oh.'],
      [...own, 'Note: it rained.'],
    ]);
  });

  it('are spoken so if one short line is all of the text', async () => {
    await run('Ben: Oh. Good evening.', { speakers: [ben] });
    expect(calls).toEqual([['old-oak', '0.8', '1.2', 'Oh. Good evening.']]);
  });

  it('cost one call again if their voice changes, and nothing if only another speaker does', async () => {
    const text = 'It was late.\n\nAnna: Hello.\nBen: Oh.';
    await run(text, { speakers: [anna, ben] });
    await run(text, { speakers: [anna, { ...ben, speed: 1 }] });
    expect(calls.slice(3)).toEqual([['old-oak', '1.0', '1.2', 'Oh.']]);
  });

  it('cost nothing if the same voice has spoken the same words elsewhere', async () => {
    await run('One.\n\nTwo.', {});
    await run('One.\n\nAnna: Two.', { speakers: [{ ...anna, voiceId: 'low-bronze' }] });
    expect(calls).toHaveLength(2);
  });

  it('are the same after a restart, and in a repeated job', async () => {
    const { id, settings } = await run('It was late.\n\nAnna: Hello.', { speakers: [anna] });
    expect(queue().store.get(id)).toMatchObject({ settings: { speakers: [anna] } });
    const job = queue().store.get(id);
    const repeated = job && queue().submitJobs.repeat(job);
    expect(repeated?.settings).toEqual(settings);
    await settled(queue().store, [repeated?.id ?? '']);
    expect(calls).toHaveLength(2);
  });
});
