import { expect, it } from 'vitest';
import { checkOgg } from './check-ogg.ts';
import { bytesSource } from './container-check.ts';
import { encoded, hiss } from './test-sound.ts';

const rate = 44_100;
const whole = await encoded('ogg', [hiss(4, rate)], rate);
const check = (bytes: Uint8Array) => checkOgg(bytesSource(bytes));

const pageStarts = [...whole.keys()].filter((at) => String.fromCharCode(...whole.subarray(at, at + 5)) === 'OggS\0');

it('takes a whole file, with its length', async () => {
  expect(await check(whole)).toEqual({ kind: 'complete', durationSeconds: 4 });
});

it('sees every cut, anywhere', async () => {
  for (let length = 4; length < whole.length; length += 211) {
    expect(await check(whole.subarray(0, length)), `${length} bytes`).toMatchObject({ kind: 'cut' });
  }
});

it('sees a cut exactly between two pages', async () => {
  expect(pageStarts.length).toBeGreaterThan(3);
  for (const at of pageStarts.slice(1)) expect(await check(whole.subarray(0, at))).toMatchObject({ kind: 'cut' });
});

it('tells how long a cut page would be and how much is there', async () => {
  const last = pageStarts.at(-1) ?? 0;
  const found = await check(whole.subarray(0, whole.length - 10));
  expect(found).toMatchObject({ facts: { promisedBytes: whole.length, actualBytes: whole.length - 10 } });
  expect(last).toBeGreaterThan(0);
  if (found.kind === 'cut') expect(found.facts.actualSeconds).toBeLessThan(4);
});
