import type { Facts } from '../errors.ts';
import { numberFact, type ProblemTextsOf, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');

function placeOf(facts: Facts): string | undefined {
  const name = textFact(facts, 'name');
  return name === undefined ? undefined : `Sie liegt in ${name}.`;
}

function rescued(facts: Facts): string | undefined {
  const jobs = numberFact(facts, 'count');
  const lost = numberFact(facts, 'lost') ?? 0;
  if (jobs === undefined) return undefined;
  const all = `${format.number(jobs)} ${jobs === 1 ? 'Auftrag wurde' : 'Aufträge wurden'} gerettet`;
  return lost === 0 ? `${all}, keiner fehlt.` : `${all}, ${format.number(lost)} ließen sich nicht lesen.`;
}

/** Why the record of all work is not read as it stands. */
export const deDataProblems: ProblemTextsOf<'data'> = {
  'data/unreadable': (facts) => ({
    title: 'Die Liste der Aufträge ließ sich nicht öffnen',
    advice: sentences(
      placeOf(facts),
      'Nichts wurde verändert. Laufwerk und Schreibrecht prüfen, dann erneut versuchen.',
    ),
  }),
  'data/newer': () => ({
    title: 'Eine neuere Version von Timbre hat diese Daten geschrieben',
    advice: 'Nichts wurde verändert. Zum Weiterarbeiten die neueste Version installieren.',
  }),
  'data/unreleased': (facts) => ({
    title: 'Eine Entwicklungsversion von Timbre hat diese Daten geschrieben',
    advice: sentences(
      placeOf(facts),
      'Nichts wurde verändert. Zum Weiterarbeiten den Verlauf mit jener Version exportieren. Dann die Datei wegbewegen, Timbre starten und den Verlauf importieren.',
    ),
  }),
  'data/damaged': (facts) => ({
    title: 'Das Verzeichnis der Arbeit war beschädigt und wurde in Ordnung gebracht',
    advice: sentences(
      rescued(facts),
      'Keine Aufnahme wurde angerührt.',
      textFact(facts, 'name') && `Die beschädigte Datei ist aufgehoben als ${textFact(facts, 'name') ?? ''}.`,
    ),
  }),
  'data/in-use': () => ({
    title: 'Das Verzeichnis der Arbeit ist beschädigt und wird gerade benutzt',
    advice:
      'Nichts wurde gelöscht. Andere Befehle von Timbre beenden, dann Timbre schließen und wieder öffnen: Es bringt das Verzeichnis in Ordnung.',
  }),
  'data/unchecked': () => ({
    title: 'Timbre konnte sein Verzeichnis nicht prüfen',
    advice:
      'Die Arbeit geht weiter. Timbre schließen und wieder öffnen, um es zu prüfen; kommt das wieder, das Laufwerk mit den Daten ansehen.',
  }),
  'data/not-writable': () => ({
    title: 'Timbre kann sein Verzeichnis nicht speichern',
    advice:
      'Auf dem Laufwerk mit den Daten von Timbre Platz schaffen und prüfen, ob es beschrieben werden darf. Nichts geht verloren; es geht von selbst weiter.',
  }),
};
