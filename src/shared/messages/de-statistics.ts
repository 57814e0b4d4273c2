import type { Messages } from './en.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# Aufnahme', other: '# Aufnahmen' });

export const deStatistics: Messages['statistics'] = {
  title: 'Statistik',
  sections: { label: 'Verlauf', list: 'Liste', statistics: 'Statistik' },
  loading: 'Wird zusammengezählt',
  period: 'Zeitraum',
  periods: {
    '30d': 'Letzte 30 Tage',
    '12m': 'Letzte 12 Monate',
    all: 'Gesamte Zeit',
  },
  kind: 'Art',
  kinds: { all: 'Alles', conversion: 'Aufnahmen', speech: 'Vorgelesenes' },
  measure: 'Maß',
  results: 'Ergebnisse',
  minutes: 'Minuten',
  characters: 'Zeichen',
  failed: 'Fehlgeschlagen',
  cancelled: 'Abgebrochen',
  uncertain: 'Unbekannt',
  recorded: 'Aufnahmen konvertiert',
  spoken: 'Text vorgelesen',
  spokenCharacters: (n) => `${format.number(n)} Zeichen`,
  unmeasured: (n) =>
    count(n, {
      one: 'Von # Aufnahme ist die Länge unbekannt; bei den Minuten zählt sie nicht.',
      other: 'Von # Aufnahmen ist die Länge unbekannt; bei den Minuten zählen sie nicht.',
    }),
  removed: 'Einträge, die Sie aus dem Verlauf entfernt haben, zählen nicht.',
  show: 'Anzeigen als',
  chart: 'Diagramm',
  table: 'Tabelle',
  time: { day: 'Pro Tag', month: 'Pro Monat' },
  day: 'Tag',
  month: 'Monat',
  voices: 'Stimmen',
  voice: 'Stimme',
  noName: 'Stimme ohne Namen',
  total: 'Gesamt',
  otherVoices: (n) => count(n, { one: '# andere Stimme', other: '# andere Stimmen' }),
  connections: 'Verbindungen',
  connection: 'Verbindung',
  nothing: 'In diesem Zeitraum ist nichts entstanden.',
  saved: {
    title: 'Gespart',
    local: ({ seconds, characters, results }) => {
      const amounts = [
        ...(seconds > 0 ? [`${format.longLength(seconds)} Aufnahmen`] : []),
        ...(characters > 0 ? [`${format.number(characters)} Zeichen Text`] : []),
      ];
      const what = amounts.length > 0 ? `: ${format.list(amounts)}.` : '.';
      const made = count(results, { one: '# Ergebnis ist', other: '# Ergebnisse sind' });
      return `${made} auf diesem Computer entstanden, ohne Webdienst${what}`;
    },
    duplicates: (n, seconds) => {
      const which = seconds > 0 ? `${recordings(n)} (${format.longLength(seconds)})` : recordings(n);
      const what = n === 1 ? 'wurde' : 'wurden';
      return `${which} in überwachten Ordnern ${what} nicht noch einmal konvertiert, weil derselbe Ton es schon war.`;
    },
    duplicatesHint: 'Nur Ordner, die Sie noch überwachen, zählen.',
  },
  at: (label, value) => `${label}: ${value}`,
  save: 'Als CSV speichern',
  saveTable: { time: { day: 'Tage…', month: 'Monate…' }, voice: 'Stimmen…', connection: 'Verbindungen…' },
  savedTable: (name) => `Tabelle als ${name} gespeichert.`,
};
