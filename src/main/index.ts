import { app, ipcMain, nativeTheme, protocol, session, shell } from 'electron';
import { join } from 'node:path';
import { contract } from '../shared/ipc/contract.ts';
import { inputSchemas } from '../shared/ipc/inputs.ts';
import { defaultSettings, type Settings } from '../shared/schemas/settings.ts';
import { createIpcServer, createEmitters } from './core/ipc-server.ts';
import { systemClock } from './core/clock.ts';
import { createCore } from './core/core.ts';
import { createLog } from './core/diagnostics/log.ts';
import { keepPrivate, ownDataFolder } from './core/data-folder.ts';
import { createThrottle } from './core/events.ts';
import { createWaveforms, soundOf } from './core/waveforms.ts';
import { storedAppearance } from './core/settings.ts';
import { createSpeechDraft } from './core/speech-draft.ts';
import { createAppServer } from './core/media/app-server.ts';
import { appPlaces, createDialogs, createHistoryDesktop, setAppMenu } from './electron/native-dialogs.ts';
import { guardAllContents, refusePermissions, registerAppScheme, serveAppScheme } from './electron/page-security.ts';
import { createAppWindow } from './electron/app-window.ts';
import { createDesktop } from './electron/desktop.ts';
import { serveIpc } from './electron/ipc.ts';
import { createSettingsLoader } from './electron/settings-store.ts';
import { createSpawnService } from './electron/utility-process.ts';
import { stopBeforeQuit } from './electron/quit.ts';
import { emitDataChanges, createHandlers } from './handlers/index.ts';
import { createAllowedPaths } from './handlers/allowed-paths.ts';

const here = import.meta.dirname;
const folder = ownDataFolder();
const devToolsPort = process.env['TIMBRE_CDP_PORT'];
const log = createLog({ folder, now: systemClock.now, echo: (line) => console.error(line) });
const logUnexpected = log.write;

app.enableSandbox();
// Before Chromium or Electron write a first file there.
keepPrivate(folder);
app.setPath('userData', folder);
registerAppScheme(protocol);
if (devToolsPort && !app.isPackaged) app.commandLine.appendSwitch('remote-debugging-port', devToolsPort);

/** Builds the program around its window, which comes first: it loads while the rest is made. Called once, when the app is ready. */
function compose(): { show(): void; defect(): void; stop(): Promise<void> } {
  const findSound = async (id: string, side: 'source' | 'result') => {
    const job = (await core.queue()).store.get(id);
    return job && soundOf(job, side)?.path;
  };
  const appearance = storedAppearance(folder);
  const window = createAppWindow({
    preload: join(here, '../preload/index.cjs'),
    icon: appPlaces.icon(512),
    zoomFactor: appearance.zoomPercent / 100,
    onLoadFailed: (error) => logUnexpected('window', error),
    onClose: (event) => desktop.onClose(event),
    onSessionEnd: () => desktop.beginQuit(),
  });
  nativeTheme.themeSource = appearance.theme;
  serveAppScheme(protocol, createAppServer({ pageFolder: join(here, '../renderer'), findSound }));
  refusePermissions(session.defaultSession);
  setAppMenu(process.platform);
  window.show();

  const emit = createEmitters(contract, window.send);
  const stopping = new AbortController();
  // No service is called before the settings are read.
  let current: Settings = defaultSettings;
  const settings = createSettingsLoader(folder, systemClock, stopping.signal, (store) => {
    current = store.get();
    store.onChanged((changed) => void (current = changed));
    store.onChanged(({ theme }) => void (nativeTheme.themeSource = theme));
    store.onChanged(({ zoomPercent }) => window.zoom(zoomPercent / 100));
    store.onChanged(emit.settings.changed);
  });
  const desktop = createDesktop({
    window,
    settings,
    emitQuitRequest: emit.app.quitRequested,
    onUnexpected: logUnexpected,
  });
  const progress = createThrottle(emit.jobs.progressed);
  const waveforms = createWaveforms({ folder, workerUrl: new URL('./sound-worker.js', import.meta.url) });
  const core = createCore({
    clock: systemClock,
    random: Math.random,
    dataFolder: folder,
    spawnService: createSpawnService(here),
    role: 'app',
    settings: () => current,
    onProgress: progress.report,
    onDefect: (error) => logUnexpected('job', error),
    trash: (path) => shell.trashItem(path),
    threadUrl: (name) => new URL(`./${name}.js`, import.meta.url),
    onDamage: emit.app.databaseDamaged,
    onToken: log.addToken,
    onData: (data) => emitDataChanges(data, { ...core, emit, onDefect: (error) => logUnexpected('events', error) }),
    onVerified: desktop.connect,
  });

  const dialogs = createDialogs({ window: window.current, messages: desktop.messages });
  core.connections.onChanged(emit.connections.changed);
  const places = createAllowedPaths();
  const handlers = createHandlers({
    places,
    core,
    settings,
    drawWaveform: waveforms.draw,
    clock: systemClock,
    app: {
      version: app.getVersion(),
      platform: process.platform,
      languages: app.getPreferredSystemLanguages(),
      onReady() {
        window.markReady();
        settings()
          .then(core.queue)
          .catch((error: unknown) => logUnexpected('queue', error));
      },
      ...dialogs,
      onQuit: desktop.quit,
      onCancelQuit: desktop.cancelQuit,
      onPageLog: (text) => log.write('page', text),
      onRestart() {
        app.relaunch();
        app.quit();
      },
    },
    dialogs,
    draft: createSpeechDraft(join(folder, 'speech', 'draft.txt'), systemClock),
    desktop: {
      sample: { path: appPlaces.sample(), outputFolder: appPlaces.ownFolder },
      speechFolder: appPlaces.ownFolder,
      reveal: (path) => shell.showItemInFolder(path),
    },
    history: {
      ...createHistoryDesktop({ ...dialogs, window: window.current, settings }),
      emitProgress: emit.history.taskProgressed,
    },
    diagnostics: {
      ...dialogs,
      version: app.getVersion(),
      dataFolder: folder,
      emitChecked: emit.diagnostics.checkChanged,
      log: log.newest,
    },
  });
  const answers = createIpcServer({ contract, handlers, schemas: inputSchemas, onUnexpected: logUnexpected });
  serveIpc(ipcMain, { answers, onGivenPath: places.allow, isOurWindow: window.owns });

  return {
    show: window.show,
    defect: () => emit.app.defect({ code: 'internal' }),
    async stop() {
      stopping.abort(new Error('stopped'));
      progress.stop();
      await Promise.all([core.stop(), desktop.stop()]);
      await waveforms.stop();
    },
  };
}

if (app.requestSingleInstanceLock()) {
  guardAllContents(app, (address) => shell.openExternal(address));
  void app.whenReady().then(() => {
    const timbre = compose();
    // Electron would show a box of its own, with a stack trace. What can go on goes on, and a restart is offered.
    for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(name, (error: unknown) => {
        logUnexpected('main', error);
        timbre.defect();
      });
    }
    app.on('second-instance', timbre.show);
    app.on('activate', timbre.show);
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin') app.quit();
    });
    stopBeforeQuit(app, timbre.stop, (error) => logUnexpected('quit', error));
  });
} else {
  app.quit();
}
