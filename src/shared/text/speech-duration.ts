import { textLength } from './text-parts.ts';

/** A slow speaking rate: 12 letters per second, or 4 characters of a syllabic or logographic script. */
const secondsPerLetter = 1 / 12;
const secondsPerWideCharacter = 1 / 4;

/**
 * Estimates how many seconds a text takes when it is spoken at normal speed. Errs on the high side, because space on the disk and
 * the minutes of a day are checked before a paid call.
 */
export function estimateSpeechSeconds(text: string): number {
  let wide = 0;
  // In runs, as a book of one of these scripts has millions of characters.
  for (const [run] of text.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu))
    wide += textLength(run);
  return (text.length - wide) * secondsPerLetter + wide * secondsPerWideCharacter;
}
