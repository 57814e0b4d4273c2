import { expect, test } from 'vitest';
import { createBridge } from './context-bridge.mts';

const { cross, freeze } = createBridge();

test('plain data is copied', () => {
  const data = { list: [1, { date: new Date(5) }], map: new Map([[1, 2]]) };
  const copy = cross(data);
  expect(copy).toEqual(data);
  expect(copy).not.toBe(data);
});

test('functions in data are wrapped, and their arguments and results are copied', () => {
  const seen: unknown[] = [];
  const given = { a: 1 };
  const api = cross({ nested: { call: (value: unknown) => (seen.push(value), value) } }) as {
    nested: { call(value: unknown): unknown };
  };
  expect(api.nested.call(given)).toEqual(given);
  expect(seen[0]).toEqual(given);
  expect(seen[0]).not.toBe(given);
});

test('a promise is awaited, and its error loses its class', async () => {
  await expect(cross(Promise.resolve({ a: 1 }))).resolves.toEqual({ a: 1 });
  const failed = cross(Promise.reject(new TypeError('bad'))) as Promise<unknown>;
  await expect(failed).rejects.toStrictEqual(new Error('bad'));
});

test('a proxy is rejected, also beside a function', () => {
  expect(() => cross(new Proxy({ a: 1 }, {}))).toThrow('An object could not be cloned.');
  expect(() => cross({ call: () => 1, state: new Proxy([1], {}) })).toThrow('An object could not be cloned.');
});

test('a Blob is passed unchanged', () => {
  const blob = new Blob(['x']);
  expect(cross(blob)).toBe(blob);
  expect(cross({ blob })).toEqual({ blob });
});

test('plain objects are deeply frozen, others are not', () => {
  const value = { inner: { list: [1] }, map: new Map() };
  freeze(value);
  expect([Object.isFrozen(value), Object.isFrozen(value.inner), Object.isFrozen(value.map)]).toEqual([
    true,
    true,
    false,
  ]);
});
