import type { App } from 'electron';
import type { DesktopMessages } from '../../shared/messages/desktop.ts';
import type { JobListId } from '../../shared/schemas/app.ts';
import type { Activity } from '../core/activity.ts';
import type { BatchSummary } from '../core/jobs/batch-summary.ts';

/** As in build/electron-builder.js. */
const appId = 'org.timbre.Timbre';

/** Windows shows notifications only of programs with the id of their shortcut. */
export function identifyApp(app: Pick<App, 'setAppUserModelId'>, platform: NodeJS.Platform): void {
  if (platform === 'win32') app.setAppUserModelId(appId);
}

/** Notifications while the window is in the background. */
export interface Notifications {
  /**
   * Reports the result of a batch, together with those that ended shortly before: recordings saved one
   * by one are one notification. Silent while a window has the focus and shows it.
   */
  batchEnded(summary: BatchSummary): void;
  /**
   * Reports each pause that needs the user, once, if it lasts a few seconds. Call when the activity changes.
   * Silent while a window has the focus and shows it.
   */
  activityChanged(activity: Pick<Activity, 'pauses'>): void;
  /** Reports the end of the work because the user asked for it, also to a window with the focus. */
  workEnded(summary: BatchSummary): void;
  /** Reports what happens soon unless the user cancels it in the window, which a click shows. */
  countsDown(action: 'sleep' | 'shut-down', seconds: number): void;
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
  /** Brings the window to the front, with the results, or with the jobs that need the user if there are no results. */
  showList(list: JobListId): void;
  connectionName(id: string): string;
  /** True if more jobs will end soon, so that the user is told about all of them at once. */
  isExpectingMore(): boolean;
  after(ms: number, run: () => void): void;
  messages(): Promise<DesktopMessages>;
  onError(error: unknown): void;
}

type Text = readonly [title: string, body?: string | undefined];
type ToText = (messages: DesktopMessages) => Text | Promise<Text>;

/** A folder's next recording is found within seconds of the last one. */
const lingerMs = 3000;
/** A file that its program keeps open for hours must not delay the others any longer. */
const maxLingers = 10;
/** A pause that only goes on, after a restart for example, is the same. */
const keyOf = ({ connectionId, reason, since }: Activity['pauses'][number]): string =>
  `${reason} ${connectionId} ${since}`;
/** The user still clicks the latest of these. */
const maxKept = 20;
const nothing: BatchSummary = { done: 0, needAttention: 0 };

const batchText = ({ done, needAttention }: BatchSummary, { notify, format }: DesktopMessages): string =>
  format.facts(
    done > 0 ? notify.done({ n: done }) : '',
    needAttention > 0 ? notify.needAttention({ n: needAttention }) : '',
  );

export function createNotifications(dependencies: Dependencies): Notifications {
  const { Notification, hasFocus, show, showList, connectionName, isExpectingMore, after, messages, onError } =
    dependencies;
  /** Keeps a reference: a garbage-collected notification no longer reacts to clicks. */
  const kept: Shown[] = [];
  let saying: Promise<void> = Promise.resolve();
  let ended = nothing;
  let isLingering = false;
  let pauses: Activity['pauses'] = [];
  /** Pauses that the user knows of. */
  let known: ReadonlySet<string> = new Set();
  let isChecking = false;

  async function say(toText: ToText, onClick: () => void, isAsked = false): Promise<void> {
    if (!Notification.isSupported()) return;
    const [title, body] = await toText(await messages());
    // The window may have received the focus while the messages were loading.
    if (hasFocus() && !isAsked) return;
    const notification = new Notification({ title, ...(body !== undefined && { body }) });
    notification.on('click', onClick);
    notification.show();
    kept.push(notification);
    if (kept.length > maxKept) kept.shift();
  }

  function queue(toText: ToText, onClick: () => void): void {
    if (hasFocus()) return;
    saying = saying.then(() => say(toText, onClick)).catch(onError);
  }

  function sayEnded(): void {
    const summary = ended;
    ended = nothing;
    if (summary.done + summary.needAttention === 0) return;
    queue(
      (messages) => [batchText(summary, messages)],
      () => showList(summary.done > 0 ? 'done' : 'queue'),
    );
  }

  function linger(left: number): void {
    isLingering = true;
    after(lingerMs, () => {
      isLingering = false;
      if (left > 0 && isExpectingMore()) linger(left - 1);
      else sayEnded();
    });
  }

  const unknownPauses = () => pauses.filter((pause) => !known.has(keyOf(pause)));

  function sayPaused(): void {
    const unknown = unknownPauses();
    known = new Set(pauses.map(keyOf));
    for (const pause of unknown) {
      const { connectionId, waiting } = pause;
      const name = connectionName(connectionId ?? '');
      queue(
        async (loaded) => {
          const { pauseTitle } = await import('../../shared/messages/pause-text.ts');
          return [pauseTitle(pause, name, loaded), waiting > 0 ? loaded.notify.waiting({ n: waiting }) : undefined];
        },
        () => showList('queue'),
      );
    }
  }

  return {
    activityChanged(activity) {
      ({ pauses } = activity);
      const current = new Set(pauses.map(keyOf));
      known = new Set([...known].filter((key) => current.has(key)));
      if (isChecking || unknownPauses().length === 0) return;
      isChecking = true;
      after(lingerMs, () => {
        isChecking = false;
        sayPaused();
      });
    },
    batchEnded({ done, needAttention }) {
      // The user has seen all of it.
      ended = hasFocus() ? nothing : { done: ended.done + done, needAttention: ended.needAttention + needAttention };
      if (ended !== nothing && !isLingering) linger(maxLingers);
    },
    workEnded(summary) {
      // Without the focus, the end of the batch is reported anyway.
      if (!hasFocus() || summary.done + summary.needAttention === 0) return;
      const onClick = () => showList(summary.done > 0 ? 'done' : 'queue');
      saying = saying.then(() => say((messages) => [batchText(summary, messages)], onClick, true)).catch(onError);
    },
    countsDown: (action, seconds) =>
      queue(({ queue: { whenDone }, notify }) => [whenDone.titles[action]({ seconds }), notify.openToCancel], show),
    leftOpen: (open) => queue(({ notify }) => [notify.closed, notify.left({ n: open })], show),
    whenShown() {
      sayEnded();
      return saying;
    },
  };
}
