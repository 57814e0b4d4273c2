import { open } from 'node:fs/promises';
import { registerFlacEncoder } from '@mediabunny/flac-encoder';
import { AudioSample, AudioSampleSource, FilePathTarget, FlacOutputFormat, Output, WavOutputFormat } from 'mediabunny';
import { createOggEncoder } from 'wasm-media-encoders';
import { createMp3Writer } from './mp3-writer.ts';
import { frameCount } from './pcm-block.ts';
import type { OutputFormat } from './sound-format.ts';
import type { EncodeOptions, SoundWriter } from './sound-writer.ts';

/** MPEG audio has nine rates. The FLAC encoder supports those with a code in the frame header. */
const ratesHz: Readonly<Partial<Record<OutputFormat, readonly number[]>>> = {
  mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  flac: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000],
};

/** True if `format` supports `sampleRate` (Hz). */
export const canEncodeRate = (format: OutputFormat, sampleRate: number): boolean =>
  ratesHz[format]?.includes(sampleRate) ?? true;

/**
 * Returns the rate in Hz to encode with: `sampleRate` if `format` supports it, else the next higher
 * one, so that nothing is lost, else the highest.
 */
export const nearestRate = (format: OutputFormat, sampleRate: number): number => {
  const rates = ratesHz[format] ?? [sampleRate];
  return rates.find((rate) => rate >= sampleRate) ?? Math.max(...rates);
};

/** About 128 kbit/s in mono and 160 kbit/s in stereo at 44.1 kHz. */
const oggQuality = 5;

function interleave16(channels: readonly Float32Array[], channelCount: number): Int16Array<ArrayBuffer> {
  const frames = frameCount(channels);
  const out = new Int16Array(frames * channelCount);
  channels.forEach((channel, index) => {
    for (let at = 0, to = index; at < frames; at++, to += channelCount) {
      const sample = Math.round((channel[at] ?? 0) * 32_768);
      out[to] = sample > 32_767 ? 32_767 : sample < -32_768 ? -32_768 : sample;
    }
  });
  return out;
}

let registered = false;

async function createMediabunnyWriter(
  path: string,
  { format, sampleRate, channels }: EncodeOptions,
): Promise<SoundWriter> {
  if (!registered) {
    registered = true;
    registerFlacEncoder();
  }
  const output = new Output({
    format: format === 'wav' ? new WavOutputFormat() : new FlacOutputFormat(),
    target: new FilePathTarget(path, { chunked: true, chunkSize: 1024 * 1024 }),
  });
  const source = new AudioSampleSource({ codec: format === 'wav' ? 'pcm-s16' : 'flac' });
  output.addAudioTrack(source);
  await output.start();
  let position = 0;
  return {
    async write(block) {
      const frames = frameCount(block);
      if (!frames) return;
      // s16 for both formats: from float samples the FLAC encoder would write 24 bits.
      const sample = new AudioSample({
        data: interleave16(block, channels),
        format: 's16',
        numberOfChannels: channels,
        sampleRate,
        timestamp: position / sampleRate,
      });
      position += frames;
      try {
        await source.add(sample);
      } finally {
        sample.close();
      }
    },
    finish: () => output.finalize(),
    close: () => output.cancel(),
  };
}

async function createOggWriter(path: string, { sampleRate, channels }: EncodeOptions): Promise<SoundWriter> {
  const encoder = await createOggEncoder();
  encoder.configure({ sampleRate, channels, vbrQuality: oggQuality, oggSerialNo: 1 });
  const file = await open(path, 'w');
  // The encoder reuses the returned buffer in its next call, so each piece is written before that.
  return {
    async write(block) {
      if (frameCount(block)) await file.writeFile(encoder.encode(block));
    },
    async finish() {
      await file.writeFile(encoder.finalize());
      await file.close();
    },
    close: () => file.close(),
  };
}

/**
 * Opens a writer on `path`, which is created or overwritten. WAV and FLAC are 16 bit, MP3 has a
 * constant rate with a length header (64 to 192 kbit/s by sample rate and channels), Ogg is Vorbis
 * at quality 5 with a fixed serial number, so that equal audio gives equal bytes. Rejects with the
 * file system's error, or RangeError for a rate that the format does not support.
 */
export async function createSoundWriter(path: string, options: EncodeOptions): Promise<SoundWriter> {
  if (!canEncodeRate(options.format, options.sampleRate)) {
    throw new RangeError(`${options.format} cannot hold ${options.sampleRate} Hz`);
  }
  if (options.format === 'ogg') return createOggWriter(path, options);
  return options.format === 'mp3' ? createMp3Writer(path, options) : createMediabunnyWriter(path, options);
}
