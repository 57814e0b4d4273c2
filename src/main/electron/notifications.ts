import type { Messages } from '../../shared/messages/index.ts';
import type { BatchSummary } from '../core/jobs/batch-summary.ts';

/** Notifications while the window is in the background. */
export interface Notifications {
  /** Reports the result of a batch. Silent while a window has the focus and shows it. */
  batchEnded(summary: BatchSummary): void;
  /** Reports that Timbre quit without asking and left this many jobs open. */
  leftOpen(open: number): void;
  /** Resolves once all notifications were handed to the system. */
  whenShown(): Promise<void>;
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
  messages(): Promise<Messages>;
  onError(error: unknown): void;
}

type Text = readonly [title: string, body?: string];

export function createNotifications(dependencies: Dependencies): Notifications {
  const { Notification, hasFocus, show, messages, onError } = dependencies;
  /** Keeps a reference: a garbage-collected notification no longer reacts to clicks. */
  const kept: Shown[] = [];
  let saying: Promise<void> = Promise.resolve();

  async function say(toText: (messages: Messages) => Text): Promise<void> {
    if (!Notification.isSupported()) return;
    const [title, body] = toText(await messages());
    // The window may have received the focus while the messages were loading.
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
    whenShown: () => saying,
  };
}
