import { foldText } from '../../../shared/text/fold-text.ts';
import { graphemesOf } from './truncate.ts';

export interface NamePart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Splits a name into parts that match one of the folded `terms`, ignoring case and accents, and parts that do not. */
export function highlight(name: string, terms: readonly string[]): readonly NamePart[] {
  const wanted = terms.filter((term) => term !== '');
  if (wanted.length === 0) return [{ text: name, isMarked: false }];
  let folded = '';
  /** For each code unit of the folded name, the start and end of its grapheme in the name. */
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const letter of graphemesOf(name)) {
    const plain = foldText(letter);
    for (let k = 0; k < plain.length; k++) {
      starts.push(at);
      ends.push(at + letter.length);
    }
    folded += plain;
    at += letter.length;
  }
  const marked = new Uint8Array(name.length);
  for (const term of wanted) {
    for (let from = folded.indexOf(term); from >= 0; from = folded.indexOf(term, from + 1))
      marked.fill(1, starts[from], ends[from + term.length - 1]);
  }
  const parts: NamePart[] = [];
  for (let start = 0, end = 1; end <= name.length; end++) {
    if (end < name.length && marked[end] === marked[start]) continue;
    parts.push({ text: name.slice(start, end), isMarked: marked[start] === 1 });
    start = end;
  }
  return parts;
}

/** The parts before and after an index of the name. */
export function splitPartsAt(
  parts: readonly NamePart[],
  index: number,
): readonly [readonly NamePart[], readonly NamePart[]] {
  const before: NamePart[] = [];
  const after: NamePart[] = [];
  let at = 0;
  for (const { text, isMarked } of parts) {
    const cut = Math.max(0, index - at);
    if (cut > 0) before.push({ text: text.slice(0, cut), isMarked });
    if (cut < text.length) after.push({ text: text.slice(cut), isMarked });
    at += text.length;
  }
  return [before, after];
}
