import { open } from 'node:fs/promises';
import { createMp3Encoder } from 'wasm-media-encoders';
import { parseMpegFrame, type MpegFrame } from './mpeg-frame.ts';
import { frameCount } from './pcm-block.ts';
import type { EncodeOptions, SoundWriter } from './sound-writer.ts';

type Mp3Encoder = Awaited<ReturnType<typeof createMp3Encoder>>;

/** Silence that LAME inserts before the audio, in samples per channel. */
const encoderDelay = 576;
const framesAndBytesFlags = 3;
/** Bytes to write at once: for a few kilobytes the call costs more than the encoding. */
const pieceBytes = 64 * 1024;

/** Idle encoders, kept because creating one compiles it. */
const idleEncoders: Mp3Encoder[] = [];

/** MPEG-2 (24 kHz or less) allows at most 160 kbit/s, MPEG-2.5 (12 kHz or less) 64. */
const bitRateKbps = (sampleRate: number, channels: 1 | 2) =>
  sampleRate <= 12_000 ? 64 : sampleRate <= 24_000 ? (channels === 1 ? 80 : 160) : channels === 1 ? 128 : 192;

/**
 * Builds the frame that makes a constant-rate MP3 gapless: it has no audio, but the number of frames
 * and bytes and the encoder's delay and padding (the layout of LAME's tag,
 * http://gabriel.mp3-tech.org/mp3infotag.html). Without it players add up to 50 ms of silence.
 * `header` is the header of the audio frames, `frames` the duration in samples per channel.
 */
function infoFrame(header: Uint8Array, frame: MpegFrame, audioBytes: number, frames: number): Buffer {
  const info = Buffer.alloc(frame.bytes);
  info.set(header);
  const sideInfoBytes = frame.samples === 1152 ? (frame.channels === 1 ? 17 : 32) : frame.channels === 1 ? 9 : 17;
  const start = 4 + sideInfoBytes;
  // At a constant rate frames differ by at most one byte, so the rounded quotient is exact.
  const mpegFrames = Math.round((audioBytes * 8 * frame.sampleRate) / (frame.samples * frame.bitsPerSecond));
  info.write('Info', start, 'latin1');
  info.writeUInt32BE(framesAndBytesFlags, start + 4);
  info.writeUInt32BE(mpegFrames, start + 8);
  info.writeUInt32BE(info.length + audioBytes, start + 12);
  info.write('LAME3.100', start + 16, 'latin1');
  info.writeUIntBE(encoderDelay * 4096 + (mpegFrames * frame.samples - encoderDelay - frames), start + 16 + 21, 3);
  return info;
}

/**
 * Writes an MP3 with a constant rate of 64 to 192 kbit/s, by sample rate and channels, and a frame
 * that states its length.
 */
export async function createMp3Writer(path: string, { sampleRate, channels }: EncodeOptions): Promise<SoundWriter> {
  const file = await open(path, 'w');
  const encoder = idleEncoders.pop() ?? (await createMp3Encoder());
  encoder.configure({ sampleRate, channels, bitrate: bitRateKbps(sampleRate, channels) });
  let frames = 0;
  let audioBytes = 0;
  let header: Uint8Array | null = null;
  let first: MpegFrame | null = null;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;

  const append = async (encoded: Uint8Array, minBytes: number) => {
    if (encoded.length && !first) {
      header = encoded.slice(0, 4);
      // Clears the padding bit.
      header[2] = (header[2] ?? 0) & ~2;
      first = parseMpegFrame(header, 0);
      if (!first) throw new Error('the encoder did not begin with a frame');
      await file.writeFile(new Uint8Array(first.bytes));
    }
    // Copies, because the encoder overwrites what it returned.
    pending.push(encoded.slice());
    pendingBytes += encoded.length;
    audioBytes += encoded.length;
    if (pendingBytes < minBytes) return;
    const piece = Buffer.concat(pending);
    [pending, pendingBytes] = [[], 0];
    await file.writeFile(piece);
  };

  return {
    async write(block) {
      frames += frameCount(block);
      if (frameCount(block)) await append(encoder.encode(block), pieceBytes);
    },
    async finish() {
      await append(encoder.finalize(), 0);
      if (header && first) {
        const info = infoFrame(header, first, audioBytes, frames);
        await file.write(info, 0, info.length, 0);
      }
      await file.close();
      idleEncoders.push(encoder);
    },
    close: () => file.close(),
  };
}
