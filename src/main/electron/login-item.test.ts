import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, LoginItemSettings } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLoginItem, isMacLoginStart } from './login-item.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'timbre-login-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The part of Electron's app that knows about login items, as documented. */
function systemOf(settings: Partial<LoginItemSettings> = {}) {
  const calls: object[] = [];
  const asked: (object | undefined)[] = [];
  return {
    calls,
    asked,
    app: {
      getLoginItemSettings(options) {
        asked.push(options);
        return { launchItems: [] as unknown, ...settings } as LoginItemSettings;
      },
      setLoginItemSettings: (change: object) => void calls.push(change),
    } as Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>,
  };
}
const linux = (command: readonly string[] = ['/opt/Timbre/timbre']) =>
  createLoginItem({ app: systemOf().app, platform: 'linux', command, configFolder: join(folder, 'config') });
const entryPath = () => join(folder, 'config/autostart/timbre.desktop');

describe('on Linux', () => {
  it('an entry in the autostart folder opens Timbre, hidden, and its removal ends that', () => {
    const item = linux();
    expect(item.get()).toBe('off');
    item.set(true);
    expect(item.get()).toBe('on');
    expect(readFileSync(entryPath(), 'utf8')).toContain('\nExec="/opt/Timbre/timbre" "--hidden"\n');
    item.set(false);
    expect([item.get(), existsSync(entryPath())]).toEqual(['off', false]);
    item.set(false);
  });

  it.each(['Hidden=true', 'Hidden = true', 'X-GNOME-Autostart-enabled=false'])(
    'an entry that the desktop switched off by %s is off',
    (line) => {
      const item = linux();
      item.set(true);
      writeFileSync(entryPath(), `${readFileSync(entryPath(), 'utf8')}${line}\n`);
      expect(item.get()).toBe('off');
      item.set(true);
      expect(item.get()).toBe('on');
    },
  );

  it('an entry follows the program if the one that it starts is gone, and only then', () => {
    const old = join(folder, 'Timbre-1.AppImage');
    writeFileSync(old, '');
    linux([old]).set(true);
    const item = linux([join(folder, 'Timbre-2.AppImage')]);
    item.repair();
    expect(readFileSync(entryPath(), 'utf8')).toContain('Timbre-1');
    rmSync(old);
    item.repair();
    expect(readFileSync(entryPath(), 'utf8')).toContain('Timbre-2');
    item.set(false);
    item.repair();
    expect(item.get()).toBe('off');
  });

  it('a folder that cannot be written to is named', () => {
    writeFileSync(join(folder, 'config'), 'a file in its place');
    expect(() => linux().set(true)).toThrow(
      expect.objectContaining({
        code: 'system/login-item',
        problem: { code: 'system/login-item', facts: { folder: join(folder, 'config/autostart') } },
      }),
    );
  });

  it('special characters of a path are escaped as the specification says', () => {
    linux([String.raw`/home/a b/100 %/$x "q" \ ${'`'}`]).set(true);
    expect(readFileSync(entryPath(), 'utf8')).toContain(
      String.raw`Exec="/home/a b/100 %%/\\$x \\"q\\" \\\\ \\${'`'}" "--hidden"`,
    );
  });
});

describe('on macOS and Windows', () => {
  it('the system keeps the login item, and Windows starts it hidden', () => {
    const system = systemOf({ openAtLogin: true });
    const mac = createLoginItem({ app: system.app, platform: 'darwin', command: [], configFolder: folder });
    const windows = createLoginItem({
      app: system.app,
      platform: 'win32',
      command: ['E:\\my tools\\timbre.exe'],
      configFolder: folder,
    });
    mac.set(true);
    windows.set(false);
    expect(system.calls).toEqual([
      { openAtLogin: true },
      { openAtLogin: false, path: '"E:\\my tools\\timbre.exe"', args: ['--hidden'] },
    ]);
    expect([mac.get(), windows.get()]).toEqual(['on', 'on']);
    expect(system.asked).toEqual([{}, { path: '"E:\\my tools\\timbre.exe"', args: ['--hidden'] }]);
  });

  it('is off if the user disabled it in Task Manager', () => {
    const item = { name: '', path: '', args: ['--hidden'], scope: 'user', enabled: false } as const;
    const { app } = systemOf({ openAtLogin: true, launchItems: [{ ...item, args: [...item.args] }] });
    expect(createLoginItem({ app, platform: 'win32', command: [], configFolder: folder }).get()).toBe('off');
  });

  it('says that macOS waits for the user’s approval', () => {
    const { app } = systemOf({ openAtLogin: false, status: 'requires-approval' });
    expect(createLoginItem({ app, platform: 'darwin', command: [], configFolder: folder }).get()).toBe(
      'requires-approval',
    );
  });
});

it('macOS says that it opened a start at login', () => {
  const started = (platform: NodeJS.Platform, wasOpenedAtLogin: boolean) =>
    isMacLoginStart(systemOf({ wasOpenedAtLogin }).app, platform);
  expect([started('darwin', true), started('darwin', false), started('win32', true)]).toEqual([true, false, false]);
});
