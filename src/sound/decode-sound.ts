import decode from '@audio/decode';
import { AppError } from '../shared/errors.ts';
import { frugalSource, withFileSource, type ByteSource } from './container-check.ts';
import { detectSource } from './detect-format.ts';
import { findMpegFrame, tagsEnd } from './mpeg-frame.ts';
import { frameCount, type PcmBlock } from './pcm-block.ts';
import { readFlacPieces, readMp4Pieces, readPieces, readWavPieces } from './read-pieces.ts';
import type { InputFormat } from './sound-format.ts';

export interface DecodeOptions {
  /** Known format; detected from the first bytes when left out. */
  readonly format?: InputFormat;
  /** Length that the container promises. Sound that ends more than 2 % and 0.2 s earlier is `input/cut`. Unchecked when left out. */
  readonly expectedSeconds?: number | undefined;
  /** Stops between blocks; the iterator then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Silence packs well: a piece can become minutes, which are handed on in bounded steps. */
const blockFrames = 65_536;

type PackageFormat = 'wav' | 'mp3' | 'flac' | 'oga' | 'opus' | 'm4a' | 'aac' | 'webm' | 'aiff' | 'caf';

interface Way {
  readonly decoder: PackageFormat;
  /** So much is decoded in one go: less where few bytes can be much sound. */
  readonly pieceBytes: number;
  /** The decoder holds what it cannot use yet; a file that makes it hold more than this is none that anybody recorded. */
  readonly mostHeldBytes?: number;
}

const heldBytes = 16 * 1024 * 1024;
const ways: Readonly<Record<InputFormat, Way>> = {
  wav: { decoder: 'wav', pieceBytes: 256 * 1024 },
  mp3: { decoder: 'mp3', pieceBytes: 64 * 1024 },
  flac: { decoder: 'flac', pieceBytes: 64 * 1024, mostHeldBytes: heldBytes },
  ogg: { decoder: 'oga', pieceBytes: 64 * 1024 },
  opus: { decoder: 'opus', pieceBytes: 16 * 1024 },
  m4a: { decoder: 'm4a', pieceBytes: 16 * 1024 },
  aac: { decoder: 'aac', pieceBytes: 32 * 1024 },
  webm: { decoder: 'webm', pieceBytes: 16 * 1024, mostHeldBytes: heldBytes },
  aiff: { decoder: 'aiff', pieceBytes: 64 * 1024, mostHeldBytes: heldBytes },
  caf: { decoder: 'caf', pieceBytes: 64 * 1024, mostHeldBytes: heldBytes },
};

/** Counts what was handed over since sound last came out. */
interface Held {
  bytes: number;
}

async function* counted(pieces: AsyncIterable<Uint8Array>, held: Held, most: number): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    held.bytes += piece.length;
    if (held.bytes > most) throw new Error('its decoder would have to hold too much');
    yield piece;
  }
}

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
async function declaredChannels(source: ByteSource, format: InputFormat): Promise<number | null> {
  if (format === 'mp3') return (await findMpegFrame(source))?.channels ?? null;
  if (format !== 'aac') return null;
  return adtsChannels(await source.read(await tagsEnd(source), 4)) === 2 ? 2 : null;
}

function withChannels(channels: readonly Float32Array[], count: number): readonly Float32Array[] {
  const first = channels[0];
  if (!first || channels.length === count) return channels;
  return Array.from({ length: count }, (_, at) => channels[at] ?? first);
}

/** The decoders also throw strings, and ReferenceErrors of their own making. */
const causeText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/**
 * Decodes a sound file block by block, at the file's own rate and width. Memory is bounded whatever its length: no format is held whole.
 *
 * Throws AppError `input/not-audio` where no sound comes out, `input/cut` where it breaks off (fact `actualSeconds`, and
 * `promisedSeconds` where `expectedSeconds` was given), and the file system's own error where the file cannot be read. Decoders
 * write to stderr on bad input: run this in a worker whose stderr is swallowed.
 */
export async function* decodeSound(path: string, options: DecodeOptions = {}): AsyncGenerator<PcmBlock> {
  const { expectedSeconds, signal } = options;
  const { format, isOgg, width } = await withFileSource(path, async (whole) => {
    const source = frugalSource(whole);
    const detected = await detectSource(source);
    const known = options.format ?? detected?.format;
    if (!known) throw new AppError('input/not-audio', `${path} is in no known format`);
    return { format: known, isOgg: detected?.isOgg === true, width: await declaredChannels(source, known) };
  });
  const { decoder, pieceBytes, mostHeldBytes = Infinity } = ways[format];
  const held: Held = { bytes: 0 };

  const piecesOf = () => {
    if (format === 'wav') return readWavPieces(path, signal);
    if (format === 'm4a') return readMp4Pieces(path, signal);
    return format === 'flac' && !isOgg ? readFlacPieces(path, signal) : readPieces(path, { pieceBytes, signal });
  };
  async function* decoded(): AsyncGenerator<PcmBlock> {
    for await (const { channelData, sampleRate } of decode(counted(piecesOf(), held, mostHeldBytes), decoder)) {
      held.bytes = 0;
      for (let at = 0; at < frameCount(channelData); at += blockFrames) {
        yield { channels: channelData.map((channel) => channel.subarray(at, at + blockFrames)), sampleRate };
      }
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
