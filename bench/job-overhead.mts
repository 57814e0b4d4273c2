// P1: what a job costs beside the service's own time, with 1 MB in and out: Timbre's whole queue, journal and fsync included, against a
// shell script of four curl calls a job, both one job at a time.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parse } from 'valibot';
import { systemClock } from '../src/main/core/clock.ts';
import { createConnectionRegistry } from '../src/main/core/connections/connection-registry.ts';
import { conversionJob, testVoice } from '../src/main/core/jobs/job.fixture.ts';
import { openQueue } from '../src/main/core/jobs/open-queue.fixture.ts';
import { settled } from '../src/main/core/jobs/wait-for-jobs.ts';
import { defaultNameTemplate } from '../src/shared/text/name-template.ts';
import { createHttp } from '../src/main/core/voice-service/http.ts';
import { connectionSchema } from '../src/shared/schemas/connection.ts';
import { buzz, encoded } from '../src/sound/sound.fixture.ts';
import { median } from './median.mts';

const jobs = 40;
const rounds = 5;
/** 16 kHz, 16 bits, mono: a megabyte. */
const seconds = 31.25;

const folder = await mkdtemp(join(tmpdir(), 'timbre-overhead-'));
const recording = join(folder, 'recording.wav');
await writeFile(recording, await encoded('wav', [buzz(150, seconds, 16_000)], 16_000));
const service = fork(new URL('./service/quick-service.mts', import.meta.url), [recording]);
const [port] = (await once(service, 'message')) as [number];
const origin = `http://127.0.0.1:${port}`;

async function timbre(round: number, atOnce: number): Promise<number> {
  const base = join(folder, `timbre-${round}-${atOnce}`);
  await mkdir(join(base, 'in'), { recursive: true });
  const paths = Array.from({ length: jobs }, (_, k) => join(base, 'in', `take ${k}.wav`));
  for (const path of paths) await copyFile(recording, path);
  const hosts = { voice: origin, upload: origin };
  const document = parse(connectionSchema, { name: 'Bench', hosts, limits: { maxConcurrent: atOnce } });
  const http = createHttp();
  const access = () => Promise.resolve({ hosts: document.hosts, token: null });
  const queue = await openQueue({
    dataFolder: join(base, 'data'),
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, [{ id: 'bench', kind: 'remote', document, access }]),
    role: 'app',
    onProgress: () => undefined,
    onDefect: console.error,
  });
  const begun = performance.now();
  queue.scheduler.start();
  const { ids } = await queue.submitJobs.add(
    paths,
    {
      connection: { id: 'bench', name: 'Bench', document },
      voice: testVoice,
      settings: conversionJob().settings,
      outputFolder: join(base, 'out'),
      nameTemplate: defaultNameTemplate,
    },
    new AbortController().signal,
  );
  await settled(queue.store, ids);
  const spent = performance.now() - begun;
  await queue.stop();
  await http.close();
  if ((await readdir(join(base, 'out'))).length !== jobs) throw new Error('not every job was done');
  await rm(base, { recursive: true });
  return spent / jobs;
}

async function script(round: number): Promise<number> {
  const out = join(folder, `script-${round}`);
  await mkdir(out);
  const begun = performance.now();
  const { status } = spawnSync(
    'bash',
    [join(import.meta.dirname, 'service/four-calls.sh'), origin, recording, out, String(jobs)],
    {
      stdio: 'inherit',
    },
  );
  const spent = performance.now() - begun;
  if (status !== 0 || (await readdir(out)).length !== jobs) throw new Error('the script failed');
  await rm(out, { recursive: true });
  return spent / jobs;
}

try {
  const times: Record<'timbre' | 'four' | 'script', number[]> = { timbre: [], four: [], script: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.timbre.push(await timbre(round, 1));
    times.script.push(await script(round));
    times.four.push(await timbre(round, 4));
  }
  const [own, curl, four] = [median(times.timbre), median(times.script), median(times.four)];
  console.log(
    `P1 job overhead, ${jobs} jobs of 1 MB, median of ${rounds}: Timbre ${own.toFixed(1)} ms, four curl calls ${curl.toFixed(1)} ms`,
  );
  console.log(`ratio ${(own / curl).toFixed(2)} (goal 0.50); four at once ${four.toFixed(1)} ms a job`);
} finally {
  service.disconnect();
  await rm(folder, { recursive: true, force: true });
}
