import { join } from 'node:path';
import { decodeSound } from '../../src/sound/decode-sound.ts';
import { createSoundWriter } from '../../src/sound/encode-sound.ts';

/** Mono sound in memory. */
export interface Sound {
  readonly samples: Float32Array;
  /** Hz. */
  readonly sampleRate: number;
}

/** The first channel of a file. */
export async function readSound(path: string): Promise<Sound> {
  const blocks: Float32Array[] = [];
  let sampleRate = 0;
  for await (const block of decodeSound(path)) {
    blocks.push(Float32Array.from(block.channels[0] ?? []));
    ({ sampleRate } = block);
  }
  const samples = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return { samples, sampleRate };
}

/** Writes a WAV of 16 bits into `folder`; gives its path. */
export async function writeSound(folder: string, name: string, { samples, sampleRate }: Sound): Promise<string> {
  const path = join(folder, `${name}.wav`);
  const writer = await createSoundWriter(path, { format: 'wav', sampleRate, channels: 1 });
  await writer.write([samples]);
  await writer.finish();
  return path;
}
