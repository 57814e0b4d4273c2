import type { enDoctor } from './en-doctor.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');

export const deDoctor: typeof enDoctor = {
  good: 'gut',
  bad: 'Problem',
  warning: 'Hinweis',
  proxy: (address, from) =>
    `Dienste werden über ${address} erreicht, ${from === 'settings' ? 'wie in den Einstellungen' : 'wie in der Umgebung'}.`,
  noProxy: 'Dienste werden ohne Proxy erreicht.',
  answers: (name) => `${name} antwortet.`,
  opens: 'Verlauf und Warteschlange lassen sich lesen und schreiben.',
  keychain: 'Tokens lassen sich im Passwortspeicher dieses Systems aufbewahren.',
  noKeychain: (why) =>
    'Dieser Computer hat keinen Passwortspeicher, den Timbre nutzen kann. Einen Schlüsselbund einrichten oder Tokens mit ' +
    `"timbre token set --store-in-file" aufbewahren. (${why})`,
  writable: (path) => `In ${path} lässt sich schreiben.`,
  notWritable: (path) => `In ${path} lässt sich nicht schreiben. Es erlauben oder einen anderen Ordner wählen.`,
  free: (bytes, path) => `${format.bytes(bytes)} sind frei in ${path}.`,
  full: (bytes, path) => `Nur ${format.bytes(bytes)} sind frei in ${path}. Platz schaffen.`,
  clock: (name, seconds) => `Die Uhr weicht höchstens ${format.span(seconds)} von der von ${name} ab.`,
  clockOff: (name, seconds) =>
    `Die Uhr weicht ${format.span(seconds)} von der von ${name} ab. In den Einstellungen des Systems stellen.`,
  noClock: 'Ausgelassen: Keine Verbindung hat ihre Zeit genannt.',
  watching: (path) => `Neue Dateien in ${path} werden sofort gesehen.`,
  polling: (path) => `Neue Dateien in ${path} werden nicht gemeldet: Stattdessen würde immer wieder nachgesehen.`,
};
