import type { Facts } from '../errors.ts';
import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

function locationOf(facts: Facts): string | undefined {
  const name = textFact(facts, 'name');
  return name === undefined ? undefined : `Der Speicherort ist ${name}.`;
}

function recovered(facts: Facts): string | undefined {
  const jobs = numberFact(facts, 'count');
  const lost = numberFact(facts, 'lost');
  if (jobs === undefined) return undefined;
  const all = `${format.number(jobs)} ${jobs === 1 ? 'Auftrag wurde' : 'Aufträge wurden'} gerettet`;
  if (lost === undefined) return `${all}. Es können welche fehlen.`;
  if (lost === 0) return `${all}, keiner fehlt.`;
  return `${all}, ${format.number(lost)} ${lost === 1 ? 'war' : 'waren'} nicht lesbar.`;
}

export const deDataProblems: ProblemTextsOf<'data'> = {
  'data/unreadable': (facts) => ({
    title: 'Die Liste Ihrer Aufträge lässt sich nicht öffnen',
    advice: sentences(
      locationOf(facts),
      'Nichts wurde verändert. Prüfen Sie, ob das Laufwerk angeschlossen ist und Sie darauf schreiben dürfen, und versuchen Sie es erneut.',
    ),
  }),
  'data/newer': () => ({
    title: 'Diese Daten stammen von einer neueren Version von Timbre',
    advice: 'Installieren Sie die neueste Version, um sie zu verwenden. Nichts wurde verändert.',
  }),
  'data/unreleased': (facts) => ({
    title: 'Diese Daten stammen von einer Entwicklungsversion von Timbre',
    advice: sentences(
      locationOf(facts),
      'Nichts wurde verändert. Um sie zu behalten, exportieren Sie den Verlauf mit jener Version. Verschieben Sie dann die Datei, starten Sie Timbre und importieren Sie den Verlauf.',
    ),
  }),
  'data/damaged': (facts) => {
    const name = textFact(facts, 'name');
    if (name === undefined) {
      return {
        title: 'Die Daten von Timbre sind beschädigt',
        advice:
          'Es wird nichts mehr gesendet. Schließen Sie Timbre und öffnen Sie es wieder, um die Daten zu reparieren.',
      };
    }
    return {
      title: 'Die Daten von Timbre waren beschädigt und wurden repariert',
      advice: sentences(
        recovered(facts),
        'Ihre Aufnahmen blieben unberührt.',
        `Die beschädigte Datei liegt in ${name}.`,
      ),
    };
  },
  'data/in-use': () => ({
    title: 'Die Daten von Timbre sind beschädigt und in Benutzung',
    advice:
      'Nichts wurde gelöscht. Beenden Sie andere Befehle von Timbre, schließen Sie Timbre und öffnen Sie es wieder, um die Daten zu reparieren.',
  }),
  'data/unchecked': () => ({
    title: 'Timbre konnte seine Daten nicht prüfen',
    advice:
      'Sie können weiterarbeiten. Schließen Sie Timbre und öffnen Sie es wieder, um zu prüfen. Erscheint diese Meldung noch einmal, prüfen Sie das Laufwerk mit den Daten.',
  }),
  'data/new-here': () => ({
    title: 'Timbres portable Daten sind auf diesem Computer neu',
    advice:
      'Die Warteschlange und die überwachten Ordner sind angehalten, das Programm nach jedem Ergebnis ist ausgeschaltet, und Ergebnisse kommen neben ihre Originale. Schalten Sie ein, was Sie brauchen.',
  }),
  'data/safe-start': () => ({
    title: 'Timbre wurde sicher gestartet',
    advice:
      'Die Warteschlange und die überwachten Ordner sind angehalten. Bis zum Beenden arbeitet Timbre offline mit den Standardeinstellungen und speichert keine Änderungen daran. Nichts wurde gelöscht. Setzen Sie fort, was Sie brauchen, oder öffnen Sie Timbre nach dem Beenden noch einmal, damit wieder Ihre Einstellungen gelten.',
  }),
  'data/portable-not-writable': (facts) => ({
    title: 'Timbre kann seine portablen Daten nicht schreiben',
    advice: sentences(
      locationOf(facts),
      'Schaffen Sie Platz auf diesem Laufwerk und prüfen Sie, ob Sie dort schreiben dürfen. Um stattdessen die Daten dieses Computers zu verwenden, benennen Sie den Ordner um.',
    ),
  }),
  'data/not-writable': () => ({
    title: 'Timbre kann seine Daten nicht speichern',
    advice:
      'Geben Sie auf dem Laufwerk mit den Daten von Timbre Speicherplatz frei und prüfen Sie, ob Sie darauf schreiben dürfen. Nichts geht verloren; Timbre macht automatisch weiter.',
  }),
};
