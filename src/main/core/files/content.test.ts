import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readChunks, readTextSync } from './content.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-content-'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const makePipe = (path: string) => void execFileSync('mkfifo', [path]);

async function read(path: string, signal?: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(path, signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const cases: readonly (readonly [string, (path: string) => unknown])[] = [
  ['a pipe', makePipe],
  ['a device that never ends', (path) => symlink('/dev/zero', path)],
  ['a folder', (path) => mkdir(path)],
];

describe.skipIf(process.platform === 'win32')('what is not a file', () => {
  it.each(cases)('is refused at once: %s', async (_name, make) => {
    await make(at('x'));
    await expect(read(at('x'))).rejects.toMatchObject({ code: 'input/not-a-file' });
    expect(() => readTextSync(at('x'))).toThrow(expect.objectContaining({ code: 'input/not-a-file' }));
  });

  it('is refused by a reader of pipes, too, if it is a device', async () => {
    await symlink('/dev/zero', at('x'));
    await expect(read(at('x'), new AbortController().signal)).rejects.toMatchObject({ code: 'input/not-a-file' });
  });
});

it('a file is read through a link', async () => {
  await writeFile(at('text'), 'text');
  await symlink(at('text'), at('link'));
  expect([await read(at('link')), readTextSync(at('link'))]).toEqual(['text', 'text']);
});

describe.skipIf(process.platform === 'win32')('a pipe, for a reader that can stop', () => {
  const { signal } = new AbortController();

  /** Writes `one`, and `two` after a line on its stdin. Opens the pipe for both, or that would wait for a reader. */
  async function startWriter() {
    const script = 'exec 3<>"$0"; printf one >&3; echo; read -r _; printf two >&3';
    const writer = spawn('sh', ['-c', script, at('pipe')]);
    await once(writer.stdout, 'data');
    return writer;
  }

  it('is read to its end, however slowly it is written', async () => {
    makePipe(at('pipe'));
    const writer = await startWriter();
    const chunks = readChunks(at('pipe'), signal);
    expect(String((await chunks.next()).value)).toBe('one');
    writer.stdin.end('\n');
    expect(String((await chunks.next()).value)).toBe('two');
    expect((await chunks.next()).done).toBe(true);
  });

  it('ends at once if nothing writes to it', async () => {
    makePipe(at('pipe'));
    expect(await read(at('pipe'), signal)).toBe('');
  });

  it('is given up with the signal, although its writer stays', async () => {
    makePipe(at('pipe'));
    const writer = await startWriter();
    const stopping = new AbortController();
    const reading = read(at('pipe'), stopping.signal);
    stopping.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow();
    writer.stdin.end();
    await once(writer, 'exit');
  });
});
