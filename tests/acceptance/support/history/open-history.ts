import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { createIpcServer, createEmitters } from '../../../../src/main/core/ipc-server.ts';
import { systemClock, type Clock } from '../../../../src/main/core/clock.ts';
import { createCore, type Core } from '../../../../src/main/core/core.ts';
import type { Data } from '../../../../src/main/core/data.ts';
import { createAttendedReads } from '../../../../src/main/core/files/attended-reads.ts';
import { soundOf } from '../../../../src/main/core/recorded-sound.ts';
import { createDrawWaveform, createWaveformCache } from '../../../../src/main/core/waveforms.ts';
import { testVoice } from '../../../../src/main/core/jobs/job.fixture.ts';
import { hasEnded, type Job } from '../../../../src/main/core/jobs/job.ts';
import { createServeMedia } from '../../../../src/main/core/media/media-server.ts';
import { createSettingsStore } from '../../../../src/main/core/settings.ts';
import { createSpeechDraft } from '../../../../src/main/core/speech/speech-draft.ts';
import type { SpawnService } from '../../../../src/main/core/child-process.ts';
import { emitDataChanges, createHandlers } from '../../../../src/main/handlers/index.ts';
import { createAllowedPaths } from '../../../../src/main/handlers/allowed-paths.ts';
import { createClient } from '../../../../src/shared/ipc/client.ts';
import type { Client } from '../../../../src/shared/ipc/define-contract.ts';
import { contract, type Contract } from '../../../../src/shared/ipc/contract.ts';
import type { Problem, Reply } from '../../../../src/shared/errors.ts';
import { inputSchemas } from '../../../../src/shared/ipc/inputs.ts';
import { type ConversionSettings, defaultSettings, type Settings } from '../../../../src/shared/schemas/settings.ts';
import type { HistoryList, HistoryRow, LongTaskProgress } from '../../../../src/shared/schemas/history.ts';
import type { SpeechSettings } from '../../../../src/shared/schemas/speech.ts';
import { createSoundReader } from '../../../../src/sound/sound-reader.ts';
import { forkEntry } from '../queue/fork-entry.ts';
import { Failed, must } from '../scenario.ts';
import { noDesktop } from '../no-desktop.ts';
import { noUpdates } from '../no-updates.ts';

export interface HistoryOptions {
  /** Holds the data folder and all others. Existing data is opened again. */
  readonly folder: string;
  readonly onEnd: (cleanUp: () => Promise<unknown>) => void;
  /** Default: as the app starts them. */
  readonly spawnService?: SpawnService;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** False leaves jobs and watched folders as they stand. */
  readonly works?: boolean;
  /** Default: as the app starts it. */
  readonly integrityWorker?: URL;
  /** Called with how far an export or import has come. */
  readonly onWork?: (work: LongTaskProgress | null) => void;
  /** Defects that the scenario causes on purpose. */
  readonly expects?: (error: unknown) => boolean;
}

/** The user: the answers of the dialogs, and what they received. */
interface Person {
  /** Of the dialog that is next; null thinks better of it. */
  answer: string | null;
  readonly revealed: string[];
  readonly dragged: (readonly string[])[];
  readonly copied: string[];
}

/** The whole app without its window: the real core and its handlers, behind the real IPC. */
export interface HistoryCase {
  readonly folder: string;
  readonly dataFolder: string;
  readonly outputFolder: string;
  readonly trashFolder: string;
  readonly core: Core;
  readonly api: Client<Contract>;
  readonly person: Person;
  readonly damage: readonly Problem[];
  /** Lets the person choose a folder in the dialog, so that it may be named. */
  chooseFolder(path: string): Promise<void>;
  data(): Promise<Data>;
  /** Resolves when the whole database was read and history's files have settled. */
  sound(): Promise<void>;
  /** Converts files or speaks a text by the connection of the settings, and waits for the end. */
  convert(paths: readonly string[], change?: Partial<ConversionSettings>): Promise<readonly Job[]>;
  speak(text: string, change?: Partial<SpeechSettings>): Promise<Job>;
  /** Jobs that came since, once they have all ended. */
  endedSince(ids: ReadonlySet<string>, count: number): Promise<readonly Job[]>;
  ids(): Promise<ReadonlySet<string>>;
  job(id: string): Promise<Job>;
  /** Searches, and waits until the list is counted. */
  listed(text: string): Promise<HistoryList>;
  /** Every row of a search, by its list. */
  rows(text: string): Promise<readonly HistoryRow[]>;
  /** What a page gets for `media/<job id>/<side>`. */
  media(id: string, side: 'source' | 'result', range?: string): Promise<Response>;
  settings(change: Partial<Settings>): Promise<void>;
  /** Ends it, and throws `Failed` where it met a defect of ours. */
  close(): Promise<void>;
}

const timeoutMs = 150_000;
const threads = {
  'baseline-worker': new URL('../../../../src/main/core/watch/baseline-worker.ts', import.meta.url),
  'checkpoint-worker': new URL('../../../../src/main/core/database/checkpoint-worker.ts', import.meta.url),
  'integrity-worker': new URL('../../../../src/main/core/database/integrity-worker.ts', import.meta.url),
  'inspection-worker': new URL('../../../../src/sound/inspection-worker.ts', import.meta.url),
  'sound-worker': new URL('../../../../src/sound/sound-worker.ts', import.meta.url),
  'list-worker': new URL('../../../../src/main/core/history/list-worker.ts', import.meta.url),
  'statistics-worker': new URL('../../../../src/main/core/history/statistics-worker.ts', import.meta.url),
};
const soundWorker = new URL('../../../../src/sound/sound-worker.ts', import.meta.url);
const rowsAtOnce = 100;

const nobody = () => Promise.resolve(null);

/** Both ends of the bridge, with a real structured clone in between. */
function createBridge() {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const emit = createEmitters(contract, (channel, payload) => {
    for (const listener of listeners.get(channel) ?? []) listener(structuredClone(payload));
  });
  const join = (answers: ReturnType<typeof createIpcServer>): Client<Contract> =>
    createClient(contract, {
      async invoke(channel, input): Promise<Reply<unknown>> {
        const answer = answers.get(channel);
        must(answer !== undefined, `nobody answers ${channel}`);
        return structuredClone(await answer(structuredClone(input)));
      },
      subscribe(channel, listener) {
        const all = listeners.get(channel) ?? new Set();
        listeners.set(channel, all.add(listener));
        return () => void all.delete(listener);
      },
    });
  return { emit, join };
}

export async function openHistory(options: HistoryOptions): Promise<HistoryCase> {
  const { folder, onEnd, spawnService = forkEntry, clock = systemClock, works = true, expects = () => false } = options;
  const { integrityWorker = threads['integrity-worker'] } = options;
  const [dataFolder, outputFolder, trashFolder] = ['data', 'out', 'trash'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [dataFolder, outputFolder, trashFolder]) await mkdir(one, { recursive: true });
  const person: Person = { answer: null, revealed: [], dragged: [], copied: [] };
  const damage: Problem[] = [];
  const defects: unknown[] = [];
  const onDefect = (error: unknown) => {
    if (!expects(error)) defects.push(error);
  };
  const { emit, join: joinBridge } = createBridge();
  let stored: unknown = { ...defaultSettings, outputFolder, nameTemplate: '{name}' };
  const store = createSettingsStore(
    { read: () => stored, write: (settings) => void (stored = settings) },
    clock,
    new AbortController().signal,
  );
  const settled = Promise.withResolvers<void>();
  settled.promise.catch(() => undefined);
  if (!works) settled.resolve();
  const core = createCore({
    clock,
    random: Math.random,
    dataFolder,
    spawnService,
    threadUrl: (name) => (name === 'integrity-worker' ? integrityWorker : threads[name]),
    // A command takes up nothing that it was not asked for.
    role: works ? 'app' : 'command',
    settings: store.get,
    onProgress: () => undefined,
    onDefect,
    onDamage(problem) {
      damage.push(problem);
      emit.app.databaseDamaged(problem);
    },
    trash: (path) => rename(path, join(trashFolder, basename(path))),
    onData: (data) => emitDataChanges(data, { ...core, emit, onDefect }),
    onVerified(data) {
      data.historyFiles.start().then(settled.resolve, settled.reject);
    },
  });
  const soundReader = createSoundReader({ workerUrl: soundWorker });
  const folds = createWaveformCache({ folder: dataFolder });
  const choose = () => Promise.resolve(person.answer);
  const places = createAllowedPaths();
  const draft = createSpeechDraft(join(dataFolder, 'speech', 'draft.txt'), clock);
  const handlers = createHandlers({
    core,
    places,
    settings: () => Promise.resolve(store),
    drawWaveform: createDrawWaveform({
      soundReader,
      cache: folds,
      reads: createAttendedReads(clock, process.platform),
    }),
    clock,
    updates: noUpdates,
    app: {
      portableFolder: null,
      version: '0',
      platform: process.platform,
      languages: ['en'],
      formatLocale: 'en',
      readNotices: () => Promise.resolve([]),
      onReady: () => undefined,
      desktop: noDesktop,
      onPageLog: () => undefined,
      onRestart: () => undefined,
    },
    dialogs: {
      chooseProgram: nobody,
      confirmArguments: () => Promise.resolve(false),
      chooseDocument: nobody,
      chooseNewDocument: nobody,
      chooseFile: nobody,
      chooseFiles: () => Promise.resolve([]),
      chooseFolder: choose,
      chooseNewExport: choose,
      chooseExport: choose,
      chooseFileOrFolder: choose,
      confirmProxy: () => Promise.resolve(false),
      chooseLexicon: nobody,
      chooseNewLexicon: nobody,
      chooseTexts: () => Promise.resolve([]),
    },
    draft: () => Promise.resolve(draft),
    desktop: {
      sample: { path: '', outputFolder: () => outputFolder },
      speechFolder: () => outputFolder,
      reveal: (path) => person.revealed.push(path),
    },
    history: {
      emitProgress: (work) => options.onWork?.(work),
      fileSharing: () =>
        Promise.resolve({
          copyText: (text) => Promise.resolve(void person.copied.push(text)),
          copyFiles: () => Promise.resolve(),
          shareFiles: () => Promise.resolve(),
          dragFiles: (paths) => person.dragged.push(paths),
        }),
      importFolder: () => Promise.resolve(join(outputFolder, 'Timbre import')),
    },
    diagnostics: { version: '0', dataFolder, emitChecked: () => undefined },
  });
  const onUnexpected = (channel: string, error: unknown) => onDefect(new Error(channel, { cause: error }));
  const api = joinBridge(createIpcServer({ contract, handlers, schemas: inputSchemas, onUnexpected }));

  async function within<T>(what: string, promise: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new Failed(`waited in vain until ${what}; ${defects.map(String).join('; ')}`));
    }, timeoutMs);
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  const data = () => core.data();
  const jobs = async () => (await data()).queue.store.page(null, -1);
  const ids = async () => new Set((await jobs()).map(({ id }) => id));

  async function endedSince(before: ReadonlySet<string>, count: number): Promise<readonly Job[]> {
    const { queue } = await data();
    const { promise, resolve } = Promise.withResolvers<readonly Job[]>();
    const look = () => {
      const some = queue.store.page(null, -1).filter(({ id }) => !before.has(id));
      if (some.length >= count && some.every(hasEnded)) resolve(some);
    };
    const end = queue.store.onEvent(look);
    look();
    try {
      return await within(`${count} jobs have ended`, promise);
    } finally {
      end();
    }
  }

  async function listed(text: string): Promise<HistoryList> {
    const { promise, resolve } = Promise.withResolvers<HistoryList>();
    let wanted: number | undefined;
    const early: HistoryList[] = [];
    const end = api.history.onListCounted((list) => {
      early.push(list);
      if (list.list === wanted) resolve(list);
    });
    try {
      wanted = (await api.history.search({ text })).list;
      const there = early.find(({ list }) => list === wanted);
      return there ?? (await within(`"${text}" is counted`, promise));
    } finally {
      end();
    }
  }

  async function end(): Promise<void> {
    await core.stop();
    await soundReader.stop();
    folds.stop();
    const [defect] = defects;
    if (defects.length === 0) return;
    throw new Failed(`a defect: ${inspect(defect)}`);
  }
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= end());
  onEnd(close);

  async function chooseFolder(path: string): Promise<void> {
    person.answer = path;
    await api.app.chooseFolder();
    person.answer = null;
  }

  return {
    folder,
    dataFolder,
    outputFolder,
    trashFolder,
    core,
    api,
    person,
    damage,
    data,
    chooseFolder,
    async sound() {
      await data();
      await within('all of the database was read', settled.promise);
    },
    async convert(paths, change = {}) {
      const before = await ids();
      const conversion = {
        ...defaultSettings.conversion,
        voiceId: testVoice.id,
        engine: 'v5',
        format: '.wav',
      } as const;
      paths.forEach(places.allow);
      const { connectionId } = await api.settings.get();
      const { added, refused } = await api.jobs.add({
        paths,
        connectionId,
        atMost: null,
        settings: { ...conversion, ...change },
      });
      return endedSince(before, added + refused);
    },
    async speak(text, change = {}) {
      const before = await ids();
      const speech = { ...defaultSettings.speech, voiceId: testVoice.id, language: 'en-US', ...change };
      await api.speech.saveDraft({ part: 0, parts: 1, text });
      await api.speech.speak({ settings: speech, length: text.length, again: [] });
      const [job] = await endedSince(before, 1);
      must(job !== undefined, `"${text}" was not spoken`);
      return job;
    },
    endedSince,
    ids,
    async job(id) {
      const job = (await data()).queue.store.get(id);
      must(job !== undefined, `job ${id} is gone`);
      return job;
    },
    listed,
    async rows(text) {
      const { list, matches } = await listed(text);
      const rows: HistoryRow[] = [];
      for (let from = 0; from < matches; from += rowsAtOnce) {
        rows.push(...(await api.history.rows({ list, from, count: rowsAtOnce })));
      }
      return rows;
    },
    async media(id, side, range) {
      const job = (await data()).queue.store.get(id);
      const path = job && soundOf(job, side)?.path;
      return createServeMedia(clock)(
        path,
        new Request('http://media.test', { headers: range === undefined ? {} : { range } }),
      );
    },
    async settings(change) {
      if (typeof change.outputFolder === 'string') await chooseFolder(change.outputFolder);
      await api.settings.update(change);
    },
    close,
  };
}
