import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readDocument, readFileConnection } from './connection-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-document-'));
  path = join(folder, 'studio.json');
});
afterEach(() => rm(folder, { recursive: true }));

it('a document that is missing, too long, or not JSON is an error', async () => {
  await expect(readDocument(path)).rejects.toMatchObject({ problem: { code: 'input/missing', facts: { name: path } } });
  await writeFile(path, '{ "name": oops');
  await expect(readDocument(path)).rejects.toMatchObject({ code: 'connection/invalid' });
  await truncate(path, 2 * 1024 ** 2);
  await expect(readDocument(path)).rejects.toMatchObject({ code: 'connection/invalid' });
});

it('a document may begin with a byte order mark', async () => {
  await writeFile(path, '\ufeff{ "name": "Studio" }');
  expect(await readDocument(path)).toEqual({ name: 'Studio' });
});

it('a connection of a file takes the token of a header that was copied whole', async () => {
  const hosts = { voice: 'https://voice.test', upload: 'https://voice.test', converter: 'https://voice.test' };
  await writeFile(path, JSON.stringify({ name: 'Studio', hosts }));
  const { access } = await readFileConnection(path, 'Bearer abc');
  expect(await access(new AbortController().signal)).toMatchObject({ token: 'abc' });
});

it.skipIf(process.platform === 'win32')(
  'a document in a pipe is read only by a command, which can be interrupted',
  async () => {
    execFileSync('mkfifo', [path]);
    await expect(readDocument(path)).rejects.toMatchObject({ code: 'input/not-a-file' });
    const writer = spawn('sh', [
      '-c',
      `exec 3<>"$0"; printf '{"name":' >&3; echo; read -r _; printf '"Studio"}' >&3`,
      path,
    ]);
    await once(writer.stdout, 'data');
    const stopping = new AbortController();
    const stopped = readDocument(path, stopping.signal);
    stopping.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    writer.stdin.end('\n');
    await once(writer, 'exit');
  },
);
