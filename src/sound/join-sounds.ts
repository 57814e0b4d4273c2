import { rm } from 'node:fs/promises';
import { decodeSound } from './decode-sound.ts';
import { createSoundWriter, nearestRate } from './encode-sound.ts';
import { createPeakLimiter } from './limit-peaks.ts';
import { frameCount, joinBlocks, type PcmBlock } from './pcm-block.ts';
import { createResampler } from './resample-sound.ts';
import type { OutputFormat } from './sound-format.ts';
import type { SoundWriter } from './sound-writer.ts';
import { computeWaveform } from './waveform-columns.ts';

export interface JoinedSounds {
  /** In order; at least one. */
  readonly parts: readonly {
    readonly path: string;
    /** Silence after it. */
    readonly pauseSeconds: number;
    /** When it begins, unless what is before it ends later. */
    readonly atSeconds?: number;
  }[];
  /** Path of the new file. */
  readonly to: string;
  readonly format: OutputFormat;
}

export type JoinSounds = (sounds: JoinedSounds, signal?: AbortSignal) => Promise<void>;

/** A part that begins or ends within a sound would click. */
const fadeSeconds = 0.005;
/** A part that is so much quieter or louder than the others is meant to be. */
const mostGainDb = 9;
const ceiling = 0.97;
/** Silence is written in blocks of this many frames. */
const silentFrames = 65_536;

interface Measured {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Loudness without pauses, dB relative to full scale; null for silence. */
  readonly levelDb: number | null;
}

async function measure(path: string, signal: AbortSignal | undefined): Promise<Measured> {
  let first: PcmBlock | undefined;
  async function* decoded(): AsyncGenerator<PcmBlock> {
    for await (const block of decodeSound(path, { signal })) {
      first ??= block;
      yield block;
    }
  }
  const { levelDb } = await computeWaveform(decoded());
  return { sampleRate: first?.sampleRate ?? 0, channels: first?.channels.length === 1 ? 1 : 2, levelDb };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Applies `gain` and a raised-cosine fade at both ends to a stream of blocks. Its length is unchanged. */
function createFader(frames: number, gain: number) {
  const rise = (at: number): number => 0.5 - 0.5 * Math.cos((Math.PI * (at + 0.5)) / frames);
  /** The latest frames, which may be the last ones. */
  let kept: readonly Float32Array[] = [];
  let passed = 0;

  const scaled = (channels: readonly Float32Array[], factorAt: (frame: number) => number): readonly Float32Array[] =>
    channels.map((channel) => channel.map((value, at) => value * gain * factorAt(at)));

  return {
    push(channels: readonly Float32Array[]): readonly Float32Array[] {
      const all = kept.length === 0 ? channels.map((channel) => channel.slice()) : joinBlocks([kept, channels]);
      const ready = Math.max(0, frameCount(all) - frames);
      kept = all.map((channel) => channel.slice(ready));
      const from = passed;
      passed += ready;
      return scaled(
        all.map((channel) => channel.subarray(0, ready)),
        (at) => (from + at < frames ? rise(from + at) : 1),
      );
    },
    end(): readonly Float32Array[] {
      const count = frameCount(kept);
      return scaled(kept, (at) => (passed + at < frames ? rise(passed + at) : 1) * rise(count - 1 - at));
    },
  };
}

/**
 * Joins sounds into one file: each as loud as the median of all, faded in and out over 5 ms, with silence after it and, up to its time, before it. Its length
 * is the sum of theirs and of the pauses, to the sample; the highest rate is kept. Throws the errors
 * of `decodeSound`, and leaves no file then.
 */
export const joinSounds: JoinSounds = async ({ parts, to, format }, signal) => {
  const measured: Measured[] = [];
  for (const { path } of parts) measured.push(await measure(path, signal));
  const sampleRate = nearestRate(format, Math.max(...measured.map((each) => each.sampleRate)));
  const channels = measured.some((each) => each.channels === 2) ? 2 : 1;
  const level = median(measured.flatMap(({ levelDb }) => levelDb ?? []));
  const fadeFrames = Math.round(fadeSeconds * sampleRate);
  const limiter = createPeakLimiter(channels, sampleRate, ceiling);
  let writer: SoundWriter | null = null;
  try {
    writer = await createSoundWriter(to, { format, sampleRate, channels });
    let written = 0;
    /** What rounding to whole frames has left out so far: of a book, it would add up to a tenth of a second. */
    let owedFrames = 0;
    const write = async (block: readonly Float32Array[]): Promise<void> => {
      written += frameCount(block);
      if (frameCount(block) > 0) await writer?.write(limiter.push(block));
    };
    const writeSilence = async (frames: number): Promise<void> => {
      for (let left = frames; left > 0; left -= silentFrames) {
        signal?.throwIfAborted();
        await write(Array.from({ length: channels }, () => new Float32Array(Math.min(left, silentFrames))));
      }
    };
    for (const [at, { path, pauseSeconds, atSeconds = 0 }] of parts.entries()) {
      await writeSilence(Math.round(atSeconds * sampleRate) - written);
      const own = measured[at]?.levelDb ?? level;
      const fader = createFader(fadeFrames, 10 ** (Math.max(-mostGainDb, Math.min(mostGainDb, level - own)) / 20));
      let resampler: ReturnType<typeof createResampler> | null = null;
      const startedAt = written;
      let exactFrames = 0;
      for await (const block of decodeSound(path, { signal })) {
        const [left = new Float32Array(0), right = left] = block.channels;
        const wanted = channels === 1 ? [left] : [left, right];
        exactFrames += (left.length * sampleRate) / block.sampleRate;
        if (block.sampleRate !== sampleRate) resampler ??= createResampler(channels, block.sampleRate, sampleRate);
        await write(fader.push(resampler?.push(wanted) ?? wanted));
      }
      if (resampler) await write(fader.push(resampler.end()));
      await write(fader.end());
      owedFrames += startedAt + exactFrames - written + pauseSeconds * sampleRate;
      const silence = Math.max(0, Math.round(owedFrames));
      await writeSilence(silence);
      owedFrames -= silence;
    }
    await writer.write(limiter.end());
    await writer.finish();
  } catch (error) {
    await writer?.close().catch(() => undefined);
    await rm(to, { force: true });
    throw error;
  }
};
