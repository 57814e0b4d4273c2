import type { enModels } from './en-models.ts';
import { formatFor } from './locale-format.ts';

const { count, number, list } = formatFor('de');

const names = (folders: readonly string[]): string => list(folders.map((name) => `„${name}“`));

export const deModels: typeof enModels = {
  lead: (connection) => `Ihre eigenen Stimmen bei ${connection}`,
  leadLocal: 'Ihre eigenen Stimmen auf diesem Computer',
  refresh: 'Aktualisieren',
  list: 'Eigene Stimmen',
  name: 'Name',
  language: 'Sprache',
  gender: 'Geschlecht',
  createdAt: 'Erstellt',
  id: 'ID',
  icon: 'Symbol',
  range: (first, last, of) => `${number(first)}–${number(last)} von ${number(of)}`,
  namesakes: (n) => (n === 2 ? 'eine von zweien mit diesem Namen' : `eine von ${number(n)} mit diesem Namen`),
  loading: 'Ihre Stimmen werden geladen',
  empty: 'Noch keine eigenen Stimmen',
  emptyLocal: 'Timbre kann aus einer Aufnahme, in der jemand spricht, eine Stimme erstellen.',
  emptyRemote: (connection) =>
    `Stimmen, die Sie bei ${connection} trainieren, erscheinen hier. Sie können sie wie jede andere Stimme verwenden und löschen.`,
  create: 'Stimme erstellen',
  createTitle: 'Stimme aus einer Aufnahme erstellen',
  createLead:
    'Die Aufnahme wird auf diesem Computer analysiert und nicht aufbewahrt. Am besten spricht nur eine Person, ohne Musik.',
  nameHint: 'Name der Stimme',
  choose: 'Aufnahme auswählen …',
  creating: 'Die Aufnahme wird analysiert …',
  cancel: 'Abbrechen',
  nameTaken: (name) => `Sie haben schon eine Stimme „${name}“. Wählen Sie einen anderen Namen.`,
  created: (name) => `${name} erstellt`,
  about: 'Ausgewählte Stimme',
  delete: 'Löschen …',
  deleteTitle: (name) => `„${name}“ löschen?`,
  twoWithName:
    'Zwei eigene Stimmen haben diesen Namen. Der Dienst löscht nach Namen und kann die eine, die andere oder beide löschen.',
  severalWithName: (n) =>
    `${number(n)} eigene Stimmen haben diesen Namen. Der Dienst löscht nach Namen und kann einige oder alle davon löschen.`,
  permanent: (connection) => `Die Stimme wird bei ${connection} gelöscht. Das lässt sich nicht rückgängig machen.`,
  permanentLocal: 'Die Stimme wird von diesem Computer gelöscht. Das lässt sich nicht rückgängig machen.',
  resultsStay: 'Damit konvertierte Aufnahmen bleiben erhalten.',
  isCurrent: 'Dies ist Ihre aktuelle Stimme: Wählen Sie danach eine andere.',
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
  deleted: (name) => `${name} gelöscht`,
  alreadyDeleted: (name) => `${name} war schon gelöscht. Die Liste wurde aktualisiert.`,
  keys: { move: 'bewegen', use: 'Stimme verwenden', delete: 'löschen' },
};
