import type { EventEmitter } from 'node:events';
import { createEvent } from './event.mts';

/** A window as far as quitting is concerned. */
interface Closable {
  close(): void;
  destroy(): void;
}

export interface LifeCycleDeps {
  /** The app: what the events are emitted on. */
  readonly events: EventEmitter;
  readonly windows: () => readonly Closable[];
  /** Ends Chromium; never rejects. */
  readonly stop: () => Promise<void>;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/**
 * Quitting as Electron does it: before-quit, close of every window, will-quit, quit. The first three may be prevented,
 * and then nothing of it has happened. `exit` goes straight to quit; whatever comes after that changes nothing.
 */
export interface LifeCycle {
  quit(): void;
  exit(code: number): void;
  /** A window stayed open after all: its close was prevented, or its page refused. */
  cancelQuit(): void;
  /** To be called whenever the last window has gone. */
  lastWindowClosed(): void;
  isQuitting(): boolean;
  /** Whether the process is on its way out for good. */
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
      // Destroying the last window must not start a quit of its own.
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
