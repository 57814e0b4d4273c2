import type { Contract } from '../../shared/contract.ts';
import type { Emitters } from '../../shared/contract-types.ts';
import type { History } from '../core/library/history.ts';
import type { MediaRegistry } from '../core/media/media-registry.ts';
import { toHistoryRow } from './history-views.ts';
import { rowsInMessage } from './rows-in-message.ts';

interface Dependencies {
  readonly media: MediaRegistry;
  readonly emit: Pick<Emitters<Contract>['history'], 'listed' | 'changed'>;
}

/** Tells the pages of lists that were counted and of entries that changed, until history is stopped. */
export function announceHistory(
  history: Pick<History, 'onListed' | 'onChanged' | 'getAll'>,
  { media, emit }: Dependencies,
): void {
  history.onListed(emit.listed);
  history.onChanged(({ ids, isStale }) => {
    const rows = history.getAll(ids).map((entry) => toHistoryRow(entry, media));
    if (rows.length > 0 || isStale) emit.changed({ put: rows.slice(0, rowsInMessage), isStale });
    for (let start = rowsInMessage; start < rows.length; start += rowsInMessage) {
      emit.changed({ put: rows.slice(start, start + rowsInMessage), isStale: false });
    }
  });
}
