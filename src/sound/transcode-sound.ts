import { rm } from 'node:fs/promises';
import { decodeSound, type DecodeOptions } from './decode-sound.ts';
import { createSoundWriter, nearestRate } from './encode-sound.ts';
import { createResampler } from './resample-sound.ts';
import type { SoundWriter } from './sound-writer.ts';

/** Formats that keep every sample, so that a recording loses nothing before it is sent. */
export type LosslessFormat = 'flac' | 'wav';

export type TranscodeSound = (
  path: string,
  options: { readonly to: string; readonly format: LosslessFormat } & Pick<DecodeOptions, 'ffmpeg' | 'signal'>,
) => Promise<void>;

/**
 * Decodes a recording into a new file, with its first two channels. Throws the errors of
 * `decodeSound`, and leaves no file then.
 */
export const transcodeSound: TranscodeSound = async (path, { to, format, ...options }) => {
  let writer: SoundWriter | null = null;
  let resampler: ReturnType<typeof createResampler> | null = null;
  try {
    for await (const { channels: all, sampleRate } of decodeSound(path, options)) {
      const channels = all.slice(0, 2);
      if (!writer) {
        const rate = nearestRate(format, sampleRate);
        const count = channels.length === 1 ? 1 : 2;
        writer = await createSoundWriter(to, { format, sampleRate: rate, channels: count });
        if (rate !== sampleRate) resampler = createResampler(count, sampleRate, rate);
      }
      await writer.write(resampler?.push(channels) ?? channels);
    }
    if (resampler) await writer?.write(resampler.end());
    await writer?.finish();
  } catch (error) {
    await writer?.close().catch(() => undefined);
    await rm(to, { force: true });
    throw error;
  }
};
