import { app, BrowserWindow, Notification, powerMonitor, powerSaveBlocker } from 'electron';
import type { Messages } from '../../shared/messages/index.ts';
import type { QuitRequest } from '../../shared/schemas/app.ts';
import { summarizeBatches } from '../core/jobs/batch-summary.ts';
import type { Data } from '../core/data.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { AppWindow } from './app-window.ts';
import { createQuitGuard, type QuitGuard } from './quit.ts';
import { createNotifications } from './notifications.ts';
import { connectPower } from './power.ts';

/** Connects the queue with power management, notifications and quitting. */
export interface Desktop extends Pick<QuitGuard, 'onClose' | 'beginQuit' | 'quit' | 'cancelQuit'> {
  /** Connects the queue and the watched folders once they are open. */
  connect(data: Pick<Data, 'queue' | 'watch'>): void;
  /** In the language of the settings. */
  messages(): Promise<Messages>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly window: Pick<AppWindow, 'show' | 'isListening'>;
  settings(): Promise<SettingsStore>;
  emitQuitRequest(request: QuitRequest): void;
  onUnexpected(where: string, error: unknown): void;
}

export function createDesktop({ window, settings, emitQuitRequest, onUnexpected }: Dependencies): Desktop {
  const ends: (() => void)[] = [];
  async function messages(): Promise<Messages> {
    // Loaded late: main needs no message before the first paint.
    const { loadMessages } = await import('../../shared/messages/index.ts');
    const { language } = (await settings()).get();
    return loadMessages(language === 'system' ? app.getPreferredSystemLanguages() : language);
  }
  const notifications = createNotifications({
    Notification,
    hasFocus: () => BrowserWindow.getFocusedWindow() !== null,
    show: window.show,
    messages,
    onError: (error) => onUnexpected('notification', error),
  });
  const quitGuard = createQuitGuard({
    app,
    powerMonitor,
    signals: process,
    platform: process.platform,
    canAsk: window.isListening,
    show: window.show,
    emitRequest: emitQuitRequest,
    after: (ms, run) => void setTimeout(run, ms),
    onUnasked: notifications.leftOpen,
    onError: (error) => onUnexpected('quit', error),
  });

  return {
    ...quitGuard,
    messages,
    connect({ queue, watch }) {
      quitGuard.watchQueue(queue);
      ends.push(
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
        summarizeBatches(queue.store, notifications.batchEnded),
      );
    },
    async stop() {
      quitGuard.beginQuit();
      ends.forEach((end) => end());
      await notifications.whenShown();
    },
  };
}
