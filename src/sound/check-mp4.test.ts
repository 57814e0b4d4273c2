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
const moov = (kind = 'soun') => box('moov', movieHeader(1000, 2500), box('trak', box('mdia', handler(kind))));
const ftyp = box('ftyp', text('M4A '), new Uint8Array(4));
const mdat = box('mdat', new Uint8Array(3000));
const check = (...parts: readonly Uint8Array[]) => checkMp4(bytesSource(join(...parts)));

it('takes a file with its index in front or at the end, with its length', async () => {
  expect(await check(ftyp, moov(), mdat)).toEqual({ kind: 'complete', durationSeconds: 2.5 });
  expect(await check(ftyp, mdat, moov())).toEqual({ kind: 'complete', durationSeconds: 2.5 });
});

it('sees a missing index', async () => {
  expect(await check(ftyp, mdat)).toMatchObject({ kind: 'cut' });
});

it('sees every cut, anywhere', async () => {
  const whole = join(ftyp, mdat, moov());
  for (let length = 16; length < whole.length; length++) {
    expect(await checkMp4(bytesSource(whole.subarray(0, length))), `${length} bytes`).toMatchObject({ kind: 'cut' });
  }
});

it('names how long a box that is cut would be', async () => {
  expect(await check(ftyp, moov(), mdat.subarray(0, 500))).toMatchObject({
    facts: { promisedBytes: ftyp.length + moov().length + mdat.length },
  });
});

it('reads 64-bit sizes', async () => {
  const long = join(text('\0\0\0\x01mdat\0\0\0\0\0\0\0\x20'), new Uint8Array(16));
  expect(await check(ftyp, long, moov())).toMatchObject({ kind: 'complete' });
});

it('takes a film without sound as foreign', async () => {
  expect(await check(ftyp, moov('vide'), mdat)).toEqual({ kind: 'foreign' });
});

it('gives no length for a fragmented file', async () => {
  const open = box('moov', movieHeader(1000, 0), box('trak', box('mdia', handler('soun'))));
  expect(await check(ftyp, open, box('moof', new Uint8Array(8)), mdat)).toEqual({ kind: 'complete' });
});
