const maxPieceLength = 2000;

/** Splits at the last whitespace within the limit, or inside a word that is longer than a piece. */
function splitSegment(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxPieceLength) {
    const head = rest.slice(0, maxPieceLength);
    const splitAt = /^.*\s/s.exec(head)?.[0].length ?? maxPieceLength;
    // Does not split a surrogate pair.
    const end = /[\ud800-\udbff]$/.test(rest.slice(0, splitAt)) ? splitAt - 1 : splitAt;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

/**
 * Splits a text into pieces of at most 2,000 UTF-16 units, at sentence ends if possible. Joined,
 * they are the text.
 */
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
  return [...pieces, piece].flatMap(splitSegment).filter((part) => part !== '');
}
