import type { enSpeech } from './en-speech.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');

export const deSpeech: typeof enSpeech = {
  open: 'Text öffnen',
  text: 'Text',
  hint: 'Was gesprochen werden soll, hier schreiben oder einfügen',
  loading: 'Ihr Text wird gelesen',
  characters: (n: number) => `${format.number(n)} Zeichen`,
  charactersOf: (n: number, most: number) => `${format.number(n)} von ${format.number(most)} Zeichen`,
  tooMany: (n: number, name: string) =>
    `${format.number(n)} Zeichen zu viel für ${name}. Kürzen Sie den Text, oder lassen Sie ihn in Stücken sprechen.`,
  speak: 'Sprechen',
  again: 'Noch einmal sprechen',
  againNamed: (name: string) => `${name} noch einmal sprechen`,
  mayBePaid: (name: string) => `Das steht schon in der Liste. Noch einmal kann es bei ${name} noch einmal kosten.`,
  handedOver: 'Es steht unten in der Liste.',
  spoken: 'Gesprochen',
  none: 'Was gesprochen ist, steht hier und lässt sich anhören. Es ist auch eine Datei und überall zu gebrauchen.',
  side: 'Stimme und Sprache',
  language: 'Sprache',
  ownLanguage: (name: string) => `${name}, wie die Stimme`,
  platform: 'Plattform',
  platforms: { web: 'Web', win: 'Windows', mac: 'Mac', phone: 'Telefon' },
  ownFolder: 'Timbre, in Musik',
  usual: 'wie gewohnt',
};
