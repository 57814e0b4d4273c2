import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';
import type { Facts } from '../errors.ts';

const format = formatFor('de');
const { count } = format;

function polls(facts: Facts): string {
  const seconds = numberFact(facts, 'seconds');
  return seconds === undefined
    ? 'Timbre prüft ihn stattdessen regelmäßig.'
    : `Timbre prüft ihn stattdessen alle ${format.length(seconds)}.`;
}

export const deWatchProblems: ProblemTextsOf<'watch'> = {
  'watch/not-a-folder': () => ({
    title: 'Das ist kein Ordner',
    advice: 'Wählen Sie den Ordner, in dem Sie Aufnahmen speichern.',
  }),
  'watch/missing': (facts) => ({
    title: `${textFact(facts, 'folder') ?? 'Der Ordner'} ist nicht zu finden`,
    advice: 'Nichts geht verloren. Die Überwachung läuft weiter, sobald das Laufwerk oder der Ordner wieder da ist.',
  }),
  'watch/unreadable': () => ({
    title: 'Dieser Ordner lässt sich nicht öffnen',
    advice: 'Erlauben Sie Timbre, ihn zu lesen. Nichts geht verloren; die Überwachung läuft dann automatisch weiter.',
  }),
  'watch/another-folder': () => ({
    title: 'An seiner Stelle liegt ein anderer Ordner',
    advice:
      'Timbre konvertiert nichts daraus, und nichts geht verloren. Legen Sie den ursprünglichen Ordner zurück, oder überwachen Sie ihn nicht mehr und fügen Sie diesen hinzu.',
  }),
  'watch/overlaps': (facts) => ({
    title: `Überschneidet sich mit ${textFact(facts, 'folder') ?? 'einem anderen überwachten Ordner'}`,
    advice:
      'Aufnahmen würden doppelt konvertiert. Wählen Sie einen anderen Ordner, oder nehmen Sie beim bereits überwachten die Unterordner hinzu.',
  }),
  'watch/elsewhere': (facts) => ({
    title: `Ein anderes Timbre überwacht ${textFact(facts, 'folder') ?? 'diesen Ordner'}`,
    advice: 'Aufnahmen würden doppelt konvertiert. Dieses Timbre beginnt, sobald das andere aufhört.',
  }),
  'watch/no-hints': (facts) => ({
    title: 'Das Laufwerk dieses Ordners meldet keine Änderungen',
    advice: sentences(polls(facts), 'Neue Aufnahmen werden etwas später gefunden, aber keine wird übersehen.'),
  }),
  'watch/too-many-folders': (facts) => ({
    title: 'Für diesen Ordner reicht das Limit des Systems nicht',
    advice: sentences(
      polls(facts),
      'Keine Aufnahme wird übersehen. Um sie sofort zu finden, erhöhen Sie das Limit fs.inotify.max_user_watches.',
    ),
  }),
  'watch/network-drive': (facts) => ({
    title: 'Dieser Ordner liegt auf einem Netzlaufwerk',
    advice: sentences(
      polls(facts),
      'Aufnahmen, die andere Computer dort speichern, werden etwas später gefunden, aber keine wird übersehen.',
    ),
  }),
  'watch/unreadable-inside': (facts) => {
    const folder = textFact(facts, 'folder') ?? 'Ein Unterordner';
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    return {
      title:
        others > 0
          ? `${folder} und ${count(others, { one: '# weiterer Unterordner', other: '# weitere Unterordner' })} lassen sich nicht öffnen`
          : `${folder} lässt sich nicht öffnen`,
      advice:
        'Aufnahmen darin werden nicht konvertiert. Erlauben Sie Timbre das Lesen; alles andere wird weiter überwacht.',
    };
  },
  'watch/unreadable-name': (facts) => {
    const name = textFact(facts, 'name') ?? 'einer Datei';
    const others = (numberFact(facts, 'count') ?? 1) - 1;
    return {
      title:
        others > 0
          ? `Die Namen von ${name} und ${count(others, { one: '# weiteren', other: '# weiteren' })} sind nicht lesbar`
          : `Der Name von ${name} ist nicht lesbar`,
      advice:
        'Dateien mit Namen in einer alten Kodierung lassen sich nicht öffnen. Benennen Sie sie um, dann findet Timbre sie.',
    };
  },
  'watch/length-open': () => ({
    title: 'Länge unbekannt: Vielleicht läuft die Aufnahme noch',
    advice: 'Speichern Sie sie neu, oder konvertieren Sie, was da ist.',
  }),
  'watch/length-unknown': () => ({
    title: 'Länge unbekannt',
    advice:
      'Dieser Ordner hat ein Tageslimit in Minuten. Darum wird diese Datei nur konvertiert, wenn Sie es veranlassen.',
  }),
  'watch/too-long': (facts) => {
    const minutes = numberFact(facts, 'minutes');
    return {
      title: 'Länger als das Tageslimit des Ordners',
      advice: sentences(
        minutes === undefined ? undefined : `Die Aufnahme dauert ${format.number(Math.ceil(minutes))} min.`,
        'Erhöhen Sie das Limit, oder konvertieren Sie sie einmalig.',
      ),
    };
  },
  'watch/source-stays': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Das Original'} ließ sich nicht verschieben`,
    advice: 'Die Aufnahme ist konvertiert. Verschieben Sie das Original selbst, oder erlauben Sie es Timbre.',
  }),
  'watch/no-voice': (facts) => ({
    title: `„${textFact(facts, 'folder') ?? '?'}“ nennt keine Stimme`,
    advice:
      'Benennen Sie den Unterordner nach einer Stimme, oder konvertieren Sie die Datei mit der Stimme des Ordners.',
  }),
  'watch/several-voices': (facts) => ({
    title: `Mehrere Stimmen heißen „${textFact(facts, 'name') ?? '?'}“`,
    advice:
      'Benennen Sie den Unterordner nach der ID einer Stimme, oder konvertieren Sie die Datei mit der Stimme des Ordners.',
  }),
  'watch/another-voice': (facts) => ({
    title: 'Schon mit einer anderen Stimme konvertiert',
    advice: sentences(
      `Der Inhalt ist derselbe wie in ${textFact(facts, 'name') ?? 'einer anderen Datei'}.`,
      'Konvertieren Sie die Datei, um sie auch mit dieser Stimme zu haben.',
    ),
  }),
};
