// Fails when an import writes more than there is, throws a stack trace, leaves parts behind, waits for what has no end, or holds the process up.
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { AppError } from '../../../src/shared/errors.ts';
import { conversionJob } from '../../../src/main/core/jobs/job.fixture.ts';
import { writeZip } from '../../../src/main/core/history/history-archive.fixture.ts';
import { historyHeader, listName, toArchiveLine } from '../../../src/main/core/history/archive-format.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { measureTurns } from '../support/history/measure-turns.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';

const mostMs = 5000;
const mostTurnMs = 20;
const sentences: ReadonlySet<string> = new Set([
  'history/not-an-export',
  'history/export-damaged',
  'history/export-too-large',
  'history/export-newer',
  'input/not-a-file',
]);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function lineOf(name: string, sound: { readonly sizeBytes: number; readonly sha256: string }): string {
  const job = conversionJob({ id: randomUUID(), state: 'done', endedAt: 1_000_000, taskId: null });
  return JSON.stringify({ ...toArchiveLine(job, { isFavourite: false, tags: [] }), result: { name, ...sound } });
}
const listOf = (lines: readonly string[]) => [JSON.stringify(historyHeader), ...lines, ''].join('\n');

/** What the user is shown: the counts, or an error code. */
async function importOf(app: HistoryCase, path: string): Promise<string> {
  app.person.answer = path;
  try {
    const sum = await app.api.history.import();
    return `taken ${sum?.added ?? 0}+${sum?.known ?? 0} without ${sum?.withoutFile ?? 0}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    must(sentences.has(error.code), `an import ended with ${error.code}`);
    return error.code;
  }
}

async function writtenBytes(app: HistoryCase): Promise<number> {
  const folder = join(app.outputFolder, 'Timbre import');
  const names = await readdir(folder).catch(() => []);
  must(!names.some((name) => name.endsWith('.part')), `${names.join(' ')} is left`);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const openIn = (context: ScenarioContext, name: string) =>
  openHistory({ ...context, folder: join(context.folder, name), works: false });

export const h13: Scenario = {
  id: 'H13',
  title: 'archives built to fill the disk write no more than their distinct audio',
  async run(context) {
    let shapes = 0;
    let refused = 0;
    for (const entries of [1, 2, 10, 100, 1000]) {
      for (const sizeBytes of context.full ? [0, 1, 4096, 1_000_000] : [entries % 10, 1_000_000]) {
        const sound = Buffer.alloc(sizeBytes, entries);
        const content = { sizeBytes, sha256: hashOf(sound) };
        const lines = Array.from({ length: entries }, (_, k) => lineOf(`${k}.wav`, content));
        const name = `audio/${content.sha256}.wav`;
        const twice: [string, Buffer | string][] = [
          [listName, listOf(lines)],
          [name, sound],
          ...(entries === 2 ? [[name, sound] as [string, Buffer]] : []),
        ];
        const path = await writeZip(join(context.folder, `${entries}-${sizeBytes}.zip`), twice, true);
        const app = await openIn(context, `shape ${++shapes}`);
        const told = await importOf(app, path);
        const written = await writtenBytes(app);
        must(told === `taken ${entries}+0 without 0`, `${entries} on one sound: ${told}`);
        must(written === sizeBytes, `${written} bytes for ${sizeBytes}`);
        await app.close();
      }
    }
    for (const lie of [0, 5, 2e9, 4e9, 0xfffffffe]) {
      for (const real of context.full ? [100, 1_000_000] : [lie % 2 ? 100 : 1_000_000]) {
        const sound = Buffer.alloc(real, 7);
        const content = { sizeBytes: lie, sha256: hashOf(sound) };
        const name = `audio/${content.sha256}.wav`;
        const list = listOf([lineOf('a.wav', content)]);
        const path = join(context.folder, `lie-${lie}-${real}.zip`);
        await writeZip(
          path,
          [
            [listName, list],
            [name, sound],
          ],
          true,
        );
        const bytes = await readFile(path);
        bytes.writeUInt32LE(lie, bytes.lastIndexOf('PK\u0001\u0002') + 24);
        await writeFile(path, bytes);
        const app = await openIn(context, `shape ${++shapes}`);
        const told = await importOf(app, path);
        must((await writtenBytes(app)) === 0, `a sound of a size that lies was kept: ${told}`);
        if (!told.startsWith('taken')) refused += 1;
        await app.close();
      }
    }
    return { shapes, 'refused before the first byte': refused, 'bytes beyond distinct sounds': 0 };
  },
};

export const h14: Scenario = {
  id: 'H14',
  title: 'archives with one wrong byte give one sentence each and no leftovers, and the intact one completes them',
  async run(context) {
    const sounds = Array.from({ length: 20 }, (_, k) => Buffer.alloc(1000 + k, k));
    const lines = sounds.map((bytes, k) => lineOf(`${k}.wav`, { sizeBytes: bytes.length, sha256: hashOf(bytes) }));
    const whole = await writeZip(
      join(context.folder, 'whole.zip'),
      [[listName, listOf(lines)], ...sounds.map((bytes) => [`audio/${hashOf(bytes)}.wav`, bytes] as const)],
      true,
    );
    const good = await readFile(whole);
    const listEnd = good.indexOf('PK\u0003\u0004', 4);
    const directory = good.indexOf('PK\u0001\u0002');
    const app = await openIn(context, 'damaged');
    const cases = context.size(200, 2000);
    const told = new Map<string, number>();
    for (let k = 0; k < cases; k += 1) {
      const bytes = Buffer.from(good);
      const at =
        k % 4 === 0 ? context.random.integer(directory, good.length - 1) : context.random.integer(0, listEnd - 1);
      bytes[at] = (bytes[at] ?? 0) ^ context.random.integer(1, 255);
      const path = join(context.folder, 'changed.zip');
      await writeFile(path, bytes);
      const [what = ''] = (await importOf(app, path)).split(' ');
      told.set(what, (told.get(what) ?? 0) + 1);
    }
    const parts = await readdir(join(app.outputFolder, 'Timbre import')).catch(() => []);
    must(!parts.some((name) => name.endsWith('.part')), 'parts are left');
    const fresh = await openIn(context, 'fresh');
    const broken = Buffer.from(good);
    broken[Math.floor(listEnd / 2)] = (broken[Math.floor(listEnd / 2)] ?? 0) ^ 0xff;
    await writeFile(join(context.folder, 'changed.zip'), broken);
    await importOf(fresh, join(context.folder, 'changed.zip'));
    await importOf(fresh, whole);
    must((await importOf(fresh, whole)) === 'taken 0+20 without 0', 'the whole archive does not complete it');
    await Promise.all([app.close(), fresh.close()]);
    return { cases, ...Object.fromEntries(told) };
  },
};

async function zipOf(path: string, bytes: number, line: string): Promise<string> {
  const zip = new yazl.ZipFile();
  const block = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
  function* blocks() {
    yield Buffer.from(listOf([]));
    for (let written = 0; written < bytes; written += block.length) yield block;
  }
  zip.addReadStream(Readable.from(blocks()), listName);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

export const h15: Scenario = {
  id: 'H15',
  title: 'a file that is no export is rejected at once',
  async run(context) {
    const at = (name: string) => join(context.folder, name);
    const app = await openIn(context, 'any');
    await app.data();
    execFileSync('mkfifo', [at('pipe')]);
    await mkdir(at('folder'));
    const bytes = context.size(24e6, 512e6);
    const paths = [
      at('pipe'),
      at('folder'),
      '/dev/zero',
      '/dev/random',
      '/proc/kmsg',
      await zipOf(at('wrong.zip'), bytes, '{"id": 1, "kind": "conversion"}\n'),
      await zipOf(at('broken.zip'), bytes, '{{{{\n'),
      await zipOf(at('empty.zip'), bytes, '\n'),
      await zipOf(at('one line.zip'), bytes, 'x'),
    ];
    let longestMs = 0;
    let longestTurnMs = 0;
    for (const path of paths) {
      context.note(path);
      const begunMs = performance.now();
      const { result: told, turns } = await measureTurns(() => importOf(app, path));
      longestMs = Math.max(longestMs, performance.now() - begunMs);
      longestTurnMs = Math.max(longestTurnMs, turns.p99Ms);
      must(!told.startsWith('taken') || path.includes('one line'), `${path} was taken: ${told}`);
      must(turns.p99Ms <= mostTurnMs, `${path} held the process up for ${turns.p99Ms.toFixed(1)} ms`);
    }
    must(longestMs <= mostMs, `answered only after ${Math.round(longestMs)} ms`);
    await app.close();
    return { files: paths.length, 'longest ms': Math.round(longestMs), 'turn p99 ms': longestTurnMs.toFixed(1) };
  },
};
