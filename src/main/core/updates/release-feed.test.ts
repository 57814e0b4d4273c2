import { CompactSign, generateKeyPair } from 'jose';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createHttp, type HttpRequest } from '../voice-service/http.ts';
import { downloadFile, downloadList, readFeed, verifyList } from './release-feed.ts';
import { fileOf, listOf, releaseOf, startReleaseServer } from './release-server.fixture.ts';

const { signal } = new AbortController();
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

function openHttp() {
  const http = createHttp({ proxy: 'direct' });
  onTestFinished(() => http.close());
  return http;
}

describe('the feed of a package', () => {
  const key = 'A'.repeat(43);
  it('is named in its package.json', () =>
    expect(readFeed({ updates: { feed: 'https://timbre.example/releases.jws', key } })).toEqual({
      address: 'https://timbre.example/releases.jws',
      key,
    }));

  it.each([
    {},
    null,
    { updates: null },
    { updates: { feed: 'x', key } },
    { updates: { feed: 'https://a.example', key: 'short' } },
  ])('is none in %j', (manifest) => expect(readFeed(manifest)).toBeNull());
});

describe('the list of releases', () => {
  it('is read if the key of the package signed it', async () => {
    const { feed, publish } = await startReleaseServer();
    const list = listOf(releaseOf('0.2.0'), releaseOf('0.3.0-beta.1', { channel: 'beta' }));
    await publish(list);
    expect(await verifyList(await downloadList(openHttp(), feed.address, signal), feed.key)).toEqual(list);
  });

  it('is refused if another key signed it', async () => {
    const { feed, publish } = await startReleaseServer();
    await publish(listOf(releaseOf('9.0.0')), 'stranger');
    const signed = await downloadList(openHttp(), feed.address, signal);
    expect(await codeOf(verifyList(signed, feed.key))).toBe('update/list-invalid');
  });

  it('is refused if anything in it was changed, or it says that it needs no key', async () => {
    const { feed, publish } = await startReleaseServer();
    await publish(listOf(releaseOf('0.2.0')));
    const [header = '', payload = '', signature = ''] = (await downloadList(openHttp(), feed.address, signal)).split(
      '.',
    );
    const other = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('0.2.0', '9.2.0')).toString(
      'base64url',
    );
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const forged of [
      `${header}.${other}.${signature}`,
      `${unsigned}.${other}.`,
      `${unsigned}.${payload}.${signature}`,
      `${header}.${payload}.`,
      payload,
      '',
    ]) {
      expect(await codeOf(verifyList(forged, feed.key))).toBe('update/list-invalid');
    }
  });

  it('is refused if a shared secret signed it, such as the public key itself', async () => {
    const { feed } = await startReleaseServer();
    const signed = await new CompactSign(Buffer.from(JSON.stringify(listOf(releaseOf('9.0.0')))))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(feed.key, 'base64url'));
    expect(await codeOf(verifyList(signed, feed.key))).toBe('update/list-invalid');
  });

  it.each([
    ['a page that is not https', { page: 'file:///etc/passwd' }],
    ['a version that is none', { version: '../../x' }],
    ['a file outside its folder', { files: [fileOf(Buffer.from('x'), { name: '../x' })] }],
    ['a hash that is none', { files: [fileOf(Buffer.from('x'), { sha512: 'x' })] }],
  ])('is refused with %s, whoever signed it', async (_what, change) => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    const { exportJWK } = await import('jose');
    const signed = await new CompactSign(Buffer.from(JSON.stringify(listOf(releaseOf('0.2.0', change)))))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(privateKey);
    expect(await codeOf(verifyList(signed, (await exportJWK(publicKey)).x ?? ''))).toBe('update/list-invalid');
  });

  it('is followed through redirects, but not for ever', async () => {
    const { feed, publish, answer, requests } = await startReleaseServer();
    await publish(listOf());
    answer('/latest', (_request, response) => response.writeHead(302, { location: '/releases.jws' }).end());
    answer('/loop', (_request, response) => response.writeHead(307, { location: '/loop' }).end());
    answer('/away', (_request, response) => response.writeHead(302, { location: 'http://timbre.example/list' }).end());
    const http = openHttp();
    const at = (path: string) => new URL(path, feed.address).href;
    expect((await verifyList(await downloadList(http, at('/latest'), signal), feed.key)).releases).toEqual([]);
    expect(await codeOf(downloadList(http, at('/loop'), signal))).toBe('update/failed');
    expect(requests.filter((path) => path === '/loop')).toHaveLength(6);
    expect(await codeOf(downloadList(http, at('/away'), signal))).toBe('network/insecure');
    expect(await codeOf(downloadList(http, at('/missing'), signal))).toBe('update/failed');
  });

  it.each([
    ['204', {}],
    ['206', { 'content-range': 'bytes 0-0/2' }],
    ['302', {}],
    ['304', {}],
    ['302', { location: 'http://' }],
    ['500', { location: '/releases.jws' }],
  ])('is asked for once if the answer is %s with %j', async (status, headers) => {
    const { feed, answer, requests } = await startReleaseServer();
    answer('/releases.jws', (_request, response) => response.writeHead(Number(status), headers).end());
    expect(await codeOf(downloadList(openHttp(), feed.address, signal))).toBe('update/failed');
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['its length', { 'content-length': 1000 }],
    ['its end', {}],
  ])('is refused if its connection ends before %s', async (_what, headers) => {
    const { feed, answer } = await startReleaseServer();
    answer('/releases.jws', (_request, response) => {
      response.writeHead(200, headers);
      response.write('eyJ', () => response.destroy());
    });
    expect(await codeOf(downloadList(openHttp(), feed.address, signal))).toBe('network/cut');
  });

  it('has a limit of time, however steadily it arrives', async () => {
    const { feed, answer } = await startReleaseServer();
    answer('/releases.jws', (_request, response) => {
      response.writeHead(200);
      const steps = setInterval(() => response.write('a'.repeat(2000)), 100);
      response.on('close', () => clearInterval(steps));
    });
    const { send } = openHttp();
    /** A hundred times as fast. */
    const hasty = ({ totalTimeoutMs, ...request }: HttpRequest) =>
      send({ ...request, ...(totalTimeoutMs !== undefined && { totalTimeoutMs: totalTimeoutMs / 100 }) });
    expect(await codeOf(downloadList({ send: hasty }, feed.address, signal))).toBe('network/timeout');
  });

  it('is not read to its end if it is longer than any list', async () => {
    const { feed, answer } = await startReleaseServer();
    let sent = 0;
    answer('/releases.jws', (_request, response) => {
      const more = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        if (response.write(Buffer.alloc(65_536, 'a'))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    expect(await codeOf(downloadList(openHttp(), feed.address, signal))).toBe('update/list-invalid');
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('a file of a release', () => {
  const content = randomBytes(300_000);
  const listed = (address: string, file = fileOf(content)) => ({ ...file, address: new URL(file.name, address) });
  function newPath(): string {
    const folder = mkdtempSync(join(tmpdir(), 'timbre-update-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return join(folder, 'new');
  }

  it('is downloaded as it was listed, with its progress', async () => {
    const { feed, serve } = await startReleaseServer();
    serve(fileOf(content).name, content);
    const path = newPath();
    const shares: number[] = [];
    await downloadFile(openHttp(), listed(feed.address), path, (share) => shares.push(share), signal);
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it.each([
    ['another', randomBytes(300_000)],
    ['shorter', content.subarray(0, 299_999)],
    ['longer', Buffer.concat([content, Buffer.from('!')])],
    ['empty', Buffer.alloc(0)],
  ])('is refused if it is %s', async (_what, served) => {
    const { feed, serve } = await startReleaseServer();
    serve(fileOf(content).name, served);
    const download = downloadFile(openHttp(), listed(feed.address), newPath(), () => undefined, signal);
    expect(await codeOf(download)).toBe('update/failed');
  });

  it('does not take the place of a file, or follow a link', async () => {
    const { feed, serve } = await startReleaseServer();
    serve(fileOf(content).name, content);
    const path = newPath();
    const { symlinkSync } = await import('node:fs');
    symlinkSync(`${path}-elsewhere`, path);
    expect(await codeOf(downloadFile(openHttp(), listed(feed.address), path, () => undefined, signal))).not.toBe(
      'no error',
    );
    expect(existsSync(`${path}-elsewhere`)).toBe(false);
  });
});
