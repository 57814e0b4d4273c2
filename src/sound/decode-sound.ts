import decode from '@audio/decode';
import { AppError } from '../shared/errors.ts';
import { walkAsf } from './check-asf.ts';
import { limitedSource, withFileSource, type ByteSource } from './container-check.ts';
import { detectSource } from './detect-format.ts';
import { inspectSource } from './inspect-sound.ts';
import { findMpegFrame, tagsEnd } from './mpeg-frame.ts';
import { frameCount, type PcmBlock } from './pcm-block.ts';
import {
  readAiffPieces,
  readAsfPieces,
  readCafPieces,
  readFlacPieces,
  readMp4Pieces,
  readPieces,
  readWavPieces,
} from './read-pieces.ts';
import { FfmpegMissingError, readFfmpegPieces } from './run-ffmpeg.ts';
import type { InputFormat } from '../shared/input-formats.ts';
import { formatLabel } from './sound-format.ts';

export interface DecodeOptions {
  /** Format if known; otherwise it is detected from the first bytes. */
  readonly format?: InputFormat;
  /** Absolute path of ffmpeg, which decodes what our decoders do not read; null or omitted if there is none. */
  readonly ffmpeg?: string | null | undefined;
  /**
   * Duration stated by the container. Audio that ends more than 2 % and 0.2 s earlier is
   * `input/cut`. Not checked if omitted.
   */
  readonly expectedSeconds?: number | undefined;
  /** Stops between blocks. The iterator then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Silence compresses well: one piece may decode to minutes, so its output is split into blocks. */
const blockFrames = 65_536;

type PackageFormat = 'wav' | 'mp3' | 'flac' | 'oga' | 'opus' | 'm4a' | 'aac' | 'webm' | 'aiff' | 'caf' | 'amr' | 'wma';

interface DecoderSettings {
  readonly decoder: PackageFormat;
  /** Bytes to decode at once; smaller if few bytes can hold much audio. */
  readonly pieceBytes: number;
  /** Limit for input that the decoder buffers without output; no real recording exceeds it. */
  readonly maxBufferedBytes?: number;
}

const defaultMaxBufferedBytes = 16 * 1024 * 1024;
const decoderSettings: Readonly<Record<InputFormat, DecoderSettings | null>> = {
  wav: { decoder: 'wav', pieceBytes: 256 * 1024 },
  mp3: { decoder: 'mp3', pieceBytes: 64 * 1024 },
  flac: { decoder: 'flac', pieceBytes: 64 * 1024, maxBufferedBytes: defaultMaxBufferedBytes },
  ogg: { decoder: 'oga', pieceBytes: 64 * 1024 },
  opus: { decoder: 'opus', pieceBytes: 16 * 1024 },
  m4a: { decoder: 'm4a', pieceBytes: 16 * 1024 },
  aac: { decoder: 'aac', pieceBytes: 32 * 1024 },
  webm: { decoder: 'webm', pieceBytes: 16 * 1024, maxBufferedBytes: defaultMaxBufferedBytes },
  aiff: { decoder: 'aiff', pieceBytes: 64 * 1024, maxBufferedBytes: defaultMaxBufferedBytes },
  caf: { decoder: 'caf', pieceBytes: 64 * 1024, maxBufferedBytes: defaultMaxBufferedBytes },
  amr: { decoder: 'amr', pieceBytes: 16 * 1024 },
  wma: { decoder: 'wma', pieceBytes: 32 * 1024 },
  spx: null,
};
/** Formats that are containers of codings, not all of which our decoders read. */
const variedFormats: ReadonlySet<InputFormat> = new Set(['m4a', 'webm', 'wma', 'aiff', 'caf', 'spx']);

/** Bytes passed to the decoder since it last returned audio. */
interface BufferedInput {
  bytes: number;
}

async function* countBytes(
  pieces: AsyncIterable<Uint8Array>,
  buffered: BufferedInput,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    buffered.bytes += piece.length;
    if (buffered.bytes > maxBytes) throw new Error('its decoder would have to hold too much');
    yield piece;
  }
}

/** Returns the channel configuration in an ADTS header (ISO/IEC 13818-7, 6.2.1), or null for other bytes. */
function adtsChannels(head: Uint8Array): number | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = head;
  return b0 === 0xff && (b1 & 0xf6) === 0xf0 ? ((b2 & 1) << 2) | (b3 >> 6) : null;
}

/**
 * Returns the number of channels that the frames declare, or null if the decoder decides. The
 * decoders for MP3, AAC and WMA merge two channels while they are equal, so a stereo file with a silent
 * start would change its channel count midway. One AAC channel may mean two (parametric stereo), so
 * then the decoder decides.
 */
async function declaredChannels(source: ByteSource, format: InputFormat): Promise<number | null> {
  if (format === 'mp3') return (await findMpegFrame(source))?.channels ?? null;
  if (format === 'wma') return (await walkAsf(source))?.channels ?? null;
  if (format !== 'aac') return null;
  return adtsChannels(await source.read(await tagsEnd(source), 4)) === 2 ? 2 : null;
}

function withChannels(channels: readonly Float32Array[], count: number): readonly Float32Array[] {
  const first = channels[0];
  if (!first || channels.length === count) return channels;
  return Array.from({ length: count }, (_, at) => channels[at] ?? first);
}

/** Returns the name of a coding that our decoders do not read; null if they read it. */
async function unsupportedCodec(source: ByteSource, format: InputFormat): Promise<string | null> {
  if (!variedFormats.has(format)) return null;
  const found = await inspectSource(source);
  const coding = found.kind === 'sound' ? found.unsupportedCodec : undefined;
  return coding ?? (decoderSettings[format] ? null : format);
}

/** Decoders also throw strings and their own ReferenceErrors. */
const causeText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/**
 * Decodes a sound file block by block, at its own sample rate and channel count. Memory is bounded
 * for every format and length.
 *
 * Throws AppError `input/needs-ffmpeg` if only ffmpeg could decode it and cannot be had (fact
 * `format`), `input/not-audio` if no audio comes out, `input/cut` if it breaks off (fact
 * `actualSeconds`, and `promisedSeconds` if `expectedSeconds` was given), and the file system's
 * error if the file cannot be read. Decoders write to stderr on bad input, so run this in a worker
 * whose stderr is discarded.
 */
export async function* decodeSound(path: string, options: DecodeOptions = {}): AsyncGenerator<PcmBlock> {
  const { expectedSeconds, signal } = options;
  const { format, isOgg, declaredCount, foreign } = await withFileSource(path, async (whole) => {
    const source = limitedSource(whole);
    const detected = await detectSource(source);
    const knownFormat = options.format ?? detected?.format;
    if (!knownFormat) throw new AppError('input/not-audio', `${path} is in no known format`);
    return {
      format: knownFormat,
      isOgg: detected?.isOgg === true,
      declaredCount: await declaredChannels(source, knownFormat),
      foreign: await unsupportedCodec(whole, knownFormat),
    };
  });
  const program = foreign === null ? null : (options.ffmpeg ?? null);
  const needsFfmpeg = (cause?: unknown) =>
    new AppError('input/needs-ffmpeg', `${path} can be decoded by ffmpeg only`, {
      cause,
      facts: { format: formatLabel(format, foreign ?? '') },
    });
  if (foreign !== null && program === null) throw needsFfmpeg();
  const settings = program === null ? decoderSettings[format] : decoderSettings.wav;
  if (!settings) throw new AppError('input/not-audio', `${path} holds nothing that can be decoded`);
  const { decoder, pieceBytes, maxBufferedBytes = Infinity } = settings;
  const buffered: BufferedInput = { bytes: 0 };

  const piecesOf = () => {
    if (program !== null) return readFfmpegPieces(path, { program, format, signal });
    if (format === 'wav') return readWavPieces(path, signal);
    if (format === 'm4a') return readMp4Pieces(path, signal);
    if (format === 'aiff') return readAiffPieces(path, signal);
    if (format === 'caf') return readCafPieces(path, signal);
    if (format === 'wma') return readAsfPieces(path, signal);
    return format === 'flac' && !isOgg ? readFlacPieces(path, signal) : readPieces(path, { pieceBytes, signal });
  };
  async function* decoded(): AsyncGenerator<PcmBlock> {
    for await (const { channelData, sampleRate } of decode(
      countBytes(piecesOf(), buffered, maxBufferedBytes),
      decoder,
    )) {
      buffered.bytes = 0;
      for (let at = 0; at < frameCount(channelData); at += blockFrames) {
        yield { channels: channelData.map((channel) => channel.subarray(at, at + blockFrames)), sampleRate };
      }
    }
  }

  let frames = 0;
  let rate = 0;
  let channelCount = declaredCount ?? 0;
  const actualSeconds = () => (rate ? frames / rate : 0);
  const iterator = decoded();
  try {
    for (;;) {
      let step: IteratorResult<PcmBlock, unknown>;
      try {
        step = await iterator.next();
      } catch (thrown) {
        signal?.throwIfAborted();
        if (thrown instanceof FfmpegMissingError) throw needsFfmpeg(thrown);
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
      // Files joined from two rates are rejected: the second part looks like damage.
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
