import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { link, mkdir, mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { contentSecurityPolicy, createAppServer, type SoundFinders } from './app-server.ts';
import { fileKey } from '../recorded-sound.ts';

const size = 700_001;
const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31) % 251));
const style = 'body { color: light-dark(#000, #fff) }';
const html = `<!doctype html><style>${style}</style>`;
const secret = 'a secret beside the page';
let folder: string;
/** Sounds that may be played, by `<job id>/<side>`. */
const sounds = new Map<string, string>();
let serve: (request: Request) => Promise<Response>;
const answering = Promise.withResolvers<SoundFinders>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-media-'));
  await mkdir(join(folder, 'page/assets'), { recursive: true });
  await writeFile(join(folder, 'page/index.html'), html);
  await writeFile(join(folder, 'page/assets/app.js'), '1');
  await writeFile(join(folder, 'page/assets/app.css'), style);
  await writeFile(join(folder, 'secret.txt'), secret);
  await writeFile(join(folder, 'sound.wav'), bytes);
  serve = createAppServer({
    pageFolder: join(folder, 'page'),
    clock: systemClock,
    sounds: answering.promise,
  });
  answering.resolve({
    findSound: (id, side) => Promise.resolve(sounds.get(`${id}/${side}`)),
    findPreview: (media) => Promise.resolve(sounds.get(`preview/${media}`)),
    findRecording: (id) => Promise.resolve(sounds.get(`recording/${id}`)),
    findTake: (media) => Promise.resolve(sounds.get(`take/${media}`)),
  });
});
afterAll(() => rm(folder, { recursive: true }));

const get = (path: string, headers: Record<string, string> = {}) =>
  serve(new Request(`app://timbre${path}`, { headers }));
/** Address of a file as the result of a job. */
function addressOf(path: string): string {
  const key = fileKey(path);
  sounds.set(`${key}/result`, path);
  return `/media/${key}/result?${key}`;
}
const sound = (range?: string) => get(addressOf(join(folder, 'sound.wav')), range ? { range } : {});
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** Path traversals in all known spellings. */
const traversals = (() => {
  const ups = ['..', '%2e%2e', '.%2e', '%252e%252e', '..%00', '%c0%ae%c0%ae', '..;', '....//..', '..\\', '%5c..'];
  const slashes = ['/', '%2f', '%252f', '\\', '%5c', '//'];
  const goals = ['secret.txt', 'sound.wav'];
  return ups.flatMap((up) =>
    slashes.flatMap((slash) =>
      goals.map((goal) => `/${up}${slash}${goal}`).concat(`/assets${slash}${up}${slash}${up}${slash}secret.txt`),
    ),
  );
})();
const absolutes = [
  '//etc/passwd',
  '/C:/Windows/win.ini',
  '/C|/Windows',
  '/\\\\server\\share',
  '/file:///etc/passwd',
  '/%2fetc%2fpasswd',
  '/proc/self/environ',
  '/assets',
  '/assets/',
  '/index.html/',
  '/INDEX.HTML',
  '/index.html%00.js',
  '/media',
  '/media/',
  '/media/sound.wav',
  '/media/%2e%2e/secret.txt',
  '/media/00000000-0000-4000-8000-000000000000',
  '/media/00000000-0000-4000-8000-000000000000/source',
  '/media/00000000-0000-4000-8000-000000000000/result',
  '/media/sound.wav/result',
  '/media/..%2fsound.wav/result',
  '/media/%2fetc%2fpasswd/source',
];

describe('our own scheme', () => {
  it(`answers 404 to ${traversals.length + absolutes.length} ways of leaving the page’s folder`, async () => {
    const all = [...traversals, ...absolutes];
    expect(all.length).toBeGreaterThanOrEqual(150);
    for (const path of all) {
      const response = await get(path);
      expect(response.status, path).toBe(404);
      expect((await bodyOf(response)).length, path).toBe(0);
    }
  });

  it('serves the built page files with their types', async () => {
    const page = await get('/');
    expect(await page.text()).toBe(html);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await get('/assets/app.js?x=1#y')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('sends the content security policy with every response, to which a page adds only the styles inside it', async () => {
    const styles = createHash('sha256').update(style).digest('base64');
    const ofPage = contentSecurityPolicy.replace("style-src 'self'", `style-src 'self' 'sha256-${styles}'`);
    for (const [response, policy] of [
      [await get('/'), ofPage],
      [await get('/nowhere'), contentSecurityPolicy],
      [await sound(), contentSecurityPolicy],
      [await sound('bytes=9999999-'), contentSecurityPolicy],
    ] as const) {
      expect(response.headers.get('content-security-policy')).toBe(policy);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      await response.body?.cancel();
    }
  });

  it('serves the page and its styles before main answers, and its scripts from then on', async () => {
    const later = Promise.withResolvers<SoundFinders>();
    const early = createAppServer({ pageFolder: join(folder, 'page'), clock: systemClock, sounds: later.promise });
    const script = early(new Request('app://timbre/assets/app.js'));
    expect((await early(new Request('app://timbre/'))).status).toBe(200);
    expect((await early(new Request('app://timbre/assets/app.css'))).status).toBe(200);
    expect(await Promise.race([script, new Promise((resolve) => setImmediate(() => resolve('waits')))])).toBe('waits');
    later.resolve({} as SoundFinders);
    expect((await script).status).toBe(200);
  });

  it('rejects other hosts and other methods', async () => {
    expect((await serve(new Request('app://evil/index.html'))).status).toBe(404);
    expect((await serve(new Request('app://timbre/', { method: 'POST' }))).status).toBe(405);
  });
});

describe('media', () => {
  it('serves only jobs, and of them only audio that may be played', async () => {
    sounds.set('job/result', join(folder, 'sound.wav'));
    expect(await bodyOf(await get('/media/job/result'))).toEqual(bytes);
    for (const path of [
      '/media/job',
      '/media/job/',
      '/media/job/source',
      '/media/job/other',
      '/media/job/result/',
      '/media/no/result',
    ]) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  it('gives each file a key of its own that does not reveal the path', () => {
    const paths = ['/a.wav', `/${'long '.repeat(100)}.wav`, '/朝 🎙.wav', 'C:\\takes\\a.wav'];
    const keys = paths.map(fileKey);
    expect(paths.map(fileKey)).toEqual(keys);
    expect(new Set(keys).size).toBe(paths.length);
    for (const key of keys) expect(key).toMatch(/^[\w-]{22}$/);
  });

  it('answers 404 for a folder, a pipe or a deleted file', async () => {
    const pipe = join(folder, 'pipe.wav');
    execFileSync('mkfifo', [pipe]);
    const gone = join(folder, 'gone.wav');
    await writeFile(gone, 'x');
    await unlink(gone);
    for (const path of [folder, pipe, gone]) {
      expect((await get(addressOf(path))).status).toBe(404);
    }
  });

  it('serves a linked recording as the file that the user chose', async () => {
    const soft = join(folder, 'soft.wav');
    const hard = join(folder, 'hard.wav');
    await symlink(join(folder, 'sound.wav'), soft);
    await link(join(folder, 'sound.wav'), hard);
    for (const path of [soft, hard]) {
      expect((await bodyOf(await get(addressOf(path)))).equals(bytes)).toBe(true);
    }
  });

  it('sends the whole file if no range is requested', async () => {
    const response = await sound();
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect((await bodyOf(response)).equals(bytes)).toBe(true);
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, size - 1],
    ['bytes=100-199', 100, 199],
    ['bytes=262143-262145', 262_143, 262_145],
    ['bytes=700000-', 700_000, 700_000],
    ['bytes=1-99999999', 1, size - 1],
    ['bytes=-1', size - 1, size - 1],
    ['bytes=-500', size - 500, size - 1],
    ['bytes=-99999999', 0, size - 1],
  ])('answers %s with exactly those bytes', async (range, first, last) => {
    const response = await sound(range);
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${size}`);
    expect(response.headers.get('content-length')).toBe(String(last - first + 1));
    expect((await bodyOf(response)).equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  it.each(['bytes=700001-', 'bytes=9999999-10000000', 'bytes=-0'])('answers 416 to %s', async (range) => {
    const response = await sound(range);
    expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
  });

  it.each(['bytes=0-1,5-6', 'bytes=5-1', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes 0-1', ''])(
    'sends the whole file for the range %j, as RFC 9110 allows',
    async (range) => {
      const response = await sound(range);
      expect([response.status, (await bodyOf(response)).length]).toEqual([200, size]);
    },
  );

  it('closes the file when the page stops reading', async () => {
    const path = join(folder, 'left-off.wav');
    await writeFile(path, bytes);
    // A descriptor may be closed between listing and reading it.
    const isOpen = (fd: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false;
      }
    };
    const openFiles = () => readdirSync('/proc/self/fd').filter(isOpen).length;
    const response = await get(addressOf(path));
    const reader = response.body?.getReader();
    await reader?.read();
    expect(openFiles()).toBe(1);
    await reader?.cancel();
    expect(openFiles()).toBe(0);
  });
});
