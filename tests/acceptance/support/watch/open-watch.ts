import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemClock as engineClock } from '../../../../src/engine/clock.ts';
import { createTaskStore } from '../../../../src/engine/task-store.ts';
import { systemClock, type Clock } from '../../../../src/main/core/clock.ts';
import { createConnectionRegistry } from '../../../../src/main/core/connections/connection-registry.ts';
import { openDatabase } from '../../../../src/main/core/database/database.ts';
import { testVoice } from '../../../../src/main/core/jobs/job.fixture.ts';
import type { Job } from '../../../../src/main/core/jobs/job.ts';
import { createQueue, type Queue } from '../../../../src/main/core/jobs/queue.ts';
import { createHttp, type Http } from '../../../../src/main/core/voice-service/http.ts';
import { createNameOrder } from '../../../../src/main/core/name-order.ts';
import { createWatch, type FolderView, type Watch } from '../../../../src/main/core/watch/watch-service.ts';
import type { Scanner } from '../../../../src/main/core/scanner/scanner.ts';
import type { WatchedFileView } from '../../../../src/main/core/watch/watched-state.ts';
import { defaultSettings } from '../../../../src/shared/schemas/settings.ts';
import { watchedExtensions, type WatchSettings } from '../../../../src/shared/schemas/watch.ts';
import type { FaultProxy } from '../../../faults/start-fault-proxy.ts';
import { Failed, must, type ScenarioContext } from '../scenario.ts';
import type { EngineProcess } from '../start-engine.ts';
import { most, paidCalls } from '../queue/paid-calls.ts';
import { putFile, recording, sha256Of } from './recordings.ts';
import { scannersBy, type ScannerProcesses } from './spawn-scanner.ts';

export interface WatchOptions {
  /** For messages and folders; unique within a scenario. */
  readonly name: string;
  readonly settings?: Partial<WatchSettings>;
  /** Default: as the app starts them. */
  readonly scanners?: ScannerProcesses;
  /** Default: the scanner process. */
  readonly createScanner?: () => Scanner;
  /** For the watch only; the queue uses the system clock. */
  readonly clock?: Clock;
  /** False leaves every job queued. */
  readonly converts?: boolean;
  /** Called when a job is done, before the watch handles that event. */
  readonly onDone?: (job: Job) => void;
  /** Defects that the scenario causes on purpose. */
  readonly expects?: (error: unknown) => boolean;
}

/** A watch and its queue in this process, with the real scanner process and the real engine behind a fault proxy. */
export interface WatchCase {
  readonly name: string;
  /** The watched folder. */
  readonly root: string;
  /** A folder on the root's disk. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly outputFolder: string;
  readonly proxy: FaultProxy;
  readonly settings: WatchSettings;
  readonly trashFolder: string;
  readonly scanners: ScannerProcesses;
  readonly watch: Watch;
  readonly queue: Queue;
  save(change?: Partial<WatchSettings>): Promise<FolderView>;
  /** Watches the folder and resolves once it was scanned. */
  begin(change?: Partial<WatchSettings>): Promise<void>;
  view(): FolderView;
  file(path: string): WatchedFileView | undefined;
  verdict(path: string): string;
  isDone(path: string): boolean;
  jobs(): readonly Job[];
  /** Writes recording `number` as a finished file. */
  put(path: string, number: number): Promise<string>;
  /** Adds a last recording and waits for its result, so that all earlier files were handled. */
  putLast(): Promise<void>;
  /** Resolves once `holds` is true. Throws `Failed` after the timeout. */
  until(what: string, holds: () => boolean, longestMs?: number): Promise<void>;
  /** SHA-256 of each upload that the service received. */
  uploads(): Promise<readonly string[]>;
  /** The most paid calls of one task. */
  mostPaid(): number;
  paid(): number;
  outputs(): Promise<readonly string[]>;
  /** Stops the watch and its queue, and starts them again with the same data. */
  restart(): Promise<void>;
  /** Stops everything, and throws `Failed` after an unexpected defect. */
  close(): Promise<void>;
}

const timeoutMs = 150_000;
const pollMs = 20;
const restPolls = 10;
const lastNumber = 4_000_000_000;

export async function openWatch(
  context: ScenarioContext,
  engine: EngineProcess,
  options: WatchOptions,
): Promise<WatchCase> {
  const { name, scanners = scannersBy(context), clock = systemClock, converts = true } = options;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/[^\w]+/g, '-'));
  const [root, dataFolder, outputFolder] = [join(folder, 'in'), join(folder, 'data'), join(folder, 'out')];
  const trashFolder = join(folder, 'trash');
  await Promise.all([mkdir(root, { recursive: true }), mkdir(trashFolder, { recursive: true })]);
  const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
  const limits = {
    maxUploadBytes: null,
    maxTextLength: null,
    maxSeconds: null,
    maxConcurrent: 2,
    requestsPerMinute: null,
  };
  const connection = proxy.connection({ limits });
  const settings: WatchSettings = {
    path: root,
    isRecursive: true,
    endings: watchedExtensions,
    connectionId: connection.id,
    conversion: { ...defaultSettings.conversion, voiceId: testVoice.id, engine: 'v5', format: '.wav' },
    outputFolder,
    afterwards: 'keep',
    dailyMinutes: null,
    hours: null,
    hasSubfolderVoices: false,
    speech: null,
    runsHook: true,
    ...options.settings,
  };
  const tasks = createTaskStore(join(engine.dataDirectory, 'engine', 'tasks'), engineClock);
  const defects: unknown[] = [];
  let http: Http;
  let queue: Queue;
  let watch: Watch;
  let id: string | null = null;
  let closing: Promise<void> | undefined;
  let lasts = 0;

  async function open(): Promise<void> {
    http = createHttp({ proxy: 'direct' });
    const connections = createConnectionRegistry(http, [connection]);
    const database = await openDatabase(dataFolder);
    const onDefect = (error: unknown) => {
      if (options.expects?.(error) !== true) defects.push(error);
    };
    const random = () => 0;
    const onProgress = () => undefined;
    queue = createQueue(database, {
      clock: systemClock,
      connections,
      onDefect,
      dataFolder,
      random,
      role: 'app',
      onProgress,
    });
    queue.store.onEvent((news) => {
      if (news.kind === 'upserted') for (const job of news.jobs) if (job.state === 'done') options.onDone?.(job);
    });
    watch = createWatch({
      compareNames: createNameOrder(() => 'en'),
      voices: { listAll: () => Promise.resolve({ voices: [], problem: null }) },
      database,
      queue,
      clock,
      connections,
      spawnService: scanners.spawnService,
      threadUrl: () => new URL('../../../../src/main/core/watch/baseline-worker.ts', import.meta.url),
      ...(options.createScanner && { scanner: options.createScanner() }),
      nameTemplate: () => '{name}',
      pronunciations: () => [],
      trash: (path) => rename(path, join(trashFolder, basename(path))),
      onDefect,
    });
    if (converts) queue.scheduler.start();
    watch.start();
  }

  async function shut(): Promise<void> {
    await watch.stop();
    await queue.stop();
    await http.close();
  }

  async function end(): Promise<void> {
    await shut();
    await proxy.stop();
    const [defect] = defects;
    if (defects.length === 0) return;
    throw new Failed(`${name}: a defect: ${defect instanceof Error ? (defect.stack ?? '') : String(defect)}`);
  }

  const jobs = () => queue.store.page(null, -1);
  const file = (path: string) => (id === null ? undefined : watch.findFile(id, path));
  const isDone = (path: string) => {
    const found = file(path);
    return found?.job?.state === 'done' && found.record.stage === 'rest';
  };

  function told(): string {
    const states = new Map<string, number>();
    for (const { state, problem } of jobs()) {
      const key = `${state} ${problem?.code ?? ''}`.trim();
      states.set(key, (states.get(key) ?? 0) + 1);
    }
    const folders = watch.listFolders().map(({ mode, problems, counts }) => ({ mode, problems, counts }));
    const some =
      id === null ? [] : watch.listFiles(id, null, 'all', 8).map(({ record: { path, decision } }) => [path, decision]);
    return JSON.stringify({ jobs: Object.fromEntries(states), folders, some, defects: defects.map(String) });
  }

  async function until(what: string, holds: () => boolean, longestMs = timeoutMs): Promise<void> {
    const startedMs = performance.now();
    for (;;) {
      const lookedMs = performance.now();
      if (holds()) return;
      const tookMs = performance.now() - lookedMs;
      if (lookedMs - startedMs > longestMs) throw new Failed(`${name}: waited in vain until ${what}; ${told()}`);
      // To ask about thousands of jobs must not be what they wait for.
      await new Promise((resolve) => setTimeout(resolve, Math.max(pollMs, tookMs * restPolls)));
    }
  }

  const close = () => (closing ??= end());
  await open();
  context.onEnd(close);

  const self: WatchCase = {
    name,
    root,
    folder,
    dataFolder,
    outputFolder,
    trashFolder,
    proxy,
    settings,
    scanners,
    get watch() {
      return watch;
    },
    get queue() {
      return queue;
    },
    async save(change = {}) {
      const view = await watch.save(id, { ...settings, ...change }, testVoice);
      ({ id } = view.folder);
      return view;
    },
    async begin(change = {}) {
      await self.save(change);
      await until('the folder is watched', () => {
        const { mode, checkedAt } = self.view();
        return checkedAt !== null && mode === 'watching';
      });
    },
    view() {
      must(id !== null, `${name}: no folder is watched`);
      return watch.getFolder(id);
    },
    file,
    verdict: (path) => file(path)?.record.decision ?? 'unseen',
    isDone,
    jobs,
    put: (path, number) => putFile(root, path, recording(number)),
    async putLast() {
      lasts += 1;
      const path = `zz last ${lasts}.wav`;
      await self.put(path, lastNumber + lasts);
      await until(`${path} is done`, () => isDone(path));
    },
    until,
    async uploads() {
      const ids = proxy.calls.flatMap(({ operation, outcome, task }) =>
        operation === 'upload' && outcome === 'answered' && task !== null ? [task] : [],
      );
      const hashes: string[] = [];
      for (const taskId of ids) {
        const upload = (await tasks.read(taskId))?.upload;
        must(upload !== undefined && upload !== null, `${name}: the service has no upload of ${taskId}`);
        hashes.push(sha256Of(await readFile(tasks.pathOf(taskId, upload.file))));
      }
      return hashes;
    },
    mostPaid: () => most(paidCalls(proxy.calls)),
    paid: () => [...paidCalls(proxy.calls).values()].reduce((sum, count) => sum + count, 0),
    outputs: async () => (await readdir(outputFolder, { recursive: true }).catch(() => [])).sort(),
    async restart() {
      await shut();
      await open();
    },
    close,
  };
  return self;
}
