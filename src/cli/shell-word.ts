export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word of a command that the user is to type, in quotation marks if the shell of this system needs them. */
export function shellWord(word: string, platform: NodeJS.Platform): string {
  if (/^[\p{L}\p{M}\p{N}_.@:+/-]+$/u.test(word)) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '""')}"` : shellQuote(word);
}
