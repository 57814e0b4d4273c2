import { expect, it } from 'vitest';
import { checkOgg } from './check-ogg.ts';
import { bytesSource, viewOf } from './container-check.ts';
import { encoded, hiss } from './sound.fixture.ts';

const rate = 44_100;
const whole = await encoded('ogg', [hiss(4, rate)], rate);
const check = (bytes: Uint8Array) => checkOgg(bytesSource(bytes));

const pageStarts = [...whole.keys()].filter((at) => String.fromCharCode(...whole.subarray(at, at + 5)) === 'OggS\0');

it('accepts a complete file, with its duration', async () => {
  expect(await check(whole)).toEqual({ kind: 'complete', durationSeconds: 4 });
});

it('detects a cut at any place', async () => {
  for (let length = 4; length < whole.length; length += 211) {
    expect(await check(whole.subarray(0, length)), `${length} bytes`).toMatchObject({ kind: 'cut' });
  }
});

it('reports an open length for a file that ends with a complete page but no end flag', async () => {
  expect(pageStarts.length).toBeGreaterThan(5);
  // The first three packets are headers, in two pages.
  for (const at of pageStarts.slice(3)) {
    expect(await check(whole.subarray(0, at))).toMatchObject({ kind: 'complete', open: 'end' });
  }
  const unmarked = Uint8Array.from(whole);
  const last = pageStarts.at(-1) ?? 0;
  unmarked[last + 5] = 0;
  expect(await check(unmarked)).toEqual({ kind: 'complete', durationSeconds: 4, open: 'end' });
});

it('reports a file with only headers as cut', async () => {
  for (const at of pageStarts.slice(1, 3)) expect(await check(whole.subarray(0, at))).toMatchObject({ kind: 'cut' });
});

it('adds the durations of consecutive streams, with one serial number or two', async () => {
  const other = Uint8Array.from(whole);
  for (const at of pageStarts) other[at + 14] = 77;
  for (const second of [whole, other]) {
    expect(await check(Uint8Array.from([...whole, ...second]))).toEqual({ kind: 'complete', durationSeconds: 8 });
  }
});

it('counts from the start of the stream, not from zero', async () => {
  const late = Uint8Array.from(whole);
  for (const at of pageStarts) {
    const view = viewOf(late);
    const granule = view.getBigUint64(at + 6, true);
    if (granule > 0n) view.setBigUint64(at + 6, granule + BigInt(10 * rate), true);
  }
  const found = await check(late);
  expect(found.kind).toBe('complete');
  if (found.kind === 'complete') expect(Math.abs((found.durationSeconds ?? 4) - 4)).toBeLessThan(0.1);
});

it('reports an open length for other bytes after the last page, and a cut for the first bytes of a page', async () => {
  const tagged = Uint8Array.from([...whole, ...new Uint8Array(128).fill(0x54)]);
  expect(await check(tagged)).toEqual({ kind: 'complete', durationSeconds: 4, open: 'end' });
  for (const more of [1, 3, 4, 20]) {
    expect(await check(Uint8Array.from([...whole, ...whole.subarray(0, more)]))).toMatchObject({ kind: 'cut' });
  }
});

it('finds the duration of a large file from its ends, unless it contains several streams', async () => {
  const page = whole.subarray(pageStarts[3], pageStarts[4]);
  const long = (count: number, granuleOf: (at: number) => number) => {
    const bytes = new Uint8Array((pageStarts[3] ?? 0) + count * page.length);
    bytes.set(whole.subarray(0, pageStarts[3]));
    for (let k = 0; k < count; k++) {
      const at = (pageStarts[3] ?? 0) + k * page.length;
      bytes.set(page, at);
      viewOf(bytes).setBigUint64(at + 6, BigInt(granuleOf(k)), true);
    }
    return bytes;
  };
  const count = Math.ceil((9 * 1024 * 1024) / page.length);
  expect(await check(long(count, (k) => (k + 1) * 1000))).toEqual({
    kind: 'complete',
    durationSeconds: (count * 1000) / rate,
    open: 'end',
  });
  expect(await check(long(count, (k) => ((k % (count / 2)) + 1) * 1000))).toEqual({ kind: 'complete', open: 'end' });
});

it('is fast on megabytes of the smallest pages, of first pages and of page markers', async () => {
  const many = (page: Uint8Array, bytes: number) => {
    const out = new Uint8Array(bytes);
    out.set(whole.subarray(0, pageStarts[1]));
    for (let at = pageStarts[1] ?? 0; at < bytes; at += page.length) out.set(page.subarray(0, bytes - at), at);
    return out;
  };
  const empty = Uint8Array.from(whole.subarray(0, 27));
  empty[26] = 0;
  for (const bytes of [8 * 1024 * 1024, 20 * 1024 * 1024]) {
    for (const page of [
      empty,
      whole.subarray(0, pageStarts[1]),
      Uint8Array.of(0x4f),
      Uint8Array.of(0x4f, 0x67, 0x67, 0x53),
    ]) {
      expect(['cut', 'complete', 'empty']).toContain((await check(many(page, bytes))).kind);
    }
  }
});

it('reports how long a cut page should be and how much is present', async () => {
  const last = pageStarts.at(-1) ?? 0;
  const found = await check(whole.subarray(0, whole.length - 10));
  expect(found).toMatchObject({ facts: { promisedBytes: whole.length, actualBytes: whole.length - 10 } });
  expect(last).toBeGreaterThan(0);
  if (found.kind === 'cut') expect(found.facts.actualSeconds).toBeLessThan(4);
});
