import type { enModels } from './en-models.ts';
import { formatFor } from './format.ts';

const { count, number, list } = formatFor('de');

/** Each in quotation marks, because a folder may be called anything. */
const names = (folders: readonly string[]): string => list(folders.map((name) => `„${name}“`));

export const deModels: typeof enModels = {
  lead: (connection) => `Selbst gemachte Stimmen, aufgehoben bei ${connection}`,
  leadLocal: 'Selbst gemachte Stimmen auf diesem Computer',
  readAgain: 'Neu lesen',
  list: 'Eigene Stimmen',
  name: 'Name',
  language: 'Sprache',
  gender: 'Geschlecht',
  made: 'Gemacht',
  id: 'Kennung',
  bell: 'Glocke',
  range: (first, last, of) => `${number(first)} bis ${number(last)} von ${number(of)}`,
  namesakes: (n) =>
    n === 2
      ? 'eine von zweien mit diesem Namen'
      : count(n, { one: 'eine von #', other: 'eine von # mit diesem Namen' }),
  loading: 'Liest die eigenen Stimmen',
  empty: 'Noch keine eigene Stimme',
  emptyLocal: 'Aus einer Aufnahme, in der jemand spricht, macht Timbre eine Stimme.',
  emptyRemote: (connection) =>
    `Hier stehen Stimmen, die bei ${connection} trainiert wurden: zum Benutzen wie jede andere und zum Löschen.`,
  make: 'Stimme machen',
  makeTitle: 'Eine Stimme aus einer Aufnahme machen',
  makeLead:
    'Die Aufnahme wird auf diesem Computer angehört und nicht behalten. Am besten spricht eine Person allein, ohne Musik.',
  nameHint: 'Wie die Stimme heißt',
  choose: 'Aufnahme auswählen …',
  making: 'Hört die Aufnahme an …',
  cancel: 'Abbrechen',
  nameTaken: (name) => `Eine Stimme „${name}“ gibt es schon. Diese braucht einen anderen Namen.`,
  wasMade: (name) => `${name} ist gemacht.`,
  about: 'Die gewählte Stimme',
  delete: 'Löschen …',
  deleteTitle: (name) => `„${name}“ löschen?`,
  twoOfAName:
    'Zwei eigene Stimmen haben diesen Namen. Der Dienst löscht nach Namen und kann die eine, die andere oder beide löschen.',
  severalOfAName: (n) =>
    `${number(n)} eigene Stimmen haben diesen Namen. Der Dienst löscht nach Namen und kann einige oder alle davon löschen.`,
  forGood: (connection) => `Die Stimme wird bei ${connection} entfernt und lässt sich nicht zurückholen.`,
  forGoodLocal: 'Die Stimme wird von diesem Computer entfernt und lässt sich nicht zurückholen.',
  resultsStay: 'Was mit ihr konvertiert wurde, bleibt, wo es ist.',
  isUsed: 'Gerade werden Aufnahmen zu ihr konvertiert: Danach braucht es eine andere Stimme.',
  watched: (folders) =>
    folders.length === 1
      ? `Der überwachte Ordner ${names(folders)} wandelt in sie um: Seine nächsten Dateien schlagen fehl. Wählen Sie dort zuerst eine andere Stimme.`
      : `${number(folders.length)} überwachte Ordner wandeln in sie um: ${names(folders)}. Deren nächste Dateien schlagen fehl. Wählen Sie dort zuerst eine andere Stimme.`,
  waiting: (n) =>
    count(n, {
      one: '# Aufnahme wartet noch auf sie und wird scheitern.',
      other: '# Aufnahmen warten noch auf sie und werden scheitern.',
    }),
  typeName: 'Zur Bestätigung den Namen schreiben',
  deleteIt: 'Löschen',
  deleteBoth: 'Beide löschen',
  deleteAll: (n) => `Alle ${number(n)} löschen`,
  deleting: 'Wird gelöscht …',
  keep: 'Behalten',
  deleted: (name) => `${name} ist gelöscht.`,
  gone: (name) => `${name} war schon weg. Die Liste ist neu gelesen.`,
  keys: { move: 'bewegen', use: 'Stimme nehmen', delete: 'löschen' },
};
