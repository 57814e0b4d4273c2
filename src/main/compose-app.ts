import { app, ipcMain, shell } from 'electron';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contract } from '../shared/ipc/contract.ts';
import { inputSchemas } from '../shared/ipc/inputs.ts';
import { defaultSettings, type Settings } from '../shared/schemas/settings.ts';
import { createIpcServer, createEmitters } from './core/ipc-server.ts';
import { systemClock } from './core/clock.ts';
import { createCore } from './core/core.ts';
import type { Log } from './core/diagnostics/log.ts';
import { createThrottle } from './core/events.ts';
import type { SoundFinders } from './core/media/app-server.ts';
import type { PortableData } from './core/portable.ts';
import { createFindSound } from './core/recorded-sound.ts';
import type { Waveforms } from './core/waveforms.ts';
import type { SpeechDraft } from './core/speech/speech-draft.ts';
import type { Updates } from './core/updates/updates.ts';
import { appPaths } from './electron/app-paths.ts';
import { createDialogs } from './electron/native-dialogs.ts';
import { type Program, restartApp } from './electron/app-lifecycle.ts';
import type { AppWindow } from './electron/app-window.ts';
import { createDesktop, type Desktop } from './electron/desktop.ts';
import { serveIpc } from './electron/ipc.ts';
import { createSettingsLoader } from './electron/settings-store.ts';
import { createSpawnService } from './electron/utility-process.ts';
import { emitDataChanges, createHandlers } from './handlers/index.ts';
import { createAllowedPaths } from './handlers/allowed-paths.ts';

interface Dependencies {
  readonly window: AppWindow;
  /** Folder of the built programs and threads, which is not that of this module. */
  readonly entryFolder: string;
  /** The data folder. */
  readonly folder: string;
  readonly portable: PortableData | null;
  readonly log: Log;
  readonly isSafe: boolean;
  /** True if this start opens no window. */
  readonly isHiddenStart: boolean;
  openInBrowser(address: string): Promise<void>;
}

/** The program as its window and the window's page see it, beside the events of the app. */
export interface WindowedProgram extends Program {
  readonly desktop: Pick<Desktop, 'onClose' | 'showTextContextMenu' | 'beginQuit'>;
  readonly sounds: SoundFinders;
}

/** Composes the program around its window. From then on the page is answered. */
export function composeApp(dependencies: Dependencies): WindowedProgram {
  const { window, entryFolder, folder, portable, log, isSafe, isHiddenStart, openInBrowser } = dependencies;
  const threadUrl = (name: string): URL => pathToFileURL(join(entryFolder, `${name}.js`));
  const reportTo = (area: string) => (error: unknown) => log.error(area, error);
  const emit = createEmitters(contract, window.send);
  const stopping = new AbortController();
  // No service is called before the settings are read.
  let current: Settings = defaultSettings;
  const settings = createSettingsLoader(folder, systemClock, stopping.signal, {
    isSafe,
    onDamage: (problem) => window.whenListening(() => emit.app.defect(problem)),
    onSettings(changed) {
      current = changed;
      window.setAppearance(changed);
      desktop.follow(changed);
      emit.settings.changed(changed);
    },
  });
  const places = createAllowedPaths();
  const desktop = createDesktop({ window, settings, emit: emit.app, allow: places.allow, onUnexpected: log.error });
  const progress = createThrottle(emit.jobs.progressed);
  let waveforms: Promise<Waveforms> | undefined;
  async function openWaveforms(): Promise<Waveforms> {
    const { createWaveforms } = await import('./core/waveforms.ts');
    const workerUrl = threadUrl('sound-worker');
    const ffmpeg = () => core.ffmpeg.find();
    return createWaveforms({ folder, workerUrl, ffmpeg, clock: systemClock, platform: process.platform });
  }
  const core = createCore({
    clock: { ...systemClock, isUnseen: () => window.current() === undefined },
    random: Math.random,
    dataFolder: folder,
    isSafe,
    portable,
    spawnService: createSpawnService(entryFolder),
    role: 'app',
    readsNewer: true,
    settings: () => current,
    onProgress: progress.report,
    onDefect: reportTo('job'),
    trash: (path) => shell.trashItem(path),
    threadUrl,
    onDamage: (problem) => window.whenListening(() => emit.app.databaseDamaged(problem)),
    log,
    onData: (data) => emitDataChanges(data, { ...core, emit, onDefect: reportTo('events') }),
    onVerified: (data) => desktop.connect(data, core.connections),
  });

  let draft: SpeechDraft | undefined;
  async function loadDraft(): Promise<SpeechDraft> {
    const { createSpeechDraft } = await import('./core/speech/speech-draft.ts');
    return (draft ??= createSpeechDraft(join(folder, 'speech', 'draft.txt'), systemClock));
  }
  const dialogs = createDialogs({ window: window.current, messages: desktop.messages });
  core.connections.onChanged(emit.connections.changed);
  let updates: Promise<Updates> | undefined;
  async function openUpdates(): Promise<Updates> {
    const { startUpdates } = await import('./electron/app-updates.ts');
    return startUpdates({
      dataFolder: folder,
      core,
      settings,
      emitChanged: emit.updates.changed,
      quitGuard: desktop,
      log,
    });
  }
  /** Nothing of them is needed before the first paint. */
  const loadUpdates = (): Promise<Updates> =>
    (updates ??= openUpdates().catch((error: unknown) => {
      updates = undefined;
      throw error;
    }));
  function startWork(): void {
    settings().then(core.queue).catch(reportTo('queue'));
    loadUpdates().catch(reportTo('update'));
  }
  const handlers = createHandlers({
    places,
    core,
    settings,
    drawWaveform: async (...sound) => (await (waveforms ??= openWaveforms())).draw(...sound),
    clock: systemClock,
    app: {
      version: app.getVersion(),
      platform: process.platform,
      portableFolder: portable && folder,
      languages: app.getPreferredSystemLanguages(),
      formatLocale: app.getSystemLocale(),
      readNotices: () => import('./core/notices.ts').then(({ readNotices }) => readNotices(join(entryFolder, '..'))),
      onReady() {
        window.markReady();
        startWork();
      },
      desktop,
      onPageLog: (text) => log.error('page', text),
      onRestart: () => restartApp(desktop),
    },
    dialogs,
    draft: loadDraft,
    updates: { updates: loadUpdates, openPage: openInBrowser },
    desktop: {
      sample: { path: appPaths.sample(), outputFolder: appPaths.ownFolder },
      speechFolder: appPaths.ownFolder,
      reveal: (path) => shell.showItemInFolder(path),
    },
    history: {
      fileSharing: async () =>
        (await import('./electron/file-sharing.ts')).createFileSharing(window.current, appPaths.icon(64)),
      importFolder: async () => appPaths.importFolder((await settings()).get().outputFolder),
      emitProgress: emit.history.taskProgressed,
    },
    diagnostics: {
      version: app.getVersion(),
      dataFolder: folder,
      emitChecked: emit.diagnostics.checkChanged,
    },
  });
  const answers = createIpcServer({ contract, handlers, schemas: inputSchemas, onUnexpected: log.error });
  serveIpc(ipcMain, { answers, onGivenPath: places.allow, isOurWindow: window.owns, onPending: desktop.setPending });
  if (isHiddenStart) desktop.startHidden(startWork);

  return {
    desktop,
    sounds: {
      findSound: createFindSound(core.data),
      findPreview: async (media) => (await core.data()).previews.findSound(media),
      findRecording: async (id) => (await core.data()).excerpts.findRecording(id),
      findTake: async (media) =>
        (await import('./core/speech/speech-outline.ts')).findTakeSound(join(folder, 'takes'), media),
    },
    open: desktop.open,
    isInBackground: window.isHidden,
    isQuitting: desktop.isQuitting,
    reportDefect: () => emit.app.defect({ code: 'internal' }),
    async stop() {
      stopping.abort(new Error('stopped'));
      progress.stop();
      await Promise.all([core.stop(), desktop.stop()]);
      await (await waveforms)?.stop();
      log.info('app', 'stopped');
    },
  };
}
