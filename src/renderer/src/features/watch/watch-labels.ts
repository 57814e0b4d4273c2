import type { ErrorCode } from '../../../../shared/errors.ts';
import type { Messages } from '../../../../shared/messages/index.ts';
import { watchedProblemText } from '../../../../shared/messages/problem-text.ts';
import type { Baseline, WatchExplanation, WatchFolderInfo } from '../../../../shared/schemas/watch.ts';

export type AnswerAction = 'add' | 'resume' | 'edit';

/** Why a file is not converted, and what the user can do. A file in the table has a `FileView` instead. */
export interface AnswerView {
  readonly text: string;
  readonly action: AnswerAction | null;
}

/** `folder` is the folder's name. */
export function answerView(
  answer: Exclude<WatchExplanation, { readonly kind: 'file' }>,
  folder: string,
  { watch: { answer: t } }: Messages,
): AnswerView {
  switch (answer.kind) {
    case 'outside':
      return { text: t.outside, action: 'add' };
    case 'missing':
      return { text: t.missing, action: null };
    case 'paused':
      return { text: t.paused({ folder }), action: 'resume' };
    case 'offline':
      return { text: t.offline({ folder }), action: null };
    case 'subfolder':
      return { text: t.subfolder({ folder }), action: 'edit' };
    case 'excluded':
      return { text: t.excluded({ folder }), action: 'edit' };
    case 'hidden':
      return { text: t.hidden({ folder }), action: null };
    case 'temporary':
      return { text: t.temporary({ folder, pattern: answer.pattern }), action: null };
    case 'ending':
      return {
        text: answer.ending === '' ? t.noEnding({ folder }) : t.ending({ folder, ending: answer.ending }),
        action: 'edit',
      };
    case 'link':
      return { text: t.link({ folder }), action: null };
    case 'unseen':
      return { text: t.unseen({ folder }), action: null };
  }
}

/** What the list of folders shows of one. */
export interface FolderView {
  readonly icon: 'idle' | 'activity' | 'pause' | 'warning' | 'question';
  readonly severity: 'info' | 'warning';
  readonly text: string;
  /** How many files need attention; empty if none does. */
  readonly attention: string;
}

/** Why the folder is polled; the first reason that applies. */
function pollingText({ problems, scanIntervalSeconds }: WatchFolderInfo, { watch: { mode } }: Messages): string {
  const codes: ReadonlySet<ErrorCode> = new Set(problems.map(({ code }) => code));
  if (codes.has('watch/network-drive')) return mode.pollingNetwork({ seconds: scanIntervalSeconds });
  if (codes.has('watch/too-many-folders')) return mode.pollingLimit({ seconds: scanIntervalSeconds });
  return mode.polling({ seconds: scanIntervalSeconds });
}

function offlineText({ problems, modeChangedAt }: WatchFolderInfo, messages: Messages, now: number): string {
  const { format, watch } = messages;
  const { mode } = watch;
  const since = format.past(modeChangedAt, now);
  const codes: ReadonlySet<ErrorCode> = new Set(problems.map(({ code }) => code));
  if (codes.has('watch/another-folder')) return format.sentences(mode.replaced(since), mode.resumesWithFolder);
  if (codes.has('watch/unreadable')) return format.sentences(mode.unreadable(since), mode.resumesWithFolder);
  return format.sentences(mode.offline(since), mode.resumesWithDisk);
}

function modeView(folder: WatchFolderInfo, messages: Messages, now: number): Omit<FolderView, 'attention'> {
  const { mode: t } = messages.watch;
  const { incoming } = folder;
  switch (folder.mode) {
    case 'offline':
      return { icon: 'warning', severity: 'warning', text: offlineText(folder, messages, now) };
    case 'elsewhere':
      return { icon: 'warning', severity: 'warning', text: t.elsewhere };
    case 'paused':
      return { icon: 'pause', severity: 'info', text: t.paused(messages.format.past(folder.modeChangedAt, now)) };
    case 'starting':
      return { icon: 'idle', severity: 'info', text: t.starting };
    case 'polling': {
      const text = pollingText(folder, messages);
      return {
        icon: incoming > 0 ? 'activity' : 'idle',
        severity: 'info',
        text: incoming > 0 ? t.withIncoming({ line: text, n: incoming }) : text,
      };
    }
    case 'watching':
      return incoming > 0
        ? { icon: 'activity', severity: 'info', text: t.incoming({ n: incoming }) }
        : { icon: 'idle', severity: 'info', text: t.idle };
  }
}

/** A folder that is unavailable says so; otherwise a question comes before the current activity. */
export function folderView(folder: WatchFolderInfo, messages: Messages, now: number, isConnected: boolean): FolderView {
  const { mode: t } = messages.watch;
  const isUnavailable = folder.mode === 'offline' || folder.mode === 'elsewhere';
  if (!isConnected && !isUnavailable) {
    const { title: text } = watchedProblemText(messages, { code: 'connection/not-found' });
    return { icon: 'warning', severity: 'warning', text, attention: attentionText(folder, messages) };
  }
  const hasQuestion = folder.baseline !== null && !isUnavailable;
  const view = hasQuestion
    ? ({
        icon: 'question',
        severity: 'warning',
        text: t.baseline(fileCounts(folder.baseline.files - folder.baseline.texts, folder.baseline.texts)),
      } as const)
    : modeView(folder, messages, now);
  return { ...view, attention: attentionText(folder, messages) };
}

const attentionText = ({ attention }: WatchFolderInfo, { watch: { mode: t } }: Messages): string =>
  attention > 0 ? t.attention({ n: attention }) : '';

/** So many recordings and texts, for messages that name only those that there are. */
export const fileCounts = (recordings: number, texts: number) => ({
  kind: texts === 0 ? 'recordings' : recordings === 0 ? 'texts' : 'both',
  recordings,
  texts,
});

/** How many files were in a folder before it was watched, and how long they are. */
export function baselineTitle({ files, texts, seconds, isMeasured }: Baseline, { watch }: Messages): string {
  const length = seconds === 0 ? 'unknown' : isMeasured ? 'known' : 'least';
  return watch.baseline.title({ ...fileCounts(files - texts, texts), length, seconds });
}

/** The output folder, relative if it is inside the watched folder; null if results go next to the originals. */
export function outputFolderText({ path, outputFolder }: WatchFolderInfo['settings']): string | null {
  if (outputFolder === null) return null;
  const relative = outputFolder.startsWith(path) ? outputFolder.slice(path.replace(/[/\\]+$/, '').length) : '';
  return /^[/\\]./.test(relative) ? `${relative.slice(1)}${relative.charAt(0)}` : outputFolder;
}
