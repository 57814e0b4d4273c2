import type { enSpeech } from './en-speech.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

export const deSpeech: typeof enSpeech = {
  open: 'Text öffnen',
  text: 'Text',
  hint: 'Text zum Vorlesen schreiben oder einfügen',
  loading: 'Ihr Text wird geladen',
  characters: (n: number) => `${format.number(n)} Zeichen`,
  charactersOf: (n: number, most: number) => `${format.number(n)} von ${format.number(most)} Zeichen`,
  tooMany: (n: number, name: string) =>
    `${format.number(n)} Zeichen zu viel für ${name}. Kürzen Sie den Text, oder lassen Sie ihn in Teilen vorlesen.`,
  speak: 'Vorlesen',
  again: 'Erneut vorlesen',
  againNamed: (name: string) => `${name} erneut vorlesen`,
  mayBePaid: (name: string) =>
    `Das steht schon in der Liste. Es erneut vorzulesen kann bei ${name} noch einmal etwas kosten.`,
  added: 'Zur Liste unten hinzugefügt.',
  spoken: 'Vorgelesen',
  none: 'Vorgelesene Texte erscheinen hier. Jeder ist auch als Datei gespeichert, die Sie überall verwenden können.',
  side: 'Stimme und Sprache',
  language: 'Sprache',
  ownLanguage: (name: string) => `${name} (von der Stimme)`,
  platform: 'Plattform',
  platforms: { web: 'Web', win: 'Windows', mac: 'Mac', phone: 'Telefon' },
  ownFolder: 'Musik/Timbre',
  usual: 'Standard',
};
