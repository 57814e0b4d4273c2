/**
 * Marks of the user's, which are not spoken: a sentence does not end at a word joiner, and a passage ends at an invisible
 * separator. Being characters, they survive undo, copying and files. https://www.unicode.org/charts/PDF/U2000.pdf
 */
export const joinMark = '\u2060';
export const splitMark = '\u2063';

export const withoutMarks = (text: string): string => text.replaceAll(joinMark, '').replaceAll(splitMark, '');
