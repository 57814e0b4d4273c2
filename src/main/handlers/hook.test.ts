import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { defaultSettings, type Settings } from '../../shared/schemas/settings.ts';
import { createHookHandlers } from './hook.ts';

let current: Settings;
let calls: string[];
let chosen: string | null;
let isConfirmed: boolean;
let isDiskFull: boolean;
let whileAsked: () => Promise<unknown>;

const handlers = (platform = 'linux', isPortable = false) =>
  createHookHandlers({
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
    data: () => Promise.resolve({ hooks: { update: () => void calls.push('update') } } as never),
    sample: { path: '/sample.wav' },
    platform,
    isPortable,
    chooseProgram: () => Promise.resolve(chosen),
    async confirmArguments(program, args) {
      calls.push(`confirm ${program} ${args.join(' ')}`);
      await whileAsked();
      return isConfirmed;
    },
  });

beforeEach(() => {
  current = defaultSettings;
  calls = [];
  chosen = '/usr/bin/python3';
  isConfirmed = false;
  isDiskFull = false;
  whileAsked = () => Promise.resolve();
});

describe('the program', () => {
  it('is what the user chose in the dialog, and is not on by that', async () => {
    expect(await handlers().chooseProgram()).toBe(true);
    expect(current.hook).toMatchObject({ isOn: false, program: '/usr/bin/python3' });
    chosen = null;
    expect(await handlers().chooseProgram()).toBe(false);
    expect(current.hook.program).toBe('/usr/bin/python3');
  });

  it('is no batch file on Windows, which only a shell could run', async () => {
    chosen = 'C:\\Tools\\Upload.CMD';
    await expect(handlers('win32').chooseProgram()).rejects.toMatchObject({ code: 'hook/batch-file' });
    expect(current.hook.program).toBeNull();
  });
});

describe('the program of portable data', () => {
  it('is turned on only if the user agrees to it and its arguments, each time', async () => {
    current = { ...current, hook: { isOn: false, program: '/planted', args: ['{result}'], timeoutSeconds: 60 } };
    const change = { isOn: true, args: ['{result}'], timeoutSeconds: 60 };
    expect(await handlers('linux', true).update(change)).toBe(false);
    expect(current.hook.isOn).toBe(false);
    isConfirmed = true;
    expect(await handlers('linux', true).update(change)).toBe(true);
    expect([current.hook.isOn, calls.filter((call) => call.startsWith('confirm'))]).toEqual([
      true,
      Array(2).fill('confirm /planted {result}'),
    ]);
    isConfirmed = false;
    await handlers('linux', true).update({ ...change, timeoutSeconds: 5 });
    expect(current.hook).toMatchObject({ isOn: true, timeoutSeconds: 5 });
  });
});

it('that is turned off is not due for earlier results, even if the settings cannot be written', async () => {
  current = { ...current, hook: { isOn: true, program: '/upload', args: ['{result}'], timeoutSeconds: 60 } };
  isDiskFull = true;
  const change = { isOn: false, args: ['{result}'], timeoutSeconds: 60 };
  await expect(handlers().update(change)).rejects.toMatchObject({ code: 'data/not-writable' });
  expect([current.hook.isOn, calls]).toEqual([false, ['update']]);
});

describe('its arguments', () => {
  it('count only if the user confirms them, as they may be code; the rest counts anyway', async () => {
    await handlers().chooseProgram();
    calls = [];
    const change = { isOn: true, args: ['-c', 'evil()'], timeoutSeconds: 5 };
    expect(await handlers().update(change)).toBe(false);
    expect(current.hook).toMatchObject({ isOn: true, args: ['{result}'], timeoutSeconds: 5 });
    isConfirmed = true;
    expect(await handlers().update(change)).toBe(true);
    expect(current.hook.args).toEqual(['-c', 'evil()']);
    expect(calls.filter((call) => call.startsWith('confirm'))).toEqual(
      Array(2).fill('confirm /usr/bin/python3 -c evil()'),
    );
  });

  it('count only for the program that the user confirmed them for', async () => {
    await handlers().chooseProgram();
    isConfirmed = true;
    chosen = '/bin/sh';
    whileAsked = async () => handlers().chooseProgram();
    expect(await handlers().update({ isOn: true, args: ['-c', 'evil()'], timeoutSeconds: 5 })).toBe(false);
    expect(current.hook).toMatchObject({ program: '/bin/sh', args: ['{result}'] });
  });

  it('are asked about only if they change, order and number included', async () => {
    await handlers().chooseProgram();
    calls = [];
    expect(await handlers().update({ ...current.hook, isOn: true })).toBe(true);
    expect(calls).toEqual(['update']);
    await handlers().update({ ...current.hook, args: [] });
    expect(calls).toContain('confirm /usr/bin/python3 ');
  });

  it('cannot be set before a program is chosen: the user could not tell what they mean', async () => {
    await expect(handlers().update({ isOn: true, args: ['x'], timeoutSeconds: 5 })).rejects.toMatchObject({
      code: 'request/invalid',
    });
    expect(current.hook).toEqual(defaultSettings.hook);
  });
});
