import { expect, it } from 'vitest';
import { checkMp3 } from './check-mp3.ts';
import { bytesSource, viewOf } from './container-check.ts';
import { inspectSource } from './inspect-sound.ts';
import { parseMpegFrame } from './mpeg-frame.ts';
import { buzz, encoded } from './sound.fixture.ts';

const rate = 44_100;
const whole = await encoded('mp3', [buzz(120, 3, rate)], rate);
/** The same without the header's frame: a bare chain of frames. */
const bare = whole.subarray(parseMpegFrame(whole, 0)?.bytes ?? 0);
const check = (bytes: Uint8Array) => checkMp3(bytesSource(bytes));
const text = (value: string) => Uint8Array.from(value, (c) => c.charCodeAt(0));
const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

it('accepts a complete file with and without a length header, with its duration within 60 ms', async () => {
  for (const bytes of [whole, bare]) {
    const found = await check(bytes);
    expect(found.kind).toBe('complete');
    if (found.kind === 'complete') expect(Math.abs((found.durationSeconds ?? 0) - 3)).toBeLessThan(0.06);
  }
});

/** Returns the offsets after each frame of a chain. */
const frameEnds = (bytes: Uint8Array): ReadonlySet<number> => {
  const ends = new Set<number>();
  let at = 0;
  for (let frame = parseMpegFrame(bytes, 0); frame; frame = parseMpegFrame(bytes, at)) ends.add((at += frame.bytes));
  return ends;
};

it('detects every cut of a file whose header counts its frames and bytes', async () => {
  // With one frame missing only the byte count is wrong, as in many files that play well.
  for (let length = 2000; length < whole.length - 1000; length += 97) {
    expect(await check(whole.subarray(0, length)), `${length} bytes`).toMatchObject({
      kind: 'cut',
      facts: { promisedBytes: whole.length, actualBytes: length },
    });
  }
});

it('detects a cut of such a file exactly between two frames', async () => {
  const ends = [...frameEnds(whole)].slice(2, -2);
  for (const length of ends) expect(await check(whole.subarray(0, length))).toMatchObject({ kind: 'cut' });
});

it('reports an open length for frames without a header whose last one is incomplete', async () => {
  const ends = frameEnds(bare);
  expect(ends.size).toBeGreaterThan(100);
  for (let length = 5000; length < bare.length; length += 89) {
    // A partial header of the next frame is indistinguishable from trailing bytes.
    const isClean = [0, 1, 2, 3].some((more) => ends.has(length - more));
    const found = await check(bare.subarray(0, length));
    expect(found, `${length} bytes`).toMatchObject({ kind: 'complete', ...(!isClean && { open: 'length' }) });
    const frames = [...ends].filter((end) => end <= length).length;
    if (found.kind === 'complete') expect(found.durationSeconds).toBeCloseTo((frames * 1152) / rate, 6);
  }
});

/** Offset of the frame count in our own header; the byte count follows it. */
const framesAt =
  [21, 36].map((at) => at + 8).find((at) => text('Info').every((byte, k) => whole[at - 8 + k] === byte)) ?? 0;

it('counts the frames of a file whose header claims ten times as many', async () => {
  const wrong = Uint8Array.from(whole);
  viewOf(wrong).setUint32(framesAt, 10 * viewOf(whole).getUint32(framesAt));
  const found = await check(wrong);
  expect(found.kind).toBe('complete');
  if (found.kind === 'complete') expect(Math.abs((found.durationSeconds ?? 0) - 3)).toBeLessThan(0.06);
});

it('reports an open length if the header counts too many bytes, or the last frame is incomplete', async () => {
  const wrong = Uint8Array.from(whole);
  viewOf(wrong).setUint32(framesAt + 4, whole.length + 500);
  expect(await check(wrong)).toMatchObject({ kind: 'complete', open: 'length' });
  expect(await check(bare.subarray(0, -20))).toMatchObject({ kind: 'complete', open: 'length' });
});

it('finds the audio after two tags, and after other bytes before or after a tag', async () => {
  const tag = (bytes: number) =>
    join(text('ID3\x04\0\0\0\0'), Uint8Array.of(bytes >> 7, bytes & 127), new Uint8Array(bytes));
  const junk = new Uint8Array(600).fill(0x55);
  for (const front of [
    join(tag(300), tag(5000)),
    join(junk, tag(300)),
    join(tag(300), junk),
    join(tag(9000), junk, tag(9)),
  ]) {
    const found = await inspectSource(bytesSource(join(front, whole)));
    expect(found).toMatchObject({ kind: 'sound', format: 'mp3' });
    if (found.kind === 'sound') expect(Math.abs((found.durationSeconds ?? 0) - 3)).toBeLessThan(0.06);
  }
  expect(await inspectSource(bytesSource(join(new Uint8Array(70_000), whole)))).toMatchObject({
    code: 'input/not-audio',
  });
});

it('is fast on megabytes of sync words, of tags and of the smallest frames', async () => {
  const many = (pattern: Uint8Array) =>
    Uint8Array.from({ length: 12_000_000 }, (_, at) => pattern[at % pattern.length] ?? 0);
  expect(await check(many(Uint8Array.of(0xff, 0xfb)))).toEqual({ kind: 'foreign' });
  expect(await check(many(text('ID3\x04\0\0\0\0\0\0')))).toEqual({ kind: 'foreign' });
  const small = new Uint8Array(24);
  small.set(Uint8Array.of(0xff, 0xf3, 0x14, 0xc0));
  expect((await check(many(small))).kind).toBe('complete');
});

it('skips leading and trailing tags', async () => {
  const id3v2 = join(text('ID3\x04\0\0\0\0\x02\0'), new Uint8Array(256));
  const id3v1 = join(text('TAG'), new Uint8Array(125));
  const found = await check(join(id3v2, bare, id3v1));
  expect(found.kind).toBe('complete');
  if (found.kind === 'complete') expect(Math.abs((found.durationSeconds ?? 0) - 3)).toBeLessThan(0.06);
});

it('rejects text that starts like a frame', async () => {
  const utf16 = join(Uint8Array.of(0xff, 0xfe), text('T\0h\0e\0 \0h\0a\0r\0b\0o\0u\0r\0'.repeat(200)));
  expect(await check(utf16)).toEqual({ kind: 'foreign' });
});
