import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCodec } from './codec.mts';

const { pack, unpack } = createCodec();
const roundTrip = (value: unknown) => unpack(pack(value));

test('plain JSON is unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(roundTrip(value)).toEqual(value);
    }),
  );
});

test('values that JSON cannot express are preserved', () => {
  const value = {
    gap: undefined,
    big: 2n ** 70n,
    numbers: [NaN, Infinity, -Infinity, -0],
    date: new Date(5),
    map: new Map([['key', new Set([1])]]),
    bytes: new Uint8Array([0, 255]),
    floats: new Float32Array([1.5]),
    buffer: new Uint8Array([1, 2]).buffer,
  };
  expect(roundTrip(value)).toStrictEqual(value);
});

test('an invalid date stays an invalid date', () => {
  expect(roundTrip(new Date(NaN))).toEqual(new Date(NaN));
});

test('keys that look like tags are not mistaken for tags', () => {
  const value = { $: 'Date', $$: 1, v: 5, nested: { $: 'undefined' } };
  expect(roundTrip(value)).toEqual(value);
});

test('a view carries only its own bytes, not its whole buffer', () => {
  const view = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
  expect(roundTrip(view)).toEqual(new Uint8Array([2, 3]));
});

test('an error keeps its class, message and stack', () => {
  const error = new RangeError('too far');
  const back = roundTrip(error) as Error;
  expect(back).toBeInstanceOf(RangeError);
  expect([back.message, back.stack]).toEqual([error.message, error.stack]);
});

test('what structured clone rejects throws Electron’s error', () => {
  for (const value of [() => 1, new Proxy({}, {}), Symbol('s'), new WeakMap(), { deep: [() => 1] }]) {
    expect(() => pack(value)).toThrow(new Error('An object could not be cloned.'));
  }
});

test('what only the host cannot clone is named in the error', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(() => pack(cycle)).toThrow('host: cyclic values are not implemented');
  expect(() => pack(new Blob(['x']))).toThrow('host: a Blob in IPC is not implemented');
});

test('an object that occurs twice is no cycle', () => {
  const shared = { a: 1 };
  expect(roundTrip([shared, shared])).toEqual([shared, shared]);
});
