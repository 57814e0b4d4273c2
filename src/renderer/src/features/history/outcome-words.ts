import type { Messages } from '../../../../shared/messages/index.ts';
import type { HistoryOutcome } from '../../state/history-deeds.svelte.ts';

/** What came of it, in a sentence. */
export function outcomeWords(
  outcome: HistoryOutcome,
  {
    history: {
      outcome: t,
      again: { sending },
    },
  }: Messages,
): string {
  switch (outcome.kind) {
    case 'removed':
      return t.removed(outcome);
    case 'brought-back':
      return t.broughtBack(outcome.entries);
    case 'adding':
      return sending;
    case 'again':
      return t.again(outcome, outcome.isChanged);
    case 'exported':
      return t.exported(outcome);
    case 'imported':
      return t.imported(outcome);
    case 'copied':
      return t.copied(outcome.paths);
    case 'too-many':
      return t.tooMany(outcome.most);
    case 'stopped':
      return t.stopped[outcome.work];
    case 'searched':
      return outcome.found.kind === 'found' ? t.found(outcome.found.entries) : t.notFound(outcome.found.files);
  }
}
