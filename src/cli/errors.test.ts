import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../main/core/clock.ts';
import { createWriteGate } from '../main/core/database/write-gate.ts';
import { AppError } from '../shared/errors.ts';
import { loadCliMessages } from '../shared/messages/cli.ts';
import { errorText, toAppError } from './errors.ts';

const en = await loadCliMessages('en');

const messages = en;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-sentence-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function explained(error: unknown): readonly [code: string, sentence: string] {
  const known = toAppError(error, folder, messages);
  return [known.code, errorText(messages, known)];
}

describe('what ends a command', () => {
  it('is one sentence if the database cannot be written', async () => {
    const database = new DatabaseSync(join(folder, 'x.db'));
    database.exec('CREATE TABLE t (x); PRAGMA query_only = ON');
    const [code, sentence] = explained(await thrownBy(() => database.exec('INSERT INTO t VALUES (1)')));
    database.close();
    expect([code, sentence]).toEqual(['data/not-writable', messages.cli.dataNotWritable({ folder })]);
  });

  it('says nothing of going on by itself if another program locks the database: a command ends', async () => {
    const database = new DatabaseSync(join(folder, 'x.db'));
    const other = new DatabaseSync(join(folder, 'x.db'));
    database.exec('CREATE TABLE t (x)');
    const writes = createWriteGate({ database, clock: systemClock, onDefect: () => undefined });
    other.exec('BEGIN IMMEDIATE');
    const thrown = await thrownBy(() => writes.write(() => database.exec('INSERT INTO t VALUES (1)')));
    other.close();
    writes.stop();
    database.close();
    expect(explained(thrown)).toEqual(['data/not-writable', messages.cli.dataNotWritable({ folder })]);
  });

  it('is one sentence if a file in the data folder cannot be written', async () => {
    const [code] = explained(await thrownBy(() => writeFile(join(folder, 'nowhere', 'x'), '')));
    expect(code).toBe('data/not-writable');
  });

  it('is one sentence without a stack trace for an internal error', () => {
    const [code, sentence] = explained(new TypeError('x is not a function\n    at y'));
    expect(code).toBe('internal');
    expect(sentence).toMatch(/^Something went wrong in Timbre: x is not a function\. /);
    expect(sentence).not.toContain('\n');
  });

  it.skipIf(process.platform === 'win32')('says that the current folder was deleted', async () => {
    const before = process.cwd();
    const current = join(folder, 'current');
    await mkdir(current);
    process.chdir(current);
    await rmdir(current);
    const gone = await thrownBy(() => process.cwd());
    process.chdir(before);
    expect(explained(gone)).toEqual(['input/missing', messages.cli.noCurrentFolder]);
  });

  it('says that too many files are open', () => {
    const error = Object.assign(new Error('EMFILE'), { code: 'EMFILE', errno: -24, syscall: 'open', path: folder });
    expect(explained(error)[0]).toBe('system/too-many-files');
  });

  it('keeps an AppError as it is', () => {
    const error = new AppError('voice/missing', 'none');
    expect(toAppError(error, folder, messages)).toBe(error);
  });
});
