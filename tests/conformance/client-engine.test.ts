/** Our client and a service, all operations end to end: the real engine, or the service of `TIMBRE_CONFORMANCE`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceClient } from '../../src/main/core/voice-service/service-client.ts';
import { AppError } from '../../src/shared/errors.ts';
import { detectFormat } from '../../src/sound/detect-format.ts';
import { conversion, listener, signal, speech, uploadOf } from './client-calls.ts';
import { openService, type OpenedService } from './open-service.ts';
import { errorRows } from './interface-rules.ts';
import { useClient } from './test-client.ts';
import { toneWav } from './tone.ts';

const { client: connect, folder } = useClient();
let service: OpenedService;
let client: ServiceClient;
let voice = '';

beforeAll(async () => {
  service = await openService('client');
  const { hosts, token, holes } = service;
  const { version, category, gender, language } = holes;
  const document = {
    hosts,
    voiceQuery: { version, category, gender, language },
    voiceDetailQuery: holes.voiceDetail,
    modelPageSizeQuery: holes.modelPageSize,
    changerType: { fields: [holes.changerType] },
  };
  client = connect(document, token);
  voice = (await client.listVoices({ page: 0, limit: 1 }, signal)).voices[0]?.id ?? '';
});
afterAll(() => service.close());

const download = async (audioUrl: string): Promise<Buffer> => {
  const { write, onProgress, heard } = listener();
  await client.downloadResult({ audioUrl, write, onProgress }, signal);
  return heard();
};
const upload = async () => {
  const task = await client.createTask({ voice, engine: 'v7' }, signal);
  await client.uploadAudio(await uploadOf(folder(), toneWav(), task), signal);
  return task;
};

describe('client and engine', () => {
  it('create-task, upload, convert: the result has the requested format', async () => {
    for (const format of ['.wav', '.mp3'] as const) {
      const { taskId } = await upload();
      const { audioUrl, processingTime } = await client.convertAudio(
        { ...conversion, taskId, voice, outputFormat: format },
        signal,
      );
      expect(processingTime).toSatisfy(Number.isInteger);
      expect(detectFormat(await download(audioUrl))).toBe(format.slice(1));
    }
  });

  it('speech: the audio is found by the delivery of the service', async () => {
    const sink = listener();
    const spoken = await client.speakText(speech({ voice, language: 'en-US', ...sink }), signal);
    const sound = spoken.kind === 'address' ? await download(spoken.audioUrl) : sink.heard();
    expect(detectFormat(sound)).not.toBeNull();
    expect(sound.length).toBeGreaterThan(5000);
  });

  it('voices: pages contain no voice twice, and filters apply', async () => {
    const pages = await Promise.all([0, 1, 2].map((page) => client.listVoices({ page, limit: 2 }, signal)));
    const ids = pages.flatMap(({ voices }) => voices.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(Math.min(6, pages[0]?.total ?? 0));
    const { voices } = await client.listVoices({ page: 0, limit: 100, gender: 'female' }, signal);
    expect(new Set(voices.map(({ gender }) => gender))).toEqual(new Set(['female']));
  });

  it('voice-detail: describes the requested voice', async () => {
    const detail = await client.voiceDetail(voice, signal);
    expect(detail.voiceId).toBe(voice);
    expect(detail.supportedFormats).not.toHaveLength(0);
  });

  it('models, delete-model: a model is listed, deleted by its name, and then gone', async () => {
    const { model } = service;
    const names = async () => (await client.listModels({ page: 1, limit: 20 }, signal)).models.map(({ name }) => name);
    expect(await names()).toContain(model);
    expect(await client.deleteModel(model, signal)).toMatchObject({ modelName: model });
    expect(await names()).not.toContain(model);
  });

  it('plant: an int64 is accepted', async () => {
    const plant = { name: 'Fern', tag: 'green' };
    expect(await client.createPlant({ id: '9223372036854775807', ...plant }, signal)).toEqual(plant);
  });
});

/** What our client can be brought to ask wrongly. Limits it keeps itself; a form without a file it cannot send. */
const wrongCalls: Partial<Readonly<Record<(typeof errorRows)[number]['id'], () => Promise<unknown>>>> = {
  'create-task': () => client.createTask({ voice: '', engine: 'v7' }, signal),
  convert: async () =>
    client.convertAudio({ ...conversion, taskId: (await upload()).taskId, voice, pitch: -1 }, signal),
  speech: () => client.speakText(speech({ voice: 'no-such-voice' }), signal),
  'voice-detail': () => client.voiceDetail('no-such-voice', signal),
  'delete-model': () => client.deleteModel('no such model', signal),
};

describe('client and engine, errors', () => {
  it.each(errorRows.filter(({ id }) => wrongCalls[id]))(
    '$id: “$error” is passed on in the service’s words',
    async (row) => {
      const failed = await wrongCalls[row.id]?.().catch((error: unknown) => error);
      const { error, names } = row;
      const words = (failed instanceof AppError ? failed.problem.words : undefined) ?? '';
      expect(words.slice(0, error.length)).toBe(error);
      if (names === null) expect(words).toBe(error);
      else expect(words.slice(error.length)).toMatch(new RegExp(`\\b${names}\\b`, 'i'));
    },
  );

  it('plant: an error is passed on with its message and number', async () => {
    const failed = await client.createPlant({ id: '1', name: '', tag: null }, signal).catch((error: unknown) => error);
    expect(failed).toHaveProperty('problem.words', expect.stringMatching(/. \(-?\d+\)$/));
  });
});
