export interface NamePart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** As the search folds words: accents, widths and case do not count. */
const fold = (letter: string): string => letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Cuts a name where one of the folded `terms` begins or ends, whatever accents and case it is written with. */
export function markName(name: string, terms: readonly string[]): readonly NamePart[] {
  const wanted = terms.filter((term) => term !== '');
  if (wanted.length === 0) return [{ text: name, isMarked: false }];
  let folded = '';
  /** For each unit of the folded name, where its letter begins in the name; one more for the end. */
  const starts: number[] = [];
  let at = 0;
  for (const letter of name) {
    const plain = fold(letter);
    for (let k = 0; k < plain.length; k++) starts.push(at);
    folded += plain;
    at += letter.length;
  }
  starts.push(name.length);
  const marked = new Uint8Array(name.length);
  for (const term of wanted) {
    for (let from = folded.indexOf(term); from >= 0; from = folded.indexOf(term, from + 1))
      marked.fill(1, starts[from], starts[from + term.length]);
  }
  const parts: NamePart[] = [];
  for (let start = 0, end = 1; end <= name.length; end++) {
    if (end < name.length && marked[end] === marked[start]) continue;
    parts.push({ text: name.slice(start, end), isMarked: marked[start] === 1 });
    start = end;
  }
  return parts;
}
