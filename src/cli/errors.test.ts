import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../shared/errors.ts';
import { en } from '../shared/messages/en.ts';
import { errorText, toAppError } from './errors.ts';

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

function told(error: unknown): readonly [code: string, sentence: string] {
  const known = toAppError(error, folder, messages);
  return [known.code, errorText(messages, known)];
}

describe('what ends a command', () => {
  it('is said in one sentence where the database cannot be written', async () => {
    const database = new DatabaseSync(join(folder, 'x.db'));
    database.exec('CREATE TABLE t (x); PRAGMA query_only = ON');
    const [code, sentence] = told(await thrownBy(() => database.exec('INSERT INTO t VALUES (1)')));
    database.close();
    expect([code, sentence]).toEqual(['data/not-writable', messages.cli.dataNotWritable(folder)]);
  });

  it('is said in one sentence where a file of the data folder cannot be written', async () => {
    const [code] = told(await thrownBy(() => writeFile(join(folder, 'nowhere', 'x'), '')));
    expect(code).toBe('data/not-writable');
  });

  it('is said in one sentence where it is a defect of ours, without a trace', () => {
    const [code, sentence] = told(new TypeError('x is not a function\n    at y'));
    expect(code).toBe('internal');
    expect(sentence).toMatch(/^Something went wrong in Timbre: x is not a function\. /);
    expect(sentence).not.toContain('\n');
  });

  it('keeps its own words where it has them', () => {
    const error = new AppError('voice/missing', 'none');
    expect(toAppError(error, folder, messages)).toBe(error);
  });
});
