import { expect, it } from 'vitest';
import { checkMp4 } from './check-mp4.ts';
import { bytesSource, viewOf } from './container-check.ts';

const text = (value: string) => Uint8Array.from(value, (c) => c.charCodeAt(0));

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => {
    out.set(part, at);
    return at + part.length;
  }, 0);
  return out;
}

function box(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const bytes = join(new Uint8Array(4), text(type), ...content);
  viewOf(bytes).setUint32(0, bytes.length);
  return bytes;
}

function movieHeader(scale: number, length: number): Uint8Array {
  const content = new Uint8Array(100);
  viewOf(content).setUint32(12, scale);
  viewOf(content).setUint32(16, length);
  return box('mvhd', content);
}

const handler = (kind: string) => box('hdlr', new Uint8Array(8), text(kind), new Uint8Array(12));
/** The media header has the same layout as the movie header, up to the duration. */
function mediaHeader(scale: number, length: number): Uint8Array {
  const content = new Uint8Array(24);
  viewOf(content).setUint32(12, scale);
  viewOf(content).setUint32(16, length);
  return box('mdhd', content);
}
const track = (kind: string, length: number, ...more: readonly Uint8Array[]) =>
  box('trak', box('mdia', mediaHeader(1000, length), handler(kind), ...more));
const moov = (kind = 'soun') => box('moov', movieHeader(1000, 2500), track(kind, 2500));
const ftyp = box('ftyp', text('M4A '), new Uint8Array(4));
const mdat = box('mdat', new Uint8Array(3000));
const check = (...parts: readonly Uint8Array[]) => checkMp4(bytesSource(join(...parts)));

it('accepts a file with its index at the start or the end, with its duration', async () => {
  expect(await check(ftyp, moov(), mdat)).toEqual({ kind: 'complete', durationSeconds: 2.5 });
  expect(await check(ftyp, mdat, moov())).toEqual({ kind: 'complete', durationSeconds: 2.5 });
});

it('detects a missing index', async () => {
  expect(await check(ftyp, mdat)).toMatchObject({ kind: 'cut' });
});

it('detects a cut at any place', async () => {
  const whole = join(ftyp, mdat, moov());
  for (let length = 16; length < whole.length; length++) {
    expect(await checkMp4(bytesSource(whole.subarray(0, length))), `${length} bytes`).toMatchObject({ kind: 'cut' });
  }
});

it('reports the size that a cut box should have', async () => {
  expect(await check(ftyp, moov(), mdat.subarray(0, 500))).toMatchObject({
    facts: { promisedBytes: ftyp.length + moov().length + mdat.length },
  });
});

it('reads 64-bit sizes', async () => {
  const long = join(text('\0\0\0\x01mdat\0\0\0\0\0\0\0\x20'), new Uint8Array(16));
  expect(await check(ftyp, long, moov())).toMatchObject({ kind: 'complete' });
});

it('reports a film without audio as a foreign format', async () => {
  expect(await check(ftyp, moov('vide'), mdat)).toEqual({ kind: 'foreign' });
});

it('reports no duration for a fragmented file', async () => {
  const open = box('moov', movieHeader(1000, 0), box('trak', box('mdia', handler('soun'))));
  expect(await check(ftyp, open, box('moof', new Uint8Array(8)), mdat)).toEqual({ kind: 'complete' });
});

const table = (type: string, ...numbers: readonly number[]) => {
  const content = new Uint8Array(4 + numbers.length * 4);
  numbers.forEach((number, at) => viewOf(content).setUint32(4 + at * 4, number));
  return box(type, content);
};
const withTables = (...tables: readonly Uint8Array[]) =>
  box('moov', movieHeader(1000, 9000), track('vide', 9000), track('soun', 2000, box('minf', box('stbl', ...tables))));

it('reports the duration of the audio, not that of a longer film', async () => {
  expect(await check(ftyp, withTables(), mdat)).toEqual({ kind: 'complete', durationSeconds: 2 });
});

it('subtracts what an edit list skips at the start', async () => {
  const edits = box('edts', table('elst', 1, 1500, 200, 0x10000));
  const edited = box(
    'moov',
    movieHeader(1000, 9000),
    box('trak', edits, box('mdia', mediaHeader(1000, 2000), handler('soun'))),
  );
  expect(await check(ftyp, edited, mdat)).toEqual({ kind: 'complete', durationSeconds: 1.5 });
});

it('detects samples beyond the end of the file', async () => {
  const tables = [table('stsz', 500, 2), table('stco', 1, 3000), table('stsc', 1, 1, 2, 1)];
  expect(await check(ftyp, withTables(...tables), mdat)).toMatchObject({ kind: 'cut', facts: { promisedBytes: 4000 } });
});

it('rejects an index that claims more than its own bytes', async () => {
  const most = 0xff_ff_ff_ff;
  const hostile = [
    [table('stsz', 0, most)],
    [table('stsz', 1, most)],
    [table('stsz', 100, 10), table('stco', most, 0)],
    [table('stsz', 100, 10), table('stco', 2, 500, 100), table('stsc', 1, 1, 5, 1)],
    [table('stts', most)],
  ];
  for (const tables of hostile) expect(await check(ftyp, withTables(...tables), mdat)).toEqual({ kind: 'foreign' });
});

it('is fast on 16 MB of empty boxes in its index, and on a hundred thousand beside it', async () => {
  const empty = Uint8Array.of(0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65);
  const many = (bytes: number) => Uint8Array.from({ length: bytes }, (_, at) => empty[at % 8] ?? 0);
  expect(await check(ftyp, box('moov', many(16_000_000)), mdat)).toEqual({ kind: 'foreign' });
  expect(await check(ftyp, many(800_000), moov(), mdat)).toEqual({ kind: 'foreign' });
  expect(await check(ftyp, box('moov', many(17_000_000)), mdat)).toEqual({ kind: 'foreign' });
});

it('reports an open length for other bytes after the last box', async () => {
  expect(await check(ftyp, moov(), mdat, new Uint8Array(7))).toEqual({
    kind: 'complete',
    durationSeconds: 2.5,
    open: 'end',
  });
});
