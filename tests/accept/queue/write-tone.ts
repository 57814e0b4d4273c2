import { writeFile } from 'node:fs/promises';

const sampleRate = 16_000;
const bytesPerSample = 2;
const headerBytes = 44;

/** A hum of 150 Hz with overtones, as wav, mono: enough of a voice to be changed. */
export async function writeTone(path: string, { seconds }: { readonly seconds: number }): Promise<void> {
  const samples = Math.round(seconds * sampleRate);
  const file = Buffer.alloc(headerBytes + samples * bytesPerSample);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * bytesPerSample, 28);
  file.writeUInt16LE(bytesPerSample, 32);
  file.writeUInt16LE(8 * bytesPerSample, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples * bytesPerSample, 40);
  for (let at = 0; at < samples; at += 1) {
    const phase = (2 * Math.PI * 150 * at) / sampleRate;
    const value = 0.3 * Math.sin(phase) + 0.15 * Math.sin(2 * phase) + 0.1 * Math.sin(3 * phase);
    file.writeInt16LE(Math.round(value * 0x7fff), headerBytes + at * bytesPerSample);
  }
  await writeFile(path, file);
}
