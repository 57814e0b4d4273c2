import { expect, it } from 'vitest';
import { checkFlac } from './check-flac.ts';
import { bytesSource } from './container-check.ts';
import { buzz, encoded, hiss } from './sound.fixture.ts';

const rate = 44_100;
const whole = await encoded('flac', [buzz(120, 2, rate)], rate);
const check = (bytes: Uint8Array) => checkFlac(bytesSource(bytes));

it('accepts a complete file, mono and stereo, with its duration', async () => {
  expect(await check(whole)).toEqual({ kind: 'complete', durationSeconds: 2 });
  const stereo = await encoded('flac', [hiss(1, 48_000), buzz(90, 1, 48_000)], 48_000);
  expect(await check(stereo)).toEqual({ kind: 'complete', durationSeconds: 1 });
});

it('detects a cut at any place', async () => {
  for (let length = 4; length < whole.length; length += 61) {
    expect(await check(whole.subarray(0, length)), `${length} bytes`).toMatchObject({ kind: 'cut' });
  }
  expect(await check(whole.subarray(0, -1))).toMatchObject({ kind: 'cut' });
});

it('detects a cut exactly between two frames', async () => {
  // At most three frames of 4,096 samples.
  const short = await encoded('flac', [hiss(1.1, 8000).map((value) => value / 50)], 8000);
  for (let length = 100; length < short.length; length++) {
    expect((await check(short.subarray(0, length))).kind, `${length} bytes`).toBe('cut');
  }
});

it('reports how much of a cut file is present', async () => {
  const found = await check(whole.subarray(0, Math.floor(whole.length / 2)));
  expect(found).toMatchObject({ facts: { promisedSeconds: 2 } });
  if (found.kind === 'cut') expect(Math.abs((found.facts.actualSeconds ?? 0) - 1)).toBeLessThan(0.25);
});

it('detects a damaged last frame', async () => {
  const damaged = Uint8Array.from(whole);
  damaged[whole.length - 20] = (damaged[whole.length - 20] ?? 0) ^ 0x55;
  expect(await check(damaged)).toMatchObject({ kind: 'cut' });
});

it('skips an ID3v1 tag at the end', async () => {
  const tagged = new Uint8Array(whole.length + 128);
  tagged.set(whole);
  tagged.set(
    Uint8Array.from('TAG', (c) => c.charCodeAt(0)),
    whole.length,
  );
  expect(await check(tagged)).toEqual({ kind: 'complete', durationSeconds: 2 });
});

it('uses the last frame of a file whose encoder did not know its length, and reports an open length', async () => {
  const streamed = Uint8Array.from(whole);
  streamed[21] = (streamed[21] ?? 0) & 0xf0;
  streamed.fill(0, 22, 26);
  expect(await check(streamed)).toEqual({ kind: 'complete', durationSeconds: 2, open: 'length' });
});

/** A frame header with a valid checksum: 192 samples at the rate in STREAMINFO, without a body. */
const header = Uint8Array.of(0xff, 0xf8, 0x10, 0x08, 0x00, 0x00);
const crc8 = (bytes: Uint8Array) =>
  bytes.reduce((crc, byte) => {
    let next = crc ^ byte;
    for (let bit = 0; bit < 8; bit++) next = next & 0x80 ? ((next << 1) ^ 7) & 0xff : (next << 1) & 0xff;
    return next;
  }, 0);
header[5] = crc8(header.subarray(0, 5));

it('is fast on megabytes of frame headers without frames, however long a frame claims to be', async () => {
  const bytes = new Uint8Array(4 * 1024 * 1024);
  bytes.set(whole.subarray(0, 42));
  // Last metadata block, unknown length, and frames of up to 16 MB.
  bytes[4] = 0x80;
  bytes.fill(0xff, 15, 18);
  bytes[21] = (bytes[21] ?? 0) & 0xf0;
  bytes.fill(0, 22, 26);
  for (let at = 42; at + header.length <= bytes.length; at += header.length) bytes.set(header, at);
  expect(await check(bytes)).toMatchObject({ kind: 'cut' });
});

it('skips several leading ID3v2 tags', async () => {
  const tag = Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 20, ...new Uint8Array(20));
  const tagged = Uint8Array.from([...tag, ...tag, ...whole]);
  expect(await check(tagged)).toEqual({ kind: 'complete', durationSeconds: 2 });
});
