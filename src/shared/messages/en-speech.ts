import type { PronunciationImport } from '../schemas/pronunciation.ts';
import { formatFor } from './locale-format.ts';

/** What an import or export of the pronunciation list did. */
export type Exchange =
  ({ readonly kind: 'imported' } & PronunciationImport) | { readonly kind: 'exported'; readonly count: number };

const format = formatFor('en');
const { count } = format;

/** The Speech view. */
export const enSpeech = {
  open: 'Open text',
  text: 'Text',
  hint: 'Write or paste the text to speak',
  loading: 'Loading your text',
  characters: (n: number) => count(n, { one: '# character', other: '# characters' }),
  sentences: (n: number) => count(n, { one: '# sentence', other: '# sentences' }),
  /** The rest was spoken before and costs nothing. */
  sentencesLeft: (n: number, total: number, characters: number) =>
    `${format.number(n)} of ${count(total, { one: '# sentence', other: '# sentences' })} still to speak, ${count(characters, { one: '# character', other: '# characters' })}`,
  allSpoken: (n: number) => count(n, { one: 'The sentence is spoken', other: 'All # sentences are spoken' }),
  calls: (n: number, name: string) => count(n, { one: `1 call to ${name}`, other: `# calls to ${name}` }),
  speakSentences: (n: number) => count(n, { one: 'Speak # sentence', other: 'Speak # sentences' }),
  saveAudio: 'Save audio',
  modes: { label: 'Show the text as', text: 'Text', sentences: 'Sentences' },
  notSpoken: 'Not spoken yet',
  listen: 'Listen from the cursor',
  listenTo: (words: string) => `Listen from “${words}”`,
  stop: 'Stop listening',
  editNamed: (words: string) => `Edit “${words}”`,
  editKeys: 'Enter splits at the cursor, Backspace at the start joins, Esc cancels',
  moreNamed: (words: string) => `More for “${words}”`,
  showInText: 'Show in text',
  joinWithNext: 'Join with next sentence',
  retake: 'Speak again',
  retakeState: 'Will be spoken again',
  retakeMarked: 'The sentence will be spoken again',
  retakeCancelled: 'The sentence stays as it is',
  take: (n: number) => `Take ${n}`,
  pauseAfter: { sentence: 'Pause after sentence', paragraph: 'Pause after paragraph' },
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
  /** In Settings. */
  kept: {
    title: 'Spoken sentences',
    lead: 'Timbre keeps each sentence of a long text, so that a changed text costs no more than its changed sentences.',
    now: 'Sentences now',
    usage: (n: number, bytes: number) =>
      n === 0 ? 'No sentences yet' : `${count(n, { one: '# sentence', other: '# sentences' })}, ${format.bytes(bytes)}`,
    removeAll: 'Delete all sentences…',
    inUse: 'A text is still being spoken. Wait until it’s done, or cancel it, then delete them.',
    removing: {
      title: 'Delete all spoken sentences?',
      text: (n: number, bytes: number) =>
        `${count(n, { one: '# sentence', other: '# sentences' })} with ${format.bytes(bytes)} will be deleted. Saved audio and history stay. If you speak one of these texts again, a service may charge for all of it.`,
      confirm: 'Delete sentences',
      cancel: 'Cancel',
    },
  },
  pronunciations: {
    title: 'Pronunciation',
    open: 'Pronunciation…',
    lead: 'Words that are spoken differently from how they are written. Your text stays as it is.',
    language: 'Language',
    anyLanguage: 'All languages',
    find: 'Find a word',
    word: 'Word',
    spoken: 'Spoken as',
    wordOf: (word: string) => `Word ${word}`,
    spokenOf: (word: string) => `${word} is spoken as`,
    listen: (text: string) => `Listen to “${text}”`,
    add: 'Add',
    remove: (word: string) => `Remove ${word}`,
    importFile: 'Import',
    exportFile: 'Export',
    close: 'Close',
    empty: 'No words for this choice yet.',
    noMatch: 'No word matches.',
    more: (n: number) =>
      count(n, { one: '# more word. Use Find to see it.', other: '# more words. Use Find to see them.' }),
    exchanged: (exchange: Exchange) =>
      exchange.kind === 'exported'
        ? count(exchange.count, { one: '# word exported.', other: '# words exported.' })
        : [
            count(exchange.added, { one: '# word added', other: '# words added' }),
            ...(exchange.changed > 0 ? [`${format.number(exchange.changed)} changed`] : []),
            ...(exchange.skipped > 0
              ? [`${format.number(exchange.skipped)} skipped because they have only a phonetic spelling`]
              : []),
          ].join(', ') + '.',
  },
  speakers: {
    title: 'Speakers',
    hint: 'Begin a paragraph with a name and a colon, such as “Anna:”, to give it a voice of its own.',
    choose: 'Choose a voice',
    voiceOf: (name: string, voice: string) => `${name}: ${voice}`,
    findFor: (name: string) => `Find a voice for ${name}`,
    adjust: (name: string) => `Pitch and speed of ${name}`,
    asText: 'As the rest of the text',
    remove: (name: string) => `Remove the voice of ${name}`,
    missing: (voice: string) => `${voice} is not available here. Choose another voice.`,
    unused: (n: number) => count(n, { one: '# more, not in this text', other: '# more, not in this text' }),
    name: 'Another name',
    add: 'Add',
    badName: 'Use at most 40 characters and no colon.',
  },
};
