import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createLog } from './log.ts';

let folder: string;
let echoed: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-log-'));
  echoed = [];
});
afterEach(() => rm(folder, { recursive: true }));

const open = (within = folder) =>
  createLog({ folder: within, now: () => Date.UTC(2026, 10, 22), echo: (line) => echoed.push(line) });
const read = () => readFile(join(folder, 'timbre.log'), 'utf8');

describe('the log (U6)', () => {
  it('records errors with their cause in a file that only the user can read', async () => {
    await writeFile(join(folder, 'timbre.log'), '', { mode: 0o644 });
    open().write('job', new AppError('internal', 'lost', { cause: new TypeError('x is not a function') }));
    const text = await read();
    expect(text).toMatch(/^2026-11-22T00:00:00\.000Z job: .*lost/);
    expect(text).toContain('x is not a function');
    expect((await stat(join(folder, 'timbre.log'))).mode & 0o777).toBe(0o600);
    expect(open().newest()).toBe(text);
  });

  it.each([
    ['a token', 'sent tok-SECRET-1 there'],
    ['a token in an address', 'https://a.test/x/tok-SECRET-1/y'],
    ['a token in base64', Buffer.from('u:tok-SECRET-1').toString('base64')],
    ['a signature', 'GET https://a.test/r.wav?X-Signature=SECRET#SECRET failed'],
    ['a password of a proxy', 'proxy http://user:SECRET@proxy.test:3128 refused'],
    ['a password with an @', 'proxy http://user:a@SECRET@proxy.test:3128 refused'],
    ['a password with a slash', 'proxy http://user:a/SECRET@proxy.test:3128 refused'],
    ['a header', "authorization: 'Bearer SECRET'"],
    ['a property', Object.assign(new Error('no'), { words: 'tok-SECRET-1' })],
  ])('redacts %s, in the file and on the terminal', async (_name, error) => {
    const log = open();
    log.addToken('tok-SECRET-1');
    log.write('call', error);
    const text = `${await read()}${echoed.join('')}`;
    expect(text).toContain('•••');
    expect(text).not.toContain('SECRET');
    expect(text).not.toContain(Buffer.from('tok-SECRET-1').toString('base64').slice(0, 8));
  });

  it('stays below 5 MB in two files, however many errors occur', async () => {
    const log = open();
    for (let k = 0; k < 800; k += 1) log.write('loop', `${k} ${'x'.repeat(20_000)}`);
    const names = (await readdir(folder)).sort();
    expect(names).toEqual(['timbre.1.log', 'timbre.log']);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
    expect(log.newest()).toContain('loop: 799 ');
    expect(log.newest().length).toBeLessThanOrEqual(60_000);
  });

  it('does not fail if it cannot be written, and writes no control sequences to a terminal', () => {
    const log = open(join(folder, 'not there'));
    log.write('job', '\u001b[2J\u202Egone');
    expect(echoed).toEqual(['job: \ufffd[2J\ufffdgone']);
    expect(log.newest()).toBe('');
  });
});
