import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually, launch, type Launched, waitOptions } from './launch.mts';

let host: Launched;
let page: Page;
const directory = join(tmpdir(), `host-ipc-${process.pid}`);
const folder = join(directory, 'a folder');
const files = [join(directory, 'one.wav'), join(directory, 'zwei "ü".wav')];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  for (const file of files) writeFileSync(file, 'x');
  host = await launch();
  page = host.page;
  await page.waitForLoadState();
});
afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true });
});

/** Result of an invoke in the page; for an error its class and message. */
const invoke = (channel: string) =>
  page.evaluate(
    (name) =>
      api.invoke(name).catch((reason: unknown) => {
        const { constructor, message } = reason as Error;
        return `${constructor.name}: ${message}`;
      }),
    channel,
  );

test('the preload runs before the scripts of the page', async () => {
  const seen = await page.evaluate(() => {
    const { apiAtStart } = globalThis as unknown as { apiAtStart: string };
    return { apiAtStart, beforePage: api.beforePage };
  });
  expect(seen).toEqual({ apiAtStart: 'object', beforePage: true });
});

test('the page cannot reach the binding', async () => {
  const names = await page.evaluate(() => (globalThis as unknown as { callableNames: string[] }).callableNames);
  expect(names).toEqual([]);
});

test('an iframe without the preload cannot reach the binding either', async () => {
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = '/page.html?bare';
    document.body.append(frame);
  });
  const frame = await findFrame(page, '?bare');
  await frame.waitForLoadState();
  const seen = await frame.evaluate(() => ({
    api: typeof (globalThis as { api?: unknown }).api,
    names: (globalThis as unknown as { callableNames: string[] }).callableNames,
  }));
  expect(seen).toEqual({ api: 'undefined', names: [] });
});

test('errors of handlers reach the page in Electron’s wording, always as Error', async () => {
  expect(await invoke('throw-error')).toBe("Error: Error invoking remote method 'throw-error': TypeError: bad thing");
  expect(await invoke('throw-string')).toBe("Error: Error invoking remote method 'throw-string': just text");
  expect(await invoke('nobody')).toBe(
    "Error: Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
  );
  expect(await invoke('give-function')).toMatch(/An object could not be cloned/);
});

test('a channel has one handler, which can be removed, and handleOnce answers once', async () => {
  const refusal = await host.app.evaluate(({ ipcMain }) => {
    ipcMain.handleOnce('single', () => 1);
    try {
      ipcMain.handle('echo', () => 2);
      return '';
    } catch (error) {
      return String(error);
    }
  });
  expect(refusal).toBe("Error: Attempted to register a second handler for 'echo'");
  expect(await invoke('single')).toBe(1);
  expect(await invoke('single')).toMatch(/No handler registered/);
});

test('values keep their type on the way to main and back', async () => {
  const kinds = await page.evaluate(() =>
    api.invoke(
      'kinds',
      null,
      undefined,
      new Date(),
      new Uint8Array(2),
      new ArrayBuffer(1),
      new Map(),
      new Set(),
      1n,
      {},
    ),
  );
  expect(kinds).toEqual(['Null', 'Undefined', 'Date', 'Uint8Array', 'ArrayBuffer', 'Map', 'Set', 'BigInt', 'Object']);
  const same = await page.evaluate(async () => {
    const sent = {
      date: new Date(5),
      gap: undefined,
      floats: new Float32Array([1.5]),
      big: 2n ** 70n,
      nan: NaN,
      $: 'é',
    };
    const got = await api.invoke<typeof sent>('echo', sent);
    return [+got.date === 5, 'gap' in got, got.floats[0] === 1.5, got.big === 2n ** 70n, Number.isNaN(got.nan), got.$];
  });
  expect(same).toEqual([true, true, true, true, true, 'é']);
});

test('what cannot be cloned is rejected in Electron’s wording', async () => {
  const refusals = await page.evaluate(async () => {
    const values = [() => 1, new Proxy({ a: 1 }, {}), new Proxy([1], {}), new WeakMap()];
    return Promise.all(
      values.map((value) =>
        Promise.resolve()
          .then(() => api.invoke('echo', { value }))
          .then(() => 'passed', String),
      ),
    );
  });
  // A function passes the context bridge; only invoke rejects it.
  for (const refusal of refusals) expect(refusal).toMatch(/An object could not be cloned\./);
});

test('the bridge copies, freezes and wraps, and rejects what the host lacks', async () => {
  const seen = await page.evaluate(() => {
    const given = { a: [1, { b: 2 }] };
    const copy = api.give(given);
    let refusal = '';
    try {
      api.sendSync();
    } catch (error) {
      refusal = String(error);
    }
    return {
      isCopy: copy !== given && JSON.stringify(copy) === JSON.stringify(given),
      frozen: [Object.isFrozen(api), Object.isFrozen(api.nested)],
      isDate: api.nested.deep.date instanceof Date,
      called: api.callBack((value) => value + 1),
      refusal,
    };
  });
  expect(seen).toEqual({
    isCopy: true,
    frozen: [true, true],
    isDate: true,
    called: 2,
    refusal: 'Error: host: ipcRenderer.sendSync is not implemented',
  });
});

test('a listener gets events until it is removed, and once gets one', async () => {
  await page.evaluate(() => {
    const received: string[] = [];
    Object.assign(globalThis, { received });
    const stop = api.on('notify', (text: string) => {
      received.push(`on ${text}`);
      if (text === 'two') stop();
    });
    api.once('notify', (text: string) => received.push(`once ${text}`));
    api.on('notify', (text: string) => received.push(`always ${text}`));
  });
  await host.app.evaluate(() => {
    for (const text of ['one', 'two', 'three']) fixture.windows['main']?.webContents.send('notify', text);
  });
  const received = () => page.evaluate(() => (globalThis as unknown as { received: string[] }).received);
  const all = ['on one', 'once one', 'always one', 'on two', 'always two', 'always three'];
  await eventually(received).toEqual(all);
});

test('a message from the page reaches ipcMain.on', async () => {
  await page.evaluate(() => api.send('note', 'hello'));
  await eventually(() => host.events()).toContain('note hello');
});

test('an invoke in the first line of the preload has the right sender', async () => {
  expect(await page.evaluate(() => api.first())).toEqual({
    url: 'app://timbre/',
    origin: 'app://timbre',
    top: 'app://timbre/',
    parent: null,
    isMainFrame: true,
  });
});

test('senderFrame distinguishes frames: foreign, our own, sandboxed and blank', async () => {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>foreign</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const foreign = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await host.app.evaluate(
    () => void fixture.make('framed', { webPreferences: { nodeIntegrationInSubFrames: true } }, 'app://timbre/?framed'),
  );
  await eventually(() => host.events()).toContain('framed contents did-stop-loading');
  const framed = await vi.waitUntil(
    () => host.app.windows().find((each) => each.url().endsWith('?framed')),
    waitOptions,
  );
  await framed.evaluate((url) => {
    const add = (source: string, sandbox: boolean) => {
      const frame = document.createElement('iframe');
      if (sandbox) frame.sandbox.add('allow-scripts');
      frame.src = source;
      document.body.append(frame);
    };
    add(`${url}/foreign`, false);
    add('/page.html?own', false);
    add('/page.html?sandboxed', true);
    add('about:blank', false);
  }, foreign);
  const first = async (part: string) => {
    const frame = await findFrame(framed, part);
    await eventually(() => frame.evaluate(() => typeof (globalThis as { api?: unknown }).api)).toBe('object');
    return frame.evaluate(() => api.first());
  };
  const inOurs = { top: 'app://timbre/?framed', parent: 'app://timbre/?framed', isMainFrame: false };
  expect(await first('/foreign')).toEqual({ ...inOurs, url: `${foreign}/foreign`, origin: foreign });
  expect(await first('?own')).toEqual({ ...inOurs, url: 'app://timbre/page.html?own', origin: 'app://timbre' });
  expect(await first('?sandboxed')).toEqual({ ...inOurs, url: 'app://timbre/page.html?sandboxed', origin: 'null' });
  expect(await first('about:blank')).toEqual({ ...inOurs, url: 'about:blank', origin: 'app://timbre' });
  await host.app.evaluate(() => fixture.windows['framed']?.destroy());
  server.close();
});

test('files and folders dropped on the page reach main with their paths', async () => {
  await page.evaluate(() => {
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      const dropped = [...(event.dataTransfer?.files ?? [])].map((file) => api.pathOf(file));
      Object.assign(globalThis, { dropped });
    });
  });
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files, folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, x: 100, y: 30, data });
  }
  await page.waitForFunction(() => 'dropped' in globalThis);
  const tokens = await page.evaluate(() => (globalThis as unknown as { dropped: string[] }).dropped);
  for (const token of tokens) expect(token).toMatch(/^host-file:/);
  expect(await page.evaluate((list) => api.invoke('echo', { list }), tokens)).toEqual({ list: [...files, folder] });
});

test('files chosen in the page reach main with their paths', async () => {
  await page.setInputFiles('#files', files);
  expect(await chosenPaths()).toEqual(files);
  const chooser = page.waitForEvent('filechooser');
  await page.click('#files');
  await (await chooser).setFiles(files.slice(1));
  expect(await chosenPaths()).toEqual(files.slice(1));
});

test("a file without a path has '' for its path", async () => {
  await page.setInputFiles('#files', { name: 'made.wav', mimeType: 'audio/wav', buffer: Buffer.from('x') });
  expect(await chosenPaths()).toEqual(['']);
  const path = await page.evaluate(() => api.invoke('echo', api.pathOf(new File(['x'], 'made.txt'))));
  expect(path).toBe('');
});

test('only a string that is exactly a placeholder is replaced', async () => {
  await page.setInputFiles('#files', files);
  const [before, around] = await page.evaluate(async () => {
    const [file] = document.querySelector<HTMLInputElement>('#files')?.files ?? [];
    const token = file ? api.pathOf(file) : '';
    const sent = [`see "${token}"`, `${token}/more`, 'host-file:0'];
    return [sent, await api.invoke('echo', sent)];
  });
  expect(around).toEqual(before);
});

const chosenPaths = () =>
  page.evaluate(() => {
    const chosen = document.querySelector<HTMLInputElement>('#files')?.files ?? [];
    return api.invoke(
      'echo',
      [...chosen].map((file) => api.pathOf(file)),
    );
  });

const findFrame = (of: Page, part: string): Promise<Frame> =>
  vi.waitUntil(() => of.frames().find((frame) => frame !== of.mainFrame() && frame.url().includes(part)), waitOptions);
