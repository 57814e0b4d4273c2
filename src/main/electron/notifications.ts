import type { Messages } from '../../shared/messages/index.ts';
import type { BatchSummary } from '../core/jobs/batch-summary.ts';

/** What Timbre says while nobody looks at it. */
export interface Notifications {
  /** What came of a batch. Silent while a window of ours has the focus: what it would say stands there. */
  batchEnded(summary: BatchSummary): void;
  /** Timbre ended without asking, and left so many jobs for the next time. */
  leftOpen(open: number): void;
  /** Resolves when everything that was to be said was handed to the system. */
  said(): Promise<void>;
}

interface Shown {
  on(event: 'click', listener: () => void): unknown;
  show(): void;
}

interface Dependencies {
  readonly Notification: {
    new (options: { readonly title: string; readonly body?: string }): Shown;
    isSupported(): boolean;
  };
  hasFocus(): boolean;
  /** Brings the window to the front. */
  show(): void;
  words(): Promise<Messages>;
  onError(error: unknown): void;
}

type Text = readonly [title: string, body?: string];

export function createNotifications(dependencies: Dependencies): Notifications {
  const { Notification, hasFocus, show, words, onError } = dependencies;
  /** The last one: a notification that was collected as garbage would be clicked in vain. */
  const kept: Shown[] = [];
  let saying: Promise<void> = Promise.resolve();

  async function say(toText: (messages: Messages) => Text): Promise<void> {
    if (!Notification.isSupported()) return;
    const [title, body] = toText(await words());
    // It may have got the focus while the words came.
    if (hasFocus()) return;
    const notification = new Notification({ title, ...(body !== undefined && { body }) });
    notification.on('click', show);
    notification.show();
    kept[0] = notification;
  }

  function queue(toText: (messages: Messages) => Text): void {
    if (hasFocus()) return;
    saying = saying.then(() => say(toText)).catch(onError);
  }

  return {
    batchEnded: (summary) => queue(({ notify }) => [notify.batch(summary)]),
    leftOpen: (open) => queue(({ notify }) => [notify.closed, notify.left(open)]),
    said: () => saying,
  };
}
