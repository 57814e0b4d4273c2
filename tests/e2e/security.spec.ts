import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { channelsOf } from '../../src/shared/ipc/define-contract.ts';
import { contract } from '../../src/shared/ipc/contract.ts';
import { expect, onElectron, openView, test } from './app.ts';

test.use({ isShared: true });

test('the page has no Node and nothing of Electron', async ({ timbre: { page } }) => {
  const found = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer', '__dirname'].filter(
      (name) => name in globalThis,
    ),
  );
  expect(found).toEqual([]);
});

test('the preload gives the page three functions, and no access beyond them', async ({ timbre: { page } }) => {
  const described = await page.evaluate(() => {
    const { bridge } = globalThis as unknown as { bridge: Record<string, unknown> };
    return {
      members: Object.entries(bridge).map(([name, member]) => [name, typeof member]),
      frozen: Object.isFrozen(bridge),
    };
  });
  expect(described.members.sort()).toEqual([
    ['invoke', 'function'],
    ['pathForFile', 'function'],
    ['subscribe', 'function'],
  ]);
  expect(described.frozen).toBe(true);
});

test('the bridge rejects channels outside the contract', async ({ timbre: { page } }) => {
  const attempt = (call: 'invoke' | 'subscribe', channel: string) =>
    page.evaluate(
      async ([name, wanted]) => {
        const { bridge } = globalThis as unknown as { bridge: Record<string, (...args: unknown[]) => unknown> };
        try {
          await bridge[name as 'invoke']?.(wanted, () => undefined);
          return 'done';
        } catch (error) {
          return String(error);
        }
      },
      [call, channel],
    );
  for (const channel of ['app:exit', 'electron-store-get-data', '', 'jobs:changed', '__proto__', 'constructor']) {
    expect(await attempt('invoke', channel)).toContain('is not in the contract');
  }
  for (const channel of [...channelsOf(contract, 'request'), 'x']) {
    expect(await attempt('subscribe', channel)).toContain('is not in the contract');
  }
});

test('a listener receives the payload and never the event', async ({ timbre: { page } }) => {
  // Main emits nothing to a page before the page is ready.
  await expect(page.getByText('Ready, works offline')).toBeVisible();
  const seen = page.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        const { bridge } = globalThis as unknown as {
          bridge: { subscribe(channel: string, listener: (...args: unknown[]) => void): void };
        };
        bridge.subscribe('settings:changed', (...args) => resolve(args));
      }),
  );
  await page.evaluate(() => {
    const { bridge } = globalThis as unknown as {
      bridge: { invoke(channel: string, input: unknown): Promise<unknown> };
    };
    return bridge.invoke('settings:update', { theme: 'dark' });
  });
  expect(await seen).toEqual([expect.objectContaining({ theme: 'dark' })]);
});

test('a page cannot set a folder or a proxy that the user did not choose in a system dialog', async ({ timbre }) => {
  const { page, evaluateMain, folder } = timbre;
  const update = (change: object) =>
    page.evaluate((sent) => {
      const { bridge } = globalThis as unknown as {
        bridge: { invoke(channel: string, input: unknown): Promise<{ ok: boolean; error?: { code: string } }> };
      };
      return bridge.invoke('settings:update', sent);
    }, change);
  expect(await update({ outputFolder: folder })).toMatchObject({ ok: false, error: { code: 'request/invalid' } });
  await evaluateMain(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    const told: string[] = [];
    Object.assign(globalThis, { told });
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, buttons } = args.at(-1) as { message: string; buttons: string[] };
      told.push(message);
      return Promise.resolve({ response: told.length === 1 ? buttons.length - 1 : 0, checkboxChecked: false });
    };
  }, folder);
  const told = () => evaluateMain(() => (globalThis as unknown as { told: readonly string[] }).told);
  await openView(page, 'Settings');
  await page.getByRole('radio', { name: 'One folder for all results' }).click();
  await page.getByRole('button', { name: 'Choose folder' }).click();
  // By its dialog, and without another question.
  await expect(page.getByText(folder)).toBeVisible();
  expect(await told()).toEqual([]);
  const way = page.getByRole('combobox', { name: 'Proxy' });
  const address = page.getByRole('textbox', { name: 'Proxy address' });
  for (const shown of [0, 1]) {
    await way.selectOption('address');
    await address.fill('http://proxy.example:8080');
    await address.press('Enter');
    await expect(address).toHaveCount(shown);
  }
  await expect.poll(told).toEqual(Array(2).fill('Use the proxy http://proxy.example:8080?'));
  await expect
    .poll(() => update({}))
    .toMatchObject({ value: { proxy: 'http://proxy.example:8080', outputFolder: folder } });
});

test('the content security policy stops inline code, eval, frames and every request', async ({ timbre: { page } }) => {
  const server = createServer((_, response) => response.end('reached'));
  let reached = 0;
  server.on('request', () => (reached += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const outcome = await page.evaluate(async (address) => {
    const blocked = new Set<string>();
    document.addEventListener('securitypolicyviolation', (event) => blocked.add(event.effectiveDirective));
    const tried = async (work: () => unknown) => {
      try {
        return await work();
      } catch {
        return 'refused';
      }
    };
    const add = (tag: string, attributes: Record<string, string>, text = '') => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.textContent = text;
      document.body.append(element);
    };
    // What the debugger calls may use eval; what a timer calls is under the policy like the page itself.
    await new Promise((resolve) => setTimeout(resolve));
    const ran = {
      eval: await tried(() => (0, eval)('1')),
      // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is what must not work
      function: await tried(() => (new Function('return 1') as () => unknown)()),
      fetch: await tried(() => fetch(address)),
      beacon: navigator.sendBeacon(address, 'x'),
    };
    add('script', {}, 'window.hacked = 1');
    add('script', { src: `${address}/x.js` });
    add('style', {}, 'body { display: none }');
    add('img', { src: `${address}/x.png` });
    add('audio', { src: `${address}/x.wav`, preload: 'auto' });
    add('iframe', { src: address });
    add('object', { data: address });
    // Each of these ends in a violation of its own.
    const wanted = ['script-src', 'style-src', 'img-src', 'media-src', 'connect-src'];
    for (let turn = 0; turn < 4000 && !wanted.every((d) => [...blocked].some((b) => b.startsWith(d))); turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return {
      ran,
      hacked: 'hacked' in globalThis,
      hidden: getComputedStyle(document.body).display,
      blocked: [...blocked],
    };
  }, origin);
  server.close();

  expect(outcome.ran).toMatchObject({ eval: 'refused', function: 'refused', fetch: 'refused' });
  expect([outcome.hacked, outcome.hidden === 'none', reached]).toEqual([false, false, 0]);
  for (const directive of ['script-src', 'style-src', 'img-src', 'media-src', 'connect-src']) {
    expect(
      outcome.blocked.some((name) => name.startsWith(directive)),
      directive,
    ).toBe(true);
  }
});

test('the page cannot navigate away and opens no window', async ({ timbre: { page, evaluateMain } }) => {
  await page.evaluate(() => {
    window.open('https://example.com/');
    window.open('about:blank');
    const link = document.createElement('a');
    link.href = 'https://example.com/';
    document.body.append(link);
    link.click();
    const blank = Object.assign(document.createElement('a'), { href: 'https://example.com/', target: '_blank' });
    document.body.append(blank);
    blank.click();
  });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const windows = await evaluateMain(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
  );
  expect(windows).toEqual(['app://timbre/']);
});

test('a file that is dropped outside the drop targets does not replace the page', async ({
  timbre: { page, drop, evaluateMain },
}) => {
  await drop('body', ['/etc/hostname']);
  await expect(page.getByRole('main')).toBeVisible();
  expect(await evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL())).toBe(
    'app://timbre/',
  );
});

test('the window is created with sandbox and isolation, without Node, and downloads no spelling dictionary', async ({
  timbre: { evaluateMain },
}) => {
  const preferences = await evaluateMain(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Electron has it and leaves it out of its types.
    return (contents as unknown as { getLastWebPreferences(): unknown }).getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    spellcheck: false,
  });
});

test('the page is granted no permission but writing copied text', async ({ timbre: { page } }) => {
  const states = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi', 'clipboard-read'];
    const answers = await Promise.all(
      names.map(async (name) => [name, (await navigator.permissions.query({ name: name as PermissionName })).state]),
    );
    return Object.fromEntries(answers) as Record<string, string>;
  });
  expect(Object.entries(states).filter(([, state]) => state === 'granted')).toEqual([]);
});

// The driver cannot go on with such a page.
test.describe(() => {
  test.use({ isShared: false });

  test('a crashed page reloads by itself with everything it showed', async ({ timbre: { page, evaluateMain } }) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await evaluateMain(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return new Promise<void>((resolve) => {
        // The first page may be loading still: that is not the one.
        contents?.once('render-process-gone', () => contents.once('did-finish-load', () => resolve()));
        contents?.forcefullyCrashRenderer();
      });
    });
    // The driver's page is gone with the crash: main asks the new one.
    await expect
      .poll(() =>
        evaluateMain(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.querySelector("h1")?.textContent'),
        ),
      )
      .toBeTruthy();
  });

  test('a page that hangs is logged and loaded again, with everything it showed', async ({ timbre }) => {
    const { page, dataFolder, evaluateMain } = timbre;
    await openView(page, 'History');
    page
      .evaluate(() => {
        for (;;);
      })
      .catch(() => undefined);
    await evaluateMain(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return new Promise<void>((resolve) => {
        window?.webContents.once('render-process-gone', () =>
          window.webContents.once('did-finish-load', () => resolve()),
        );
        // Chromium says so after a click that nobody answers.
        window?.emit('unresponsive');
      });
    });
    await expect
      .poll(() =>
        evaluateMain(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.querySelector("h1")?.textContent'),
        ),
      )
      .toBeTruthy();
    expect(await readFile(join(dataFolder, 'timbre.log'), 'utf8')).toContain('the page does not answer');
  });
});

test.describe('on Electron only', () => {
  test.skip(!onElectron, 'the Chromium host cannot show isolation: its preload shares the page’s world');

  test('the page’s changes to built-in objects do not reach the preload', async ({ timbre: { page } }) => {
    const answered = await page.evaluate(async () => {
      Array.prototype.push = () => {
        throw new Error('reached');
      };
      const { bridge } = globalThis as unknown as { bridge: { invoke(channel: string): Promise<{ ok: boolean }> } };
      return (await bridge.invoke('app:info')).ok;
    });
    expect(answered).toBe(true);
  });
});
