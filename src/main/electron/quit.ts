import type { App, PowerMonitor } from 'electron';
import type { QuitRequest } from '../../shared/schemas/app.ts';
import type { JobStore } from '../core/jobs/job-store.ts';
import type { Scheduler } from '../core/jobs/scheduler.ts';

/** The part of the queue that quitting depends on. */
interface OpenWork {
  readonly store: Pick<JobStore, 'countUnfinished' | 'onEvent'>;
  readonly scheduler: Pick<Scheduler, 'unansweredPaidCalls' | 'drain' | 'cancelDrain'>;
}

export interface QuitGuard {
  /** Starts to ask about the jobs of this queue. */
  attend(queue: OpenWork): void;
  /** Called before the window closes, and the app with it. */
  onClose(event: Preventable): void;
  /** The user's answer. Ignored if nothing was asked; a later `now` overrides `answered`. */
  leave(when: 'now' | 'answered'): void;
  stay(question: number): void;
  /** The app quits, for whatever reason: nothing is asked any more. */
  goAhead(): void;
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
  /** Brings the window to the front. */
  show(): void;
  tell(leaving: QuitRequest): void;
  /** Runs a function after a delay. */
  after(ms: number, run: () => void): void;
  /** Called if the app quits without being able to ask. */
  onUnasked(open: number): void;
  onError(error: unknown): void;
}

/** How long to wait for a page's reply before quitting without it. */
const answersWithinMs = 1000;

/**
 * Delays quitting until the page has sent its pending changes, and asks once if work is open. Lives
 * as long as the app.
 * States: `here`; `asking` until the user answers; `finishing` while services still owe responses;
 * `leaving` once decided, which is final.
 */
export function createAskBeforeLeaving(dependencies: Dependencies): QuitGuard {
  const { app, powerMonitor, signals, platform, canAsk, show, tell, after, onUnasked, onError } = dependencies;
  let state: 'here' | 'asking' | 'finishing' | 'leaving' = 'here';
  let queue: OpenWork | undefined;
  let told = '';
  /** Identifies the question: a late answer may belong to an earlier one. */
  let question = 0;

  function goAhead(): void {
    state = 'leaving';
    // While running work ends, nothing new starts, so nothing more is paid for.
    queue?.scheduler.drain().catch(onError);
  }

  function quit(): void {
    goAhead();
    app.quit();
  }

  const openJobs = (): number => queue?.store.countUnfinished() ?? 0;

  function retell(): void {
    if (state !== 'asking' && state !== 'finishing') return;
    const leaving: QuitRequest = { open: openJobs(), atService: queue?.scheduler.unansweredPaidCalls() ?? 0, question };
    const text = JSON.stringify(leaving);
    if (text === told) return;
    told = text;
    tell(leaving);
  }

  function ask(event: Preventable): void {
    event.preventDefault();
    if (state === 'here') state = 'asking';
    question += 1;
    // A reloaded page has lost the question and must get it again.
    told = '';
    if (openJobs() > 0) show();
    else {
      const asked = question;
      after(answersWithinMs, () => {
        if (state === 'asking' && question === asked && openJobs() === 0) quit();
      });
    }
    retell();
  }

  app.on('before-quit', (event) => {
    if (state === 'leaving') return;
    if (canAsk()) ask(event);
    else {
      goAhead();
      const open = openJobs();
      if (open > 0) onUnasked(open);
    }
  });
  // On shutdown or a signal, the user does not see our window.
  powerMonitor.on('shutdown', goAhead);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) signals.once(signal, quit);

  return {
    attend(attended) {
      queue = attended;
      attended.store.onEvent(retell);
    },
    onClose(event) {
      // On macOS the app outlives its window. If the page cannot ask, `before-quit` handles it
      // later.
      if (platform !== 'darwin' && state !== 'leaving' && canAsk()) ask(event);
    },
    leave(when) {
      if (state === 'here' || state === 'leaving') return;
      if (when === 'now') quit();
      else if (state === 'asking') {
        state = 'finishing';
        const finished = () => {
          if (state === 'finishing') quit();
        };
        queue?.scheduler.drain().then(finished, onError);
      }
    },
    stay(answered) {
      if (answered !== question) return;
      if (state === 'finishing') queue?.scheduler.cancelDrain();
      if (state !== 'leaving') state = 'here';
    },
    goAhead,
  };
}

/** Delays quitting until `stop` has finished, once: no child process or partial file may outlive the app. */
export function stopBeforeQuit(app: App, stop: () => Promise<void>, onError: (error: unknown) => void): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    // A second Ctrl+Q must not cut the first short.
    if (state === 'stopping') return;
    state = 'stopping';
    void stop()
      .catch(onError)
      .finally(() => {
        state = 'stopped';
        app.quit();
      });
  });
}
