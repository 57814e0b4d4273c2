import { execFile } from 'node:child_process';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { type LogEntry, type LogLevel, type LogPage, type LogQuery, type LogRow } from '../../../shared/schemas/log.ts';
import { createLog, logFileNames } from './log.ts';
import { createLogReader } from './log-reader.ts';

const began = Date.UTC(2026, 10, 22);
let folder: string;
let echoed: string[];
let now: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-log-'));
  echoed = [];
  now = began;
});
afterEach(() => rm(folder, { recursive: true }));

const open = (within = folder, level: LogLevel = 'debug') =>
  createLog({ folder: within, level, now: () => now++, echo: (line) => echoed.push(line) });
const text = () => readFile(join(folder, 'timbre.log'), 'utf8');
const parsed = async () =>
  (await text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogEntry);
const sizeOf = async (name: string) => (await stat(join(folder, name))).size;

describe('writing the log (U6)', () => {
  it('stores an entry as one line of JSON with time, level, area, message and detail', async () => {
    const log = open();
    log.warn('network', 'GET https://a.test: network/cut', 'one\ntwo');
    log.info('app', 'started');
    expect(await parsed()).toEqual([
      {
        time: '2026-11-22T00:00:00.000Z',
        level: 'warn',
        area: 'network',
        message: 'GET https://a.test: network/cut',
        detail: 'one\ntwo',
      },
      { time: '2026-11-22T00:00:00.001Z', level: 'info', area: 'app', message: 'started' },
    ]);
  });

  it('stores an error with its stack and its cause, in a file that only the user can read', async () => {
    await writeFile(join(folder, 'timbre.log'), '', { mode: 0o644 });
    open().error('job', new AppError('internal', 'lost', { cause: new TypeError('x is not a function') }));
    const [entry] = await parsed();
    expect(entry).toMatchObject({ level: 'error', area: 'job', message: 'AppError: lost' });
    expect(entry?.detail).toContain('log.test.ts');
    expect(entry?.detail).toContain('x is not a function');
    expect((await stat(join(folder, 'timbre.log'))).mode & 0o777).toBe(0o600);
  });

  it('omits what is less severe than its level', async () => {
    const log = open(folder, 'info');
    log.debug('app', 'small');
    log.info('app', 'large');
    expect((await parsed()).map(({ message }) => message)).toEqual(['large']);
    expect(echoed).toEqual(['app: large']);
  });

  it.each([
    ['a token', 'sent tok-SECRET-1 there'],
    ['a short token', 'sent S3CR there'],
    ['a long token', `sent ${'long-SECRET-'.repeat(400)} there`],
    ['a token in an address', 'https://a.test/x/tok-SECRET-1/y'],
    ['a token in base64', Buffer.from('u:tok-SECRET-1').toString('base64')],
    ['a signature', 'GET https://a.test/r.wav?X-Signature=SECRET#SECRET failed'],
    ['a password of a proxy', 'proxy http://user:SECRET@proxy.test:3128 refused'],
    ['a password with an @', 'proxy http://user:a@SECRET@proxy.test:3128 refused'],
    ['a password with a slash', 'proxy http://user:a/SECRET@proxy.test:3128 refused'],
    ['a password in an address of another kind', 'proxy socks5://user:SECRET@proxy.test:1080 refused'],
    ['a header', "authorization: 'Bearer SECRET'"],
    ['cookies', 'Cookie: sid=SECRET; lang=SECRET'],
    ['a cookie of a response', "{ 'set-cookie': 'sid=SECRET; Path=/' }"],
    ['a header that continues on the next line', 'authorization:\n  SECRET-of-the-header'],
    ['a short header', 'Authorization: Bearer SEC'],
    ['a header with a name and password', 'Authorization: Basic SECRET=='],
    ['a header with another scheme', 'Proxy-Authorization: ApiKey SECRET'],
    ['a header with parameters', 'authorization: Digest username="SECRET", response="SECRET"'],
    ['a header in a list', "[ 'authorization', 'Basic dTpTRUNSRVQ=', 'authorization', 'Bearer SECRET' ]"],
    ['a header in JSON', '{"authorization":"Bearer SECRET"}'],
    ['a header in JSON in JSON', JSON.stringify(JSON.stringify({ authorization: 'Basic SECRET' }))],
    ['a field of a form', 'grant=1&token=SECRET&x=1'],
    ['a short field of a form', 'token=SEC'],
    ['a field of JSON', '{"token":"SECRET","x":1}'],
    ['a field of JSON in JSON', JSON.stringify(JSON.stringify({ token: 'SECRET' }))],
    ['a field of JSON with spaces', '{"access_token" : "a SECRET with spaces"}'],
    ['a field of JSON with escaped slashes', '{"token":"a\\/SECRET"}'],
    ['a property of an object', "{ accessToken: 'SECRET' }"],
    ['a token for later', 'refresh_token=SECRET'],
    ['a key', 'api_key=SECRET'],
    ['a key in a header', 'X-Api-Key: SECRET'],
    ['a key as a property', 'apiKey: "SECRET"'],
    ['a key of a store', '{"accessKey":"SECRET","secretAccessKey":"SECRET"}'],
    ['a password', 'password=SECRET'],
    ['a passphrase', 'passphrase: SECRET'],
    ['a secret', '"client_secret": "SECRET"'],
    ['a token in a sentence', 'the token SECRET-7f3a9c21 was refused'],
    ['a property', Object.assign(new Error('no'), { words: 'tok-SECRET-1' })],
    ['a token that crosses the longest message', `${'x'.repeat(995)}tok-SECRET-1`],
  ])('redacts %s, in the file and on the terminal', async (_name, secret) => {
    const log = open();
    for (const token of ['tok-SECRET-1', 'S3CR', 'long-SECRET-'.repeat(400)]) log.addToken(token);
    log.error('call', secret);
    const written = `${await text()}${echoed.join('')}`;
    expect(written).toContain('•••');
    expect(written).not.toMatch(/SEC|S3CR|tok-S|dTpTRUNSRVQ/);
    expect(written).not.toContain(Buffer.from('tok-SECRET-1').toString('base64').slice(0, 8));
  });

  it.each([
    'The token was rejected: it expired.',
    'token rejected by the service',
    'bearer tokens are accepted, basic authorization is not',
    'Basic Settings apply',
    'authorization refused with status 401',
    'token: null, apiKey: undefined, hasToken: true, maxTokens: 5',
    'auth/refused, host studio.test, status 401',
  ])('keeps the ordinary text “%s”', async (ordinary) => {
    open().info('app', ordinary);
    expect((await parsed())[0]?.message).toBe(ordinary);
  });

  it('redacts details and areas too', async () => {
    const log = open();
    log.addToken('tok-SECRET-1');
    log.info('tok-SECRET-1', 'a', 'detail tok-SECRET-1');
    expect(await text()).not.toContain('SECRET');
  });

  it('keeps three files of 10 MB, the newest entries in the first', async () => {
    const log = open();
    for (let k = 0; k < 5000; k += 1) log.info('loop', String(k), 'x'.repeat(20_000));
    expect((await readdir(folder)).sort()).toEqual(['timbre.1.log', 'timbre.2.log', 'timbre.log']);
    const sizes = await Promise.all(logFileNames.map(sizeOf));
    expect(Math.max(...sizes)).toBeLessThan(10_020_000);
    expect(Math.min(...sizes.slice(1))).toBeGreaterThan(10_000_000);
    expect((await parsed()).at(-1)?.message).toBe('4999');
  }, 30_000);

  it.each([
    ['one', ['timbre.1.log'], 10_000_001],
    ['both', ['timbre.1.log', 'timbre.2.log'], 20_000_001],
  ])(
    'does not grow past its limit although a folder is in the place of %s of the earlier files',
    async (_, at, size) => {
      for (const name of logFileNames.slice(1)) {
        if (!at.includes(name)) await writeFile(join(folder, name), 'earlier');
        else await mkdir(join(folder, name, 'kept'), { recursive: true });
      }
      await writeFile(join(folder, 'timbre.log'), `${'x'.repeat(size)}\n`);
      const log = open();
      log.info('app', 'one');
      log.info('app', 'two');
      expect((await parsed()).map(({ message }) => message)).toEqual(['two']);
      expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('kept'))).toHaveLength(
        at.length,
      );
    },
  );

  it('loses no entry and mixes no lines while several processes write and rotate', async () => {
    const run = promisify(execFile);
    const names = ['one', 'two', 'three'];
    const fixture = fileURLToPath(new URL('./log-child.fixture.ts', import.meta.url));
    await Promise.all(names.map((name) => run(process.execPath, [fixture, folder, name, '1500'])));
    const lines = await Promise.all(logFileNames.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
    const entries = lines
      .flatMap((file) => file.split('\n').filter(Boolean))
      .map((line) => JSON.parse(line) as LogEntry);
    expect(await sizeOf('timbre.1.log')).toBeGreaterThan(10_000_000);
    for (const name of names) {
      const numbers = entries.filter(({ area }) => area === name).map(({ message }) => Number(message));
      expect(new Set(numbers).size).toBe(1500);
      expect(numbers).toHaveLength(1500);
    }
  }, 60_000);

  it.each([
    ['', 0],
    [', also before the clock was set back', began / 1000 + 3600],
  ])('rotates although a process was killed while it did%s', async (_when, lockedAt) => {
    await writeFile(join(folder, 'timbre.log.lock'), '');
    await utimes(join(folder, 'timbre.log.lock'), lockedAt, lockedAt);
    await writeFile(join(folder, 'timbre.log'), `${'x'.repeat(10_000_001)}\n`);
    const log = open();
    for (let k = 0; k < 3; k += 1) log.info('app', String(k));
    expect((await readdir(folder)).sort()).toEqual(['timbre.1.log', 'timbre.log']);
  });

  it('begins a new line after one that a full disk cut', async () => {
    await writeFile(join(folder, 'timbre.log'), '{"time":"2026-');
    open().info('app', 'started');
    expect((await text()).split('\n')[1]).toContain('"message":"started"');
  });

  it('does not fail if it cannot be written, and writes no control sequences to a terminal', async () => {
    const missing = join(folder, 'not there');
    open(missing).error('job', '\u001b[2J\u202Egone');
    expect(echoed).toEqual(['job: \ufffd[2J\ufffdgone']);
    expect(await createLogReader(missing)(newest)).toEqual({ rows: [], start: null, end: '' });
  });
});

const newest: LogQuery = { level: 'debug', text: '', direction: 'older', cursor: null };

describe('reading the log', () => {
  const read = (query: Partial<LogQuery> = {}): Promise<LogPage> => createLogReader(folder)({ ...newest, ...query });
  const messages = (page: { readonly rows: readonly LogRow[] }) => page.rows.map(({ message }) => message);

  /** Reads from the end to the beginning. */
  async function readAll(query: Partial<LogQuery> = {}) {
    let page = await read(query);
    let rows = page.rows;
    let pages = 1;
    for (; page.start !== null; pages += 1) {
      page = await read({ ...query, cursor: page.start });
      rows = [...page.rows, ...rows];
    }
    return { rows, pages };
  }

  it('reads pages from the end to the beginning, over all files, each entry once', async () => {
    const log = open();
    for (let k = 0; k < 2600; k += 1) log.info('loop', String(k), '€'.repeat(1 + ((k * 37) % 3000)));
    const { rows, pages } = await readAll();
    expect((await readdir(folder)).length).toBeGreaterThan(1);
    expect(rows.map(({ message }) => Number(message))).toEqual(Array.from({ length: 2600 }, (_, k) => k));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2600);
    expect(pages).toBeGreaterThan(5);
  }, 30_000);

  it('reads on from where it ended, over a rotation', async () => {
    const log = open();
    log.info('app', 'first');
    let page = await read();
    expect(messages(page)).toEqual(['first']);
    const seen: string[] = [];
    for (let k = 0; k < 2500; k += 1) log.info('loop', String(k), 'x'.repeat(6000));
    do {
      page = await read({ direction: 'newer', cursor: page.end });
      seen.push(...messages(page));
    } while (page.rows.length > 0);
    expect(seen.map(Number)).toEqual(Array.from({ length: 2500 }, (_, k) => k));
    expect((await readdir(folder)).length).toBeGreaterThan(1);
  }, 30_000);

  it('reads on from an empty log, and after its files were deleted', async () => {
    const { end } = await read();
    open().info('app', 'started');
    const page = await read({ direction: 'newer', cursor: end });
    expect(messages(page)).toEqual(['started']);
    await rm(join(folder, 'timbre.log'));
    open().info('app', 'started again');
    expect(messages(await read({ direction: 'newer', cursor: page.end }))).toEqual(['started again']);
    expect(messages(await read({ cursor: page.end }))).toEqual([]);
  });

  /** Three log files with an entry each: first, second, third. */
  async function writeThreeFiles(): Promise<void> {
    const path = (k: number) => join(folder, logFileNames[k] ?? '');
    for (const [k, message] of ['first', 'second', 'third'].entries()) {
      open().info('app', message);
      if (k < 2) await rename(path(0), path(2 - k));
    }
  }

  it.each<[string, (path: string) => Promise<unknown>, number]>([
    ['the newest file is deleted', (path) => rm(path), 0],
    ['the newest file is emptied', (path) => truncate(path), 0],
    ['an earlier file is deleted', (path) => rm(path), 1],
    ['an earlier file is emptied', (path) => truncate(path), 2],
  ])('reads no entry again after %s', async (_what, damage, k) => {
    await writeThreeFiles();
    const followed = await read();
    expect(messages(followed)).toEqual(['first', 'second', 'third']);
    await damage(join(folder, logFileNames[k] ?? ''));
    const meanwhile = await read({ direction: 'newer', cursor: followed.end });
    expect(messages(meanwhile)).toEqual([]);
    open().info('app', 'fourth');
    const page = await read({ direction: 'newer', cursor: meanwhile.end });
    expect(messages(page)).toEqual(['fourth']);
    open().info('app', 'fifth');
    expect(messages(await read({ direction: 'newer', cursor: page.end }))).toEqual(['fifth']);
  });

  it('reads on after a file was cut, with other ids for what takes the place of the removed entries', async () => {
    const log = open();
    for (const message of ['kept', 'lost 1', 'lost 2']) log.info('app', message);
    const followed = await read();
    await truncate(join(folder, 'timbre.log'), Math.floor((await sizeOf('timbre.log')) / 3));
    const cut = await read({ direction: 'newer', cursor: followed.end });
    log.info('app', 'new 1');
    const page = await read({ direction: 'newer', cursor: cut.end });
    log.info('app', 'new 2');
    const next = await read({ direction: 'newer', cursor: page.end });
    expect([messages(page), messages(next)]).toEqual([['new 1'], ['new 2']]);
    const ids = [...followed.rows, ...page.rows, ...next.rows].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
  });

  it('finds the files before one that was deleted', async () => {
    await writeThreeFiles();
    const older = await read({ cursor: (await read({ text: 'third' })).rows[0]?.id ?? null });
    expect(messages(older)).toEqual(['first', 'second']);
    const { end } = await read();
    await rm(join(folder, 'timbre.log'));
    expect(messages(await read({ cursor: end }))).toEqual(['first', 'second']);
  });

  it('follows the newest file although an earlier one is a copy of it', async () => {
    open().info('app', 'first');
    await copyFile(join(folder, 'timbre.log'), join(folder, 'timbre.1.log'));
    const { end } = await read();
    open().info('app', 'second');
    expect(messages(await read({ direction: 'newer', cursor: end }))).toEqual(['second']);
  });

  it('reads on behind a line that is longer than any entry', async () => {
    open().info('app', 'before');
    const { end } = await read();
    await appendFile(join(folder, 'timbre.log'), 'x'.repeat(700_000));
    const meanwhile = await read({ direction: 'newer', cursor: end });
    open().info('app', 'after');
    expect(messages(await read({ direction: 'newer', cursor: end }))).toEqual(['after']);
    expect(messages(await read({ direction: 'newer', cursor: meanwhile.end }))).toEqual(['after']);
  });

  it('finds an entry that is followed by many lines that are no entries', async () => {
    open().info('app', 'before');
    await appendFile(join(folder, 'timbre.log'), 'no entry\n'.repeat(29_120));
    open().info('app', 'after');
    const { rows } = await readAll();
    expect(messages({ rows })).toEqual(['before', 'after']);
  });

  it('fails if the newest file cannot be read, and skips an earlier one that cannot', async () => {
    open().info('app', 'started');
    await mkdir(join(folder, 'timbre.1.log'));
    expect(messages(await read())).toEqual(['started']);
    await rm(join(folder, 'timbre.log'));
    await mkdir(join(folder, 'timbre.log'));
    await expect(read()).rejects.toMatchObject({ code: 'input/unreadable' });
  });

  it('waits for the end of a line that is being written', async () => {
    open().info('app', 'started');
    const line = await text();
    await appendFile(join(folder, 'timbre.log'), line.slice(0, 20));
    const page = await read();
    expect(messages(page)).toEqual(['started']);
    expect(messages(await read({ direction: 'newer', cursor: page.end }))).toEqual([]);
    await appendFile(join(folder, 'timbre.log'), line.slice(20));
    expect(messages(await read({ direction: 'newer', cursor: page.end }))).toEqual(['started']);
  });

  it('selects by level, and by words in any case and place', async () => {
    const log = open();
    log.error('job', 'Lost the reply');
    log.warn('network', 'GET https://studio.test', 'ECONNRESET');
    log.info('app', 'started');
    log.debug('engine', 'ready');
    expect(messages(await read({ level: 'warn' }))).toEqual(['Lost the reply', 'GET https://studio.test']);
    expect(messages(await read({ level: 'info' }))).toHaveLength(3);
    expect(messages(await read({ text: ' econnreset  NETWORK' }))).toEqual(['GET https://studio.test']);
    expect(messages(await read({ text: 'network started' }))).toEqual([]);
  });

  it('ends a page after a limited amount of work, however rare the matches are', async () => {
    const log = open();
    log.info('app', 'needle');
    for (let k = 0; k < 1500; k += 1) log.info('loop', String(k), 'x'.repeat(6000));
    const page = await read({ text: 'needle' });
    expect(page.rows).toEqual([]);
    expect(page.start).not.toBeNull();
    expect(messages(await readAll({ text: 'needle' }))).toEqual(['needle']);
  }, 30_000);

  it('shows the plain text of earlier versions as errors, their further lines as detail', async () => {
    await writeFile(
      join(folder, 'timbre.1.log'),
      '2026-11-20T08:00:00.000Z job: TypeError: x\n    at parse (main.js:1:2)\n    at run (main.js:3:4)\n',
    );
    await writeFile(join(folder, 'timbre.log'), '2026-11-21T08:00:00.000Z events: lost\n');
    open().info('app', 'started');
    expect((await read()).rows).toMatchObject([
      {
        time: '2026-11-20T08:00:00.000Z',
        level: 'error',
        area: 'job',
        message: 'TypeError: x',
        detail: '    at parse (main.js:1:2)\n    at run (main.js:3:4)',
      },
      { time: '2026-11-21T08:00:00.000Z', level: 'error', area: 'events', message: 'lost' },
      { level: 'info', message: 'started' },
    ]);
  });

  it('skips lines that are no entries, of any length', async () => {
    const log = open();
    log.info('app', 'before');
    await appendFile(join(folder, 'timbre.log'), `{"half":\nx\n${'x'.repeat(700_000)}\n{"level":"info"}\n\n`);
    log.info('app', 'after');
    const { rows } = await readAll();
    expect(rows.map(({ message, detail }) => [message, detail])).toEqual([
      ['before', undefined],
      ['after', undefined],
    ]);
  });
});
