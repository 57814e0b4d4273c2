import { app, BrowserWindow, Notification, powerMonitor, powerSaveBlocker } from 'electron';
import type { Messages } from '../../shared/messages/index.ts';
import type { QuitRequest } from '../../shared/schemas/app.ts';
import { summarizeBatches } from '../core/jobs/batch-summary.ts';
import type { Data } from '../core/data.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { AppWindow } from './app-window.ts';
import { createAskBeforeLeaving, type AskBeforeLeaving } from './quit.ts';
import { createNotifications } from './notifications.ts';
import { attendPower } from './power.ts';

/** What the queue and the desktop around the window have to say to each other: power, notifications, and leaving. */
export interface Desktop extends Pick<AskBeforeLeaving, 'onClose' | 'goAhead' | 'leave' | 'stay'> {
  attend(data: Pick<Data, 'queue' | 'watch'>): void;
  /** The words of the language that the person chose. */
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
    // The window paints before main needs a word.
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
        attendPower(
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
      await notifications.said();
    },
  };
}
