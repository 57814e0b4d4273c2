import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { type CopySettings, defaultSettings, type Settings } from '../../shared/schemas/settings.ts';
import { createCopyHandlers } from './copies.ts';

let now: number;
let current: Settings;
let calls: string[];
let isDiskFull: boolean;

const handlers = () =>
  createCopyHandlers({
    clock: { now: () => now },
    settings: () =>
      Promise.resolve({
        get: () => current,
        update(change) {
          // As settings do that cannot be written: they apply all the same.
          current = { ...current, ...change };
          if (isDiskFull) throw new AppError('data/not-writable', 'the disk is full');
          return current;
        },
      }),
    data: () =>
      Promise.resolve({
        copies: {
          update: () => void calls.push('update'),
          removeAll: () => {
            calls.push(`removeAll since ${current.copies.since}`);
            isDiskFull = false;
            return Promise.resolve();
          },
        },
      } as never),
    reveal: () => expect.unreachable('nothing is shown'),
  });
const set = async (change: Omit<CopySettings, 'since'>) => {
  await handlers().update(change);
  return current.copies;
};

beforeEach(() => {
  now = 1000;
  current = defaultSettings;
  calls = [];
  isDiskFull = false;
});

describe('copies', () => {
  it('are made of results from the moment they are turned on, also when they are turned on again', async () => {
    expect(await set({ isOn: true, maxGigabytes: 5 })).toEqual({ isOn: true, maxGigabytes: 5, since: 1000 });
    now = 2000;
    expect(await set({ isOn: true, maxGigabytes: 9 })).toEqual({ isOn: true, maxGigabytes: 9, since: 1000 });
    expect(await set({ isOn: false, maxGigabytes: 9 })).toMatchObject({ isOn: false, since: 1000 });
    now = 3000;
    expect(await set({ isOn: true, maxGigabytes: 9 })).toMatchObject({ isOn: true, since: 3000 });
    expect(calls).toHaveLength(4);
  });

  it('are made of earlier results only if the user asks for it, and of none that were removed', async () => {
    await set({ isOn: true, maxGigabytes: 5 });
    await handlers().copyExisting();
    expect(current.copies.since).toBe(0);
    now = 2000;
    await handlers().removeAll();
    expect(calls).toEqual(['update', 'update', 'removeAll since 2000']);
  });

  it('are removed from a disk that is too full to store that, which is stored then', async () => {
    await set({ isOn: true, maxGigabytes: 5 });
    [now, isDiskFull] = [2000, true];
    await handlers().removeAll();
    expect([calls, current.copies.since]).toEqual([['update', 'removeAll since 2000'], 2000]);
    isDiskFull = true;
    await expect(set({ isOn: true, maxGigabytes: 1 })).rejects.toMatchObject({ code: 'data/not-writable' });
    expect(calls).toEqual(['update', 'removeAll since 2000', 'update']);
  });
});
