import { rm } from 'node:fs/promises';
import { AppError } from '../shared/errors.ts';
import { decodeSound, type DecodeOptions } from './decode-sound.ts';
import { createSoundWriter, nearestRate } from './encode-sound.ts';
import { frameCount } from './pcm-block.ts';
import { createResampler } from './resample-sound.ts';
import type { OutputFormat } from './sound-format.ts';
import type { SoundWriter } from './sound-writer.ts';

/** A part of a sound, to be written to a file of its own. */
export interface SoundPart extends Pick<DecodeOptions, 'ffmpeg'> {
  readonly path: string;
  readonly startSeconds: number;
  readonly seconds: number;
  /** Path of the new file. */
  readonly to: string;
  readonly format: OutputFormat;
}

/**
 * Writes a part of a recording, with its first two channels, and returns its length in seconds: less than asked for where the
 * recording ends before. Reads no further than the part. Throws the errors of `decodeSound`, and leaves no file then.
 */
export async function cutSound(
  { path, startSeconds, seconds, to, format, ffmpeg }: SoundPart,
  signal?: AbortSignal,
): Promise<number> {
  let writer: SoundWriter | null = null;
  let resampler: ReturnType<typeof createResampler> | null = null;
  let position = 0;
  let written = 0;
  let rate = 0;
  try {
    for await (const { channels: all, sampleRate } of decodeSound(path, { ffmpeg, signal })) {
      rate = sampleRate;
      const first = Math.round(startSeconds * sampleRate);
      const end = first + Math.round(seconds * sampleRate);
      const frames = frameCount(all);
      const [from, until] = [Math.max(0, first - position), Math.min(frames, end - position)];
      position += frames;
      if (from >= until) continue;
      const channels = all.slice(0, 2).map((channel) => channel.subarray(from, until));
      if (!writer) {
        const wanted = nearestRate(format, sampleRate);
        const count = channels.length === 1 ? 1 : 2;
        writer = await createSoundWriter(to, { format, sampleRate: wanted, channels: count });
        if (wanted !== sampleRate) resampler = createResampler(count, sampleRate, wanted);
      }
      await writer.write(resampler?.push(channels) ?? channels);
      written += until - from;
      if (position >= end) break;
    }
    if (!writer) throw new AppError('input/not-audio', `${path} ends before the part begins`);
    if (resampler) await writer.write(resampler.end());
    await writer.finish();
    return written / rate;
  } catch (error) {
    await writer?.close().catch(() => undefined);
    await rm(to, { force: true });
    throw error;
  }
}
