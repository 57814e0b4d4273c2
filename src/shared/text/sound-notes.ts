import { isSpoken } from './split-text.ts';

/** What takes the place of a note: no character of any text. */
const gap = '\ufdd1';

/** True if a sentence ends with a text. */
export const endsSentence = (text: string): boolean => /[.!?؟…。！？]["'”’»」』)\]]*\s*$/u.test(text);

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0;

const squareNote = /\[([^[\]]{0,200})\]|［([^［］]{0,200})］|【([^【】]{0,200})】/g;
const roundNote = /[(（]([^()（）]{1,60})[)）]/g;
const mostWords = 8;

/** From a note at the beginning of a line to the next note or, without that, to the end of the line. */
const song = (() => {
  const sign = '[♩♪♫♬]+';
  const words = String.raw`(?:(?!\r?\n[ \t]*${sign})[^♩♪♫♬])*`;
  return new RegExp(
    String.raw`^[ \t]*(?:${sign}[ \t]*(?:[^\s♩♪♫♬]${words}${sign}(?:[^\r\n♩♪♫♬]*${sign})*|[^\r\n]*)|#[ \t][^#]*#[ \t]*$)`,
    'gm',
  );
})();

/** A speaker of whom only a note is left. */
const lonelyLabel = new RegExp(String.raw`^[ \t]*\p{Lu}[\p{L}\p{N} .'’-]{0,40}:[ \t]*${gap}[${gap} \t]*$`, 'gmu');

/** In square brackets, some subtitles have what is said elsewhere or in another language. */
const isWholeSentence = (note: string): boolean =>
  endsSentence(note) && (wordsIn(note) > 2 || /[\p{sc=Han}\p{sc=Hira}]{4}/u.test(note));

/** How much of a text tells what stands before a note. */
const nearLength = 30;

/** True of what stands between sentences and is none: within a sentence, it is said, and so is the number of an item. */
function isRoundNote(note: string, before: string, after: string, isOpen: boolean): boolean {
  if (/\p{N}/u.test(note) || !isSpoken(note) || wordsIn(note) > mostWords || endsSentence(note)) return false;
  const said = before.replaceAll(gap, '').trimEnd();
  const isBetween = said === '' ? !isOpen : endsSentence(said) || said.endsWith(':');
  return isBetween && !/^[ \t]*[\p{Ll},;:.!?]/u.test(after);
}

function withoutRoundNotes(text: string, isOpen: boolean): string {
  const parts: string[] = [];
  let before = '';
  let from = 0;
  for (const { 0: part, 1: note = '', index } of text.matchAll(roundNote)) {
    const end = index + part.length;
    const between = text.slice(from, index);
    before = (before + between).slice(-nearLength);
    const kept = isRoundNote(note, before, text.slice(end, end + nearLength), isOpen) ? gap : part;
    before += kept;
    parts.push(between, kept);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/**
 * Leaves out of the text of a subtitle what only tells the deaf about sounds: `[laughs]`, `(Door slams)` between sentences, and songs
 * between notes. `isOpen` says that a sentence goes on from the subtitle before.
 */
export const withoutSoundNotes = (text: string, isOpen: boolean): string =>
  withoutRoundNotes(
    text
      .replace(squareNote, (part, square = '', wide = '', lenticular = '') =>
        isWholeSentence(`${square}${wide}${lenticular}`) ? part : gap,
      )
      .replace(song, gap),
    isOpen,
  )
    .replace(lonelyLabel, '')
    .replace(new RegExp(`(?<![ \\t])[ \\t]*${gap}`, 'g'), '');
