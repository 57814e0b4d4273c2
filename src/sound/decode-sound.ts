import { readFile } from 'node:fs/promises';
import decode from '@audio/decode';
import { AppError } from '../shared/app-error.ts';
import { withFileSource } from './container-check.ts';
import { detectFormat, detectHeadBytes } from './detect-format.ts';
import { findMpegFrame } from './mpeg-frame.ts';
import { frameCount, type PcmBlock } from './pcm-block.ts';
import { plainBytes, readPieces, readWavPieces } from './read-pieces.ts';
import type { InputFormat } from './sound-format.ts';

export interface DecodeOptions {
  /** Known format; detected from the first bytes when left out. */
  readonly format?: InputFormat;
  /** Length that the container promises. Sound that ends more than 2 % and 0.2 s earlier is `input/cut`. Unchecked when left out. */
  readonly expectedSeconds?: number | undefined;
  /** Stops between blocks; the iterator then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

// A whole file arrives as one piece; it is handed on in pieces, so that what follows works in bounded steps.
const blockFrames = 65_536;

type PackageFormat = 'wav' | 'mp3' | 'oga' | 'opus' | 'aac' | 'webm' | 'aiff' | 'caf';

/**
 * Formats that the decoders read piece by piece. FLAC and M4A are missing on purpose: fed in pieces, the FLAC decoder loses
 * frames (1,008 samples a minute), and M4A has its index at either end.
 */
const streamed: Readonly<Partial<Record<InputFormat, PackageFormat>>> = {
  wav: 'wav',
  mp3: 'mp3',
  ogg: 'oga',
  opus: 'opus',
  aac: 'aac',
};

const readHead = (path: string) => withFileSource(path, (source) => source.read(0, detectHeadBytes));

/** Channel configuration of an ADTS header (ISO/IEC 13818-7, 6.2.1), null for other bytes. */
function adtsChannels(head: Uint8Array): number | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = head;
  return b0 === 0xff && (b1 & 0xf6) === 0xf0 ? ((b2 & 1) << 2) | (b3 >> 6) : null;
}

/**
 * Channels as the file's own frames declare them, where the decoder does not keep that: those for MP3 and AAC merge two equal channels
 * until they first differ, so a stereo file that starts silent would change its width on the way. One AAC channel can stand for two
 * (parametric stereo): then the decoder decides.
 */
async function declaredChannels(path: string, format: InputFormat): Promise<number | null> {
  if (format !== 'mp3' && format !== 'aac') return null;
  return withFileSource(path, async (source) => {
    if (format === 'mp3') return (await findMpegFrame((at, length) => source.read(at, length)))?.channels ?? null;
    return adtsChannels(await source.read(0, 4)) === 2 ? 2 : null;
  });
}

function withChannels(channels: readonly Float32Array[], count: number): readonly Float32Array[] {
  const first = channels[0];
  if (!first || channels.length === count) return channels;
  return Array.from({ length: count }, (_, at) => channels[at] ?? first);
}

/** The decoders also throw strings, and ReferenceErrors of their own making. */
const causeText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/**
 * Decodes a sound file block by block, at the file's own rate and width. Memory is bounded for WAV, MP3, Ogg, Opus and ADTS; FLAC,
 * M4A, WebM, AIFF and CAF are held whole (about 4 bytes a sample a channel, twice while decoding).
 *
 * Throws AppError `input/not-audio` where no sound comes out, `input/cut` where it breaks off (fact `actualSeconds`, and
 * `promisedSeconds` where `expectedSeconds` was given), and the file system's own error where the file cannot be read. Decoders
 * write to stderr on bad input: run this in a worker whose stderr is swallowed.
 */
export async function* decodeSound(path: string, options: DecodeOptions = {}): AsyncGenerator<PcmBlock> {
  const { expectedSeconds, signal } = options;
  const format = options.format ?? detectFormat(await readHead(path));
  if (!format) throw new AppError('input/not-audio', `${path} is in no known format`);
  const width = await declaredChannels(path, format);
  const pieceFormat = streamed[format];

  async function* decoded(): AsyncGenerator<PcmBlock> {
    if (pieceFormat) {
      const pieces = format === 'wav' ? readWavPieces(path, signal) : readPieces(path, { signal });
      for await (const { channelData, sampleRate } of decode(pieces, pieceFormat)) {
        yield { channels: channelData, sampleRate };
      }
      return;
    }
    const { channelData, sampleRate } = await decode(plainBytes(await readFile(path, signal && { signal })));
    const length = frameCount(channelData);
    for (let at = 0; at < length; at += blockFrames) {
      yield { channels: channelData.map((channel) => channel.subarray(at, at + blockFrames)), sampleRate };
    }
  }

  let frames = 0;
  let rate = 0;
  let channelCount = width ?? 0;
  const actualSeconds = () => (rate ? frames / rate : 0);
  const iterator = decoded();
  try {
    for (;;) {
      let step: IteratorResult<PcmBlock, unknown>;
      try {
        step = await iterator.next();
      } catch (thrown) {
        signal?.throwIfAborted();
        if (thrown instanceof Error && 'syscall' in thrown) throw thrown;
        const facts = { actualSeconds: actualSeconds() };
        if (frames) throw new AppError('input/cut', `${path}: ${causeText(thrown)}`, { facts, cause: thrown });
        throw new AppError('input/not-audio', `${path}: ${causeText(thrown)}`, { cause: thrown });
      }
      signal?.throwIfAborted();
      if (step.done) break;
      const { channels, sampleRate } = step.value;
      const length = frameCount(channels);
      if (!length || !(sampleRate > 0)) continue;
      rate ||= sampleRate;
      channelCount ||= channels.length;
      // A file glued together from two rates: the second part cannot be told from a broken file.
      if (sampleRate !== rate)
        throw new AppError('input/cut', `${path} changes its rate`, { facts: { actualSeconds: actualSeconds() } });
      frames += length;
      yield { channels: withChannels(channels, channelCount), sampleRate };
    }
  } finally {
    await iterator.return(undefined);
  }
  if (!frames) throw new AppError('input/not-audio', `${path} holds no sound that can be decoded`);
  if (expectedSeconds !== undefined && actualSeconds() < Math.min(expectedSeconds * 0.98, expectedSeconds - 0.2)) {
    throw new AppError('input/cut', `${path} ends early`, {
      facts: { promisedSeconds: expectedSeconds, actualSeconds: actualSeconds() },
    });
  }
}
