import type { App, PowerMonitor } from 'electron';
import type { QuitRequest } from '../../shared/schemas/app.ts';
import type { JobStore } from '../core/jobs/job-store.ts';
import type { Scheduler } from '../core/jobs/scheduler.ts';
import type { SubmitJobs } from '../core/jobs/submit-jobs.ts';

/** The part of the queue that quitting depends on. */
interface OpenWork {
  readonly store: Pick<JobStore, 'countUnfinished' | 'onEvent'>;
  readonly submitJobs: Pick<SubmitJobs, 'countAdding' | 'onAdded'>;
  readonly scheduler: Pick<Scheduler, 'unansweredPaidCalls' | 'drain' | 'cancelDrain'>;
}

export interface QuitGuard {
  /** Asks about the jobs of this queue from now on. */
  watchQueue(queue: OpenWork): void;
  /** Called before the window closes, and the app with it. */
  onClose(event: Preventable): void;
  /** The user's answer. Ignored if nothing was asked; a later `now` overrides `answered`. */
  quit(when: 'now' | 'answered'): void;
  cancelQuit(question: number): void;
  /** Quits, and calls `last` as the last act of the process, unless the user cancels. */
  quitThen(last: () => void): void;
  /** Quits by calling `quit` in place of `app.quit()`, unless the user cancels. */
  quitBy(quit: () => void): void;
  /** The app quits, for whatever reason: nothing is asked any more. */
  beginQuit(): void;
  isQuitting(): boolean;
}

interface Preventable {
  preventDefault(): void;
}

interface Dependencies {
  readonly app: Pick<App, 'on' | 'quit'>;
  readonly powerMonitor: Pick<PowerMonitor, 'on'>;
  /** The process, as source of signals. */
  readonly signals: Pick<NodeJS.EventEmitter, 'once'>;
  readonly platform: NodeJS.Platform;
  /** True if a page can show the question. */
  canAsk(): boolean;
  /** True if a page that can ask may be had by opening the window. */
  canOpen(): boolean;
  /** Brings the window to the front. */
  show(): void;
  /** Brings the window to the front, and calls `run` once its page listens. */
  showAndRun(run: () => void): void;
  /** Sends the question to the page, and again when its figures change. */
  emitRequest(request: QuitRequest): void;
  /** Runs a function after a delay. */
  after(ms: number, run: () => void): void;
  /** Called if the app quits without being able to ask. */
  onUnasked(open: number): void;
  onError(error: unknown): void;
}

/** How long to wait for a page's reply before quitting without it. */
const answersWithinMs = 1000;
/** A busy computer loads the page in a few seconds. */
const loadsWithinMs = 10_000;

/**
 * Delays quitting until the page has sent its pending changes, and asks once if work is open. Lives
 * as long as the app.
 * States: `open`; `asking` until the user answers; `finishing` while services still owe responses;
 * `quitting` once decided, which is final.
 */
export function createQuitGuard(dependencies: Dependencies): QuitGuard {
  const { app, powerMonitor, signals, platform, canAsk, canOpen, show, showAndRun } = dependencies;
  const { emitRequest, after, onUnasked, onError } = dependencies;
  let state: 'open' | 'asking' | 'finishing' | 'quitting' = 'open';
  let queue: OpenWork | undefined;
  let emitted = '';
  /** Identifies the question: a late answer may belong to an earlier one. */
  let question = 0;
  /** Increased when the window is opened to ask: the wait for an earlier one may still run. */
  let opening = 0;
  let isOpening = false;
  let lastAct: (() => void) | undefined;
  const quitApp = (): void => app.quit();
  let endApp = quitApp;

  function beginQuit(): void {
    state = 'quitting';
    // While running work ends, nothing new starts, so nothing more is paid for.
    queue?.scheduler.drain().catch(onError);
  }

  function quitNow(): void {
    beginQuit();
    endApp();
  }

  const openJobs = (): number => queue?.store.countUnfinished() ?? 0;
  const adding = (): number => queue?.submitJobs.countAdding() ?? 0;
  const isWorkOpen = (): boolean => openJobs() + adding() > 0;

  function emitIfChanged(): void {
    if (state !== 'asking' && state !== 'finishing') return;
    const atService = queue?.scheduler.unansweredPaidCalls() ?? 0;
    const request: QuitRequest = { open: openJobs(), adding: adding(), atService, question };
    const text = JSON.stringify(request);
    if (text === emitted) return;
    emitted = text;
    emitRequest(request);
  }

  function ask(event: Preventable): void {
    event.preventDefault();
    isOpening = false;
    if (state === 'open') state = 'asking';
    question += 1;
    // A reloaded page has lost the question and must get it again.
    emitted = '';
    if (isWorkOpen()) show();
    else {
      const asked = question;
      after(answersWithinMs, () => {
        if (state === 'asking' && question === asked && !isWorkOpen()) quitNow();
      });
    }
    emitIfChanged();
  }

  function beginUnasked(): void {
    beginQuit();
    const open = openJobs();
    if (open > 0) onUnasked(open);
  }

  /** Only the page can ask; one that does not load cannot keep Timbre running. */
  function openToAsk(event: Preventable): void {
    event.preventDefault();
    if (isOpening) return;
    isOpening = true;
    opening += 1;
    const opened = opening;
    showAndRun(() => app.quit());
    after(loadsWithinMs, () => {
      if (!isOpening || opening !== opened) return;
      beginUnasked();
      app.quit();
    });
  }

  app.on('before-quit', (event) => {
    if (state === 'quitting') return;
    if (canAsk()) ask(event);
    else if (isWorkOpen() && canOpen()) openToAsk(event);
    else beginUnasked();
  });
  app.on('quit', () => lastAct?.());
  // On shutdown or a signal, the user does not see our window.
  powerMonitor.on('shutdown', beginQuit);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) signals.once(signal, quitNow);

  return {
    watchQueue(watched) {
      queue = watched;
      watched.store.onEvent(emitIfChanged);
      watched.submitJobs.onAdded(emitIfChanged);
    },
    onClose(event) {
      // On macOS the app outlives its window. If the page cannot ask, `before-quit` handles it
      // later.
      if (platform !== 'darwin' && state !== 'quitting' && canAsk()) ask(event);
    },
    quit(when) {
      if (state === 'open' || state === 'quitting') return;
      if (when === 'now') quitNow();
      else if (state === 'asking') {
        state = 'finishing';
        const finished = () => {
          if (state === 'finishing') quitNow();
        };
        queue?.scheduler.drain().then(finished, onError);
      }
    },
    cancelQuit(answered) {
      if (answered !== question) return;
      if (state === 'finishing') queue?.scheduler.cancelDrain();
      if (state === 'quitting') return;
      state = 'open';
      lastAct = undefined;
      endApp = quitApp;
    },
    quitThen(last) {
      lastAct = last;
      app.quit();
    },
    quitBy(quit) {
      endApp = quit;
      app.quit();
    },
    beginQuit,
    isQuitting: () => state === 'quitting',
  };
}
