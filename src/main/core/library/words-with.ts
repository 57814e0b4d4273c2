import type { DatabaseSync } from 'node:sqlite';
import type { WordsWith } from './match-of.ts';

/** A word more in an expression costs a look into the index at each entry; so many are still answered at once. */
const most = 64;

/** Looks words up in the index of history. Each step goes straight to the next word: stepping through the entries of one takes long. */
export function createWordsWith(database: DatabaseSync): WordsWith {
  const selectNext = database.prepare('SELECT term FROM history_vocabulary WHERE term >= ? LIMIT 1');
  return (prefix) => {
    const words: string[] = [];
    for (let at = prefix; ;) {
      const term = selectNext.get(at)?.['term'];
      if (typeof term !== 'string' || !term.startsWith(prefix)) return words;
      if (words.length === most) return null;
      words.push(term);
      // Behind the word, and ahead of all that begin with it: no word has a control character.
      at = `${term}\u0001`;
    }
  };
}
