import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../../src/main/core/connections/connection-registry.ts';
import { hasEnded, type Job } from '../../../../src/main/core/jobs/job.ts';
import { testVoice } from '../../../../src/main/core/jobs/job.fixture.ts';
import type { JobEvent } from '../../../../src/main/core/jobs/job-store.ts';
import type { Queue } from '../../../../src/main/core/jobs/queue.ts';
import { openQueue } from '../../../../src/main/core/jobs/open-queue.fixture.ts';
import { createHttp } from '../../../../src/main/core/voice-service/http.ts';
import { defaultSettings } from '../../../../src/shared/schemas/settings.ts';
import type { JobState } from '../../../../src/shared/schemas/job.ts';
import type { Random } from '../../../../src/main/core/random.fixture.ts';
import { must } from '../scenario.ts';
import { allowedSteps } from './allowed-steps.ts';
import { countedHttp } from './counted-http.ts';
import { spokenWith } from './open-case.ts';
import { readRows } from './read-rows.ts';
import { soundOf, startWhimsicalService } from './whimsical-service.ts';

const maxConcurrent = 3;
/** Heads of files are read four at a time, so a later one may be ready first. */
const jumpedAtMost = maxConcurrent + 4;
const whim = 0.12;
const timeoutMs = 150_000;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export interface ScheduleFigures {
  readonly jobs: number;
  readonly steps: number;
  readonly mostAtOnce: number;
}

/** One random schedule: random actions of the user and random replies of the service. Throws `Failed`. */
export async function runSchedule(
  random: Random,
  folder: string,
  sources: readonly string[],
  steps: number,
): Promise<ScheduleFigures> {
  const policy = random.pick(['ask', 'repeat', 'stop'] as const);
  const whimsical = await startWhimsicalService(random);
  const { service, paid, doubted } = whimsical;
  const limits = {
    maxUploadBytes: null,
    maxTextLength: null,
    maxSeconds: null,
    maxConcurrent,
    requestsPerMinute: null,
  };
  const connection = service.connection({ unknownOutcome: policy, limits });
  const http = countedHttp(createHttp({ proxy: 'direct' }));
  const [dataFolder, outputFolder] = [join(folder, 'data'), join(folder, 'out')];
  const asked = {
    connection: { id: connection.id, name: connection.document.name, document: connection.document },
    voice: testVoice,
    outputFolder,
    nameTemplate: '{name}',
  };

  const states = new Map<string, JobState>();
  const begun: string[] = [];
  /** Ids in the order in which they were added. */
  const added: string[] = [];
  const touched = new Set<string>();
  const saidAgain = new Map<string, number>();
  const wrong: string[] = [];
  let restarts = 0;

  function watch(news: JobEvent): void {
    if (news.kind !== 'upserted') return;
    for (const { id, state, attempts } of news.jobs) {
      const before = states.get(id);
      states.set(id, state);
      if (attempts > 0) touched.add(id);
      if (before === undefined || before === state) continue;
      if (!allowedSteps[before].includes(state)) wrong.push(`a job went from ${before} to ${state}`);
      if ((state === 'creating' || state === 'converting') && !begun.includes(id)) begun.push(id);
    }
  }

  async function open(): Promise<Queue> {
    const opened = await openQueue({
      dataFolder,
      clock: systemClock,
      random: () => 0,
      connections: createConnectionRegistry(http, [connection]),
      role: 'app',
      onProgress: () => undefined,
      onDefect: (error) => wrong.push(`a defect: ${error instanceof Error ? (error.stack ?? '') : String(error)}`),
    });
    opened.store.onEvent(watch);
    opened.scheduler.start();
    return opened;
  }

  let queue = await open();
  const all = (): readonly Job[] => queue.store.page(null, -1);
  const some = (of: readonly Job[]): Job | undefined => (of.length === 0 ? undefined : random.pick(of));
  const touch = (job: Job | undefined, act: (id: string) => void) => {
    if (!job) return;
    touched.add(job.id);
    act(job.id);
  };

  const deeds: Readonly<Record<string, () => unknown>> = {
    async add() {
      const settings = { ...defaultSettings.conversion, voiceId: testVoice.id, format: '.wav' } as const;
      const paths = random.shuffled(sources).slice(0, random.integer(1, 3));
      const { ids } = await queue.submitJobs.add(paths, { ...asked, settings }, new AbortController().signal);
      // The same request continues a failed or cancelled job whose result is paid for, instead of a new one.
      for (const id of ids) {
        if (added.includes(id)) touched.add(id);
        else added.push(id);
      }
    },
    speak: () => added.push(queue.submitJobs.addSpeech(`Text ${added.length}`, { ...asked, settings: spokenWith }).id),
    pause: () => queue.scheduler.pause(),
    resume: () => queue.scheduler.resume(null),
    resumeConnection: () => queue.scheduler.resume(connection.id),
    wake: () => queue.scheduler.wake(),
    move() {
      const moved = random.shuffled(all()).slice(0, random.integer(1, 3));
      for (const { id } of moved) touched.add(id);
      queue.store.reorder(
        moved.map(({ id }) => id),
        random.next() < 0.3 ? null : (some(all())?.id ?? null),
      );
    },
    cancel: () => touch(some(all()), queue.scheduler.cancel),
    retry: () =>
      touch(some(all().filter((job) => hasEnded(job) && job.state !== 'done')), (id) => {
        saidAgain.set(id, (saidAgain.get(id) ?? 0) + 1);
        queue.scheduler.retry(id);
      }),
    again() {
      const job = some(all());
      if (job) added.push(queue.submitJobs.repeat(job).id);
    },
    remove: () => touch(some(all()), (id) => queue.store.remove([id])),
    async restart() {
      await queue.stop();
      restarts += 1;
      const files = await readdir(outputFolder).catch(() => []);
      const temporary = files.filter((name) => name.startsWith('.'));
      const kept = readRows(dataFolder).jobs.filter(
        ({ output_sha256: hash, state }) => hash !== null && state !== 'done',
      );
      must(temporary.length <= kept.length, `${temporary.length} temporary files were left by a stop`);
      // A process that reopens the journal may reset running jobs.
      states.clear();
      queue = await open();
    },
  };

  function check(): void {
    must(wrong.length === 0, wrong[0] ?? '');
    const rows = readRows(dataFolder).jobs;
    must(rows.length === added.length, `${rows.length} jobs of ${added.length}`);
    must(http.most() <= maxConcurrent, `${http.most()} calls at once`);
    const outputs = rows.filter(({ state }) => state === 'done').map(({ output_path: path }) => path);
    must(new Set(outputs).size === outputs.length, 'two jobs have one output');
  }

  function checkPaid(): void {
    const allowed = new Map<string, number>();
    for (const { id, kind, text, task_id: task } of readRows(dataFolder).jobs) {
      const key = String(kind === 'speech' ? text : task);
      allowed.set(key, (allowed.get(key) ?? 0) + 1 + (saidAgain.get(String(id)) ?? 0));
    }
    for (const [key, count] of paid) {
      // A task that a fresh start left behind is known to no job any more.
      const base = allowed.get(key) ?? 1 + Math.max(0, ...saidAgain.values());
      const most = policy === 'repeat' ? base + (doubted.get(key) ?? 0) + restarts : base;
      must(count <= most, `${key} was paid for ${count} times, and ${most} were allowed (${policy})`);
    }
  }

  async function finish(): Promise<void> {
    whimsical.setWhim(0);
    const startedMs = performance.now();
    while (readRows(dataFolder).jobs.some(({ phase }) => Number(phase) < 9)) {
      queue.scheduler.resume(null);
      queue.scheduler.resume(connection.id);
      const open = readRows(dataFolder).jobs.filter(({ phase }) => Number(phase) < 9);
      must(performance.now() - startedMs < timeoutMs, `${open.length} jobs never end: ${String(open[0]?.['state'])}`);
      await sleep(5);
    }
    await queue.stop();
  }

  async function checkFiles(): Promise<void> {
    const named = new Set<string>();
    for (const row of readRows(dataFolder).jobs.filter(({ state }) => state === 'done')) {
      const path = String(row['output_path']);
      named.add(path);
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      must(sha256(bytes) === row['output_sha256'], `${path} is not what the journal says`);
      const key = String(row['kind'] === 'speech' ? row['text'] : row['task_id']);
      must(bytes.equals(soundOf(key)), `${path} holds the sound of another job`);
    }
    const files = await readdir(outputFolder).catch(() => []);
    const extra = files.find((name) => !named.has(join(outputFolder, name)));
    must(extra === undefined, `a file that belongs to no job: ${extra ?? ''}`);
  }

  function checkOrder(): void {
    const places = new Map(readRows(dataFolder).jobs.map(({ id, position }) => [String(id), Number(position)]));
    const untouched = added.filter((id) => !touched.has(id));
    for (const [k, id] of untouched.slice(1).entries()) {
      must((places.get(id) ?? 0) > (places.get(untouched[k] ?? '') ?? 0), 'jobs that nobody moved changed places');
    }
    const order = begun.filter((id) => untouched.includes(id));
    const expected = untouched.filter((id) => order.includes(id));
    for (const [at, id] of order.entries()) {
      const jumped = Math.abs(at - expected.indexOf(id));
      must(jumped <= jumpedAtMost, `a job that nobody moved began ${jumped} places out of its turn`);
    }
  }

  try {
    whimsical.setWhim(whim);
    await deeds['add']?.();
    for (let step = 0; step < steps; step += 1) {
      await deeds[random.pick(Object.keys(deeds))]?.();
      await sleep(random.pick([0, 0, 1, 5, 15]));
      check();
    }
    await finish();
    check();
    checkPaid();
    checkOrder();
    await checkFiles();
    return { jobs: added.length, steps, mostAtOnce: http.most() };
  } finally {
    await queue.scheduler.stop();
    await http.close();
    await service.stop();
  }
}
