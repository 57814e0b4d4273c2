import type { BackgroundPlace, CloseRequest } from '../../shared/schemas/app.ts';
import type { CloseAction } from '../../shared/schemas/settings.ts';
import type { Activity } from '../core/activity.ts';
import type { AppWindow } from './app-window.ts';

interface Preventable {
  preventDefault(): void;
}

interface Dependencies {
  readonly platform: NodeJS.Platform;
  readonly window: Pick<AppWindow, 'hide' | 'minimize' | 'isMinimized' | 'isListening' | 'shows'>;
  closeAction(): CloseAction;
  /** Undefined until the queue and the folders are open: there may be something to do. */
  activity(): Activity | undefined;
  /** True once the program quits, for whatever reason. */
  isQuitting(): boolean;
  place(): Promise<BackgroundPlace>;
  sleep(ms: number): Promise<void>;
  emitCloseRequest(request: CloseRequest): void;
  /** Called when the window was hidden or minimized. */
  onEntered(): void;
  /** Closes the window and quits with it, which asks about open work. */
  closeAndQuit(event: Preventable): void;
  onError(error: unknown): void;
}

/** Decides what closing the window does, and keeps the program running without it. */
export interface Background {
  /** Called before the window closes. */
  onClose(event: Preventable): void;
  /** Keeps the program running; its window is hidden, or minimized if the desktop has no tray. */
  enter(): Promise<void>;
  /** Like `enter`, for a Timbre that the system opened at sign-in, maybe before the panel that has the tray. */
  enterAtSignIn(): Promise<void>;
}

const panelStartsWithinMs = 20_000;
const panelCheckMs = 1000;

/**
 * While a folder is watched or jobs are open, the user's choice decides; the first time the page asks for
 * it. A page that cannot ask leaves a watching Timbre running, and ends one that only has jobs to resume.
 * On macOS a program always outlives its window.
 */
export function createBackground(dependencies: Dependencies): Background {
  const { platform, window, closeAction, activity, isQuitting, place, sleep, emitCloseRequest } = dependencies;
  const { onEntered, closeAndQuit, onError } = dependencies;

  /** Whether the last `enter` minimized the window. */
  let isMinimizedHere = false;

  async function enter(): Promise<void> {
    const before = window.shows();
    const found = await place();
    // The user may have opened it again meanwhile.
    if (window.shows() !== before || isQuitting()) return;
    isMinimizedHere = found === 'taskbar';
    if (isMinimizedHere) window.minimize();
    else window.hide();
    onEntered();
  }

  async function ask({ open, folders }: Activity): Promise<void> {
    emitCloseRequest({ open, folders, place: await place() });
  }

  return {
    onClose(event) {
      if (platform === 'darwin' || isQuitting()) return;
      const now = activity();
      const action = closeAction();
      const hasWork = now === undefined ? action === 'background' : now.open > 0 || now.folders > 0;
      const canAsk = window.isListening();
      // Without a tray, closing the minimized window is the way to quit.
      if (isMinimizedHere && window.isMinimized()) {
        closeAndQuit(event);
        return;
      }
      const stays = action === 'background' || (action === 'ask' && (canAsk || (now?.folders ?? 0) > 0));
      if (!hasWork || !stays) {
        closeAndQuit(event);
        return;
      }
      event.preventDefault();
      (now && action === 'ask' && canAsk ? ask(now) : enter()).catch(onError);
    },
    enter,
    async enterAtSignIn() {
      const before = window.shows();
      for (
        let waitedMs = 0;
        (await place()) === 'taskbar' && waitedMs < panelStartsWithinMs;
        waitedMs += panelCheckMs
      ) {
        await sleep(panelCheckMs);
      }
      if (window.shows() === before) await enter();
    },
  };
}
