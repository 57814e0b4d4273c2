/** A second of a 150 Hz sawtooth as a WAV file, written without any of our own code. */
export function toneWav(sampleRate = 22_050): Buffer {
  const head = Buffer.alloc(44);
  const samples = Buffer.alloc(2 * sampleRate);
  for (let at = 0; at < sampleRate; at += 1) {
    samples.writeInt16LE(Math.round(12_000 * (2 * (((150 * at) / sampleRate) % 1) - 1)), 2 * at);
  }
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(2 * sampleRate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
