// Electron's desktop APIs, against fakes of zenity, xdg-open and gdbus.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUserData, eventually, fixtureDirectory, launch, type Launched } from './launch.mts';

let host: Launched;
const place = createUserData();
const programs = join(place.path, 'programs');
const calls = (name: string): string[] =>
  readFileSync(join(programs, `${name}.calls`), 'utf8')
    .trimEnd()
    .split('\n');

/** A program that records its arguments, one per line, prints `output` and exits with `code`. */
function fake(name: string, output = '', code = 0): void {
  const path = join(programs, name);
  writeFileSync(`${path}.out`, output);
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${path}.calls'\ncat '${path}.out'\nexit ${code}\n`);
  chmodSync(path, 0o755);
}

beforeAll(async () => {
  mkdirSync(programs);
  fake('zenity');
  fake('xdg-open');
  fake('gdbus');
  const environment = {
    PATH: `${programs}:${process.env['PATH']}`,
    XDG_DATA_HOME: join(place.path, 'data'),
    LANGUAGE: 'de_AT:en_GB',
  };
  host = await launch(environment);
  await host.page.waitForLoadState();
  // The host's dialogs need a display variable, even if this run has no display.
  await host.app.evaluate(() => void (process.env['DISPLAY'] ||= ':0'));
});
afterAll(async () => {
  await host.close();
  await place.remove();
});

test('showOpenDialog passes its options to zenity and returns the chosen paths', async () => {
  fake('zenity', '/music/a b.wav\u001f/music/c|d.wav\n');
  const answer = await host.app.evaluate(({ dialog }) =>
    dialog.showOpenDialog({
      title: 'Choose',
      defaultPath: '/tmp',
      filters: [{ name: 'Audio', extensions: ['wav', 'mp3'] }],
      properties: ['openFile', 'multiSelections'],
    }),
  );
  expect(answer).toEqual({ canceled: false, filePaths: ['/music/a b.wav', '/music/c|d.wav'] });
  expect(calls('zenity')).toEqual([
    '--file-selection',
    '--multiple',
    '--separator=\u001f',
    '--title=Choose',
    '--filename=/tmp/',
    '--file-filter=Audio | *.[wW][aA][vV] *.[mM][pP]3',
  ]);
});

test('a dialog that the user closes is cancelled', async () => {
  fake('zenity', '', 1);
  const answers = await host.app.evaluate(async ({ dialog, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) throw new Error('no window');
    return [
      await dialog.showOpenDialog(window, { properties: ['openDirectory'] }),
      await dialog.showSaveDialog(window, { defaultPath: '/tmp/new.wav' }),
      await dialog.showMessageBox(window, { message: 'Sure?', buttons: ['Delete', 'Keep'], cancelId: 1 }),
    ];
  });
  expect(answers).toEqual([
    { canceled: true, filePaths: [] },
    { canceled: true, filePath: '' },
    { response: 1, checkboxChecked: false },
  ]);
});

test('showMessageBox returns the index of the pressed button', async () => {
  fake('zenity', 'Keep\n', 1);
  const { response } = await host.app.evaluate(({ dialog }) =>
    dialog.showMessageBox({ message: 'Sure?', detail: 'Really', buttons: ['Delete', 'Keep', 'Cancel'] }),
  );
  expect(response).toBe(1);
  expect(calls('zenity')).toContain('--extra-button=Keep');
});

test('without a display a dialog rejects, and names what it needs', async () => {
  const refusal = await host.app.evaluate(async ({ dialog }) => {
    const { DISPLAY, WAYLAND_DISPLAY } = process.env;
    delete process.env['DISPLAY'];
    delete process.env['WAYLAND_DISPLAY'];
    const error = await dialog.showOpenDialog({}).catch(String);
    if (DISPLAY !== undefined) process.env['DISPLAY'] = DISPLAY;
    if (WAYLAND_DISPLAY !== undefined) process.env['WAYLAND_DISPLAY'] = WAYLAND_DISPLAY;
    return error;
  });
  expect(refusal).toBe('Error: host: dialog.showOpenDialog needs zenity');
});

test('shell opens addresses and paths with xdg-open, and reports failures', async () => {
  fake('xdg-open');
  expect(await host.app.evaluate(({ shell }) => shell.openPath('/music/a b.wav'))).toBe('');
  expect(calls('xdg-open')).toEqual(['/music/a b.wav']);
  fake('xdg-open', '', 4);
  expect(await host.app.evaluate(({ shell }) => shell.openPath('/gone'))).toContain('exit code 4');
  const failure = await host.app.evaluate(({ shell }) => shell.openExternal('x:').catch(String));
  expect(failure).toBe('Error: host: xdg-open could not open x: (exit code 4)');
});

test('showItemInFolder asks the file manager, or opens the folder if no file manager supports that', async () => {
  fake('gdbus');
  await host.app.evaluate(({ shell }) => shell.showItemInFolder("/music/it's.wav"));
  await eventually(() => existsSync(join(programs, 'gdbus.calls')) && calls('gdbus').at(-1)).toBe(
    "['file:///music/it%27s.wav']",
  );
  fake('gdbus', '', 1);
  fake('xdg-open');
  await host.app.evaluate(({ shell }) => shell.showItemInFolder('/music/b.wav'));
  await eventually(() => calls('xdg-open')).toEqual(['/music']);
});

test('trashItem moves a file to the user’s trash', async () => {
  const file = join(place.path, 'old take.wav');
  writeFileSync(file, 'sound');
  await host.app.evaluate(({ shell }, path) => shell.trashItem(path), file);
  const trash = join(place.path, 'data/Trash');
  expect(existsSync(file)).toBe(false);
  expect(readFileSync(join(trash, 'files/old take.wav'), 'utf8')).toBe('sound');
  expect(readFileSync(join(trash, 'info/old take.wav.trashinfo'), 'utf8')).toContain('old%20take.wav');
});

test('a menu is recorded, and its items can be clicked', async () => {
  const seen = await host.app.evaluate(({ Menu }) => {
    let clicks = 0;
    const template: Electron.MenuItemConstructorOptions[] = [
      {
        label: 'File',
        submenu: [
          { id: 'open', label: 'Open', click: () => (clicks += 1) },
          { id: 'loop', label: 'Loop', type: 'checkbox' },
        ],
      },
    ];
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    const menu = Menu.getApplicationMenu();
    menu?.getMenuItemById('open')?.click();
    menu?.getMenuItemById('loop')?.click();
    return { clicks, checked: menu?.getMenuItemById('loop')?.checked, missing: menu?.getMenuItemById('nothing') };
  });
  expect(seen).toEqual({ clicks: 1, checked: true, missing: null });
});

test('themeSource changes what pages prefer, later windows included, and can be reset', async () => {
  const isDark = () => host.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const before = await isDark();
  const shown = await host.app.evaluate(
    ({ nativeTheme }) =>
      new Promise((resolve) => {
        nativeTheme.once('updated', () => resolve(nativeTheme.shouldUseDarkColors));
        nativeTheme.themeSource = 'dark';
      }),
  );
  expect(shown).toBe(true);
  await eventually(isDark).toBe(true);
  const later = await host.app.evaluate(async () => {
    const window = fixture.make('later', {}, 'app://timbre/?later');
    await new Promise<void>((resolve) => window.webContents.once('did-finish-load', () => resolve()));
    const dark: unknown = await window.webContents.executeJavaScript(`new Promise((resolve) => {
      const query = matchMedia('(prefers-color-scheme: dark)');
      if (query.matches) resolve(true);
      query.addEventListener('change', () => resolve(query.matches));
    })`);
    window.destroy();
    return dark;
  });
  expect(later).toBe(true);
  await host.app.evaluate(({ nativeTheme }) => void (nativeTheme.themeSource = 'system'));
  await eventually(isDark).toBe(before);
});

test('every permission of the page is denied, without a prompt', async () => {
  const states = await host.page.evaluate(async () => {
    const names = ['microphone', 'camera', 'geolocation', 'notifications', 'clipboard-read', 'midi'];
    const found = await Promise.all(names.map((name) => navigator.permissions.query({ name: name as PermissionName })));
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(String);
    return { states: [...new Set(found.map(({ state }) => state))], stream };
  });
  expect(states.states).toEqual(['denied']);
  expect(states.stream).toMatch(/NotAllowedError|NotFoundError/);
});

test('what the check handler allows is granted, and no other permission', async () => {
  const states = () =>
    host.page.evaluate(() =>
      Promise.all(
        ['clipboard-write', 'clipboard-read', 'geolocation'].map(
          async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state,
        ),
      ),
    );
  await host.app.evaluate(({ session }) =>
    session.defaultSession.setPermissionCheckHandler((_contents, name) => name === 'clipboard-sanitized-write'),
  );
  await eventually(states).toEqual(['granted', 'denied', 'denied']);
  const written = await host.page.evaluate(() => navigator.clipboard.writeText('x').then(() => 'written', String));
  expect(written).toBe('written');
  await host.app.evaluate(({ session }) => session.defaultSession.setPermissionCheckHandler(null));
  await eventually(states).toEqual(['denied', 'denied', 'denied']);
});

test('the clipboard returns what was written', async () => {
  const text = await host.app.evaluate(async ({ clipboard }) => {
    await clipboard.writeText('copied "text"');
    return clipboard.readText();
  });
  expect(text).toBe('copied "text"');
});

test('a utility process replies, preserves the types of values, and exits with its own code', async () => {
  const seen = await host.app.evaluate(
    async ({ utilityProcess }, path) => {
      const child = utilityProcess.fork(path, ['argument'], { serviceName: 'engine', stdio: 'pipe' });
      await new Promise((resolve) => child.once('spawn', () => resolve(0)));
      const running = child.pid;
      const { promise, resolve } = Promise.withResolvers<{
        got: Date;
        bytes: Uint8Array;
        map: Map<number, number>;
        argv: string[];
      }>();
      child.once('message', resolve);
      child.postMessage(new Date(5));
      const { got, bytes, map, argv } = await promise;
      child.postMessage('end');
      const code = await new Promise((end) => child.once('exit', end));
      const kinds = [got instanceof Date, bytes instanceof Uint8Array, map.get(1)];
      return { isRunning: typeof running, kinds, argv, code, pid: child.pid };
    },
    join(fixtureDirectory, 'child.mts'),
  );
  expect(seen).toEqual({ isRunning: 'number', kinds: [true, true, 2], argv: ['argument'], code: 3, pid: undefined });
});

test('a utility process that is killed exits with the number of the signal', async () => {
  const code = await host.app.evaluate(
    async ({ utilityProcess }, path) => {
      const child = utilityProcess.fork(path);
      await new Promise((resolve) => child.once('spawn', () => resolve(0)));
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      return ended;
    },
    join(fixtureDirectory, 'child.mts'),
  );
  expect(code).toBe(15);
});

test('1000 messages to a utility process return in their order', async () => {
  const order = await host.app.evaluate(
    async ({ utilityProcess }, path) => {
      const child = utilityProcess.fork(path);
      const got: number[] = [];
      const all = new Promise<void>((resolve) =>
        child.on('message', (message: { got: number }) => {
          if (got.push(message.got) === 1000) resolve();
        }),
      );
      for (let i = 0; i < 1000; i += 1) child.postMessage(i);
      await all;
      child.kill();
      return got.every((value, index) => value === index);
    },
    join(fixtureDirectory, 'child.mts'),
  );
  expect(order).toBe(true);
});

test('languages come from LANGUAGE, and the screen has a fixed size', async () => {
  const seen = await host.app.evaluate(({ app, screen }) => ({
    locale: app.getLocale(),
    languages: app.getPreferredSystemLanguages(),
    displays: screen.getAllDisplays().map(({ workArea }) => workArea),
  }));
  expect(seen).toEqual({
    locale: 'de-AT',
    languages: ['de-AT', 'en-GB'],
    displays: [{ x: 0, y: 0, width: 1280, height: 800 }],
  });
});

test('what electron-store probes for is absent, and what it needs exists', async () => {
  const seen = await host.app.evaluate((electron) => {
    const { default: all } = electron as unknown as { default: Record<string, unknown> };
    return { ipcRenderer: all['ipcRenderer'] === undefined, app: all['app'] === electron.app };
  });
  expect(seen).toEqual({ ipcRenderer: true, app: true });
});
