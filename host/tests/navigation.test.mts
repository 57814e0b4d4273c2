import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

const navigations = async (from: number) => (await host.events(from)).filter((event) => event.includes(' will-'));
const count = async () => (await host.events()).length;

test('loadURL rejects with the code and address of its failure, and resolves for an error page', async () => {
  const answers = await host.app.evaluate(async () => {
    const window = fixture.windows['main'];
    const load = (url: string) =>
      window?.loadURL(url).then(
        () => 'loaded',
        (error: unknown) => [String(error), (error as { errno: number }).errno],
      );
    const results = [];
    for (const url of ['app://timbre/throw', 'http://127.0.0.1:1/', 'https://example.com/', 'app://timbre/nothing']) {
      results.push(await load(url));
    }
    results.push(await load('app://timbre/'), await load('app://timbre/#part'));
    return { results, url: window?.webContents.getURL() };
  });
  expect(answers.results).toEqual([
    ["Error: ERR_UNEXPECTED (-9) loading 'app://timbre/throw'", -9],
    ["Error: ERR_UNSAFE_PORT (-312) loading 'http://127.0.0.1:1/'", -312],
    ["Error: ERR_NAME_NOT_RESOLVED (-105) loading 'https://example.com/'", -105],
    'loaded',
    'loaded',
    'loaded',
  ]);
  expect(answers.url).toBe('app://timbre/#part');
});

test('a navigation that main replaces rejects, and the newer one takes effect', async () => {
  const answers = await host.app.evaluate(() => {
    const window = fixture.windows['main'];
    const load = (url: string) => window?.loadURL(url).then(() => 'loaded', String);
    return Promise.all([load('app://timbre/page.html?1'), load('app://timbre/')]);
  });
  expect(answers).toEqual(["Error: ERR_ABORTED (-3) loading 'app://timbre/page.html?1'", 'loaded']);
});

test('a navigation of the page is announced, and does not happen if main prevents it', async () => {
  await host.app.evaluate(() => void (fixture.isBlocking = true));
  const seen = await count();
  await host.page.click('#outside');
  await host.page.click('#inside');
  await eventually(() => navigations(seen)).toHaveLength(2);
  expect(await navigations(seen)).toEqual([
    'main contents will-navigate https://example.com/x',
    'main contents will-navigate app://timbre/page.html?2',
  ]);
  expect(host.page.url()).toBe('http://timbre.app.localhost/');
});

test('a navigation that is not prevented happens, after will-navigate and will-frame-navigate', async () => {
  await host.app.evaluate(() => void (fixture.isBlocking = false));
  const seen = await count();
  await host.page.click('#inside');
  await host.page.waitForURL(/page\.html\?2/);
  expect(await navigations(seen)).toEqual([
    'main contents will-navigate app://timbre/page.html?2',
    'main contents will-frame-navigate app://timbre/page.html?2',
  ]);
});

test('a redirect is announced, and stops if main prevents it', async () => {
  await host.app.evaluate(() => {
    const contents = fixture.windows['main']?.webContents;
    contents?.once('will-navigate', () => void (fixture.isBlocking = false));
    contents?.once('will-frame-navigate', () => void (fixture.isBlocking = true));
  });
  const seen = await count();
  const before = host.page.url();
  await host.page.click('#redirect');
  const redirected = 'main contents will-redirect app://timbre/page.html';
  await eventually(() => host.events(seen)).toContain(redirected);
  expect(host.page.url()).toBe(before);
  await host.app.evaluate(() => void (fixture.isBlocking = false));
});

test('a navigation of an iframe is announced only for the frame, and can be prevented', async () => {
  await host.app.evaluate(() => void (fixture.isBlocking = true));
  const seen = await count();
  await host.page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = '/page.html?framed';
    document.body.append(frame);
  });
  const announced = 'main contents will-frame-navigate app://timbre/page.html?framed';
  await eventually(() => host.events(seen)).toContain(announced);
  expect(await host.events(seen)).not.toContain('main contents will-navigate app://timbre/page.html?framed');
  await host.app.evaluate(() => void (fixture.isBlocking = false));
  expect(await host.app.evaluate(() => fixture.requests.some(({ url }) => url.includes('framed')))).toBe(false);
});

test('window.open and target=_blank ask the handler, and open nothing if it denies', async () => {
  await host.page.click('#blank');
  await host.page.evaluate(() => void window.open('https://example.com/pop', 'named', 'width=200,height=100'));
  await eventually(() => host.app.evaluate(() => fixture.opened.length)).toBe(2);
  expect(await host.app.evaluate(() => fixture.opened)).toMatchObject([
    { url: 'https://example.com/y' },
    { url: 'https://example.com/pop', frameName: 'named', disposition: 'new-window' },
  ]);
  expect(await host.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await eventually(() => host.app.windows().length).toBe(1);
});

test('history.pushState changes getURL', async () => {
  await host.page.evaluate(() => history.pushState({}, '', '/pushed/here'));
  await eventually(() => host.app.evaluate(() => fixture.windows['main']?.webContents.getURL())).toBe(
    'app://timbre/pushed/here',
  );
});

test('a foreign page that embeds the app can read nothing of it', async () => {
  const server: Server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<iframe src="http://timbre.app.localhost/page.html"></iframe>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const text = await host.app.evaluate(async (_electron, url) => {
    const window = fixture.windows['main'];
    await window?.loadURL(url);
    await window?.loadURL('app://timbre/');
    return fixture.requests.at(-1)?.url;
  }, `http://127.0.0.1:${port}/`);
  expect(text).toBe('app://timbre/');
  const asked = await host.app.evaluate(() => fixture.requests.filter(({ referer }) => referer?.includes('127.0.0.1')));
  expect(asked).toEqual([]);
  server.close();
});
