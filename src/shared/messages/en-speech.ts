import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

/** The Speech view. */
export const enSpeech = {
  open: 'Open text',
  text: 'Text',
  hint: 'Write or paste the text to speak',
  loading: 'Loading your text',
  characters: (n: number) => count(n, { one: '# character', other: '# characters' }),
  charactersOf: (n: number, most: number) => `${format.number(n)} of ${format.number(most)} characters`,
  tooMany: (n: number, name: string) =>
    `${count(n, { one: '# character', other: '# characters' })} too many for ${name}. Shorten the text, or speak it in parts.`,
  speak: 'Speak',
  again: 'Speak again',
  againNamed: (name: string) => `Speak ${name} again`,
  mayBePaid: (name: string) => `This is already in the list. If you speak it again, ${name} may charge you again.`,
  added: 'Added to the list below.',
  spoken: 'Spoken',
  none: 'Spoken texts appear here. Each one is also saved as a file that you can use anywhere.',
  side: 'Voice and speech',
  language: 'Language',
  ownLanguage: (name: string) => `${name} (from the voice)`,
  platform: 'Platform',
  platforms: { web: 'Web', win: 'Windows', mac: 'Mac', phone: 'Phone' },
  ownFolder: 'Music/Timbre',
  usual: 'default',
};
