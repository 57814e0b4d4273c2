import type { App, PowerMonitor } from 'electron';
import type { QuitRequest } from '../../shared/schemas/app.ts';
import type { JobStore } from '../core/jobs/job-store.ts';
import type { Scheduler } from '../core/jobs/scheduler.ts';

/** The queue, as far as leaving is concerned. */
export interface LeftQueue {
  readonly store: Pick<JobStore, 'countUnfinished' | 'onEvent'>;
  readonly scheduler: Pick<Scheduler, 'unansweredPaidCalls' | 'drain' | 'resumeSteps'>;
}

export interface AskBeforeLeaving {
  /** From now on this queue's jobs are asked about. */
  attend(queue: LeftQueue): void;
  /** The window is about to close, and the program with it. */
  onClose(event: Preventable): void;
  /** What the person answered. Means nothing while nothing was asked; a second `now` overtakes `answered`. */
  leave(when: 'now' | 'answered'): void;
  stay(question: number): void;
  /** The program goes, whoever decided it: nothing is asked any more. */
  goAhead(): void;
}

interface Preventable {
  preventDefault(): void;
}

interface Dependencies {
  readonly app: Pick<App, 'on' | 'quit'>;
  readonly powerMonitor: Pick<PowerMonitor, 'on'>;
  /** The process, for its signals. */
  readonly signals: Pick<NodeJS.EventEmitter, 'once'>;
  readonly platform: NodeJS.Platform;
  /** Whether a page is there that could ask. */
  canAsk(): boolean;
  /** Brings the window to the front. */
  show(): void;
  tell(leaving: QuitRequest): void;
  /** Runs something later. */
  after(ms: number, run: () => void): void;
  /** Nobody could be asked, and the program ends. */
  onUnasked(open: number): void;
  onError(error: unknown): void;
}

/** A page that has nothing to ask answers within this, or is not waited for. */
const answersWithinMs = 1000;

/**
 * Holds the end of the program until the page has sent what it still holds, and while work is open asks once. Lives as long as the program. `here` until somebody wants to leave;
 * `asking` until the person answers; `finishing` while services still owe answers; `leaving` once it is decided, which is final.
 */
export function createAskBeforeLeaving(dependencies: Dependencies): AskBeforeLeaving {
  const { app, powerMonitor, signals, platform, canAsk, show, tell, after, onUnasked, onError } = dependencies;
  let state: 'here' | 'asking' | 'finishing' | 'leaving' = 'here';
  let queue: LeftQueue | undefined;
  let told = '';
  /** Counts the questions: an answer may be on its way while the next one is asked. */
  let question = 0;

  function goAhead(): void {
    state = 'leaving';
    // Whatever still has to end: from now on nothing is begun, and nothing paid for.
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
    // A page that was loaded anew meanwhile knows of no question.
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
  // Whoever ends the machine, or sends a signal, does not look at our window.
  powerMonitor.on('shutdown', goAhead);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) signals.once(signal, quit);

  return {
    attend(attended) {
      queue = attended;
      attended.store.onEvent(retell);
    },
    onClose(event) {
      // On macOS the program goes on without its window. A page that cannot ask is left to `before-quit`, when it is gone.
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
      if (state === 'finishing') queue?.scheduler.resumeSteps();
      if (state !== 'leaving') state = 'here';
    },
    goAhead,
  };
}

/** Holds the quit until `stop` has ended, once: a child or a half-written file that outlives the process would be nobody's. */
export function stopBeforeQuit(app: App, stop: () => Promise<void>, onError: (error: unknown) => void): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    // A second Ctrl Q does not end the first too early.
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
