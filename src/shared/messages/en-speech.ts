import { formatFor } from './format.ts';

const format = formatFor('en');
const { count } = format;

/** The view in which texts are spoken. */
export const enSpeech = {
  open: 'Open text',
  text: 'Text',
  hint: 'Write or paste what is to be spoken',
  loading: 'Reading your text',
  characters: (n: number) => count(n, { one: '# character', other: '# characters' }),
  charactersOf: (n: number, most: number) => `${format.number(n)} of ${format.number(most)} characters`,
  tooMany: (n: number, name: string) =>
    `${count(n, { one: '# character', other: '# characters' })} too many for ${name}. Shorten the text, or speak it in pieces.`,
  speak: 'Speak',
  again: 'Speak again',
  againNamed: (name: string) => `Speak ${name} again`,
  mayBePaid: (name: string) => `This is in the list already. Speaking it again may be paid again at ${name}.`,
  handedOver: 'It is in the list below.',
  spoken: 'Spoken',
  none: 'What is spoken stands here, to be heard. It is a file too, so it can be used anywhere.',
  side: 'Voice and speech',
  language: 'Language',
  ownLanguage: (name: string) => `${name}, as the voice`,
  platform: 'Platform',
  platforms: { web: 'Web', win: 'Windows', mac: 'Mac', phone: 'Phone' },
  ownFolder: 'Timbre, in Music',
  usual: 'usual',
};
