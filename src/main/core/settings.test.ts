import Conf from 'conf';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/errors.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import { openSettings, storedAppearance } from './settings.ts';

let folder: string;
let stopping: AbortController;
/** Ends the pause before the next attempt to write. */
let endPause: () => void;
let problems: Problem[];
beforeEach(async () => {
  problems = [];
  stopping = new AbortController();
  folder = await mkdtemp(join(tmpdir(), 'timbre-settings-'));
});
afterEach(() => rm(folder, { recursive: true }));

// electron-store is conf with Electron's folder; conf itself runs here.
const open = () =>
  openSettings(
    folder,
    ({ cwd, name }) => new Conf<Record<string, unknown>>({ cwd, configName: name, projectName: 'timbre' }),
    {
      now: () => 42,
      sleep: (_, signal) =>
        new Promise((resolve, reject) => {
          endPause = resolve;
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
    stopping.signal,
    (problem) => problems.push(problem),
  );
const write = (text: string) => writeFile(join(folder, 'settings.json'), text);

describe('settings', () => {
  it('are the defaults at the first start', () => {
    expect(open().get()).toEqual(defaultSettings);
  });

  it('are kept until the next start', () => {
    open().update({ theme: 'dark', outputFolder: '/music' });
    expect(open().get()).toEqual({ ...defaultSettings, theme: 'dark', outputFolder: '/music' });
  });

  it('lose only a value that is no longer valid', async () => {
    await write(JSON.stringify({ theme: 'purple', language: 'de', conversion: { pitch: -1 } }));
    expect(open().get()).toEqual({ ...defaultSettings, language: 'de' });
  });

  it('keep keys that a newer version wrote', async () => {
    await write(JSON.stringify({ later: { x: 1 } }));
    open().update({ theme: 'dark' });
    expect(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8'))).toMatchObject({
      later: { x: 1 },
      theme: 'dark',
    });
  });

  it('are read and written although an editor saved them with a byte order mark', async () => {
    await write(`\ufeff${JSON.stringify({ theme: 'dark', later: 1 })}`);
    const store = open();
    expect([store.get(), problems]).toEqual([{ ...defaultSettings, theme: 'dark' }, []]);
    store.update({ language: 'de' });
    expect(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8'))).toMatchObject({
      language: 'de',
      later: 1,
    });
    expect(open().get()).toEqual({ ...defaultSettings, theme: 'dark', language: 'de' });
    expect(await readdir(folder)).toEqual(['settings.json']);
  });

  it('keep what a newer version wrote into a value, until the user changes it', async () => {
    const copies = { isOn: true, maxGigabytes: 7, since: 3, place: 'elsewhere' };
    await write(JSON.stringify({ theme: 'sepia', copies, proxy: 8080 }));
    const store = open();
    const stored = async () => JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8')) as unknown;
    store.update({ language: 'de' });
    expect(await stored()).toMatchObject({ theme: 'sepia', copies, language: 'de', proxy: 8080 });
    store.update({ theme: 'dark', copies: { isOn: false, maxGigabytes: 7, since: 3 } });
    expect(await stored()).toMatchObject({ theme: 'dark', copies: { isOn: false, maxGigabytes: 7, since: 3 } });
    store.update({ isOfflineMode: false });
    expect(open().get()).toEqual(store.get());
  });

  it.each(['', '{ "theme": "dark",', '[]', 'null'])(
    'are written if another program damages their file meanwhile (%j), which is kept under another name',
    async (damaged) => {
      const store = open();
      store.update({ theme: 'dark' });
      await write(damaged);
      store.update({ language: 'de' });
      expect(problems).toEqual([]);
      expect(await readFile(join(folder, 'settings.json.broken-42'), 'utf8')).toBe(damaged);
      expect(open().get()).toEqual({ ...defaultSettings, theme: 'dark', language: 'de' });
    },
  );

  it.each(['', '\0\0\0\0', '{ "theme": "dark", "isOfflineMode": true, oops', '[]', 'null', '"x"'])(
    'are kept under another name if their file is damaged (%j), and nothing leaves this computer until the user says so',
    async (damaged) => {
      await write(damaged);
      expect(open().get()).toEqual({ ...defaultSettings, isOfflineMode: true });
      expect(problems).toEqual([{ code: 'settings/damaged', facts: { name: 'settings.json.broken-42' } }]);
      expect(await readFile(join(folder, 'settings.json.broken-42'), 'utf8')).toBe(damaged);
      expect((await readdir(folder)).toSorted()).toEqual(['settings.json', 'settings.json.broken-42']);

      const next = open();
      expect([next.get().isOfflineMode, problems.length]).toEqual([true, 1]);
      next.update({ isOfflineMode: false });
      expect(open().get()).toEqual(defaultSettings);
    },
  );

  it('are never missing while a damaged file is replaced, so that no other process takes it for a first start', async () => {
    const path = join(folder, 'settings.json');
    await write('{}');
    /** Whether to end, and how often the file was there and missing. */
    const state = new Int32Array(new SharedArrayBuffer(12));
    const reader = new Worker(
      `const { workerData: { path, state } } = require('node:worker_threads');
       const { readFileSync } = require('node:fs');
       while (Atomics.load(state, 0) === 0) {
         try { readFileSync(path); Atomics.add(state, 1, 1); } catch { Atomics.add(state, 2, 1); }
       }`,
      { eval: true, workerData: { path, state } },
    );
    await expect.poll(() => Atomics.load(state, 1)).toBeGreaterThan(0);
    for (let k = 0; k < 100; k += 1) {
      // As an editor or a disk would: in place.
      await writeFile(path, 'oops', { flag: 'r+' });
      expect(open().get().isOfflineMode).toBe(true);
    }
    Atomics.store(state, 0, 1);
    await once(reader, 'exit');
    expect(Atomics.load(state, 2)).toBe(0);
  });

  it('turn the offline mode on if a value that decides what leaves this computer is invalid', async () => {
    for (const damaged of [{ isOfflineMode: 'yes' }, { isOfflineMode: null }, { proxy: 8080 }, { proxy: 'tor' }]) {
      await write(JSON.stringify({ theme: 'dark', ...damaged }));
      expect(open().get()).toEqual({ ...defaultSettings, theme: 'dark', isOfflineMode: true });
    }
  });

  it('apply offline while a damaged file cannot be replaced, which is tried again', async () => {
    await write('oops');
    await mkdir(join(folder, 'settings.json.new'));
    expect(open().get().isOfflineMode).toBe(true);
    expect(await readFile(join(folder, 'settings.json'), 'utf8')).toBe('oops');
    await rm(join(folder, 'settings.json.new'), { recursive: true });
    endPause();
    await setImmediate();
    expect(await readFile(join(folder, 'settings.json.broken-42'), 'utf8')).toBe('oops');
    expect(open().get().isOfflineMode).toBe(true);
  });

  it.skipIf(process.platform === 'win32')(
    'are unreadable while something that is not a file has their name',
    async () => {
      const path = join(folder, 'settings.json');
      execFileSync('mkfifo', [path]);
      expect(open).toThrow(
        expect.objectContaining({ problem: { code: 'settings/unreadable', facts: { name: path } } }),
      );
      expect(storedAppearance(folder)).toEqual(defaultSettings);
      await rm(path);
      expect(open().get()).toEqual(defaultSettings);
    },
  );

  it('give theme and size to the first frame, whatever state the file is in', async () => {
    expect(storedAppearance(folder).theme).toBe('system');
    open().update({ theme: 'dark', zoomPercent: 150 });
    expect(storedAppearance(folder)).toMatchObject({ theme: 'dark', zoomPercent: 150 });
    await write('{ "theme": "dark", oops');
    expect(storedAppearance(folder).theme).toBe('system');
  });

  it('apply if they cannot be written, and are written as soon as possible', async () => {
    const store = open();
    const received: string[] = [];
    store.onChanged(({ theme }) => received.push(theme));
    await mkdir(join(folder, 'settings.json'));
    expect(() => store.update({ theme: 'dark' })).toThrow(expect.objectContaining({ code: 'data/not-writable' }));
    expect([store.get().theme, received]).toEqual(['dark', ['dark']]);
    endPause();
    await setImmediate();
    await rm(join(folder, 'settings.json'), { recursive: true });
    endPause();
    await setImmediate();
    expect(open().get().theme).toBe('dark');
  });

  it('are not retried after the app has stopped', async () => {
    const store = open();
    await mkdir(join(folder, 'settings.json'));
    expect(() => store.update({ theme: 'dark' })).toThrow();
    stopping.abort();
    await setImmediate();
    await rm(join(folder, 'settings.json'), { recursive: true });
    endPause();
    await setImmediate();
    expect(open().get().theme).toBe('system');
  });

  it('are emitted on each change until listeners unsubscribe', () => {
    const store = open();
    const received: string[] = [];
    const leave = store.onChanged(({ theme }) => received.push(theme));
    store.update({ theme: 'dark' });
    leave();
    store.update({ theme: 'light' });
    expect(received).toEqual(['dark']);
  });
});
