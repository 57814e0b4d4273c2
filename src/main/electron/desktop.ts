import { app, BrowserWindow, Notification, powerMonitor, powerSaveBlocker } from 'electron';
import type { Messages } from '../../shared/messages/index.ts';
import type { QuitRequest } from '../../shared/schemas/app.ts';
import { summarizeBatches } from '../core/jobs/batch-summary.ts';
import type { Data } from '../core/data.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { AppWindow } from './app-window.ts';
import { createAskBeforeLeaving, type QuitGuard } from './quit.ts';
import { createNotifications } from './notifications.ts';
import { connectPower } from './power.ts';

/** Connects the queue with power management, notifications and quitting. */
export interface Desktop extends Pick<QuitGuard, 'onClose' | 'goAhead' | 'leave' | 'stay'> {
  attend(data: Pick<Data, 'queue' | 'watch'>): void;
  /** Messages in the user's language. */
  words(): Promise<Messages>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly window: Pick<AppWindow, 'show' | 'isListening'>;
  settings(): Promise<SettingsStore>;
  tellLeaving(leaving: QuitRequest): void;
  onUnexpected(where: string, error: unknown): void;
}

export function createDesktop({ window, settings, tellLeaving, onUnexpected }: Dependencies): Desktop {
  const ends: (() => void)[] = [];
  async function words(): Promise<Messages> {
    // Loaded late: main needs no message before the first paint.
    const { loadMessages } = await import('../../shared/messages/index.ts');
    const { language } = (await settings()).get();
    return loadMessages(language === 'system' ? app.getPreferredSystemLanguages() : language);
  }
  const notifications = createNotifications({
    Notification,
    hasFocus: () => BrowserWindow.getFocusedWindow() !== null,
    show: window.show,
    words,
    onError: (error) => onUnexpected('notification', error),
  });
  const leaving = createAskBeforeLeaving({
    app,
    powerMonitor,
    signals: process,
    platform: process.platform,
    canAsk: window.isListening,
    show: window.show,
    tell: tellLeaving,
    after: (ms, run) => void setTimeout(run, ms),
    onUnasked: notifications.leftOpen,
    onError: (error) => onUnexpected('leaving', error),
  });

  return {
    ...leaving,
    words,
    attend({ queue, watch }) {
      leaving.attend(queue);
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
      leaving.goAhead();
      ends.forEach((end) => end());
      await notifications.whenShown();
    },
  };
}
