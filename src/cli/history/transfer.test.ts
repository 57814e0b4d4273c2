import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTestExchange } from '../../main/core/history/history-archive.fixture.ts';
import { useLibrary } from '../../main/core/history/history-entries.fixture.ts';
import { AppError } from '../../shared/errors.ts';
import { loadCliMessages } from '../../shared/messages/cli.ts';
import type { Output } from '../output.ts';
import { exportEntries, importEntries } from './transfer.ts';

const en = await loadCliMessages('en');

const library = useLibrary();

function invocation() {
  const lines: string[] = [];
  const events: unknown[] = [];
  const output: Output = {
    print: (text) => lines.push(text),
    report: (text) => lines.push(text),
    info: (text) => lines.push(text),
    event: (event) => events.push(event),
    error: (text) => lines.push(text),
    trace: () => undefined,
    status: () => undefined,
    hasStatus: false,
  };
  return { output, messages: en, signal: new AbortController().signal, lines, events };
}

it('exports a list or an archive by file extension without replacing a file, and imports only missing entries', async () => {
  const { at, write, done } = library();
  const exchange = createTestExchange(library());
  const files = {
    exportTo: (path: string, ids: readonly string[], what: 'list' | 'sound', existing: 'replace' | 'keep') =>
      exchange.export(ids, what, path, undefined, existing),
    importFrom: (path: string, folder: string) => exchange.import(path, folder),
  };
  const id = randomUUID();
  await done(id, await write('in/a.wav', 'source'), await write('out/a.wav', 'result'));

  const context = invocation();
  expect(await exportEntries(files, at('h.jsonl'), [id], context)).toBe(0);
  expect(await exportEntries(files, at('h.zip'), [id], context)).toBe(0);
  await expect(exportEntries(files, at('h.zip'), [id], context)).rejects.toMatchObject({ code: 'request/invalid' });
  await expect(exportEntries(files, at('none/h.zip'), [id], context)).rejects.toMatchObject({
    code: 'output/not-writable',
    sentence: en.cli.connections.notWritten({ path: at('none/h.zip') }),
  });
  await writeFile(at('broken.jsonl'), '{"timbre":"history","version":1}\nnonsense\n');
  expect(await importEntries(files, at('h.zip'), at('sounds'), context)).toBe(0);
  expect(await importEntries(files, at('broken.jsonl'), at('sounds'), context)).toBe(5);
  expect(context.events).toEqual([
    { event: 'result', path: at('h.jsonl'), entries: 1, files: 0, withoutFile: 0 },
    { event: 'result', path: at('h.zip'), entries: 1, files: 1, withoutFile: 0 },
    { event: 'result', added: 0, known: 1, refused: 0, withoutFile: 0 },
    { event: 'result', added: 0, known: 0, refused: 1, withoutFile: 0 },
  ]);
  expect(context.lines).toEqual([
    'One entry exported.',
    'One entry exported with one audio file.',
    'No entry imported, 1 already here.',
    'No entry imported, 0 already here.',
    'One line contains no entry.',
  ]);
});

it.each(['h.jsonl', 'h.zip'])('leaves a %s alone that another program creates during the export', async (name) => {
  const { at, write, done } = library();
  const exchange = createTestExchange(library());
  const id = randomUUID();
  await done(id, await write('in/a.wav', 'source'), await write('out/a.wav', 'result'));
  const files = {
    async exportTo(path: string, ids: readonly string[], what: 'list' | 'sound', existing: 'replace' | 'keep') {
      // The command has looked before.
      await writeFile(path, 'theirs');
      return exchange.export(ids, what, path, undefined, existing);
    },
    importFrom: (path: string, folder: string) => exchange.import(path, folder),
  };
  const before = await readdir(at(''));
  await expect(exportEntries(files, at(name), [id], invocation())).rejects.toMatchObject({
    code: 'request/invalid',
    sentence: en.cli.history.exists({ path: at(name) }),
  });
  expect(await readFile(at(name), 'utf8')).toBe('theirs');
  expect((await readdir(at(''))).filter((one) => !before.includes(one) && one !== name)).toEqual([]);
});

it('says of a cancelled export that no file was written', async () => {
  const { at } = library();
  const exchange = createTestExchange(library());
  const stop = AbortSignal.abort(new AppError('job/cancelled', 'cancelled'));
  const files = {
    exportTo: (path: string, ids: readonly string[], what: 'list' | 'sound') => exchange.export(ids, what, path, stop),
    importFrom: (path: string, folder: string) => exchange.import(path, folder),
  };
  await expect(exportEntries(files, at('h.zip'), ['x'], invocation())).rejects.toMatchObject({
    code: 'job/cancelled',
    sentence: en.cli.history.exportCancelled,
  });
});

it('does not say that a file was moved or changed if it may only be unreadable', async () => {
  const { at, done } = library();
  const exchange = createTestExchange(library());
  const id = randomUUID();
  const files = {
    exportTo: (path: string, ids: readonly string[], what: 'list' | 'sound') => exchange.export(ids, what, path),
    importFrom: (path: string, folder: string) => exchange.import(path, folder),
  };
  await done(id, await library().write('in/a.wav', 'source'), await library().write('out/a.wav', 'result'));
  const result = at('out/a.wav');
  await rm(result);
  // As unreadable for root as for anyone.
  await mkdir(result);
  const context = invocation();
  expect(await exportEntries(files, at('h.zip'), [id], context)).toBe(0);
  expect(context.lines[1]).toBe('One entry without audio: its file was moved, deleted or changed, or can’t be read.');
});
