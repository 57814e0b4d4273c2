import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversion, Upload } from '../../src/main/core/voice-service/conversion.ts';
import { snapshotOf } from '../../src/main/core/files/identity.ts';
import type { Speech } from '../../src/main/core/voice-service/speech.ts';
import type { VoiceService } from '../../src/main/core/voice-service/voice-service.ts';
import type { OperationId } from './interface-table.ts';
import { taskId } from './recording-service.ts';

export const { signal } = new AbortController();

export const conversion: Conversion = {
  taskId,
  voice: 'v-1',
  pitch: 1.5,
  speed: 0.8,
  outputFormat: '.wav',
  audioName: 'My sound',
  platform: 'web',
  pitchControl: '',
  engine: 'v7',
  autoF0: true,
};

/** A receiver of sound, and what it got. */
export function listener() {
  const chunks: Buffer[] = [];
  return {
    write: (chunk: Buffer) => {
      chunks.push(Buffer.from(chunk));
      return Promise.resolve();
    },
    onProgress: () => undefined,
    heard: () => Buffer.concat(chunks),
  };
}

export const speech = (change: Partial<Speech> = {}): Speech => ({
  text: 'Good evening.',
  voice: 'v-1',
  language: 'en-GB',
  speed: 1,
  pitch: 0.85,
  engine: 'v5',
  platform: 'mac',
  ...listener(),
  ...change,
});

/** An upload of these bytes from a file in `folder`. */
export async function uploadOf(folder: string, bytes: Buffer, task: Upload['task']): Promise<Upload> {
  const path = join(folder, 'sound.wav');
  await writeFile(path, bytes);
  const source = snapshotOf(await stat(path, { bigint: true }));
  return { task, path, fileName: 'sound.wav', source, onProgress: () => undefined };
}

/** Our client's call of each operation, with all that can be said in it. */
export const calls: Readonly<
  Record<OperationId, (client: VoiceService, folder: string, sound: Buffer) => Promise<unknown>>
> = {
  'create-task': (client) => client.createTask({ voice: 'v-1', engine: 'v7' }, signal),
  upload: async (client, folder, sound) =>
    client.uploadAudio(await uploadOf(folder, sound, { taskId, changerType: 'FVC' }), signal),
  convert: (client) => client.convertAudio(conversion, signal),
  speech: (client) => client.speakText(speech(), signal),
  voices: (client) =>
    client.listVoices({ page: 0, limit: 100, category: 'news', gender: 'female', language: 'en-GB' }, signal),
  'voice-detail': (client) => client.voiceDetail('v-1', signal),
  models: (client) => client.listModels({ page: 2, limit: 10 }, signal),
  'delete-model': (client) => client.deleteModel('a/b ü?#%', signal),
  plant: (client) => client.createPlant({ id: '9223372036854775807', name: 'Fern', tag: 'green' }, signal),
};
