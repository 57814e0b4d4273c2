import type { EventEmitter } from 'node:events';
import { createEvent } from './event.mts';

/** The part of a window that quitting needs. */
interface Closable {
  close(): void;
  destroy(): void;
}

export interface LifeCycleDeps {
  /** The app's emitter. */
  readonly events: EventEmitter;
  readonly windows: () => readonly Closable[];
  /** Ends Chromium; never rejects. */
  readonly stop: () => Promise<void>;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/**
 * Quits as Electron does: before-quit, close of every window, will-quit, quit. Each of the first three can be
 * prevented, which cancels the quit. `exit` goes straight to quit, and later calls have no effect.
 */
export interface LifeCycle {
  quit(): void;
  exit(code: number): void;
  /** Must be called when a window stays open because its close was prevented or its page refused. */
  cancelQuit(): void;
  /** Must be called when the last window is closed. */
  lastWindowClosed(): void;
  isQuitting(): boolean;
  /** True once the process is ending and nothing can prevent it. */
  isOver(): boolean;
}

export function createLifeCycle({ events, windows, stop, exit }: LifeCycleDeps): LifeCycle {
  let quitting = false;
  let over = false;

  const end = (code: number): void => {
    if (over) return;
    over = true;
    events.emit('quit', createEvent(), code);
    void stop().then(() => exit(code));
  };

  const willQuit = (): void => {
    const event = createEvent();
    events.emit('will-quit', event);
    if (event.defaultPrevented) quitting = false;
    else end(0);
  };

  const quit = (): void => {
    if (quitting || over) return;
    quitting = true;
    const event = createEvent();
    events.emit('before-quit', event);
    if (event.defaultPrevented) {
      quitting = false;
      return;
    }
    const open = windows();
    if (open.length === 0) willQuit();
    for (const window of open) window.close();
  };

  return {
    quit,
    exit(code) {
      if (over) return;
      // Destroying the last window must not start another quit.
      quitting = true;
      over = true;
      for (const window of windows()) window.destroy();
      over = false;
      end(code);
    },
    cancelQuit() {
      quitting = false;
    },
    lastWindowClosed() {
      if (over) return;
      if (quitting) willQuit();
      else if (events.listenerCount('window-all-closed') > 0) events.emit('window-all-closed');
      else quit();
    },
    isQuitting: () => quitting,
    isOver: () => over,
  };
}
