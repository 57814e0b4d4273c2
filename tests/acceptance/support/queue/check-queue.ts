import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseName } from '../../../../src/main/core/database/database.ts';
import { must } from '../scenario.ts';

interface Expected {
  readonly dataFolder: string;
  readonly outputFolder: string;
  /** The engine's data folder. */
  readonly engineFolder: string;
  readonly jobs: number;
  /** Whether some jobs may wait for the user's decision. */
  readonly mayBeUncertain: boolean;
  /** Files in the output folder that are not Timbre's. */
  readonly aliens?: readonly string[];
}

export interface QueueFigures {
  readonly done: number;
  readonly uncertain: number;
  readonly taskOf: ReadonlyMap<string, string>;
}

const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Results by the folder of their task, and all of them. */
async function resultsOf(
  engineFolder: string,
): Promise<{ readonly all: ReadonlySet<string>; of(task: string): Promise<ReadonlySet<string>> }> {
  // The engine may be at work for others: what it has just moved is no result of ours.
  const hashes = async (folder: string) => {
    const files = await filesBelow(folder).catch(() => []);
    return new Set(await Promise.all(files.map((path) => sha256(path).catch(() => 'moved'))));
  };
  return {
    all: await hashes(join(engineFolder, 'engine', 'speech')),
    of: (task) => hashes(join(engineFolder, 'engine', 'tasks', task)),
  };
}

/** Checks after any kill that nothing is lost, wrong, duplicated or left over. Throws `Failed`. */
export async function checkQueue(expected: Expected): Promise<QueueFigures> {
  const database = new DatabaseSync(join(expected.dataFolder, databaseName));
  const integrity = database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  must(integrity === 'ok', `the database is damaged: ${String(integrity)}`);
  const rows = database.prepare('SELECT id, kind, state, task_id, output_path, output_sha256, problem FROM job').all();
  database.close();

  must(rows.length === expected.jobs, `${rows.length} jobs of ${expected.jobs}`);
  const allowed = new Set(expected.mayBeUncertain ? ['done', 'uncertain'] : ['done']);
  const other = rows.find(({ state }) => !allowed.has(String(state)));
  must(!other, `a job is ${String(other?.['state'])}: ${String(other?.['problem'])}`);

  const results = await resultsOf(expected.engineFolder);
  const done = rows.filter(({ state }) => state === 'done');
  const named = new Set<string>();
  for (const row of done) {
    const path = String(row['output_path']);
    must(!named.has(path), `two jobs have one output: ${path}`);
    named.add(path);
    const hash = await sha256(path).catch(() => 'nothing');
    must(hash === row['output_sha256'], `${path} holds ${hash}, the journal says ${String(row['output_sha256'])}`);
    const made = row['kind'] === 'speech' ? results.all : await results.of(String(row['task_id']));
    must(made.has(hash), `${path} is not what the engine made`);
  }
  const files = await filesBelow(expected.outputFolder).catch(() => []);
  const extra = files.find((path) => !named.has(path) && !expected.aliens?.includes(path));
  must(!extra, `a file that belongs to no job: ${extra ?? ''}`);
  return {
    done: done.length,
    uncertain: rows.length - done.length,
    taskOf: new Map(rows.map((row) => [String(row['id']), String(row['task_id'])])),
  };
}
