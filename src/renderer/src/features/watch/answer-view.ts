import type { Messages } from '../../../../shared/messages/index.ts';
import type { WatchAnswer } from '../../../../shared/wire/watch.ts';

export type AnswerAction = 'add' | 'go-on' | 'edit';

/** Why a file is not converted, in a sentence, and what fits. A file that stands in the table says it itself. */
export interface AnswerView {
  readonly words: string;
  readonly action: AnswerAction | null;
}

/** `folder` is the folder's name. */
export function answerView(
  answer: Exclude<WatchAnswer, { readonly kind: 'file' }>,
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
