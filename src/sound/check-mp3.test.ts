import { expect, it } from 'vitest';
import { checkMp3 } from './check-mp3.ts';
import { bytesSource } from './container-check.ts';
import { parseMpegFrame } from './mpeg-frame.ts';
import { buzz, encoded } from './test-sound.ts';

const rate = 44_100;
const whole = await encoded('mp3', [buzz(120, 3, rate)], rate);
/** The same without the frame that holds the header: a bare chain of frames. */
const bare = whole.subarray(parseMpegFrame(whole, 0)?.bytes ?? 0);
const check = (bytes: Uint8Array) => checkMp3(bytesSource(bytes));
const text = (value: string) => Uint8Array.from(value, (c) => c.charCodeAt(0));
const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

it('takes a whole file with and without a length header, with its length within 60 ms', async () => {
  for (const bytes of [whole, bare]) {
    const found = await check(bytes);
    expect(found.kind).toBe('complete');
    if (found.kind === 'complete') expect(Math.abs((found.durationSeconds ?? 0) - 3)).toBeLessThan(0.06);
  }
});

it('sees every cut of a file with a length header', async () => {
  for (let length = 2000; length < whole.length; length += 97) {
    expect(await check(whole.subarray(0, length)), `${length} bytes`).toMatchObject({
      kind: 'cut',
      facts: { promisedBytes: whole.length, actualBytes: length },
    });
  }
});

it('sees every cut inside a frame of a bare chain', async () => {
  let at = 0;
  const ends = new Set<number>();
  for (let frame = parseMpegFrame(bare, 0); frame; frame = parseMpegFrame(bare, at)) ends.add((at += frame.bytes));
  expect(ends.size).toBeGreaterThan(100);
  for (let length = 5000; length < bare.length; length += 89) {
    // Less than a header of the next frame cannot be told from rubbish behind the sound.
    const clean = [0, 1, 2, 3].some((more) => ends.has(length - more));
    expect((await check(bare.subarray(0, length))).kind, `${length} bytes`).toBe(clean ? 'complete' : 'cut');
  }
});

it('looks past tags in front and behind', async () => {
  const id3v2 = join(text('ID3\x04\0\0\0\0\x02\0'), new Uint8Array(256));
  const id3v1 = join(text('TAG'), new Uint8Array(125));
  const found = await check(join(id3v2, bare, id3v1));
  expect(found.kind).toBe('complete');
  if (found.kind === 'complete') expect(Math.abs((found.durationSeconds ?? 0) - 3)).toBeLessThan(0.06);
});

it('is not taken in by text that starts like a frame', async () => {
  const utf16 = join(Uint8Array.of(0xff, 0xfe), text('T\0h\0e\0 \0h\0a\0r\0b\0o\0u\0r\0'.repeat(200)));
  expect(await check(utf16)).toEqual({ kind: 'foreign' });
});
