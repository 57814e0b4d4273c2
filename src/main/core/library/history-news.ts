import type { DatabaseSync } from 'node:sqlite';
import { hasEnded } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { createListeners } from '../listeners.ts';

/** What happened in history since the last news. */
export interface HistoryNews {
  /** Entries that are others now, or new. Some may have left meanwhile. */
  readonly ids: readonly string[];
  /** Entries came or went, or so many changed that a list had better be read again. */
  readonly isStale: boolean;
}

/**
 * Tells of changes, by this process or another one, a few times a second at most. `look` is called after each write to history that
 * the journal does not tell of. `stop` ends it; nothing is told afterwards.
 */
export interface NewsTeller {
  look(changedIds: readonly string[]): void;
  /** Tells at once what waits to be told. */
  tellNow(): void;
  onChanged(listener: (news: HistoryNews) => void): () => void;
  stop(): void;
}

/** As often as a person sees a change. */
const everyMs = 250;
/** More rows than anybody has on a screen. */
const mostIds = 1000;

export function createNewsTeller(
  database: DatabaseSync,
  store: Pick<JobStore, 'onNews'>,
  onDefect: (error: unknown) => void,
): NewsTeller {
  const selectChange = database.prepare('SELECT change FROM history_change');
  const changeNow = (): unknown => selectChange.get()?.['change'];
  const listeners = createListeners<HistoryNews>(onDefect);
  const changed = new Set<string>();
  let lastChange = changeNow();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function tell(): void {
    timer = undefined;
    const change = changeNow();
    const isTooMany = changed.size > mostIds;
    const isStale = change !== lastChange || isTooMany;
    const ids = isTooMany ? [] : [...changed];
    lastChange = change;
    changed.clear();
    if (isStale || ids.length > 0) listeners.tell({ ids, isStale });
  }

  /** A bad page of the database may be read before it is found and put right. */
  function tellSafely(): void {
    try {
      tell();
    } catch (error) {
      onDefect(error);
    }
  }

  function look(ids: readonly string[]): void {
    if (isStopped) return;
    for (const id of ids) if (changed.size <= mostIds) changed.add(id);
    timer ??= setTimeout(tellSafely, everyMs);
  }

  const endNews = store.onNews((news) => {
    if (news.kind === 'put') look(news.jobs.filter(hasEnded).map(({ id }) => id));
    else if (news.kind === 'unlisted') look(news.ids);
  });

  return {
    look,
    tellNow() {
      if (timer === undefined) return;
      clearTimeout(timer);
      tell();
    },
    onChanged: listeners.add,
    stop() {
      isStopped = true;
      endNews();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
