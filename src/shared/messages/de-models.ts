import type { enModels } from './en-models.ts';
import { formatFor } from './format.ts';

const { count, number, list } = formatFor('de');

const names = (folders: readonly string[]): string => list(folders.map((name) => `„${name}“`));

export const deModels: typeof enModels = {
  lead: (connection) => `Ihre eigenen Stimmen bei ${connection}`,
  leadLocal: 'Ihre eigenen Stimmen auf diesem Computer',
  readAgain: 'Aktualisieren',
  list: 'Eigene Stimmen',
  name: 'Name',
  language: 'Sprache',
  gender: 'Geschlecht',
  made: 'Erstellt',
  id: 'ID',
  bell: 'Symbol',
  range: (first, last, of) => `${number(first)}–${number(last)} von ${number(of)}`,
  namesakes: (n) => (n === 2 ? 'eine von zweien mit diesem Namen' : `eine von ${number(n)} mit diesem Namen`),
  loading: 'Ihre Stimmen werden geladen',
  empty: 'Noch keine eigenen Stimmen',
  emptyLocal: 'Timbre kann aus einer Aufnahme, in der jemand spricht, eine Stimme erstellen.',
  emptyRemote: (connection) =>
    `Stimmen, die Sie bei ${connection} trainieren, erscheinen hier. Sie können sie wie jede andere Stimme verwenden und löschen.`,
  make: 'Stimme erstellen',
  makeTitle: 'Stimme aus einer Aufnahme erstellen',
  makeLead:
    'Die Aufnahme wird auf diesem Computer analysiert und nicht aufbewahrt. Am besten spricht nur eine Person, ohne Musik.',
  nameHint: 'Name der Stimme',
  choose: 'Aufnahme auswählen …',
  making: 'Die Aufnahme wird analysiert …',
  cancel: 'Abbrechen',
  nameTaken: (name) => `Sie haben schon eine Stimme „${name}“. Wählen Sie einen anderen Namen.`,
  wasMade: (name) => `${name} erstellt`,
  about: 'Ausgewählte Stimme',
  delete: 'Löschen …',
  deleteTitle: (name) => `„${name}“ löschen?`,
  twoOfAName:
    'Zwei eigene Stimmen haben diesen Namen. Der Dienst löscht nach Namen und kann die eine, die andere oder beide löschen.',
  severalOfAName: (n) =>
    `${number(n)} eigene Stimmen haben diesen Namen. Der Dienst löscht nach Namen und kann einige oder alle davon löschen.`,
  forGood: (connection) => `Die Stimme wird bei ${connection} gelöscht. Das lässt sich nicht rückgängig machen.`,
  forGoodLocal: 'Die Stimme wird von diesem Computer gelöscht. Das lässt sich nicht rückgängig machen.',
  resultsStay: 'Damit konvertierte Aufnahmen bleiben erhalten.',
  isUsed: 'Dies ist Ihre aktuelle Stimme: Wählen Sie danach eine andere.',
  watched: (folders) =>
    folders.length === 1
      ? `Der überwachte Ordner ${names(folders)} verwendet sie. Seine nächsten Dateien schlagen fehl. Wählen Sie dort zuerst eine andere Stimme.`
      : `${number(folders.length)} überwachte Ordner verwenden sie: ${names(folders)}. Deren nächste Dateien schlagen fehl. Wählen Sie dort zuerst eine andere Stimme.`,
  waiting: (n) =>
    count(n, {
      one: '# wartende Aufnahme verwendet sie und wird fehlschlagen.',
      other: '# wartende Aufnahmen verwenden sie und werden fehlschlagen.',
    }),
  typeName: 'Zur Bestätigung den Namen eingeben',
  deleteIt: 'Löschen',
  deleteBoth: 'Beide löschen',
  deleteAll: (n) => `Alle ${number(n)} löschen`,
  deleting: 'Wird gelöscht …',
  keep: 'Abbrechen',
  deleted: (name) => `${name} gelöscht`,
  gone: (name) => `${name} war schon gelöscht. Die Liste wurde aktualisiert.`,
  keys: { move: 'bewegen', use: 'Stimme verwenden', delete: 'löschen' },
};
