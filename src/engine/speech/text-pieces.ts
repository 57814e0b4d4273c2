const maxPieceLength = 2000;

/** Cuts at the last gap that leaves a piece short enough, or in the middle of a word that is longer than a piece. */
function cut(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxPieceLength) {
    const head = rest.slice(0, maxPieceLength);
    const gap = /^.*\s/s.exec(head)?.[0].length ?? maxPieceLength;
    // Not between the two halves of one character.
    const end = /[\ud800-\udbff]$/.test(rest.slice(0, gap)) ? gap - 1 : gap;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

/** The text in pieces of at most 2,000 UTF-16 units that end with a sentence where they can. Together they are the text. */
export function textPieces(text: string, language: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)) {
    if (piece !== '' && piece.length + segment.length > maxPieceLength) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece].flatMap(cut).filter((part) => part !== '');
}
