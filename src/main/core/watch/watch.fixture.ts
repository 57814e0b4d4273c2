import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startTestEngine, testToken, type TestEngine } from '../../../engine/engine.fixture.ts';
import type { Problem } from '../../../shared/errors.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { defaultFolderSpeech, watchedExtensions, type WatchSettings } from '../../../shared/schemas/watch.ts';
import { startScriptedService, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import { openDatabase } from '../database/database.ts';
import { testVoice } from '../jobs/job.fixture.ts';
import type { Job } from '../jobs/job.ts';
import { createQueue, type Queue } from '../jobs/queue.ts';
import { createVoiceCache } from '../voices/voice-cache.ts';
import { createVoiceCatalogue } from '../voices/voice-catalogue.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import { createNameOrder } from '../name-order.ts';
import { createWatch, type FolderView, type Watch } from './watch-service.ts';
import { createLocalScanner } from '../scanner/local-scanner.ts';
import { wavBytes } from '../scanner/scanner.fixture.ts';
import type { WatchedFileView } from './watched-state.ts';

const ratio = { min: 0.5, max: 2, default: 1 };

/** How a folder of tests speaks texts. */
export const folderSpeech = defaultFolderSpeech({ pitch: ratio, speed: ratio });

/** A watch service with its queue, the real engine, a data folder and a watched folder. */
export interface WatchFixture {
  /** The engine that all fixtures of one test file share. */
  readonly engine: TestEngine;
  readonly watch: Watch;
  readonly queue: Queue;
  /** The user's setting; a test may change it. */
  readonly power: { isPausedOnBattery: boolean };
  readonly root: string;
  readonly folder: string;
  readonly trashed: readonly string[];
  /** Called for each file that is trashed; trashing takes as long as this promise. */
  trashing: () => Promise<void>;
  /** Called when voices are listed; listing takes as long as this promise. */
  listing: () => Promise<void>;
  /** Why the user's own voices cannot be listed. */
  voicesProblem: Problem | null;
  readonly defects: readonly unknown[];
  forgetDefects(): void;
  /** Sets the connection's limit from the next restart on. */
  limitTexts(characters: number): void;
  /** Sets the clock forward. */
  advance(ms: number): void;
  readonly settings: WatchSettings;
  save(change?: Partial<WatchSettings>, id?: string | null): Promise<FolderView>;
  /** Saves the folder and resolves once it was scanned: what is there before is only asked about. Returns its id. */
  watchFolder(change?: Partial<WatchSettings>): Promise<string>;
  /** Starts to watch as a command does. */
  run(answer: 'convert' | 'leave', change?: Partial<WatchSettings>): Promise<FolderView>;
  /** Writes a complete recording, old enough to pass the gate at once. `fill` determines its content. */
  put(path: string, fill: number): Promise<string>;
  /** Writes a file, saved this many seconds after a time long ago, so that it passes the gate at once. */
  write(path: string, content: string | Uint8Array, seconds?: number): Promise<string>;
  /** Resolves when `holds` returns true; checked on each folder, file and job event. */
  until(what: string, holds: () => boolean): Promise<void>;
  file(path: string): WatchedFileView | undefined;
  jobs(): readonly Job[];
  /** Stops everything, runs `meanwhile`, and reopens the same data; the watch starts only with `starts`. */
  restart(meanwhile?: () => Promise<void>, starts?: boolean): Promise<void>;
  stop(): Promise<void>;
}

const timeoutMs = 150_000;
/** Seconds since 1970. */
const savedAt = 1_700_000_000;

/**
 * Opens a fixture before each test of a file or a `describe`, and passes it to `prepare`. Stops it after the test, and expects that
 * no defect was reported.
 */
export function useWatchFixture(prepare: (opened: WatchFixture) => unknown): void {
  let engine: TestEngine;
  let fixture: WatchFixture;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.remove());
  beforeEach(async () => {
    fixture = await openWatchFixture(engine);
    await prepare(fixture);
  });
  afterEach(async () => {
    await fixture.stop();
    expect(fixture.defects).toEqual([]);
  });
}

/** With `beside`, opens a command on the data folder of another fixture, which must be stopped later. */
export async function openWatchFixture(engine: TestEngine, beside?: WatchFixture): Promise<WatchFixture> {
  const folder = beside?.folder ?? (await mkdtemp(join(tmpdir(), 'timbre-watch-')));
  const root = join(folder, 'in');
  if (!beside) await mkdir(root);
  const defects: unknown[] = [];
  const trashed: string[] = [];
  const power = { isPausedOnBattery: false };
  let http: Http;
  let service: ScriptedService;
  let queue: Queue;
  let watch: Watch;
  let id: string | null = null;
  let maxTextLength: number | null = null;
  let aheadMs = 0;

  const settings: WatchSettings = {
    path: root,
    isRecursive: true,
    endings: watchedExtensions,
    connectionId: 'test',
    conversion: { ...defaultSettings.conversion, voiceId: testVoice.id, engine: 'v5' },
    outputFolder: join(folder, 'out'),
    afterwards: 'keep',
    dailyMinutes: null,
    hours: null,
    hasSubfolderVoices: false,
    speech: null,
    runsHook: true,
  };

  async function open(starts = !beside): Promise<void> {
    http = createHttp();
    service = await startScriptedService(() => undefined);
    const hosts = { voice: engine.origin, upload: engine.origin, converter: '', models: '', sample: '' };
    const known = service.connection({ hosts }, testToken);
    const limits = { ...known.document.limits, maxTextLength };
    const connection = { ...known, document: { ...known.document, limits }, id: 'test' };
    const connections = createConnectionRegistry(http, [connection]);
    const database = await openDatabase(join(folder, 'data'));
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const shared = { clock, connections, onDefect: (error: unknown) => void defects.push(error) };
    queue = createQueue(database, {
      ...shared,
      dataFolder: join(folder, 'data'),
      random: Math.random,
      role: beside ? 'command' : 'app',
      isPausedOnBattery: () => power.isPausedOnBattery,
      onProgress: () => undefined,
    });
    const stopping = new AbortController();
    const voices = createVoiceCatalogue({
      ...shared,
      cache: () => Promise.resolve(createVoiceCache(database)),
      signal: stopping.signal,
    });
    watch = createWatch({
      compareNames: createNameOrder(() => 'en'),
      ...shared,
      voices: {
        async listAll(connection) {
          await fixture.listing();
          const all = await voices.listAll(connection);
          return { ...all, problem: fixture.voicesProblem ?? all.problem };
        },
      },
      database,
      queue,
      scanner: createLocalScanner(),
      threadUrl: () => new URL('./baseline-worker.ts', import.meta.url),
      spawnService: () => {
        throw new Error('the scanner is in this process');
      },
      nameTemplate: () => '{name}',
      pronunciations: () => [],
      trash: async (path) => {
        trashed.push(path);
        await fixture.trashing();
        await rm(path);
      },
    });
    queue.scheduler.start();
    if (starts) watch.start();
  }

  async function close(): Promise<void> {
    await watch.stop();
    await queue.stop();
    await http.close();
    await service.stop();
  }

  const jobs = () => queue.store.page(null, -1);
  const file = (path: string) => (id === null ? undefined : watch.findFile(id, path));

  await open();
  const fixture: WatchFixture = {
    engine,
    trashing: () => Promise.resolve(),
    listing: () => Promise.resolve(),
    voicesProblem: null,
    get watch() {
      return watch;
    },
    get queue() {
      return queue;
    },
    power,
    root,
    folder,
    trashed,
    defects,
    forgetDefects: () => void (defects.length = 0),
    limitTexts: (characters) => void (maxTextLength = characters),
    advance: (ms) => void (aheadMs += ms),
    settings,
    async save(change = {}, given = id) {
      const view = await watch.save(given, { ...settings, ...change }, testVoice);
      ({ id } = view.folder);
      return view;
    },
    async watchFolder(change) {
      const { folder: saved } = await fixture.save(change);
      await fixture.until('the folder is watched', () => {
        const { checkedAt, mode } = watch.getFolder(saved.id);
        return checkedAt !== null && (mode === 'watching' || mode === 'polling');
      });
      return saved.id;
    },
    async run(answer, change = {}) {
      const view = await watch.run({ ...settings, ...change }, testVoice, answer);
      ({ id } = view.folder);
      return view;
    },
    put: (path, fill) => fixture.write(path, wavBytes(0.3, fill), fill),
    async write(path, content, seconds = 1) {
      const whole = join(root, path);
      await mkdir(dirname(whole), { recursive: true });
      // A new file appears with its time: before it has that, it would be another version.
      const isNew = !existsSync(whole);
      const written = isNew ? join(folder, randomUUID()) : whole;
      await writeFile(written, content);
      await utimes(written, savedAt, savedAt + seconds);
      if (isNew) await rename(written, whole);
      return whole;
    },
    async until(what, holds) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = () => {
        if (holds()) resolve();
      };
      const summary = () =>
        `${what}; jobs: ${jobs()
          .map((job) => `${job.state} ${job.problem?.code ?? ''}`)
          .join(', ')}; folders: ${JSON.stringify(watch.listFolders().map(({ mode, counts }) => ({ mode, counts })))}`;
      const timer = setTimeout(() => reject(new Error(`waited in vain until ${summary()}`)), timeoutMs);
      // No event says that the last work in a queue is done.
      const poll = setInterval(check, 100);
      const ends = [watch.onFile(check), watch.onFolder(check), queue.store.onEvent(() => setImmediate(check))];
      check();
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        clearInterval(poll);
        ends.forEach((end) => end());
      }
    },
    file,
    jobs,
    async restart(meanwhile, starts) {
      await close();
      await meanwhile?.();
      await open(starts);
    },
    async stop() {
      await close();
      if (!beside) await rm(folder, { recursive: true });
    },
  };
  return fixture;
}
