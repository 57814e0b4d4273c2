import { open } from 'node:fs/promises';

const rate = 48_000;
const headBytes = 44;

/** Writes speech-like 16-bit mono at 48 kHz: syllables of a sine, with hiss between them. */
export async function writeSineWav(path: string, seconds: number): Promise<void> {
  const head = Buffer.alloc(headBytes);
  const dataBytes = seconds * rate * 2;
  head.write('RIFF', 0);
  head.writeUInt32LE(headBytes - 8 + dataBytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(dataBytes, 40);
  const file = await open(path, 'w');
  await file.write(head);
  for (let second = 0; second < seconds; second += 1) {
    const samples = Int16Array.from({ length: rate }, (_, k) => {
      const at = second * rate + k;
      return 9000 * Math.max(0, Math.sin(at / 4000)) * Math.sin(at / 40) + ((at * 7919) % 201) - 100;
    });
    await file.write(new Uint8Array(samples.buffer));
  }
  await file.close();
}
