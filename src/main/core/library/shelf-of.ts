import type { History } from './history.ts';
import type { Shelf } from './history-files.ts';

const unmarked = { isFavourite: false, tags: [] } as const;

/** History, as its files need it. */
export const shelfOf = (history: History): Shelf => ({
  hide: history.hide,
  show: history.show,
  isShown: (id) => history.get(id) !== undefined,
  changed: history.changed,
  tellNow: history.tellNow,
  marks: (id) => history.get(id) ?? unmarked,
});
