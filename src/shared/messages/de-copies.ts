import type { Messages } from './en.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

const copies = (n: number) => count(n, { one: '# Kopie', other: '# Kopien' });

export const deCopies: Messages['copies'] = {
  title: 'Kopien von Ergebnissen',
  lead: 'Solange Timbre eine Kopie eines Ergebnisses hat, kann der Verlauf es wiederherstellen, wenn die Datei gelöscht wurde.',
  keep: 'Von jedem Ergebnis eine Kopie behalten',
  keepHint: 'Neue Ergebnisse werden kopiert, sobald sie gespeichert sind. Kopien bleiben auf diesem Computer.',
  limit: 'Platz für Kopien',
  limitHint: 'Ist er voll, werden die ältesten Kopien gelöscht. Ein größeres Ergebnis wird nicht kopiert.',
  limitError: (min, max) => `Geben Sie eine ganze Zahl von ${format.number(min)} bis ${format.number(max)} GB ein.`,
  used: 'Kopien jetzt',
  usage: (n, bytes) => (n === 0 ? 'Noch keine' : `${copies(n)}, ${format.bytes(bytes)}`),
  waiting: (n) => count(n, { one: '# Ergebnis wird kopiert.', other: '# Ergebnisse werden kopiert.' }),
  notCopied: {
    full: (folder) =>
      `Das letzte Ergebnis wurde nicht kopiert, weil das Laufwerk von ${folder} fast voll ist. Schaffen Sie Platz, oder senken Sie die Grenze.`,
    'not-writable': (folder) =>
      `Das letzte Ergebnis wurde nicht kopiert, weil Timbre in ${folder} nicht schreiben kann. Erlauben Sie das Schreiben.`,
    other: (folder) =>
      `Das letzte Ergebnis wurde nicht nach ${folder} kopiert. Prüfen Sie das Laufwerk; mehr steht im Protokoll.`,
  },
  show: 'Ordner anzeigen',
  existing: 'Vorhandene Ergebnisse kopieren',
  existingStarted: 'Vorhandene Ergebnisse werden kopiert, die neuesten zuerst.',
  removeAll: 'Alle Kopien löschen …',
  removing: {
    title: 'Alle Kopien löschen?',
    text: (n, bytes) =>
      `${copies(n)} mit ${format.bytes(bytes)} werden gelöscht. Ergebnisse und Verlauf bleiben, aber ein Ergebnis, das schon fehlt, lässt sich nicht mehr wiederherstellen.`,
    confirm: 'Kopien löschen',
    cancel: 'Abbrechen',
  },
};
