import { app, protocol } from 'electron';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Problem } from '../../shared/errors.ts';
import { hasBusyWorkers } from '../../sound/worker-pool.ts';
import { type DataPlace, ensurePrivateFolder } from '../core/data-folder.ts';
import { openPortableData, type PortableData } from '../core/portable.ts';
import { findProgramFile } from '../core/program-file.ts';
import { maxFailedStarts, recordStart } from '../core/start-record.ts';
import { hiddenSwitch, isMacLoginStart } from './login-item.ts';
import { identifyApp } from './notifications.ts';
import {
  formatArguments,
  parseArguments,
  readStartArguments,
  readSwitches,
  registerLinks,
  type StartArguments,
} from './open-requests.ts';
import { registerAppScheme } from './page-security.ts';
import { describeEnd } from './process-end.ts';
import type { QuitGuard } from './quit.ts';
import { relaunch } from './relaunch.ts';

/** The composed program, as the app's events see it. */
export interface Program {
  /** Opens what this start or another one was given; brings the window to the front if that is nothing. */
  open(given: StartArguments): void;
  /** True if the program continues without a window. */
  isInBackground(): boolean;
  isQuitting(): boolean;
  /** Tells the page about a bug, so that it can offer a restart. */
  reportDefect(): void;
  stop(): Promise<void>;
}

/** What the program starts with; `problem` if portable data cannot be written, and the program cannot start. */
interface Configured {
  readonly portable: PortableData | null;
  readonly problem?: Problem;
}

/** Must run before the app is ready: Chromium then starts with the sandbox, our scheme and our private data folder. */
export function configureApp(place: DataPlace): Configured {
  app.enableSandbox();
  // Before Chromium or Electron write a first file there.
  ensurePrivateFolder(place.folder);
  const configured = tryPortable(place);
  const { portable, problem } = configured;
  // Chromium writes before the user can read why nothing else does.
  const sessionFolder = problem ? mkdtempSync(join(tmpdir(), 'timbre-')) : (portable?.sessionFolder ?? place.folder);
  ensurePrivateFolder(sessionFolder);
  app.setPath('userData', sessionFolder);
  registerAppScheme(protocol);
  identifyApp(app, process.platform);
  // Portable data leaves nothing on this computer.
  if (!portable && !problem) registerLinks(app, process.platform, findProgramFile(process) ?? process.execPath);
  const devToolsPort = process.env['TIMBRE_CDP_PORT'];
  if (devToolsPort && !app.isPackaged) app.commandLine.appendSwitch('remote-debugging-port', devToolsPort);
  return configured;
}

function tryPortable(place: DataPlace): Configured {
  try {
    return { portable: openPortableData(place) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { portable: null, problem: error.problem };
  }
}

/** Says why Timbre cannot start, in the language of the system, and ends it. */
export async function endWith(problem: Problem): Promise<void> {
  await (await import('./start-dialogs.ts')).showStartProblem(problem);
  app.exit(1);
}

/** Asks in the language of the system whether to start without the user's settings, folders and jobs. */
const wantsSafeStart = async (): Promise<boolean> => (await import('./start-dialogs.ts')).askForSafeStart();

/** A crash later than this is not one of the start. */
const settledAfterMs = 10_000;

const nothing: StartArguments = { paths: [], links: [], isHidden: false };

const ownArguments = (): readonly string[] => process.argv.slice(app.isPackaged ? 1 : 2);

/** The arguments of another start: the app and the switches of this one, but not what it opened. */
const restartArguments = (): string[] => [
  ...process.argv.slice(1, app.isPackaged ? 1 : 2),
  ...readSwitches(ownArguments()).filter((name) => name !== hiddenSwitch),
];

/** True if this start should not open a window. */
export const startsHidden = (): boolean =>
  readSwitches(ownArguments()).includes(hiddenSwitch) || isMacLoginStart(app, process.platform);

const relaunchWith = (args: readonly string[]): void =>
  relaunch(app, { platform: process.platform, file: findProgramFile(process), args });

export function restartApp({ quitThen }: Pick<QuitGuard, 'quitThen'>): void {
  quitThen(() => relaunchWith(restartArguments()));
}

/**
 * Composes the program once the app is ready, unless another instance runs, which then shows its window. What is opened meanwhile waits
 * for it; a window that is closed meanwhile ends the app, in which nothing was begun.
 */
export function runApp(
  folder: string,
  compose: (isSafe: boolean) => Promise<Program>,
  onUnexpected: (where: string, error: unknown) => void,
): void {
  // macOS passes files and links as events, the first ones before the app is ready.
  const early: StartArguments[] = [];
  let open = (given: StartArguments): void => void early.push(given);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open({ ...nothing, paths: [path] });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    open({ ...nothing, links: [link] });
  });
  const given = parseArguments(ownArguments(), process.cwd(), app.getAppPath());
  if (!app.requestSingleInstanceLock(given)) {
    app.quit();
    return;
  }
  app.on('second-instance', (_event, _argv, _folder, data) => open(readStartArguments(data) ?? nothing));
  let program: Program | undefined;
  // Electron would show a dialog of its own, with a stack trace. Timbre continues and offers a restart.
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(name, (error: unknown) => {
      onUnexpected('main', error);
      program?.reportDefect();
    });
  }
  // Chromium starts its own processes again, such as the one for graphics, and the core starts ours.
  app.on('child-process-gone', (_event, details) => {
    const end = describeEnd(details);
    if (end !== undefined) onUnexpected('process', new Error(end));
  });
  async function begin(): Promise<void> {
    const record = recordStart(folder);
    const isSafe =
      record.failed >= maxFailedStarts &&
      (await wantsSafeStart().catch((error: unknown) => {
        onUnexpected('start', error);
        return false;
      }));
    const settling = setTimeout(record.settle, settledAfterMs);
    const composing = compose(isSafe);
    const isStopping = stopBeforeQuit(
      async () => {
        clearTimeout(settling);
        record.settle();
        await (await composing).stop();
      },
      (error) => onUnexpected('quit', error),
    );
    const started = await composing;
    // Its window was closed: what it was to open would open another one.
    if (isStopping()) return;
    program = started;
    // What meets a Timbre that is quitting is opened by another one.
    const late: StartArguments[] = [];
    app.once('quit', () => {
      if (late.length > 0) relaunchWith([...restartArguments(), ...formatArguments(late)]);
    });
    open = (given) => {
      if (started.isQuitting()) late.push(given);
      else started.open(given);
    };
    for (const one of [...early, given]) if (one.paths.length + one.links.length > 0) open(one);
    app.on('activate', () => {
      if (!started.isQuitting()) open(nothing);
    });
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin' && !started.isInBackground()) app.quit();
    });
  }
  void app
    .whenReady()
    .then(begin)
    .catch((error: unknown) => {
      onUnexpected('start', error);
      return endWith({ code: 'internal' });
    });
}

/**
 * Delays quitting until `stop` has finished, once: no child process or partial file may outlive the app. Returns whether it
 * has begun.
 */
function stopBeforeQuit(stop: () => Promise<void>, onError: (error: unknown) => void): () => boolean {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    // A second Ctrl+Q must not cut the first short.
    if (state === 'stopping') return;
    state = 'stopping';
    void stop()
      .catch(onError)
      .then(isSystemHung)
      .then((isHung) => {
        state = 'stopped';
        if (isHung) app.once('quit', () => process.kill(process.pid, 'SIGKILL'));
        app.quit();
      });
  });
  return () => state !== 'running';
}

/** The last reads and writes of a disk that answers. */
const lastCallsMs = 2000;

/**
 * True if a disk or a name server does not answer. A process that exits waits for the threads of such calls: it would stay, unseen,
 * and keep another Timbre from starting.
 */
async function isSystemHung(): Promise<boolean> {
  const isCalling = () =>
    hasBusyWorkers() || process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo)/.test(name));
  for (let waitedMs = 0; isCalling() && waitedMs < lastCallsMs; waitedMs += 50) await sleep(50);
  return isCalling();
}
