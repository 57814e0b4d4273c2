import { AppError, type ErrorCode, type Reply } from '../../src/shared/errors.ts';
import type { Bridge } from '../../src/shared/ipc/client.ts';
import { channelOf, channelsOf, type Emitters, type Handlers } from '../../src/shared/ipc/define-contract.ts';
import { contract, type Contract } from '../../src/shared/ipc/contract.ts';
import {
  type ConnectionCheck,
  type ConnectionDocument,
  type ConnectionInfo,
  documentFaults,
  newDocument,
  type TokenState,
} from '../../src/shared/schemas/connection.ts';
import {
  type AppInfo,
  type CloseRequest,
  type DesktopInfo,
  type QuitRequest,
  type WhenDone,
  whenNothingIsDone,
} from '../../src/shared/schemas/app.ts';
import { type Pronunciation, withPronunciation } from '../../src/shared/text/pronounce.ts';
import type { BatchPage, OpenedTexts, PassageState, TakeUsage } from '../../src/shared/schemas/speech.ts';
import { splitText } from '../../src/shared/text/split-text.ts';
import { countSubtitles, splitSubtitles } from '../../src/shared/text/subtitles.ts';
import type { AddedJobs, AddPreview, JobInfo, JobProgress, Pause } from '../../src/shared/schemas/job.ts';
import type { FfmpegStatus } from '../../src/shared/schemas/app.ts';
import type { Problem } from '../../src/shared/errors.ts';
import type { UpdateStatus } from '../../src/shared/schemas/update.ts';
import type { HookSettings, HookStatus } from '../../src/shared/schemas/hook.ts';
import type { CopyStatus } from '../../src/shared/schemas/copies.ts';
import type { Preset, PresetImport } from '../../src/shared/schemas/preset.ts';
import type { Settings } from '../../src/shared/schemas/settings.ts';
import type { Voice } from '../../src/shared/schemas/voice.ts';
import { fakeDiagnostics, type DiagnosticsScene } from './fake-diagnostics.ts';
import { fakeWaveform } from './fake-waveform.ts';
import { fakeHistory, type HistoryScene } from './fake-history.ts';
import { fakePresets } from './fake-presets.ts';
import { fakeVoices, type VoiceServiceScene } from './fake-voices.ts';
import { fakeWatch, type WatchScene } from './fake-watch.ts';

/** The data of main that the page sees. */
export interface Scene {
  readonly info: AppInfo;
  readonly settings: Settings;
  readonly connections: readonly ConnectionInfo[];
  /** The document of every connection. */
  readonly document: ConnectionDocument;
  readonly checks: readonly ConnectionCheck[];
  readonly token: TokenState;
  readonly voices: readonly Voice[];
  /** The text in the Speech view. */
  readonly draft: string;
  /** What “Open text” opens in Speech; none for nothing. */
  readonly batch?: { readonly opened: OpenedTexts; readonly page: BatchPage };
  /** How many of its passages are spoken. Default: none. */
  readonly spokenPassages?: number;
  readonly pronunciations?: readonly Pronunciation[];
  readonly jobs: readonly JobInfo[];
  readonly pauses: readonly Pause[];
  /** What `jobs.getProcessingSpeed` answers, for every connection. */
  readonly processingSpeed: number | null;
  /** Emitted once the page is ready; null without a request to quit. */
  readonly quitRequest: QuitRequest | null;
  /** Emitted once the page is ready. Default: the user is not closing the window. */
  readonly closeRequest?: CloseRequest;
  readonly whenDone?: WhenDone;
  /** Default: a desktop with a tray, and no login item. */
  readonly desktop?: DesktopInfo;
  /** Emitted once the page is ready. */
  readonly progress: readonly JobProgress[];
  /** What `jobs.preview` answers. Default: nothing would be added. */
  readonly addPreview?: AddPreview;
  /** What `jobs.add` answers. */
  readonly added: AddedJobs;
  readonly diagnostics?: DiagnosticsScene;
  /** Data of the voice service besides the catalogue. Default: none. */
  readonly voiceService?: VoiceServiceScene;
  /** Default: none. */
  readonly presets?: readonly Preset[];
  /** What an import of presets reports. Default: the user cancels it. */
  readonly presetImport?: PresetImport;
  /** Default: no copies of results. */
  readonly copies?: CopyStatus;
  /** Jobs whose recording cannot be decoded. */
  readonly plainJobs?: readonly string[];
  /** Default: found on this computer. */
  readonly ffmpeg?: FfmpegStatus;
  /** Default: no run of the hook. */
  readonly hook?: HookStatus;
  /** What main found when it opened the data; default: nothing. */
  readonly damage?: Problem;
  /** Default: a Timbre that comes from no package. */
  readonly updates?: UpdateStatus;
  /** Default: no watched folder. */
  readonly watch?: WatchScene;
  /** Default: no entries. */
  readonly history?: HistoryScene;
  /** Sounds of sentences that are kept, and whether they can be removed. */
  readonly takes?: TakeUsage;
  readonly canRemoveTakes?: boolean;
  /** Channels that fail on each request. */
  readonly failures: Readonly<Record<string, ErrorCode>>;
  /** Channels that never answer. */
  readonly unanswered: readonly string[];
}

export interface FakeBridge extends Bridge<File> {
  readonly emit: Emitters<Contract>;
  /** As if the user had selected it in another window. */
  selectLanguage(language: Settings['language']): void;
  /** Every call so far: channel and input. */
  readonly calls: readonly (readonly [channel: string, input: unknown])[];
}

const userPause: Pause = { connectionId: null, reason: 'user', since: 0, resumesAt: null, problem: null };
const pageSize = 500;

const passagesOf = ({ draft, spokenPassages = 0, settings }: Scene): readonly PassageState[] =>
  (countSubtitles(draft) === null ? splitText : splitSubtitles)(draft, {
    ...{ language: 'en-GB', maxLength: null },
    speakers: (settings.speech.speakers ?? []).map(({ name }) => name),
  }).map(({ start, end, ends, speaker }, k) => {
    const isSpoken = k < spokenPassages;
    const takes = Array.from({ length: isSpoken ? (k === 1 ? 3 : 1) : 0 }, (_, n) => `a/${k}-${n + 1}.wav`);
    const place = { start, end, ends, ...(speaker !== undefined && { speaker }) };
    return { ...place, media: takes.at(-1) ?? null, takes, durationSeconds: isSpoken ? 1 + (k % 7) : null };
  });

/** The bridge without a main: in memory, derived from the contract, with the data of a scene. For screenshots and component tests. */
export function createFakeBridge(scene: Scene): FakeBridge {
  const known = channelsOf(contract, 'request');
  const unknownChannels = [...Object.keys(scene.failures), ...scene.unanswered].filter(
    (name) => !known.some((channel) => channel === name),
  );
  if (unknownChannels.length > 0) throw new Error(`No such channel: ${unknownChannels.join(', ')}`);
  const calls: (readonly [string, unknown])[] = [];
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const jobs = new Map(scene.jobs.map((job) => [job.id, job]));
  let settings = scene.settings;
  let pronunciations = scene.pronunciations ?? [];
  let whenDone: WhenDone = scene.whenDone ?? whenNothingIsDone;
  let desktop: DesktopInfo = scene.desktop ?? {
    place: 'tray',
    loginItem: 'off',
    powerSource: 'mains',
    terminalCommand: null,
  };
  let pauses = scene.pauses;
  let copies: CopyStatus = scene.copies ?? {
    folder: '/home/ada/.config/Timbre/copies',
    copies: 0,
    bytes: 0,
    waiting: 0,
    problem: null,
  };

  let ffmpeg: FfmpegStatus = scene.ffmpeg ?? {
    ...{ path: '/usr/bin/ffmpeg', version: '5.1.9', isSelected: false, system: 'linux' },
  };
  const updates: UpdateStatus = scene.updates ?? {
    ...{ phase: 'unsupported', host: '', checkedAt: null, available: null },
    ...{ canInstall: false, progress: 0, problem: null },
  };
  const hook: HookStatus = scene.hook ?? { waiting: 0, failed: 0, failures: [], last: null };

  function setHookSettings(change: Partial<HookSettings>): void {
    settings = { ...settings, hook: { ...settings.hook, ...change } };
    emit.settings.changed(settings);
  }

  function setCopySettings(change: Partial<Settings['copies']>): void {
    settings = { ...settings, copies: { ...settings.copies, ...change } };
    emit.settings.changed(settings);
  }

  const emitter = (channel: string) => (payload: unknown) =>
    listeners.get(channel)?.forEach((listener) => listener(payload));
  const emit: Emitters<Contract> = {
    app: {
      quitRequested: emitter('app:quitRequested'),
      closeRequested: emitter('app:closeRequested'),
      hidden: emitter('app:hidden'),
      openRequested: emitter('app:openRequested'),
      commandRequested: emitter('app:commandRequested'),
      whenDoneChanged: emitter('app:whenDoneChanged'),
      databaseDamaged: emitter('app:databaseDamaged'),
      defect: emitter('app:defect'),
    },
    connections: { changed: emitter('connections:changed') },
    voices: {},
    speech: {},
    pronunciations: {},
    models: {},
    jobs: {
      changed: emitter('jobs:changed'),
      pausesChanged: emitter('jobs:pausesChanged'),
      progressed: emitter('jobs:progressed'),
    },
    watch: { changed: emitter('watch:changed'), filesChanged: emitter('watch:filesChanged') },
    history: {
      taskProgressed: emitter('history:taskProgressed'),
      listCounted: emitter('history:listCounted'),
      changed: emitter('history:changed'),
    },
    copies: { changed: () => emitter('copies:changed')(undefined) },
    hook: { changed: () => emitter('hook:changed')(undefined) },
    ffmpeg: {},
    presets: { changed: emitter('presets:changed') },
    updates: { changed: emitter('updates:changed') },
    settings: { changed: emitter('settings:changed') },
    diagnostics: { checkChanged: emitter('diagnostics:checkChanged') },
  };

  function change(ids: readonly string[], state: JobInfo['state']): void {
    const upserted = ids.flatMap((id) => {
      const job = jobs.get(id);
      if (!job) return [];
      const changed: JobInfo = { ...job, state, revision: job.revision + 1, stateChangedAt: Date.now(), problem: null };
      jobs.set(id, changed);
      return [changed];
    });
    emit.jobs.changed({ upserted, removed: [] });
  }

  function setPauses(now: readonly Pause[]): void {
    pauses = now;
    emit.jobs.pausesChanged(pauses);
  }

  function reorder(ids: readonly string[], before: string | null): void {
    const end = before === null ? Infinity : (jobs.get(before)?.position ?? Infinity);
    const positions = [...jobs.values()].filter(({ id, position }) => !ids.includes(id) && position < end);
    const start = Math.max(0, ...positions.map(({ position }) => position));
    const step = end === Infinity ? 1 : (end - start) / (ids.length + 1);
    const upserted = ids.flatMap((id, k) => {
      const job = jobs.get(id);
      return job ? [{ ...job, position: start + step * (k + 1), revision: job.revision + 1 }] : [];
    });
    upserted.forEach((job) => jobs.set(job.id, job));
    emit.jobs.changed({ upserted, removed: [] });
  }

  const { row, ...history } = fakeHistory(scene, emit.history);

  const handlers: Handlers<Contract> = {
    app: {
      info: () => scene.info,
      notices: () => [
        { name: '@audio/decode-aac', version: '1.6.0', licence: 'GPL-2.0-or-later', text: 'Code from FAAD2.' },
        {
          name: 'svelte',
          version: '5.57.3',
          licence: 'MIT',
          text: `Copyright (c) 2016\n\n${'Permission is hereby granted. '.repeat(40)}`,
        },
      ],
      ready: () =>
        void setTimeout(() => {
          emit.jobs.progressed(scene.progress);
          if (scene.damage) emit.app.databaseDamaged(scene.damage);
          if (scene.quitRequest) emit.app.quitRequested(scene.quitRequest);
          if (scene.closeRequest) emit.app.closeRequested(scene.closeRequest);
        }, 50),
      note: () => undefined,
      restart: () => undefined,
      chooseFiles: () => ['chosen-1', 'chosen-2'],
      chooseFolder: () => '/home/ada/Audiobook',
      quit: () => undefined,
      close: () => undefined,
      allowUnload: () => undefined,
      setMenu: () => undefined,
      desktop: () => desktop,
      setLoginItem: ({ isOn }) => (desktop = { ...desktop, loginItem: isOn ? 'on' : 'off' }),
      setTerminalCommand({ isOn }) {
        const { terminalCommand } = desktop;
        return (desktop = {
          ...desktop,
          terminalCommand: terminalCommand && { ...terminalCommand, isInstalled: isOn },
        });
      },
      cancelQuit: () => undefined,
      whenDone: () => whenDone,
      chooseWhenDone({ action }) {
        whenDone = { ...whenNothingIsDone, action };
        emit.app.whenDoneChanged(whenDone);
      },
      postponeWhenDone: () => undefined,
    },
    connections: {
      list: () => scene.connections,
      importFile: () => null,
      getDocument: ({ id }) => (id === null ? newDocument() : scene.document),
      save: ({ document }) => {
        const fields = documentFaults(document).map(({ field }) => field);
        const [connection] = scene.connections;
        return fields.length > 0 || !connection ? { kind: 'invalid', fields } : { kind: 'saved', connection };
      },
      exportFile: () => true,
      remove: () => undefined,
      test: () => scene.checks,
      getTokenState: () => scene.token,
      setToken: () => ({ ...scene.token, place: scene.token.keychainProblem === null ? 'keychain' : 'session' }),
      clearToken: () => ({ ...scene.token, place: null }),
    },
    speech: {
      speak: () => ({ id: 'spoken' }),
      outline() {
        const passages = passagesOf(scene);
        const open = passages.filter(({ media }) => media === null);
        const characters = open.reduce((sum, { start, end }) => sum + end - start, 0);
        const subtitles = countSubtitles(scene.draft);
        const paragraphs = subtitles === null ? passages.filter(({ ends }) => ends === 'paragraph').length : 0;
        const spoken = passages.length - open.length;
        return { passages: passages.length, spoken, calls: open.length, characters, paragraphs, subtitles };
      },
      chooseTake: () => undefined,
      takeUsage: () => scene.takes ?? { takes: 1204, bytes: 310e6 },
      removeTakes: () => scene.canRemoveTakes ?? true,
      listPassages: () => ({ passages: passagesOf(scene), next: null }),
      saveDraft: () => undefined,
      readText: ({ part }) => ({ part, parts: 1, text: scene.draft }),
      openFiles: () => scene.batch?.opened ?? null,
      openDraft: () =>
        scene.batch?.opened ?? { kind: 'batch', name: null, files: 0, divisions: ['paragraphs'], isEditable: false },
      listBatch: () => scene.batch?.page ?? { rows: [], next: null, texts: 0, bad: 0, characters: 0, calls: 0 },
      speakBatch: ({ count }) => ({ added: count, known: 0 }),
    },
    pronunciations: {
      list: () => pronunciations,
      save: ({ entry, before }) => {
        const others = pronunciations.filter((one) => one.word !== before?.word || one.language !== before.language);
        return (pronunciations = withPronunciation(others, entry));
      },
      remove: ({ word, language }) =>
        (pronunciations = pronunciations.filter((one) => one.word !== word || one.language !== language)),
      importFile: () => null,
      exportFile: () => null,
    },
    ...fakeVoices(scene),
    jobs: {
      preview: () =>
        scene.addPreview ?? { found: 0, recordings: 0, seconds: 0, unmeasured: 0, longestSeconds: 0, tooLong: 0 },
      add: () => ({ ...scene.added, createdIds: [...jobs.keys()] }),
      undoAdd: () => ({ removed: scene.added.added, kept: 0 }),
      addSample: () => ({ added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: null, createdIds: [] }),
      list: ({ after }) => {
        const start = after ?? 0;
        const all = [...jobs.values()];
        return {
          jobs: all.slice(start, start + pageSize),
          next: start + pageSize < all.length ? start + pageSize : null,
        };
      },
      cancel: ({ ids }) => change(ids, 'cancelled'),
      retry: ({ ids }) => change(ids, 'queued'),
      retryIn: ({ id }) => change(id === null ? [] : [id], 'queued'),
      repeat: () => undefined,
      reorder: ({ ids, before }) => reorder(ids, before),
      getProcessingSpeed: () => ({ secondsPerSecond: scene.processingSpeed }),
      pauses: () => pauses,
      pause: () => setPauses([...pauses, userPause]),
      allowToken: ({ connectionId }) => setPauses(pauses.filter((pause) => pause.connectionId !== connectionId)),
      resume: ({ connectionId }) => setPauses(pauses.filter((pause) => pause.connectionId !== connectionId)),
      continueOnBattery: () => setPauses(pauses.filter(({ reason }) => reason !== 'battery')),
      remove: ({ ids }) => {
        ids.forEach((id) => jobs.delete(id));
        emit.jobs.changed({ upserted: [], removed: ids });
      },
      reveal: () => undefined,
      getWaveform: ({ id, which }) => {
        const job = jobs.get(id) ?? scene.watch?.files.find((file) => file.job?.id === id)?.job ?? row(id);
        if (scene.plainJobs?.includes(id)) return { columns: '', durationSeconds: 0, levelDb: null };
        const seconds = job?.kind === 'speech' ? 6 : job?.durationSeconds;
        return seconds ? fakeWaveform(id, which, seconds) : null;
      },
    },
    updates: {
      status: () => updates,
      check: () => updates,
      download: () => updates,
      install: () => undefined,
      openPage: () => undefined,
    },
    settings: {
      get: () => settings,
      update: (part) => (settings = { ...settings, ...part }),
    },
    copies: {
      status: () => copies,
      update: ({ isOn, maxGigabytes }) => setCopySettings({ isOn, maxGigabytes, since: 1 }),
      copyExisting: () => setCopySettings({ since: 0 }),
      removeAll: () => void (copies = { ...copies, copies: 0, bytes: 0 }),
      reveal: () => undefined,
    },
    ffmpeg: {
      status: () => ffmpeg,
      choose: () => (ffmpeg = { ...ffmpeg, path: '/home/ada/bin/ffmpeg', version: '7.1', isSelected: true }),
      reset: () => (ffmpeg = { ...ffmpeg, path: '/usr/bin/ffmpeg', version: '5.1.9', isSelected: false }),
    },
    hook: {
      status: () => hook,
      chooseProgram() {
        setHookSettings({ program: '/home/ada/bin/upload.sh' });
        return true;
      },
      update(change) {
        setHookSettings(change);
        return true;
      },
      test: () => ({
        ...{ name: null, isTest: true, endedAt: 0, seconds: 0.2, exitCode: 0, output: '', problem: null },
      }),
      repeatFailed: () => undefined,
    },
    presets: fakePresets(scene, emit.presets),
    watch: fakeWatch(scene, emit.watch),
    history,
    diagnostics: fakeDiagnostics(scene.diagnostics, emit.diagnostics),
  };
  // Erases the input types, which the page's client has checked.
  const byChannel = new Map(
    Object.entries(handlers).flatMap(([group, entries]) =>
      Object.entries(entries).map(([name, handle]) => [channelOf(group, name), handle as (input: unknown) => unknown]),
    ),
  );

  return {
    emit,
    selectLanguage(language) {
      settings = { ...settings, language };
      emit.settings.changed(settings);
    },
    calls,
    async invoke(channel, input): Promise<Reply<unknown>> {
      calls.push([channel, input]);
      if (scene.unanswered.includes(channel)) return new Promise(() => undefined);
      const code = scene.failures[channel];
      const handle = byChannel.get(channel);
      const { problem } = new AppError(code ?? 'request/unknown', '');
      if (code || !handle) return { ok: false, error: { ...problem, message: channel } };
      try {
        // Only plain data passes a real bridge.
        return { ok: true, value: structuredClone(await handle(structuredClone(input))) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { ok: false, error: { ...error.problem, message: error.message } };
      }
    },
    subscribe(channel, listener) {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(listener));
      return () => set.delete(listener);
    },
    pathForFile: (file) => `host-file:${file.name}`,
  };
}
