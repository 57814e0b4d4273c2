import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';
import type { Facts } from '../errors.ts';

const format = formatFor('de');
const { count } = format;

function looksEvery(facts: Facts): string {
  const seconds = numberFact(facts, 'seconds');
  return seconds === undefined
    ? 'Timbre sieht stattdessen selbst nach.'
    : `Timbre sieht alle ${format.length(seconds)} nach.`;
}

/** Why a folder is not watched as it should be, and why a file of one is not converted. */
export const deWatchProblems: ProblemTextsOf<'watch'> = {
  'watch/not-a-folder': () => ({
    title: 'Das ist kein Ordner',
    advice: 'Den Ordner wählen, in dem Aufnahmen gespeichert werden.',
  }),
  'watch/missing': (facts) => ({
    title:
      textFact(facts, 'folder') === undefined ? 'Der Ordner ist weg' : `${textFact(facts, 'folder')} gibt es nicht`,
    advice: 'Nichts ist vergessen. Es geht weiter, sobald das Laufwerk oder der Ordner wieder da ist.',
  }),
  'watch/unreadable': () => ({
    title: 'Dieser Ordner lässt sich nicht öffnen',
    advice: 'Timbre das Lesen erlauben. Nichts ist vergessen; es geht von selbst weiter.',
  }),
  'watch/another-folder': () => ({
    title: 'An seiner Stelle steht ein anderer Ordner',
    advice:
      'Daraus wird nichts konvertiert, und nichts ist vergessen. Den Ordner zurückstellen, oder ihn nicht mehr überwachen und diesen hinzufügen.',
  }),
  'watch/overlaps': (facts) => {
    const folder = textFact(facts, 'folder');
    return {
      title:
        folder === undefined
          ? 'Er liegt in einem überwachten Ordner oder enthält einen'
          : `Er liegt in ${folder} oder enthält ihn`,
      advice:
        'Eine Aufnahme würde doppelt konvertiert. Einen anderen Ordner wählen, oder den überwachten samt Unterordnern überwachen.',
    };
  },
  'watch/elsewhere': () => ({
    title: 'Ein anderes Timbre überwacht diesen Ordner',
    advice: 'Eine Aufnahme würde doppelt konvertiert. Dieses hier beginnt, sobald das andere aufhört.',
  }),
  'watch/no-hints': (facts) => ({
    title: 'Das System meldet von diesem Laufwerk nichts',
    advice: sentences(looksEvery(facts), 'Neue Aufnahmen werden etwas später gefunden, und keine wird übersehen.'),
  }),
  'watch/too-many-folders': (facts) => ({
    title: 'Das System überwacht keine weiteren Ordner',
    advice: sentences(
      looksEvery(facts),
      'Keine Aufnahme wird übersehen. Damit es schneller geht, die Grenze fs.inotify.max_user_watches anheben.',
    ),
  }),
  'watch/network-drive': (facts) => ({
    title: 'Dieser Ordner liegt auf einem Netzlaufwerk',
    advice: sentences(
      looksEvery(facts),
      'Was andere Computer dort speichern, wird etwas später gefunden, und nichts wird übersehen.',
    ),
  }),
  'watch/unreadable-inside': (facts) => {
    const folder = textFact(facts, 'folder');
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    const which = folder === undefined ? 'Ein Unterordner' : folder;
    return {
      title:
        others > 0
          ? `${which} und ${count(others, { one: '# weiterer Unterordner', other: '# weitere Unterordner' })} lassen sich nicht öffnen`
          : `${which} lässt sich nicht öffnen`,
      advice: 'Was darin liegt, wird nicht konvertiert. Timbre das Lesen erlauben; alles andere geht weiter.',
    };
  },
  'watch/unreadable-name': (facts) => {
    const name = textFact(facts, 'name') ?? 'Eine Datei';
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    return {
      title:
        others > 0
          ? `Die Namen von ${name} und ${count(others, { one: '# weiteren', other: '# weiteren' })} sind nicht lesbar`
          : `Der Name von ${name} ist nicht lesbar`,
      advice: 'Namen in einer alten Kodierung lassen sich nicht öffnen. Umbenennen, dann werden sie gefunden.',
    };
  },
  'watch/length-open': () => ({
    title: 'Der Dateikopf lässt die Länge offen',
    advice: 'Vielleicht läuft die Aufnahme noch. Neu speichern, oder konvertieren, was da ist.',
  }),
  'watch/length-unknown': () => ({
    title: 'Die Länge ist nicht festzustellen',
    advice: 'Für den Ordner gilt eine Grenze an Minuten am Tag. Diese Aufnahme wird nur auf Wunsch konvertiert.',
  }),
  'watch/too-long': (facts) => {
    const minutes = numberFact(facts, 'minutes');
    return {
      title: 'Länger als die Minuten eines Tages',
      advice:
        minutes === undefined
          ? 'Die Grenze des Ordners anheben, oder diese eine konvertieren.'
          : `Sie dauert ${format.number(Math.ceil(minutes))} min. Die Grenze des Ordners anheben, oder diese eine konvertieren.`,
    };
  },
  'watch/source-stays': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Das Original'} blieb, wo es war`,
    advice: 'Konvertiert ist es, ließ sich aber nicht verschieben. Selbst verschieben, oder Timbre das Recht geben.',
  }),
};
