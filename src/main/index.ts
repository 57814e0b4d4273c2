import { app, ipcMain, protocol, session, shell } from 'electron';
import { join } from 'node:path';
import { contract } from '../shared/ipc/contract.ts';
import { inputSchemas } from '../shared/ipc/inputs.ts';
import { defaultSettings, type Settings } from '../shared/schemas/settings.ts';
import { createIpcServer, createEmitters } from './core/ipc-server.ts';
import { systemClock } from './core/clock.ts';
import { createCore } from './core/core.ts';
import { createLog, logLevelOf } from './core/diagnostics/log.ts';
import { ownDataPlace } from './core/data-folder.ts';
import { createThrottle } from './core/events.ts';
import { createFindSound } from './core/recorded-sound.ts';
import type { Waveforms } from './core/waveforms.ts';
import { storedAppearance } from './core/settings.ts';
import type { SpeechDraft } from './core/speech/speech-draft.ts';
import type { Updates } from './core/updates/updates.ts';
import { createAppServer } from './core/media/app-server.ts';
import { appPaths } from './electron/app-paths.ts';
import { createDialogs } from './electron/native-dialogs.ts';
import { guardAllContents, refusePermissions, serveAppScheme } from './electron/page-security.ts';
import { configureApp, endWith, restartApp, runApp, startsHidden } from './electron/app-lifecycle.ts';
import { createAppWindow } from './electron/app-window.ts';
import { createDesktop } from './electron/desktop.ts';
import { serveIpc } from './electron/ipc.ts';
import { createSettingsLoader } from './electron/settings-store.ts';
import { createSpawnService } from './electron/utility-process.ts';
import { emitDataChanges, createHandlers } from './handlers/index.ts';
import { createAllowedPaths } from './handlers/allowed-paths.ts';

const here = import.meta.dirname;
const place = ownDataPlace(here);
const { folder } = place;
const log = createLog({ folder, now: systemClock.now, level: logLevelOf(process.env), echo: console.error });
const reportTo = (area: string) => (error: unknown) => log.error(area, error);

/** The only way out of the app. */
const openInBrowser = (address: string): Promise<void> => shell.openExternal(address);

const { portable, problem } = configureApp(place);

/** Builds the program around its window, which comes first: it loads while the rest is made. */
function compose(isSafe: boolean) {
  log.info('app', `Timbre ${app.getVersion()} started${isSafe ? ' safely' : ''}`);
  const findSound = createFindSound(() => core.data());
  const window = createAppWindow({
    preload: join(here, '../preload/index.cjs'),
    appearance: isSafe ? defaultSettings : storedAppearance(folder),
    placeFile: join(folder, 'window.json'),
    onLoadFailed: reportTo('window'),
    onClose: (event) => desktop.onClose(event),
    onContextMenu: (clicked) => desktop.showTextContextMenu(clicked),
    onSessionEnd: () => desktop.beginQuit(),
  });
  const findPreview = async (media: string) => (await core.data()).previews.findSound(media);
  const findRecording = async (id: string) => (await core.data()).excerpts.findRecording(id);
  const findTake = async (media: string) =>
    (await import('./core/speech/speech-outline.ts')).findTakeSound(join(folder, 'takes'), media);
  const pageFolder = join(here, '../renderer');
  const sounds = { findSound, findPreview, findRecording, findTake };
  serveAppScheme(protocol, createAppServer({ pageFolder, clock: systemClock, ...sounds }));
  refusePermissions(session.defaultSession);
  const isHiddenStart = startsHidden();
  if (!isHiddenStart) window.show();

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
    const workerUrl = new URL('./sound-worker.js', import.meta.url);
    const ffmpeg = () => core.ffmpeg.find();
    return createWaveforms({ folder, workerUrl, ffmpeg, clock: systemClock, platform: process.platform });
  }
  const core = createCore({
    clock: { ...systemClock, isUnseen: () => window.current() === undefined },
    random: Math.random,
    dataFolder: folder,
    isSafe,
    portable,
    spawnService: createSpawnService(here),
    role: 'app',
    readsNewer: true,
    settings: () => current,
    onProgress: progress.report,
    onDefect: reportTo('job'),
    trash: (path) => shell.trashItem(path),
    threadUrl: (name) => new URL(`./${name}.js`, import.meta.url),
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
      readNotices: () => import('./core/notices.ts').then(({ readNotices }) => readNotices(join(here, '..'))),
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

guardAllContents(app, openInBrowser);
if (problem) endWith(problem).catch(reportTo('start'));
else runApp(folder, compose, log.error);
