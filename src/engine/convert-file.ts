import { rename, rm } from 'node:fs/promises';
import { decodeSound } from '../sound/decode-sound.ts';
import { createSoundWriter, nearestRate } from '../sound/encode-sound.ts';
import type { SoundWriter } from '../sound/sound-writer.ts';
import { createPeakLimiter, type PeakLimiter } from '../sound/limit-peaks.ts';
import { measureF0, medianF0 } from '../sound/median-f0.ts';
import { frameCount, joinBlocks, type PcmBlock } from '../sound/pcm-block.ts';
import { createResampler, type Resampler } from '../sound/resample-sound.ts';
import { createStretcher, type StretchedBlocks, type Stretcher } from '../sound/stretch-sound.ts';
import type { OutputFormat } from '../sound/sound-format.ts';
import { createEffects } from './effects/create-effects.ts';
import type { SoundEffect } from './effects/sound-effect.ts';
import { planVoice, type VoiceChange, type VoicePlan } from './plan-voice.ts';
import type { EngineVoice } from './voice.ts';

/** A conversion request for a worker; plain data. */
export interface ConvertRequest {
  readonly inputPath: string;
  /** Appears complete or not at all: written as `<outputPath>.part`, then renamed. */
  readonly outputPath: string;
  readonly format: OutputFormat;
  readonly voice: EngineVoice;
  readonly change: VoiceChange;
  readonly quality: 'fine' | 'fast';
  /** Duration stated by the container, in seconds. Audio that ends much earlier is rejected as cut. */
  readonly expectedSeconds?: number | undefined;
}

export interface ConvertResult {
  readonly inputSeconds: number;
  readonly outputSeconds: number;
  /** Median F0 of the source in Hz; null if none was found. */
  readonly sourceF0Hz: number | null;
}

export interface ConvertOptions {
  readonly signal?: AbortSignal;
  /** Opens the encoder. Default: encodes on this thread. */
  readonly openWriter?: typeof createSoundWriter;
}

/** Enough to measure a voice. All of it is decoded before the first output. */
const f0Seconds = 30;
/** Up to here nobody waits for the best quality: it takes half a second more. */
const maxFinestSeconds = 20;
/** The median of a longer recording differs less between what goes in and what comes out than one can hear. */
const maxRefinedSeconds = 6;
/** Ends the corrections; a sixth of a semitone. */
const f0Tolerance = 0.01;
const maxRefinements = 2;
/** Beyond that, what was measured is an octave error or not the voice. */
const maxRefinementSemitones = 5;
/** -0.5 dBFS, so that overshoot of lossy encoders stays below full scale. */
const peakCeiling = 0.944;

interface Pipeline {
  readonly stretcher: Stretcher;
  readonly effects: SoundEffect | null;
  readonly resampler: Resampler | null;
  readonly limiter: PeakLimiter;
  readonly writer: SoundWriter;
}

/** Averages all channels, because F0 is measured once for all. */
function mix(blocks: readonly PcmBlock[], frames: number): Float32Array {
  const out = new Float32Array(frames);
  let at = 0;
  for (const { channels } of blocks) {
    const length = Math.min(frameCount(channels), frames - at);
    // Mono, the usual case, needs no sums.
    if (channels.length === 1) out.set(channels[0]?.subarray(0, length) ?? [], at);
    else {
      for (const channel of channels) {
        for (let k = 0; k < length; k++) out[at + k] = (out[at + k] ?? 0) + (channel[k] ?? 0) / channels.length;
      }
    }
    at += length;
  }
  return out;
}

/**
 * Corrects the shift of F0 by what comes out. In a single word, the median of the source is not always that of the result: a lower
 * voice or an effect makes other parts of the word voiced, or louder. Returns the plan whose result is nearest to the target.
 */
async function refinePlan(
  plan: VoicePlan,
  targetHz: number,
  measure: (tried: VoicePlan) => Promise<number | null>,
): Promise<VoicePlan> {
  let best = { plan, distance: Infinity };
  let tried = plan;
  for (let round = 0; round <= maxRefinements; round++) {
    const foundHz = await measure(tried);
    if (foundHz === null) break;
    const offset = 12 * Math.log2(foundHz / targetHz);
    if (Math.abs(offset) > maxRefinementSemitones) break;
    if (Math.abs(offset) < best.distance) best = { plan: tried, distance: Math.abs(offset) };
    if (Math.abs(foundHz / targetHz - 1) <= f0Tolerance) break;
    tried = { ...tried, semitones: tried.semitones - offset };
  }
  return best.plan;
}

/**
 * Changes the voice of a sound file: decode, measure the median F0 of the first 30 s, change pitch,
 * formants and speed, apply the voice's effects, limit peaks to -0.5 dBFS, encode. Decodes once and
 * holds at most a minute of PCM (FLAC and M4A: see `decodeSound`). Keeps the sample rate, or uses
 * the nearest one that the output format supports (see `nearestRate`). Keeps the first two channels.
 * Runs on the calling thread.
 *
 * Throws AppError `input/not-audio`, `input/cut`; the signal's reason; file system errors. Leaves no
 * partial file.
 */
export async function convertFile(
  request: ConvertRequest,
  { signal, openWriter = createSoundWriter }: ConvertOptions = {},
): Promise<ConvertResult> {
  const { inputPath, outputPath, format, voice, change, quality, expectedSeconds } = request;
  const partPath = `${outputPath}.part`;
  let pipeline: Pipeline | null = null;
  let sourceF0Hz: number | null = null;
  let inputFrames = 0;
  let outputFrames = 0;
  let rate = 0;
  let outputRate = 0;

  const openPipeline = async (head: readonly PcmBlock[], headFrames: number): Promise<Pipeline> => {
    const channels = (head[0]?.channels.length ?? 1) > 1 ? 2 : 1;
    const sourceF0 = measureF0(mix(head, Math.min(headFrames, f0Seconds * rate)), rate);
    sourceF0Hz = sourceF0?.hz ?? null;
    const targetHz = voice.targetF0Hz * change.pitch;
    const robotHz = change.autoF0 || sourceF0Hz === null ? targetHz : sourceF0Hz * change.pitch;
    const options = {
      sampleRate: rate,
      speed: change.speed,
      quality: quality === 'fine' && headFrames <= maxFinestSeconds * rate ? ('finest' as const) : quality,
      sourceF0,
    };
    let plan = planVoice(voice, change, sourceF0Hz);
    if (change.autoF0 && sourceF0Hz !== null && headFrames <= maxRefinedSeconds * rate) {
      const source = mix(head, headFrames);
      plan = await refinePlan(plan, targetHz, async (tried) => {
        const stretcher = await createStretcher({ ...options, ...tried, channels: 1 });
        const effects = createEffects(voice, 1, rate, robotHz);
        const parts: (readonly Float32Array[])[] = [];
        for (const block of [...stretcher.push([source]), ...stretcher.end()]) {
          signal?.throwIfAborted();
          parts.push(effects?.push(block) ?? block);
        }
        if (effects) parts.push(effects.end());
        return medianF0(joinBlocks(parts)[0] ?? new Float32Array(0), rate);
      });
    }
    const stretcher = await createStretcher({ ...options, ...plan, channels });
    outputRate = nearestRate(format, rate);
    const writer = await openWriter(partPath, { format, sampleRate: outputRate, channels });
    return {
      stretcher,
      effects: createEffects(voice, channels, rate, robotHz),
      resampler: outputRate === rate ? null : createResampler(channels, rate, outputRate),
      limiter: createPeakLimiter(channels, outputRate, peakCeiling),
      writer,
    };
  };

  const write = async ({ writer }: Pipeline, block: readonly Float32Array[]) => {
    outputFrames += frameCount(block);
    await writer.write(block);
  };
  const resampleAndLimit = async (to: Pipeline, block: readonly Float32Array[]) => {
    await write(to, to.limiter.push(to.resampler?.push(block) ?? block));
  };
  const processStretched = async (to: Pipeline, blocks: StretchedBlocks) => {
    for (const block of blocks) {
      signal?.throwIfAborted();
      await resampleAndLimit(to, to.effects?.push(block) ?? block);
    }
  };
  const finish = async (to: Pipeline) => {
    await processStretched(to, to.stretcher.end());
    if (to.effects) await resampleAndLimit(to, to.effects.end());
    if (to.resampler) await write(to, to.limiter.push(to.resampler.end()));
    await write(to, to.limiter.end());
    await to.writer.finish();
  };
  const processBlock = async (to: Pipeline, block: PcmBlock) => {
    await processStretched(to, to.stretcher.push(block.channels.slice(0, 2)));
  };

  try {
    let head: PcmBlock[] = [];
    for await (const block of decodeSound(inputPath, { expectedSeconds, signal })) {
      rate = block.sampleRate;
      inputFrames += frameCount(block.channels);
      if (pipeline) {
        await processBlock(pipeline, block);
        continue;
      }
      head.push(block);
      if (inputFrames < f0Seconds * rate) continue;
      pipeline = await openPipeline(head, inputFrames);
      for (const early of head) await processBlock(pipeline, early);
      head = [];
    }
    pipeline ??= await openPipeline(head, inputFrames);
    for (const early of head) await processBlock(pipeline, early);
    await finish(pipeline);
    await rename(partPath, outputPath);
    return { inputSeconds: inputFrames / rate, outputSeconds: outputFrames / outputRate, sourceF0Hz };
  } catch (error) {
    await pipeline?.writer.close().catch(() => undefined);
    await rm(partPath, { force: true });
    throw error;
  }
}
