/** One example of each operation: a plain request, the service's reply, our client's call, and what the client makes of the reply. */
import { expect } from 'vitest';
import type { ServiceClient } from '../../src/main/core/voice-service/service-client.ts';
import { conversion, signal, speech, taskId, uploadOf } from './client-calls.ts';
import type { OperationId } from './interface-table.ts';
import type { Json } from './plain-client.ts';
import type { Subject } from './plain-requests.ts';

interface Example {
  /** Every field of the interface's table that is in the query or the body, with a value that a service must take. */
  fields(subject: Subject): Json;
  /** A success with the fields of the interface and no other. */
  readonly reply: Json;
  /** With every field that the client can send. */
  call(client: ServiceClient, folder: string, sound: Buffer): Promise<unknown>;
  readonly understood: unknown;
}

const voice = { id: 'v-1', name: 'Anna', language: 'en-GB', gender: 'female', category: 'news' };
const voicePage = { page: 0, limit: 100, total: 1, voices: [voice] };
const detail = {
  voiceId: 'v-1',
  name: 'Anna',
  gender: 'female',
  language: 'en-GB',
  category: 'news',
  description: 'Clear.',
};
const model = { name: 'a/b ü?#%', languageCode: 'en-GB', gender: 'male', creationDate: '2026-01-02T03:04:05Z' };
const modelId = '6f1f7f0e-3f0f-4d6e-8f0e-0c7a3b1d2e4f';

export const examples: Readonly<Record<OperationId, Example>> = {
  'create-task': {
    fields: (subject) => ({ voice: subject.voice, from: 'fv-file-changer', operation: 'FVC', engine: 'v7' }),
    reply: { message: 'Made.', taskId },
    call: (client) => client.createTask({ voice: 'v-1', engine: 'v7' }, signal),
    understood: { taskId, changerType: 'FVC' },
  },
  upload: {
    fields: () => ({}),
    reply: { message: 'Kept.', uuid: taskId },
    call: async (client, folder, sound) =>
      client.uploadAudio(await uploadOf(folder, sound, { taskId, changerType: 'FVC' }), signal),
    understood: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  },
  convert: {
    fields: (subject) => ({
      uuid: subject.taskId,
      voice: subject.voice,
      pitch: 1.1,
      speed: 1,
      from: 'fv-file-changer',
      outputFormat: '.wav',
      audioName: 'tone',
      platform: 'web',
      pitch_control: '',
      operation: 'FVC',
      engine: 'v7',
      auto_f0_adjust: true,
    }),
    reply: { status: 'success', message: 'Done.', data: { audioUrl: 'https://a.example/x.wav', processingTime: 12 } },
    call: (client) => client.convertAudio(conversion, signal),
    understood: { audioUrl: 'https://a.example/x.wav', processingTime: 12 },
  },
  speech: {
    fields: (subject) => ({
      AppId: '107',
      FeatureId: '22',
      speech: 'Good evening.',
      voice: subject.voice,
      Parameter: { Speed: '1.0', LanguageCode: 'en-US', Pitch: '1.0' },
      engine: 'v7',
      platform: 'web',
    }),
    reply: { message: 'https://a.example/x.mp3' },
    call: (client) => client.speakText(speech(), signal),
    understood: { kind: 'address', audioUrl: 'https://a.example/x.mp3', message: null },
  },
  voices: {
    fields: () => ({ version: 'v2', category: '', gender: 'all', language: '', page: 0, limit: 100 }),
    reply: voicePage,
    call: (client) =>
      client.listVoices({ page: 0, limit: 100, category: 'news', gender: 'female', language: 'en-GB' }, signal),
    understood: voicePage,
  },
  'voice-detail': {
    fields: (subject) => ({ voiceId: subject.voice }),
    reply: {
      status: 'success',
      ...detail,
      additionalDetails: { pitch: 'medium', speed: '1.0', supportedFormats: ['wav', 'mp3'] },
    },
    call: (client) => client.voiceDetail('v-1', signal),
    understood: { ...detail, pitch: 'medium', speed: '1.0', supportedFormats: ['wav', 'mp3'] },
  },
  models: {
    fields: () => ({ page: 1, limit: 20 }),
    reply: {
      status: 'success',
      models: [{ modelId, ...model }],
      pagination: { currentPage: 2, totalPages: 3, totalItems: 21 },
    },
    call: (client) => client.listModels({ page: 2, limit: 10 }, signal),
    understood: { page: 2, pages: 3, total: 21, models: [{ id: modelId, voiceId: modelId, ...model }] },
  },
  'delete-model': {
    fields: () => ({}),
    reply: { status: 'success', message: 'Gone.', modelName: model.name },
    call: (client) => client.deleteModel(model.name, signal),
    understood: { message: 'Gone.', modelName: model.name },
  },
  plant: {
    fields: () => ({ id: 7, name: 'Fern', tag: 'green' }),
    reply: { name: 'Fern', tag: 'green' },
    call: (client) => client.createPlant({ id: '9223372036854775807', name: 'Fern', tag: 'green' }, signal),
    understood: { name: 'Fern', tag: 'green' },
  },
};
