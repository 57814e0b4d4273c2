import type { ErrorCode, Problem } from '../../../../shared/errors.ts';
import { type Messages, problemText, type ProblemText } from '../../../../shared/messages/index.ts';
import type { WatchExplanation, WatchFolderInfo } from '../../../../shared/schemas/watch.ts';

export type AnswerAction = 'add' | 'go-on' | 'edit';

/** Why a file is not converted, in a sentence, and what fits. A file that stands in the table says it itself. */
export interface AnswerView {
  readonly words: string;
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
      return { words: t.outside, action: 'add' };
    case 'missing':
      return { words: t.missing, action: null };
    case 'paused':
      return { words: t.paused(folder), action: 'go-on' };
    case 'offline':
      return { words: t.offline(folder), action: null };
    case 'subfolder':
      return { words: t.subfolder(folder), action: 'edit' };
    case 'excluded':
      return { words: t.excluded(folder), action: 'edit' };
    case 'hidden':
      return { words: t.hidden(folder), action: null };
    case 'temporary':
      return { words: t.temporary(folder, answer.pattern), action: null };
    case 'ending':
      return { words: t.ending(folder, answer.ending), action: 'edit' };
    case 'link':
      return { words: t.link(folder), action: null };
    case 'unseen':
      return { words: t.unseen(folder), action: null };
  }
}

/** A folder in words, for the list of folders. */
export interface FolderView {
  readonly icon: 'still' | 'beat' | 'pause' | 'warn' | 'ask';
  readonly tone: 'rest' | 'warn';
  readonly words: string;
  /** Files that need a person, in words; empty where none does. */
  readonly attention: string;
}

/** Why it looks by itself, in the order in which one of them is enough of a reason. */
function pollingWords({ problems, scanIntervalSeconds }: WatchFolderInfo, { watch: { mode } }: Messages): string {
  const codes: ReadonlySet<ErrorCode> = new Set(problems.map(({ code }) => code));
  if (codes.has('watch/network-drive')) return mode.pollingNetwork(scanIntervalSeconds);
  if (codes.has('watch/too-many-folders')) return mode.pollingLimit(scanIntervalSeconds);
  return mode.polling(scanIntervalSeconds);
}

function offlineWords({ problems, modeChangedAt }: WatchFolderInfo, messages: Messages, now: number): string {
  const { mode } = messages.watch;
  const at = messages.format.stamp(modeChangedAt, now);
  const codes: ReadonlySet<ErrorCode> = new Set(problems.map(({ code }) => code));
  if (codes.has('watch/another-folder')) return `${mode.replaced(at)} ${mode.resumesWithFolder}`;
  if (codes.has('watch/unreadable')) return `${mode.unreadable(at)} ${mode.resumesWithFolder}`;
  return `${mode.offline(at)} ${mode.resumesWithDisk}`;
}

function modeView(folder: WatchFolderInfo, messages: Messages, now: number): Omit<FolderView, 'attention'> {
  const { mode: t } = messages.watch;
  const { incoming } = folder;
  switch (folder.mode) {
    case 'offline':
      return { icon: 'warn', tone: 'warn', words: offlineWords(folder, messages, now) };
    case 'elsewhere':
      return { icon: 'warn', tone: 'warn', words: t.elsewhere };
    case 'paused':
      return { icon: 'pause', tone: 'rest', words: t.paused(messages.format.stamp(folder.modeChangedAt, now)) };
    case 'starting':
      return { icon: 'still', tone: 'rest', words: t.starting };
    case 'polling': {
      const words = pollingWords(folder, messages);
      return {
        icon: incoming > 0 ? 'beat' : 'still',
        tone: 'rest',
        words: incoming > 0 ? t.withIncoming(words, incoming) : words,
      };
    }
    case 'watching':
      return incoming > 0
        ? { icon: 'beat', tone: 'rest', words: t.incoming(incoming) }
        : { icon: 'still', tone: 'rest', words: t.idle };
  }
}

/** How a folder stands just now. What asks something goes before what merely happens; what is not reachable goes before both. */
export function folderView(folder: WatchFolderInfo, messages: Messages, now: number): FolderView {
  const { mode: t } = messages.watch;
  const isAsking = folder.baseline !== null && folder.mode !== 'offline' && folder.mode !== 'elsewhere';
  const view = isAsking
    ? ({ icon: 'ask', tone: 'warn', words: t.baseline(folder.baseline.files) } as const)
    : modeView(folder, messages, now);
  return { ...view, attention: folder.attention > 0 ? t.attention(folder.attention) : '' };
}

/** Where results go, as short as it can be said: inside the folder without the folder itself. */
export function folderText({ path, outputFolder }: WatchFolderInfo['settings']): string | null {
  if (outputFolder === null) return null;
  const rest = outputFolder.startsWith(path) ? outputFolder.slice(path.replace(/[/\\]+$/, '').length) : '';
  return /^[/\\]./.test(rest) ? `${rest.slice(1)}${rest.charAt(0)}` : outputFolder;
}

/** What happened and what to do, for a file that nobody added by hand: it is looked at again by itself. */
export function watchedProblemText(problem: Problem, messages: Messages): ProblemText {
  const text = problemText(messages, problem);
  const advice = messages.watch.advice[problem.code]?.(problem.facts ?? {});
  return advice === undefined ? text : { ...text, advice };
}
