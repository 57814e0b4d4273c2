import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversion, Upload } from '../../src/main/core/voice-service/conversion.ts';
import { snapshotOf } from '../../src/main/core/files/identity.ts';
import type { Speech } from '../../src/main/core/voice-service/speech.ts';

export const taskId = '0c0f8f5e-6a4b-4c39-9a51-8f6d0f4f7a10';

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
