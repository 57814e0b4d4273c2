import { createServer, request } from 'node:http';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLineOf, createUserData, descendants, eventually, launch, type Launched } from './launch.mts';

let host: Launched;
let page: Page;
beforeAll(async () => {
  host = await launch();
  page = host.page;
  await page.waitForLoadState();
});
afterAll(() => host.close());

const requestsFor = (part: string) =>
  host.app.evaluate((_electron, text) => fixture.requests.filter(({ url }) => url.includes(text)), part);

/** Result of a fetch in the page. */
const fetchInPage = (url: string, init: { method?: string; body?: string } = {}) =>
  page.evaluate(
    ([address, options]) =>
      fetch(address, options).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      ),
    [url, init] as const,
  );

test('the page is a secure context at an origin without a port', async () => {
  expect(await page.evaluate(() => [location.href, isSecureContext])).toEqual(['http://timbre.app.localhost/', true]);
});

test('a handler receives the app’s addresses, and nothing of the loopback hop', async () => {
  await fetchInPage('/echo', { method: 'POST', body: 'héllo' });
  expect(await requestsFor('/echo')).toMatchObject([
    { method: 'POST', url: 'app://timbre/echo', cookie: null, origin: 'app://timbre', referer: 'app://timbre/' },
  ]);
});

test('bodies, statuses and redirects pass in both directions', async () => {
  expect(await fetchInPage('/echo', { method: 'POST', body: 'héllo' })).toEqual({ status: 200, text: 'héllo' });
  expect(await fetchInPage('/nothing')).toEqual({ status: 404, text: 'not found' });
  expect((await fetchInPage('/redirect')).text).toContain('<h1>Fixture</h1>');
});

test('an error in the handler is a network error, and the handler is called once', async () => {
  expect(await fetchInPage('/throw')).toMatchObject({ status: 0 });
  expect(await requestsFor('/throw')).toHaveLength(1);
});

test('nothing is cached: every fetch reaches the handler', async () => {
  for (const text of ['x', 'x']) expect(await fetchInPage('/lasting')).toEqual({ status: 200, text });
  expect(await requestsFor('/lasting')).toHaveLength(2);
});

test('the network beyond the app is unreachable', async () => {
  expect(await page.evaluate(() => fetch('https://example.com/').then(() => 'reached', String))).toMatch(/TypeError/);
  const failure: unknown = await host.app.evaluate(() =>
    fixture.windows['main']?.webContents.executeJavaScript('fetch("//example.org").catch(String)'),
  );
  expect(failure).toMatch(/TypeError/);
});

test('the content security policy is enforced, and its sources are mapped for Chromium', async () => {
  const violation = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        addEventListener('securitypolicyviolation', ({ effectiveDirective, originalPolicy }) =>
          resolve([effectiveDirective, originalPolicy]),
        );
        const image = new Image();
        image.src = '/x.png';
        document.body.append(image);
      }),
  );
  expect(violation[0]).toBe('img-src');
  expect(violation[1]).toContain("default-src 'self' http://*.app.localhost 'unsafe-inline'");
  expect(violation[1]).toContain("connect-src 'self' http://timbre.app.localhost");
  expect(await requestsFor('/x.png')).toEqual([]);
});

test('a range is answered with 206', async () => {
  const answer = await page.evaluate(async () => {
    const response = await fetch('/tone.wav', { headers: { range: 'bytes=100-199' } });
    const { byteLength } = await response.arrayBuffer();
    return [response.status, response.headers.get('content-range'), byteLength];
  });
  expect(answer).toEqual([206, 'bytes 100-199/9600044', 100]);
});

test('an audio element plays, and seeks by requesting a range', async () => {
  const played = await page.evaluate(async () => {
    const audio = document.createElement('audio');
    const happens = (event: string) => new Promise((resolve) => audio.addEventListener(event, resolve, { once: true }));
    const ready = happens('canplay');
    audio.src = '/tone.wav';
    await ready;
    const sought = happens('seeked');
    audio.currentTime = 500;
    await sought;
    await audio.play();
    await happens('timeupdate');
    audio.pause();
    return { duration: audio.duration, time: audio.currentTime };
  });
  expect(played.duration).toBeCloseTo(600);
  expect(played.time).toBeGreaterThanOrEqual(500);
  const ranges = (await requestsFor('/tone.wav')).map(({ range }) => Number(/bytes=(\d+)/.exec(range ?? '')?.[1] ?? 0));
  expect(Math.max(...ranges)).toBeGreaterThan(7_000_000);
});

test("aborting a fetch cancels the handler's body", async () => {
  const text = await page.evaluate(async () => {
    const controller = new AbortController();
    const response = await fetch('/stream', { signal: controller.signal });
    const chunk = await response.body?.getReader().read();
    controller.abort();
    return new TextDecoder().decode(chunk?.value);
  });
  expect(text).toContain('chunk');
  await eventually(() => host.app.evaluate(() => fixture.cancelled)).toBe(1);
});

test('other programs on the same machine get 403', async () => {
  const commandLines = descendants(host.app.process().pid ?? 0).map(commandLineOf);
  const port = Number(commandLines.map((line) => /MAP \*\.localhost 127\.0\.0\.1:(\d+)/.exec(line)?.[1]).find(Boolean));
  const ask = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject).end();
    });
  const own = 'timbre.app.localhost';
  const statuses = [await ask({}), await ask({ host: own }), await ask({ host: own, cookie: 'host=guess' })];
  expect(statuses).toEqual([403, 403, 403]);
  expect(await ask({ host: 'evil.example', cookie: 'host=guess' })).toBe(403);
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('a foreign page does not get our cookie', async () => {
  const cookies: (string | undefined)[] = [];
  const server = createServer((incoming, response) => {
    cookies.push(incoming.headers.cookie);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await page.goto('http://timbre.app.localhost/page.html');
  await page.evaluate((url) => fetch(url, { mode: 'no-cors', credentials: 'include' }), `http://127.0.0.1:${port}/`);
  expect(cookies).toEqual([undefined]);
  server.close();
});

test('localStorage survives a restart', async () => {
  const userData = createUserData();
  const before = await launch({}, userData.path);
  await before.page.evaluate(() => localStorage.setItem('kept', 'yes'));
  await before.close();
  const after = await launch({}, userData.path);
  expect(await after.page.evaluate(() => localStorage.getItem('kept'))).toBe('yes');
  await after.close();
  await userData.remove();
});
