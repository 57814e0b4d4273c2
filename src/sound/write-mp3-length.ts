import { open } from 'node:fs/promises';
import { parseMpegFrame } from './mpeg-frame.ts';

/** Silence that LAME puts before the sound, in samples a channel. */
const encoderDelay = 576;
const hasFramesAndBytes = 3;
const infoFrameBytes = 2048;

/**
 * Makes a fresh constant-rate MP3 gapless: rewrites its first frame, which carries no sound, as an Info frame with the number of
 * frames and bytes and the encoder's delay and padding (the layout of LAME's tag, http://gabriel.mp3-tech.org/mp3infotag.html).
 * Without them players add up to 50 ms of silence. `frames` is the length of the sound in samples a channel. The seek table goes:
 * at a constant rate it says nothing. A file whose first frame does not look as the encoder makes it is left alone.
 */
export async function writeMp3Length(path: string, frames: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(infoFrameBytes);
    await file.read(head, 0, head.length, 0);
    const info = parseMpegFrame(head, 0);
    if (!info) return;
    const sideInfoBytes = info.samples === 1152 ? (info.channels === 1 ? 17 : 32) : info.channels === 1 ? 9 : 17;
    const start = 4 + sideInfoBytes;
    if (head.toString('latin1', start, start + 4) !== 'Xing' || !(head.readUInt32BE(start + 4) & 1)) return;
    // The encoder counts this frame too; the tag's readers do not.
    const soundFrames = head.readUInt32BE(start + 8) - 1;
    const padding = soundFrames * info.samples - encoderDelay - frames;
    if (padding < 0 || padding > 4095) return;

    head.fill(0, 4, info.bytes);
    head[1] = (head[1] ?? 0) | 1; // no checksum, which this frame has none of
    head.write('Info', start, 'latin1');
    head.writeUInt32BE(hasFramesAndBytes, start + 4);
    head.writeUInt32BE(soundFrames, start + 8);
    head.writeUInt32BE(size, start + 12);
    head.write('LAME3.100', start + 16, 'latin1');
    head.writeUIntBE(encoderDelay * 4096 + padding, start + 16 + 21, 3);
    await file.write(head, 0, info.bytes, 0);
  } finally {
    await file.close();
  }
}
