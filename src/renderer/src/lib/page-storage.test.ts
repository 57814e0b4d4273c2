import { afterEach, expect, test, vi } from 'vitest';
import { pageStorage } from './page-storage.ts';

afterEach(() => void vi.unstubAllGlobals());

const stub = (storage: Partial<Storage>) => void vi.stubGlobal('localStorage', storage);

test('what is stored is found under the same key', () => {
  const stored = new Map<string, string>();
  stub({ getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) });
  pageStorage.setItem('view', 'history');
  expect([pageStorage.getItem('view'), pageStorage.getItem('theme')]).toEqual(['history', null]);
});

test('storage that the browser refuses or that is full holds nothing', () => {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  stub({ getItem: refuse, setItem: refuse });
  pageStorage.setItem('view', 'history');
  expect(pageStorage.getItem('view')).toBeNull();
});

test('any other error is thrown', () => {
  const fail = () => {
    throw new TypeError('no storage');
  };
  stub({ getItem: fail });
  expect(() => pageStorage.getItem('view')).toThrow('no storage');
});
