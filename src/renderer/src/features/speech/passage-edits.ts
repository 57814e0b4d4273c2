import type { PassageState } from '../../../../shared/schemas/speech.ts';
import { createSerializer } from '../../../../shared/serializer.ts';
import { joinPassages, removePassage, splitAt, wordsRange } from '../../../../shared/text/edit-passages.ts';
import type { Speech } from './speech.svelte.ts';

/** What is between two places of a text, and what was there before. */
interface Change {
  readonly start: number;
  readonly before: string;
  readonly after: string;
}

function changeBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { start, before: before.slice(start, before.length - same), after: after.slice(start, after.length - same) };
}

const maxUndoSteps = 200;

/**
 * Changes the text by its passages. Each change waits for those before it, which move its passage; it changes nothing if they
 * changed its words.
 */
export interface PassageEdits {
  /** Number of a passage once all changes are done; null if its words are no longer there. */
  indexOf(passage: PassageState): Promise<number | null>;
  /** Replaces the words of a passage, which goes if there are none. Each resolves to the number of the passage that the user is at afterwards. */
  replace(passage: PassageState, words: string): Promise<number>;
  /** Replaces the words, and ends the passage after so many units of them. */
  split(passage: PassageState, words: string, at: number): Promise<number>;
  /** Replaces the words, and makes the passage one with the one before or after it. */
  join(passage: PassageState, words: string, side: 'before' | 'after'): Promise<number>;
  /** Makes it another text at once, with the line breaks of a field. */
  replaceAll(text: string): void;
  /** Resolves once all changes are in the text. */
  settled(): Promise<void>;
  /** False if the text was changed elsewhere since the last change. */
  canUndo(): boolean;
  /** Reverts the last change if it can be. */
  undo(): Promise<number | null>;
}

interface Dependencies {
  readonly speech: Pick<Speech, 'text' | 'write'>;
  readonly passages: {
    readonly text: string;
    readonly list: readonly PassageState[];
    refresh(): Promise<void>;
    indexAt(offset: number): number;
  };
}

export function createPassageEdits({ speech, passages }: Dependencies): PassageEdits {
  let changes: readonly Change[] = [];
  /** The text after the last change. */
  let text = '';
  const serialized = createSerializer();

  function write(changed: string): void {
    speech.write(changed);
    text = changed;
  }

  /** Writes what can be undone. */
  function commit(after: string, changed: Change): void {
    if (text !== speech.text) changes = [];
    changes = [...changes, changed].slice(-maxUndoSteps);
    write(after);
  }

  const wordsOf = (text: string, passage: PassageState): string => {
    const { start, end } = wordsRange(text, passage);
    return text.slice(start, end);
  };

  /** Finds a passage of the text as it is now in that text as it will be: what comes before it or after it may change. */
  function finder(passage: PassageState): () => number {
    const { text: before } = passages;
    const words = wordsOf(before, passage);
    const fromEnd = before.length - passage.start;
    return () => {
      const { text: now, list } = passages;
      return list.findIndex(
        (each) => (each.start === passage.start || now.length - each.start === fromEnd) && wordsOf(now, each) === words,
      );
    };
  }

  /** `edit` gets the text with the new words, where they are, and the number of the passage. */
  function change(
    passage: PassageState,
    words: string,
    edit: (replaced: string, range: { readonly start: number; readonly end: number }, index: number) => string,
    placeOf: (range: { readonly start: number; readonly end: number }, index: number) => number,
  ): Promise<number> {
    const find = finder(passage);
    return serialized(async () => {
      if (passages.text !== speech.text) await passages.refresh();
      const index = find();
      const found = passages.list[index];
      if (!found) return passages.indexAt(passage.start);
      const { text: before } = speech;
      const old = wordsRange(passages.text, found);
      // A draft that cannot be saved is not divided anew: the list is of the text before.
      const since = changeBetween(passages.text, before);
      const isBehind = old.start >= since.start + since.before.length;
      if (!isBehind && old.end > since.start) return index;
      const start = old.start + (isBehind ? since.after.length - since.before.length : 0);
      const range = { start, end: start + words.length };
      const replaced = before.slice(0, start) + words + before.slice(start + old.end - old.start);
      const after = words.trim() === '' ? removePassage(replaced, range) : edit(replaced, range, index);
      if (after === before) return index;
      commit(after, changeBetween(before, after));
      await passages.refresh();
      return passages.indexAt(placeOf(range, index));
    });
  }

  const canUndo = (): boolean => changes.length > 0 && text === speech.text;

  return {
    canUndo,
    replaceAll(replacement) {
      const after = replacement.replace(/\r\n?/g, '\n');
      const before = speech.text;
      // What was typed since is a step of its own, because the field cannot undo it any more.
      if (changes.length > 0 && text !== before) changes = [...changes, { start: 0, before: text, after: before }];
      text = before;
      // Comparing two books would take long.
      commit(after, { start: 0, before, after });
    },
    settled: () => serialized(() => Promise.resolve()),
    indexOf(passage) {
      const find = finder(passage);
      return serialized(() => {
        const index = find();
        return Promise.resolve(index < 0 ? null : index);
      });
    },
    replace: (passage, words) =>
      change(
        passage,
        words,
        (replaced) => replaced,
        ({ start }) => start,
      ),
    split: (passage, words, at) =>
      change(
        passage,
        words,
        (replaced, { start }) => splitAt(replaced, start + at),
        // After the mark.
        ({ start }) => start + at + 1,
      ),
    join: (passage, words, side) =>
      change(
        passage,
        words,
        (replaced, range, index) => {
          const { list } = passages;
          const neighbour = list[side === 'before' ? index - 1 : index + 1];
          if (!neighbour || passages.text !== speech.text) return replaced;
          const moved = replaced.length - speech.text.length;
          return side === 'before'
            ? joinPassages(replaced, neighbour, range)
            : joinPassages(replaced, range, { start: neighbour.start + moved, end: neighbour.end + moved });
        },
        ({ start }, index) => (side === 'before' ? (passages.list[index - 1]?.start ?? start) : start),
      ),
    undo: () =>
      serialized(async () => {
        const change = changes.at(-1);
        if (!change || !canUndo()) return null;
        changes = changes.slice(0, -1);
        const { start, before, after } = change;
        write(text.slice(0, start) + before + text.slice(start + after.length));
        await passages.refresh();
        return passages.indexAt(start);
      }),
  };
}
