// P2: ten thousand recordings are added to the queue. The baseline is the same rows written in one plain transaction.
import { randomUUIDv7 } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../src/main/core/clock.ts';
import { createConnectionRegistry } from '../src/main/core/connections/connection-registry.ts';
import { openQueue } from '../src/main/core/jobs/open-queue.fixture.ts';
import { conversionJob, testVoice } from '../src/main/core/jobs/job.fixture.ts';
import { defaultNameTemplate } from '../src/shared/text/name-template.ts';
import { createHttp } from '../src/main/core/voice-service/http.ts';

const count = 10_000;

/** Writes a row for each path to a table with the same index, all in one transaction, in milliseconds. */
function writePlainRows(file: string, paths: readonly string[], settings: string): number {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE job (id TEXT PRIMARY KEY, path TEXT, settings TEXT)');
  database.exec('CREATE INDEX job_path ON job (path)');
  const insert = database.prepare('INSERT INTO job VALUES (?, ?, ?)');
  const begun = performance.now();
  database.exec('BEGIN');
  for (const path of paths) insert.run(randomUUIDv7(), path, settings);
  database.exec('COMMIT');
  const ms = performance.now() - begun;
  database.close();
  return ms;
}

const folder = await mkdtemp(join(tmpdir(), 'timbre-queue-size-'));
try {
  await mkdir(join(folder, 'in'));
  const paths = Array.from({ length: count }, (_, k) => join(folder, 'in', `take ${k}.wav`));
  for (const path of paths) await writeFile(path, 'RIFF');
  const { connection, settings } = conversionJob();
  const remote = { id: connection.id, kind: 'remote', document: connection.document } as const;
  const http = createHttp();
  const queue = await openQueue({
    dataFolder: join(folder, 'data'),
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, [{ ...remote, access: () => new Promise(() => undefined) }]),
    role: 'app',
    onProgress: () => undefined,
    onDefect: console.error,
  });
  queue.scheduler.start();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const begun = performance.now();
  await queue.submitJobs.add(
    paths,
    { connection, voice: testVoice, settings, outputFolder: null, nameTemplate: defaultNameTemplate },
    new AbortController().signal,
  );
  const addedMs = performance.now() - begun;
  lag.disable();
  const plainMs = writePlainRows(join(folder, 'plain.sqlite'), paths, JSON.stringify({ ...settings, ...testVoice }));
  console.log(
    `added ${count} in ${addedMs.toFixed(0)} ms (goal 1000); plain rows in one transaction ${plainMs.toFixed(0)} ms: ` +
      `ratio ${(addedMs / plainMs).toFixed(1)}`,
  );
  console.log(
    `main loop lag p99 ${(lag.percentile(99) / 1e6).toFixed(1)} ms, longest ${(lag.max / 1e6).toFixed(1)} ms (goal p99 20)`,
  );
  await queue.stop();
  await http.close();
} finally {
  await rm(folder, { recursive: true });
}
