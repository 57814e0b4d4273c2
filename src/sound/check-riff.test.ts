import { expect, it } from 'vitest';
import { checkRiff } from './check-riff.ts';
import { bytesSource, viewOf } from './container-check.ts';
import { buzz, encoded } from './sound.fixture.ts';

const rate = 44_100;
const whole = await encoded('wav', [buzz(120, 1, rate)], rate);
const check = (bytes: Uint8Array) => checkRiff(bytesSource(bytes));

/** A header of 44 bytes with the given sizes, followed by `soundBytes` of audio. */
function wav({ riff, data, soundBytes }: { riff: number; data: number; soundBytes: number }): Uint8Array {
  const bytes = new Uint8Array(44 + soundBytes);
  bytes.set(Uint8Array.from('RIFF....WAVEfmt ', (c) => c.charCodeAt(0)));
  bytes.set(
    Uint8Array.from('data', (c) => c.charCodeAt(0)),
    36,
  );
  const view = viewOf(bytes);
  view.setUint32(4, riff, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  view.setUint32(40, data, true);
  return bytes;
}

it('accepts a complete file, with its duration', async () => {
  expect(await check(whole)).toEqual({ kind: 'complete', durationSeconds: 1 });
});

it('detects a cut at any place', async () => {
  for (let length = 12; length < whole.length; length += length < 100 ? 1 : 997) {
    expect(await check(whole.subarray(0, length)), `${length} bytes`).toMatchObject({
      kind: 'cut',
      facts: { promisedBytes: whole.length, actualBytes: length },
    });
  }
});

it('reports an open length for a streamed file, with the duration that is present', async () => {
  for (const size of [0, 0xff_ff_ff_ff, 0x7f_ff_f0_24]) {
    const bytes = wav({ riff: size, data: size, soundBytes: 2 * rate });
    expect(await check(bytes)).toEqual({ kind: 'complete', open: 'length', durationSeconds: 1 });
  }
});

it('reports an open size without audio as cut', async () => {
  expect(await check(wav({ riff: 0, data: 0, soundBytes: 0 }))).toMatchObject({ kind: 'cut' });
});

it('recognizes a finished file without audio', async () => {
  expect(await check(wav({ riff: 36, data: 0, soundBytes: 0 }))).toEqual({ kind: 'empty' });
});

it('tolerates a RIFF size that counts its own header', async () => {
  const bytes = wav({ riff: 44 + 1000, data: 1000, soundBytes: 1000 });
  expect(await check(bytes)).toMatchObject({ kind: 'complete' });
});

it('ignores other files', async () => {
  expect(await check(new Uint8Array(100))).toEqual({ kind: 'foreign' });
  expect(await check(new Uint8Array(0))).toEqual({ kind: 'foreign' });
});

it('finds the duration if byte rate and block align are 0 or wrong', async () => {
  for (const value of [0, 7]) {
    const bytes = wav({ riff: 36 + 2 * rate, data: 2 * rate, soundBytes: 2 * rate });
    viewOf(bytes).setUint32(28, value, true);
    viewOf(bytes).setUint16(32, value, true);
    expect(await check(bytes)).toEqual({ kind: 'complete', durationSeconds: 1 });
  }
});

it('rejects an encoding that it cannot decode, and a format without channels, sample rate or bits', async () => {
  for (const [at, bytes] of [
    [20, 0x31],
    [22, 0],
    [24, 0],
    [34, 0],
  ] as const) {
    const broken = wav({ riff: 36 + 100, data: 100, soundBytes: 100 });
    broken.fill(0, at, at + (at === 24 ? 4 : 2));
    broken[at] = bytes;
    expect(await check(broken)).toEqual({ kind: 'foreign' });
  }
});
