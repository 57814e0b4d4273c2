import { open } from 'node:fs/promises';
import { createMp3Encoder } from 'wasm-media-encoders';
import { parseMpegFrame, type MpegFrame } from './mpeg-frame.ts';
import { frameCount } from './pcm-block.ts';
import type { EncodeOptions, SoundWriter } from './sound-writer.ts';

type Mp3Encoder = Awaited<ReturnType<typeof createMp3Encoder>>;

/** Silence that LAME puts before the sound, in samples a channel. */
const encoderDelay = 576;
const hasFramesAndBytes = 3;
/** Written at once: a few kilobytes at a time cost more in calls than in encoding. */
const pieceBytes = 64 * 1024;

/** Encoders that nobody uses: making one compiles it. */
const idle: Mp3Encoder[] = [];

/** MPEG-2 (24 kHz and less) ends at 160 kbit/s, and MPEG-2.5 (12 kHz and less) at 64. */
const kilobits = (sampleRate: number, channels: 1 | 2) =>
  sampleRate <= 12_000 ? 64 : sampleRate <= 24_000 ? (channels === 1 ? 80 : 160) : channels === 1 ? 128 : 192;

/**
 * The frame that makes a constant-rate MP3 gapless: it carries no sound but the number of frames and bytes and the encoder's delay and
 * padding (the layout of LAME's tag, http://gabriel.mp3-tech.org/mp3infotag.html). Without them players add up to 50 ms of silence.
 * `header` is that of the sound's frames, `frames` the length of the sound in samples a channel.
 */
function infoFrame(header: Uint8Array, frame: MpegFrame, soundBytes: number, frames: number): Buffer {
  const info = Buffer.alloc(frame.bytes);
  info.set(header);
  const sideInfoBytes = frame.samples === 1152 ? (frame.channels === 1 ? 17 : 32) : frame.channels === 1 ? 9 : 17;
  const start = 4 + sideInfoBytes;
  // At a constant rate frames differ in length by a byte, and never add up to one more or less.
  const soundFrames = Math.round((soundBytes * 8 * frame.sampleRate) / (frame.samples * frame.bitsPerSecond));
  info.write('Info', start, 'latin1');
  info.writeUInt32BE(hasFramesAndBytes, start + 4);
  info.writeUInt32BE(soundFrames, start + 8);
  info.writeUInt32BE(info.length + soundBytes, start + 12);
  info.write('LAME3.100', start + 16, 'latin1');
  info.writeUIntBE(encoderDelay * 4096 + (soundFrames * frame.samples - encoderDelay - frames), start + 16 + 21, 3);
  return info;
}

/** Writes an MP3 of a constant rate: 64 to 192 kbit/s by sample rate and channels, with a frame that says how long it is. */
export async function createMp3Writer(path: string, { sampleRate, channels }: EncodeOptions): Promise<SoundWriter> {
  const file = await open(path, 'w');
  const encoder = idle.pop() ?? (await createMp3Encoder());
  encoder.configure({ sampleRate, channels, bitrate: kilobits(sampleRate, channels) });
  let frames = 0;
  let soundBytes = 0;
  let header: Uint8Array | null = null;
  let first: MpegFrame | null = null;
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  const append = async (encoded: Uint8Array, leastBytes: number) => {
    if (encoded.length && !first) {
      header = encoded.slice(0, 4);
      // Without the byte of padding that a frame may have.
      header[2] = (header[2] ?? 0) & ~2;
      first = parseMpegFrame(header, 0);
      if (!first) throw new Error('the encoder did not begin with a frame');
      await file.writeFile(new Uint8Array(first.bytes));
    }
    // A copy: the encoder overwrites what it returned.
    held.push(encoded.slice());
    heldBytes += encoded.length;
    soundBytes += encoded.length;
    if (heldBytes < leastBytes) return;
    const piece = Buffer.concat(held);
    [held, heldBytes] = [[], 0];
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
        const info = infoFrame(header, first, soundBytes, frames);
        await file.write(info, 0, info.length, 0);
      }
      await file.close();
      idle.push(encoder);
    },
    close: () => file.close(),
  };
}
