import type { enBatch, enBatchProblems } from './en-batch.ts';
import { badRowsOf, numberFact, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

export const deBatchProblems: typeof enBatchProblems = {
  'table/no-text': () => ({
    title: 'Kein Text zum Vorlesen',
    advice: 'Schreiben Sie den Text in die erste Spalte oder in die Spalte namens „text“.',
  }),
  'table/columns': (facts) => ({
    title: `${numberFact(facts, 'actual') ?? 'Mehr'} Spalten statt ${numberFact(facts, 'expected') ?? 'weniger'}`,
    advice: 'Setzen Sie den Text in Anführungszeichen, wenn Kommas oder Semikolons darin stehen.',
  }),
  'table/quotes': () => ({
    title: 'Ein Anführungszeichen fehlt oder ist zu viel',
    advice: 'Setzen Sie den Text in Anführungszeichen und schreiben Sie jedes im Text doppelt.',
  }),
  'table/language': (facts) => ({
    title: `${textFact(facts, 'language') ?? 'Das'} ist keine Sprache`,
    advice: 'Schreiben Sie ein Kürzel wie de-DE, oder lassen Sie das Feld leer für die Sprache der Stimme.',
  }),
  'table/no-voice': (facts) => ({
    title: `Keine Stimme heißt ${textFact(facts, 'name') ?? 'so'}`,
    advice: 'Schreiben Sie Name oder ID einer Stimme so, wie die Verbindung sie anzeigt.',
  }),
  'table/several-voices': (facts) => ({
    title: `Mehrere Stimmen heißen ${textFact(facts, 'name') ?? 'so'}`,
    advice: 'Schreiben Sie die ID der gemeinten Stimme.',
  }),
  'table/too-many-rows': (facts) => ({
    title: 'Zu viele Texte auf einmal',
    advice: sentences(
      `Höchstens ${format.number(numberFact(facts, 'limit') ?? 0)} sind möglich, das sind ${format.number(numberFact(facts, 'actual') ?? 0)}.`,
      'Teilen Sie die Tabelle auf mehrere Dateien auf.',
    ),
  }),
  'table/bad-rows': (facts) => ({
    title: count(numberFact(facts, 'count') ?? 0, {
      one: '# Zeile lässt sich nicht vorlesen',
      other: '# Zeilen lassen sich nicht vorlesen',
    }),
    advice: sentences(
      ...badRowsOf(facts).map(({ row, code }) => `Zeile ${row}: ${deBatchProblems[code]({}).title}.`),
      'Berichtigen Sie sie und speichern Sie die Tabelle. Nur diese Zeilen werden dann vorgelesen.',
    ),
  }),
  'speech/late-cues': (facts) => ({
    title: count(numberFact(facts, 'count') ?? 0, {
      one: '# Untertitel beginnt zu spät',
      other: '# Untertitel beginnen zu spät',
    }),
    advice: `Das Gesprochene davor ist länger als die Zeit dafür, um bis zu ${format.number(numberFact(facts, 'seconds') ?? 0)} s. Mit höherer Geschwindigkeit passt es.`,
  }),
};

export const deBatch: typeof enBatch = {
  list: 'Texte der Dateien',
  files: (n) => count(n, { one: '# Datei', other: '# Dateien' }),
  close: 'Dateien schließen',
  edit: 'Als Text bearbeiten',
  loading: 'Texte werden gelesen',
  chapters: { label: 'Ergebnisse', each: 'Datei je Kapitel', whole: 'Eine Datei' },
  columns: { row: 'Zeile', text: 'Text', voice: 'Stimme', language: 'Sprache', name: 'Name', state: 'Vorzulesen' },
  subtitles: (n) => count(n, { one: '# Untertitel', other: '# Untertitel' }),
  spoken: 'Vorgelesen, kostenlos',
  left: (n, characters) =>
    `${count(n, { one: '# Text', other: '# Texte' })}, ${format.number(characters)} Zeichen vorzulesen`,
  allSpoken: (n) => count(n, { one: 'Der Text ist vorgelesen', other: 'Alle # Texte sind vorgelesen' }),
  bad: (n) =>
    count(n, {
      one: '# Text lässt sich nicht vorlesen und bleibt weg',
      other: '# Texte lassen sich nicht vorlesen und bleiben weg',
    }),
  speak: (n) => count(n, { one: '# Text vorlesen', other: '# Texte vorlesen' }),
  added: (added, known) =>
    sentences(
      added > 0 || known === 0
        ? count(added, { one: '# Text zur Liste unten hinzugefügt.', other: '# Texte zur Liste unten hinzugefügt.' })
        : undefined,
      known > 0 ? count(known, { one: '# war schon da.', other: '# waren schon da.' }) : undefined,
    ),
};
