import {
  app,
  BrowserWindow,
  type ContextMenuParams,
  Menu,
  nativeImage,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  shell,
  Tray,
} from 'electron';
import type { Emitters } from '../../shared/ipc/define-contract.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { DesktopMessages } from '../../shared/messages/desktop.ts';
import {
  type DesktopInfo,
  type MenuCommand,
  type OpenTarget,
  type PowerSource,
  type WhenDone,
  type WhenDoneAction,
  whenNothingIsDone,
} from '../../shared/schemas/app.ts';
import type { Settings } from '../../shared/schemas/settings.ts';
import { type Activity, createActivityMonitor, noActivity } from '../core/activity.ts';
import { systemClock } from '../core/clock.ts';
import type { ConnectionRegistry } from '../core/connections/connection-registry.ts';
import { summarizeBatches } from '../core/jobs/batch-summary.ts';
import type { Data } from '../core/data.ts';
import { findProgramFile } from '../core/program-file.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { WhenDoneControl } from '../core/when-done.ts';
import type { AppWindow } from './app-window.ts';
import { createAppMenu } from './app-menu.ts';
import { type Background, createBackground } from './background.ts';
import { createLoginItem } from './login-item.ts';
import { appPaths } from './app-paths.ts';
import { createOpenRequests, type StartArguments } from './open-requests.ts';
import { createQuitGuard, type QuitGuard } from './quit.ts';
import { createNotifications } from './notifications.ts';
import { connectPower, followPowerSource, readPowerSource } from './power.ts';
import { createTaskbar } from './taskbar.ts';
import { createTrayIcon, findBackgroundPlace, statusMenu, statusText } from './tray.ts';

/** Connects the queue and the watched folders with tray, notifications, power management, closing and quitting. */
export interface Desktop
  extends
    Pick<QuitGuard, 'beginQuit' | 'isQuitting' | 'quit' | 'cancelQuit' | 'quitThen' | 'quitBy'>,
    Pick<Background, 'onClose'> {
  /** Opens what this start or another one was given. */
  open(given: StartArguments): void;
  /** Connects the queue and the watched folders once they are open, and again after a repair. */
  connect(
    data: Pick<Data, 'queue' | 'watch' | 'hooks' | 'signal'>,
    connections: Pick<ConnectionRegistry, 'nameOf'>,
  ): void;
  /** Call after settings were loaded or changed. */
  follow(settings: Settings): void;
  /** Starts the work without a window: in the tray, or minimized where there is none. */
  startHidden(startWork: () => void): void;
  /** The page had nothing to lose when it was hidden. */
  allowUnload(hiding: number): void;
  /** The user has chosen what closing the window does. */
  close(action: 'background' | 'quit'): Promise<void>;
  info(): Promise<DesktopInfo>;
  setLoginItem(isOn: boolean): Promise<DesktopInfo>;
  setTerminalCommand(isOn: boolean): Promise<DesktopInfo>;
  whenDone(): WhenDone;
  chooseWhenDone(action: WhenDoneAction): Promise<void>;
  postponeWhenDone(): void;
  /** Requests of the page that are not answered yet: above all an export, and dialogs of the system. */
  setPending(count: number): void;
  /** Shows the page's commands in the application menu. */
  setMenu(commands: readonly MenuCommand[]): void;
  /** Shows the menu of a text field or of selected text. */
  showTextContextMenu(clicked: ContextMenuParams): void;
  /** In the language of the settings. */
  messages(): Promise<DesktopMessages>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly window: AppWindow;
  settings(): Promise<SettingsStore>;
  readonly emit: Pick<
    Emitters<Contract>['app'],
    'quitRequested' | 'closeRequested' | 'hidden' | 'openRequested' | 'whenDoneChanged' | 'commandRequested'
  >;
  /** Lets the page use this path. */
  allow(path: string): void;
  onUnexpected(where: string, error: unknown): void;
}

export function createDesktop({ window, settings, emit, allow, onUnexpected }: Dependencies): Desktop {
  const { platform } = process;
  const reportTo = (where: string) => (error: unknown) => onUnexpected(where, error);
  let closeAction: Settings['closeAction'] = 'ask';
  let scheduler: Data['queue']['scheduler'] | undefined;
  let store: Data['queue']['store'] | undefined;
  let whenDone: WhenDoneControl | undefined;
  let isHookBusy = (): boolean => false;
  let submitJobs: Data['queue']['submitJobs'] | undefined;
  let batteryPause: Data['queue']['batteryPause'] | undefined;
  let powerSource: PowerSource | null = null;
  let stopFollowingPower: (() => void) | undefined;
  let pending = 0;
  let connections: Pick<ConnectionRegistry, 'nameOf'> | undefined;
  let readActivity = (): Activity => noActivity;
  let disconnect = (): void => undefined;

  async function messages(): Promise<DesktopMessages> {
    // Loaded late: main needs no message before the first paint.
    const { loadDesktopMessages } = await import('../../shared/messages/desktop.ts');
    const fromSystem = app.getPreferredSystemLanguages();
    const formatLocale = app.getSystemLocale();
    try {
      const { language } = (await settings()).get();
      return await loadDesktopMessages(language === 'system' ? fromSystem : language, formatLocale);
    } catch {
      // The tray needs a menu all the same; the window shows that the settings cannot be read.
      return loadDesktopMessages(fromSystem, formatLocale);
    }
  }

  const after = (ms: number, run: () => void): void => void setTimeout(run, ms);
  const open = (target: OpenTarget): void => window.showAndRun(() => emit.openRequested(target));
  const openRequests = createOpenRequests({ allow, open, show: window.show, after });

  const notifications = createNotifications({
    Notification,
    hasFocus: () => BrowserWindow.getFocusedWindow() !== null,
    show: window.show,
    showList: (list) => open({ kind: 'jobs', list }),
    connectionName: (id) => connections?.nameOf(id) ?? id,
    isExpectingMore: () => readActivity().incoming > 0,
    after,
    messages,
    onError: reportTo('notification'),
  });
  const quitGuard = createQuitGuard({
    app,
    powerMonitor,
    signals: process,
    platform,
    canAsk: window.isListening,
    canOpen: () => window.isHidden() || window.isLoading() || (platform === 'darwin' && !window.current()),
    show: window.show,
    showAndRun: window.showAndRun,
    emitRequest: emit.quitRequested,
    after,
    onUnasked: notifications.leftOpen,
    onError: reportTo('quit'),
  });

  const place = () => findBackgroundPlace(platform);
  const background = createBackground({
    platform,
    window,
    closeAction: () => closeAction,
    activity: () => (scheduler ? readActivity() : undefined),
    isQuitting: quitGuard.isQuitting,
    place,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    emitCloseRequest: emit.closeRequested,
    onEntered() {
      emit.hidden({ hiding: window.shows() });
      updateTray().catch(reportTo('tray'));
    },
    closeAndQuit: quitGuard.onClose,
    onError: reportTo('background'),
  });

  async function chooseWhenDone(action: WhenDoneAction): Promise<void> {
    // Loaded on first use: most never choose anything.
    const { createDesktopWhenDone } = await import('./when-done.ts');
    if (!store) return;
    whenDone ??= createDesktopWhenDone({
      clock: systemClock,
      store,
      activity: readActivity,
      isAdding: () => (submitJobs?.countAdding() ?? 0) > 0,
      isBusy: () => pending > 0 || isHookBusy(),
      platform,
      shell,
      powerMonitor,
      notifications,
      onChanged(state) {
        emit.whenDoneChanged(state);
        tray.refresh();
      },
      onError: reportTo('when done'),
    });
    whenDone.choose(action);
  }

  const commands = {
    whenDone: () => whenDone?.get().action ?? 'nothing',
    onCancelWhenDone: () => whenDone?.choose('nothing'),
    onOpen: window.show,
    onPause: () => scheduler?.pause(),
    onResume: () => scheduler?.resume(null),
    onContinueOnBattery: () => batteryPause?.continueNow(),
    onQuit: () => app.quit(),
  };
  const tray = createTrayIcon({
    ...commands,
    createTray(image) {
      const icon = new Tray(image);
      return {
        setImage: (changed) => icon.setImage(changed),
        setToolTip: (text) => icon.setToolTip(text),
        setMenu: (template) => icon.setContextMenu(Menu.buildFromTemplate(template)),
        onClick: (listener) => void icon.on('click', listener),
        destroy: () => icon.destroy(),
      };
    },
    icon: (state) => appPaths.trayIcon(state, platform),
    messages,
    onError: reportTo('tray'),
  });

  const menu = createAppMenu({
    Menu,
    platform,
    messages,
    onCommand: (id) => window.showAndRun(() => emit.commandRequested({ id })),
    onError: reportTo('menu'),
  });

  const isTrayWanted = () => (closeAction === 'background' || window.isHidden()) && !quitGuard.isQuitting();

  /** Shows the icon only while Timbre may be without a window: otherwise nobody asked for it. */
  async function updateTray(): Promise<void> {
    const hasTray = isTrayWanted() && (await place()) === 'tray';
    // The user may have changed it, or quit, meanwhile.
    tray.setVisible(hasTray && isTrayWanted());
  }

  const showOnTaskbar = createTaskbar({
    app,
    platform,
    window: window.current,
    attentionIcon: () => nativeImage.createFromPath(appPaths.attentionIcon()),
  });

  async function updateTaskbar(activity: Activity): Promise<void> {
    const { tray: texts } = await messages();
    showOnTaskbar(activity, texts.states.attention);
    // The Dock adds its own item to quit.
    if (platform === 'darwin')
      app.dock?.setMenu(
        Menu.buildFromTemplate(statusMenu(statusText(activity, texts), activity, texts, commands).slice(0, -2)),
      );
  }

  function showActivity(activity: Activity): void {
    tray.update(activity);
    notifications.activityChanged(activity);
    updateTaskbar(activity).catch(reportTo('taskbar'));
  }

  window.onShow(() => {
    menu.refresh();
    updateTray().catch(reportTo('tray'));
    showActivity(readActivity());
  });

  const loginItem = createLoginItem({
    app,
    platform,
    command: app.isPackaged ? [findProgramFile(process) ?? app.getPath('exe')] : [app.getPath('exe'), app.getAppPath()],
    configFolder: app.getPath('appData'),
  });
  try {
    loginItem.repair();
  } catch (error) {
    onUnexpected('login item', error);
  }
  // Not part of what a window waits for.
  let foundCommand: ReturnType<typeof findCommand> | undefined;
  async function findCommand() {
    const { findTerminalCommand } = await import('./terminal-command.ts');
    const [exe, home] = [app.getPath('exe'), app.getPath('home')];
    return findTerminalCommand({ platform, isPackaged: app.isPackaged, exe, home, env: process.env });
  }
  const terminalCommand = () => (foundCommand ??= findCommand());
  if (app.isPackaged) {
    terminalCommand()
      .then((command) => command?.repair())
      .catch(reportTo('terminal command'));
  }

  const info = async (): Promise<DesktopInfo> => ({
    place: await place(),
    loginItem: loginItem.get(),
    powerSource: await readPowerSource({ platform, powerMonitor }),
    terminalCommand: (await terminalCommand())?.get() ?? null,
  });

  function setPowerSource(source: PowerSource | null): void {
    powerSource = source;
    batteryPause?.setPowerSource(source);
  }

  /** Follows the source of power only while the user wants it to matter. */
  function followPower(isWanted: boolean): void {
    if (isWanted) stopFollowingPower ??= followPowerSource({ platform, powerMonitor }, setPowerSource);
    else if (stopFollowingPower) {
      stopFollowingPower();
      stopFollowingPower = undefined;
      setPowerSource(null);
    }
  }

  return {
    onClose: background.onClose,
    beginQuit: quitGuard.beginQuit,
    isQuitting: quitGuard.isQuitting,
    quit: quitGuard.quit,
    cancelQuit: quitGuard.cancelQuit,
    quitThen: quitGuard.quitThen,
    quitBy: quitGuard.quitBy,
    showTextContextMenu(clicked) {
      Promise.all([messages(), import('./text-context-menu.ts')])
        .then(([{ textContextMenu: t }, { textContextMenu }]) => {
          const items = textContextMenu(clicked, t);
          if (items.length > 0) Menu.buildFromTemplate(items).popup();
        })
        .catch(reportTo('menu'));
    },
    setMenu: menu.setCommands,
    messages,
    info,
    open: openRequests.add,
    follow(changed) {
      closeAction = changed.closeAction;
      followPower(changed.isPausedOnBattery);
      updateTray().catch(reportTo('tray'));
      tray.refresh();
      menu.refresh();
    },
    startHidden(startWork) {
      startWork();
      window.hide();
      background.enterAtSignIn().catch(reportTo('background'));
    },
    allowUnload: window.allowUnload,
    async close(action) {
      if (action === 'background') await background.enter();
      else app.quit();
    },
    setLoginItem(isOn) {
      loginItem.set(isOn);
      return info();
    },
    async setTerminalCommand(isOn) {
      await (await terminalCommand())?.set(isOn);
      return info();
    },
    whenDone: () => whenDone?.get() ?? whenNothingIsDone,
    chooseWhenDone,
    postponeWhenDone: () => whenDone?.postpone(),
    setPending: (count) => void (pending = count),
    connect({ queue, watch, hooks, signal }, registry) {
      disconnect();
      connections = registry;
      quitGuard.watchQueue(queue);
      scheduler = queue.scheduler;
      store = queue.store;
      isHookBusy = hooks.isBusy;
      ({ batteryPause, submitJobs } = queue);
      batteryPause.setPowerSource(powerSource);
      const activity = createActivityMonitor({ queue, watch, clock: systemClock, onDefect: reportTo('activity') });
      readActivity = activity.get;
      const ends = [
        activity.onChanged(showActivity),
        activity.stop,
        connectPower(
          { powerMonitor, powerSaveBlocker },
          {
            ...queue.scheduler,
            wake() {
              queue.scheduler.wake();
              watch.rescan();
            },
          },
        ),
        summarizeBatches(queue.store, watch.decidesAbout, notifications.batchEnded),
      ];
      let isConnected = true;
      disconnect = () => {
        if (!isConnected) return;
        isConnected = false;
        readActivity = () => noActivity;
        scheduler = undefined;
        store = undefined;
        batteryPause = undefined;
        whenDone?.stop();
        whenDone = undefined;
        emit.whenDoneChanged(whenNothingIsDone);
        ends.forEach((end) => end());
      };
      signal.addEventListener('abort', disconnect, { once: true });
      showActivity(activity.get());
    },
    async stop() {
      quitGuard.beginQuit();
      tray.setVisible(false);
      disconnect();
      followPower(false);
      await notifications.whenShown();
    },
  };
}
