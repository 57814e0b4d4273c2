import type { enDoctor } from './en-doctor.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

export const deDoctor: typeof enDoctor = {
  good: 'ok',
  bad: 'Problem',
  warning: 'Warnung',
  proxy: (address, from) =>
    from === 'settings'
      ? `Timbre verbindet sich über ${address} mit Diensten, laut Einstellungen.`
      : `Timbre verbindet sich über ${address} mit Diensten, laut Umgebung.`,
  noProxy: 'Timbre verbindet sich ohne Proxy mit Diensten.',
  answers: (name) => `${name} antwortet.`,
  opens: 'Verlauf und Warteschlange sind lesbar und beschreibbar.',
  keychain: 'Token lassen sich im Passwortspeicher dieses Systems speichern.',
  noKeychain: (why) =>
    'Dieser Computer hat keinen Passwortspeicher, den Timbre verwenden kann. Richten Sie einen Schlüsselbund ein, oder speichern ' +
    `Sie Token mit "timbre token set --store-in-file". (${why})`,
  writable: (path) => `${path} ist beschreibbar.`,
  notWritable: (path) =>
    `${path} ist nicht beschreibbar. Erlauben Sie das Schreiben, oder wählen Sie einen anderen Ordner.`,
  free: (bytes, path) => `In ${path} sind ${format.bytes(bytes)} frei.`,
  full: (bytes, path) => `In ${path} sind nur ${format.bytes(bytes)} frei. Geben Sie Speicherplatz frei.`,
  clock: (name, seconds) => `Die Uhr weicht höchstens ${format.span(seconds)} von der bei ${name} ab.`,
  clockOff: (name, seconds) =>
    `Die Uhr weicht um ${format.span(seconds)} von der bei ${name} ab. Stellen Sie sie in den Einstellungen des Systems.`,
  noClock: 'Übersprungen: Keine Verbindung hat ihre Zeit gemeldet.',
  watching: (path) => `Neue Dateien in ${path} werden sofort gefunden.`,
  polling: (path) =>
    `Das System meldet keine neuen Dateien in ${path}. Timbre würde den Ordner stattdessen regelmäßig prüfen.`,
};
