import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSoundWriter } from './encode-sound.ts';
import type { OutputFormat } from './sound-format.ts';

/**
 * A buzz of ten overtones that fall in level, which pitch detectors take for a voice: `seconds` at
 * `sampleRate` Hz, F0 `hz`, peak about 0.5.
 */
export function buzz(hz: number, seconds: number, sampleRate: number): Float32Array {
  const sines = Array.from({ length: 10 }, (_, at) => ({ hz: hz * (at + 1), gain: 1 / (at + 1) ** 1.3 }));
  return Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, frame) =>
    sines.reduce((sum, sine) => sum + 0.25 * sine.gain * Math.sin((2 * Math.PI * sine.hz * frame) / sampleRate), 0),
  );
}

/** Reproducible noise (a linear congruential generator), peak 0.5. */
export function hiss(seconds: number, sampleRate: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: Math.round(seconds * sampleRate) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

/** True if ffmpeg is installed. It creates the formats that we read but do not write. */
export const hasFfmpeg = ((): boolean => {
  try {
    return execFileSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8', stdio: 'pipe' }).includes(
      'libopus',
    );
  } catch {
    return false;
  }
})();

/** Calls `use` with a temporary folder, which is removed afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-sound-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Encodes with our own encoder and returns the bytes of the file. */
export const encoded = (
  format: OutputFormat,
  channels: readonly Float32Array[],
  sampleRate: number,
): Promise<Uint8Array> =>
  withFolder(async (folder) => {
    const path = join(folder, `sound.${format}`);
    const writer = await createSoundWriter(path, { format, sampleRate, channels: channels.length === 1 ? 1 : 2 });
    await writer.write(channels);
    await writer.finish();
    return Uint8Array.from(await readFile(path));
  });
