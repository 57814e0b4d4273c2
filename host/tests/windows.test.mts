import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually, launch, type Launched, waitOptions } from './launch.mts';

let host: Launched;
beforeAll(async () => {
  host = await launch({ FIXTURE_STAYS: '1' });
  await vi.waitFor(async () => {
    const events = await host.events();
    expect(events).toContain('main focus');
    expect(events).toContain('main contents did-stop-loading');
  }, waitOptions);
});
afterAll(() => host.close());

const count = async () => (await host.events()).length;
type Sizes = Partial<Record<'x' | 'y' | 'width' | 'height' | 'minWidth' | 'minHeight', number>>;
/** A new window, loaded and shown. */
async function open(tag: string, options: Sizes = {}) {
  await host.app.evaluate((_electron, [name, given]) => void fixture.make(name, given, `app://timbre/?${name}`), [
    tag,
    options,
  ] as const);
  await eventually(() => host.events()).toContain(`${tag} contents did-stop-loading`);
  await eventually(() => host.events()).toContain(`${tag} show`);
  return vi.waitUntil(() => host.app.windows().find((page) => page.url().endsWith(`?${tag}`)), waitOptions);
}
const destroy = (tag: string) => host.app.evaluate((_electron, name) => fixture.windows[name]?.destroy(), tag);

test('the page has exactly the size main requested, also below Chromium’s minimum', async () => {
  const pages = [await open('narrow', { width: 400, height: 300 }), await open('wide', { width: 640, height: 480 })];
  const size = (index: number) => pages[index]?.evaluate(() => [innerWidth, innerHeight]);
  await eventually(() => size(0)).toEqual([400, 300]);
  await eventually(() => size(1)).toEqual([640, 480]);
  await host.app.evaluate(() => fixture.windows['wide']?.setBounds({ width: 720, height: 500 }));
  await eventually(() => size(1)).toEqual([720, 500]);
  await destroy('narrow');
  await destroy('wide');
});

const hasDisplay = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);

test.skipIf(!hasDisplay)('no window has tabs or an address bar (skipped without a display)', async () => {
  const later = await open('later', { width: 640, height: 480 });
  const around = (page: Page) => page.evaluate(() => [outerWidth - innerWidth, outerHeight - innerHeight]);
  for (const page of [host.page, later]) {
    await eventually(async () => (await around(page))[0]).toBeLessThanOrEqual(16);
    // At most a title bar: tabs and address bar take more than 80 px.
    await eventually(async () => (await around(page))[1]).toBeLessThanOrEqual(48);
  }
  await eventually(() => later.evaluate(() => [innerWidth, innerHeight])).toEqual([640, 480]);
  await destroy('later');
});

test.skipIf(!hasDisplay)('a window is where main placed it (skipped without a display)', async () => {
  const page = await open('placed', { x: 120, y: 90, width: 640, height: 480 });
  await eventually(() => page.evaluate(() => [screenX, screenY])).toEqual([120, 90]);
  await destroy('placed');
});

test('changes of a window are emitted and can be read, and a repeated change emits nothing', async () => {
  await host.app.evaluate(() => fixture.windows['main']?.focus());
  const seen = await count();
  const answers = await host.app.evaluate(() => {
    const window = fixture.windows['main'];
    window?.setBounds({ x: 10, width: 710 });
    window?.setBounds({ x: 10, width: 710 });
    window?.maximize();
    const maximized = [window?.isMaximized(), window?.isMinimized()];
    window?.unmaximize();
    window?.minimize();
    const minimized = window?.isMinimized();
    window?.restore();
    window?.setTitle('New title');
    return { maximized, minimized, bounds: window?.getBounds(), title: window?.getTitle() };
  });
  expect(answers).toMatchObject({ maximized: [true, false], minimized: true, title: 'New title' });
  expect(answers.bounds).toMatchObject({ x: 10, width: 710, height: 500 });
  expect(await host.events(seen)).toEqual([
    'main move',
    'main resize',
    'main resized',
    'main maximize',
    'main unmaximize',
    'main minimize',
    'main blur',
    'main restore',
  ]);
});

test('a window is never smaller than its minimum', async () => {
  await open('minimal', { minWidth: 600, minHeight: 400 });
  const size = await host.app.evaluate(() => {
    fixture.windows['minimal']?.setSize(100, 100);
    return fixture.windows['minimal']?.getSize();
  });
  expect(size).toEqual([600, 400]);
  await destroy('minimal');
});

test('showing gives focus, hiding removes it, and at most one window has it', async () => {
  await open('other');
  const answers = await host.app.evaluate(({ BrowserWindow }) => {
    const { main, other } = fixture.windows;
    main?.hide();
    const hidden = [main?.isVisible(), main?.isFocused()];
    main?.show();
    const shown = [main?.isVisible(), main?.isFocused(), other?.isFocused()];
    return { hidden, shown, isMain: BrowserWindow.getFocusedWindow() === main };
  });
  expect(answers).toEqual({ hidden: [false, false], shown: [true, true, false], isMain: true });
  await destroy('other');
});

test('windows created in one tick each get their own page', async () => {
  const results = await host.app.evaluate(async ({ BrowserWindow }) => {
    const tags = ['a', 'b', 'c', 'd', 'e'];
    const made = tags.map((tag) => fixture.make(tag, {}, `app://timbre/page.html?${tag}`));
    const loaded = made.map(
      (each) => new Promise((resolve) => each.webContents.once('did-finish-load', () => resolve(0))),
    );
    await Promise.all(loaded);
    const found = await Promise.all(made.map((each) => each.webContents.executeJavaScript('location.search')));
    for (const each of made) each.destroy();
    return { found, left: BrowserWindow.getAllWindows().length };
  });
  expect(results).toEqual({ found: ['?a', '?b', '?c', '?d', '?e'], left: 1 });
});

test('a destroyed window emits closed and not close, and refuses further calls', async () => {
  await open('doomed');
  const seen = await count();
  const answers = await host.app.evaluate(() => {
    const window = fixture.windows['doomed'];
    const contents = window?.webContents;
    window?.destroy();
    let refusal = '';
    try {
      window?.show();
    } catch (error) {
      refusal = String(error);
    }
    return { destroyed: [window?.isDestroyed(), contents?.isDestroyed()], refusal };
  });
  expect(answers).toEqual({ destroyed: [true, true], refusal: 'TypeError: Object has been destroyed' });
  expect(await host.events(seen)).toEqual(['doomed contents destroyed', 'doomed closed']);
});

test('a window can be destroyed before its page exists, and its loadURL rejects', async () => {
  const answer = await host.app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({ show: false });
    const loading = window.loadURL('app://timbre/').catch(String);
    window.destroy();
    return { loading: await loading, left: BrowserWindow.getAllWindows().length };
  });
  expect(answer).toEqual({ loading: "Error: ERR_FAILED (-2) loading 'app://timbre/'", left: 1 });
});

test('a page that prevents unloading keeps its window open, unless main overrides it', async () => {
  const page = await open('objecting');
  page.on('dialog', () => undefined);
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  await page.click('h1');
  await host.app.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const window = fixture.windows['objecting'];
        window?.webContents.once('will-prevent-unload' as 'destroyed', () => setImmediate(resolve));
        window?.close();
      }),
  );
  expect(await host.app.evaluate(() => fixture.windows['objecting']?.isDestroyed())).toBe(false);
  await host.app.evaluate(() => {
    const window = fixture.windows['objecting'];
    window?.webContents.on('will-prevent-unload' as 'will-navigate', (event) => event.preventDefault());
    window?.close();
  });
  await eventually(() => host.events()).toContain('objecting closed');
});

test('2000 messages sent at once arrive in their order', async () => {
  await host.page.evaluate(() => {
    const got: number[] = [];
    Object.assign(globalThis, { got });
    api.on('number', (value: number) => got.push(value));
  });
  await host.app.evaluate(() => {
    for (let i = 0; i < 2000; i += 1) fixture.windows['main']?.webContents.send('number', i);
  });
  const got = () => host.page.evaluate(() => (globalThis as unknown as { got: number[] }).got);
  await eventually(async () => (await got()).length).toBe(2000);
  expect(await got()).toEqual(Array.from({ length: 2000 }, (_, index) => index));
});

test('sending what cannot be cloned throws at the sender', async () => {
  const error = await host.app.evaluate(() => {
    try {
      fixture.windows['main']?.webContents.send('x', () => 1);
      return 'sent';
    } catch (reason) {
      return String(reason);
    }
  });
  expect(error).toBe('Error: An object could not be cloned.');
});

test('console-message carries level and text', async () => {
  const message = host.app.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        const contents = fixture.windows['main']?.webContents;
        contents?.once('console-message', ({ level, message }) => resolve({ level, message }));
        void contents?.executeJavaScript("console.warn('beware', 1)");
      }),
  );
  expect(await message).toEqual({ level: 'warning', message: 'beware 1' });
});

test('capturePage returns a PNG of the size of the page', async () => {
  const image = await host.app.evaluate(async () => {
    const photo = await fixture.windows['main']?.webContents.capturePage();
    return { size: photo?.getSize(), isEmpty: photo?.isEmpty(), start: [...(photo?.toPNG().subarray(1, 4) ?? [])] };
  });
  expect(Buffer.from(image.start).toString()).toBe('PNG');
  expect(image).toMatchObject({ isEmpty: false, size: { width: 710, height: 500 } });
});

test('executeJavaScript returns the value of a promise, and throws what the page threw', async () => {
  const answers = await host.app.evaluate(async () => {
    const contents = fixture.windows['main']?.webContents;
    const value: unknown = await contents?.executeJavaScript('Promise.resolve({ a: [1] })');
    const error: unknown = await contents?.executeJavaScript("throw new TypeError('in the page')").catch(String);
    return [value, error] as const;
  });
  expect(answers[0]).toEqual({ a: [1] });
  expect(answers[1]).toMatch(/TypeError: in the page/);
});

test('a window reloads after its renderer crashed', async () => {
  await open('crashing');
  await host.app.evaluate(() => fixture.windows['crashing']?.webContents.forcefullyCrashRenderer());
  await eventually(() => host.events()).toContain('crashing contents render-process-gone');
  expect(await host.app.evaluate(() => fixture.windows['crashing']?.webContents.isCrashed())).toBe(true);
  const answer = await host.app.evaluate(async () => {
    const contents = fixture.windows['crashing']?.webContents;
    const loaded = new Promise((resolve) => contents?.once('did-finish-load', () => resolve(0)));
    contents?.reload();
    await loaded;
    const echoed: unknown = await contents?.executeJavaScript('api.invoke("echo", 5)');
    return { crashed: contents?.isCrashed(), echoed };
  });
  expect(answer).toEqual({ crashed: false, echoed: 5 });
  await destroy('crashing');
});

test('a crashed page can be reloaded from render-process-gone', async () => {
  await open('reloading');
  const answer = await host.app.evaluate(async () => {
    const contents = fixture.windows['reloading']?.webContents;
    const loaded = new Promise((resolve) =>
      contents?.once('render-process-gone', () => void contents.loadURL('app://timbre/?again').then(resolve)),
    );
    contents?.forcefullyCrashRenderer();
    await loaded;
    const echoed: unknown = await contents?.executeJavaScript('api.invoke("echo", location.search)');
    return { crashed: contents?.isCrashed(), echoed };
  });
  expect(answer).toEqual({ crashed: false, echoed: '?again' });
  await destroy('reloading');
});

test('an option or a member that the host lacks throws with its name', async () => {
  const errors = await host.app.evaluate(({ app, BrowserWindow, autoUpdater }) => {
    const say = (action: () => unknown) => {
      try {
        return String(action());
      } catch (error) {
        return String(error);
      }
    };
    return [
      say(() => new BrowserWindow({ frame: false })),
      say(() => fixture.windows['main']?.setKiosk(true)),
      say(() => app.getLoginItemSettings()),
      say(() => autoUpdater.checkForUpdates()),
      say(() => app.dock),
    ];
  });
  expect(errors).toEqual([
    'Error: host: BrowserWindow option frame is not implemented',
    'Error: host: BrowserWindow.setKiosk is not implemented',
    'Error: host: app.getLoginItemSettings is not implemented',
    'Error: host: autoUpdater.checkForUpdates is not implemented',
    'undefined',
  ]);
});
