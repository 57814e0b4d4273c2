import type { App, PowerMonitor } from 'electron';
import type { Leaving } from '../../shared/wire/app.ts';
import type { JobStore } from '../core/jobs/job-store.ts';
import type { Runner } from '../core/jobs/runner.ts';

/** The queue, as far as leaving is concerned. */
export interface LeftQueue {
  readonly store: Pick<JobStore, 'countUnfinished' | 'onNews'>;
  readonly runner: Pick<Runner, 'atService' | 'finishSteps' | 'goOn'>;
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
  tell(leaving: Leaving): void;
  /** Nobody could be asked, and the program ends. */
  onUnasked(open: number): void;
  onError(error: unknown): void;
}

/**
 * Holds the end of the program while work is open, and asks once. Lives as long as the program. `here` until somebody wants to leave;
 * `asking` until the person answers; `finishing` while services still owe answers; `leaving` once it is decided, which is final.
 */
export function createAskBeforeLeaving(dependencies: Dependencies): AskBeforeLeaving {
  const { app, powerMonitor, signals, platform, canAsk, show, tell, onUnasked, onError } = dependencies;
  let state: 'here' | 'asking' | 'finishing' | 'leaving' = 'here';
  let queue: LeftQueue | undefined;
  let told = '';
  /** Counts the questions: an answer may be on its way while the next one is asked. */
  let question = 0;

  function goAhead(): void {
    state = 'leaving';
    // Whatever still has to end: from now on nothing is begun, and nothing paid for.
    queue?.runner.finishSteps().catch(onError);
  }

  function quit(): void {
    goAhead();
    app.quit();
  }

  function retell(): void {
    if (!queue || (state !== 'asking' && state !== 'finishing')) return;
    const leaving: Leaving = { open: queue.store.countUnfinished(), atService: queue.runner.atService(), question };
    const text = JSON.stringify(leaving);
    if (text === told) return;
    told = text;
    tell(leaving);
  }

  /** Nothing would be lost, or it was decided already. */
  const mayGo = () => state === 'leaving' || !queue || queue.store.countUnfinished() === 0;

  function ask(event: Preventable): void {
    event.preventDefault();
    if (state === 'here') state = 'asking';
    question += 1;
    // A page that was loaded anew meanwhile knows of no question.
    told = '';
    show();
    retell();
  }

  app.on('before-quit', (event) => {
    if (mayGo()) return;
    if (canAsk()) ask(event);
    else {
      goAhead();
      onUnasked(queue?.store.countUnfinished() ?? 0);
    }
  });
  // Whoever ends the machine, or sends a signal, does not look at our window.
  powerMonitor.on('shutdown', goAhead);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) signals.once(signal, quit);

  return {
    attend(attended) {
      queue = attended;
      attended.store.onNews(retell);
    },
    onClose(event) {
      // On macOS the program goes on without its window. A page that cannot ask is left to `before-quit`, when it is gone.
      if (platform !== 'darwin' && !mayGo() && canAsk()) ask(event);
    },
    leave(when) {
      if (state === 'here' || state === 'leaving') return;
      if (when === 'now') quit();
      else if (state === 'asking') {
        state = 'finishing';
        const finished = () => {
          if (state === 'finishing') quit();
        };
        queue?.runner.finishSteps().then(finished, onError);
      }
    },
    stay(answered) {
      if (answered !== question) return;
      if (state === 'finishing') queue?.runner.goOn();
      if (state !== 'leaving') state = 'here';
    },
    goAhead,
  };
}
