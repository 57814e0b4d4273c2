import { longestQuery, type QueryError } from '../schemas/history.ts';
import type { enHistory } from './en-history.ts';
import { sentences } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# Aufnahme', other: '# Aufnahmen' });
const entries = (n: number) => count(n, { one: '# Eintrag', other: '# Einträge' });
const files = (n: number) => count(n, { one: '# Datei', other: '# Dateien' });

function leftOut(n: number, name: string | null): string {
  if (name === null) return count(n, { one: '# wurde ausgelassen.', other: '# wurden ausgelassen.' });
  return n === 1 ? `${name} wurde ausgelassen.` : `${format.number(n)} wurden ausgelassen, als Erstes ${name}.`;
}

const fault: Readonly<Record<QueryError['kind'], (word: string) => string>> = {
  empty: (word) => `Nach „${word}“ fehlt ein Wort.`,
  'unknown-filter': (word) =>
    `Einen Filter „${word}“ gibt es nicht. In Anführungszeichen wird nach den Wörtern gesucht.`,
  'bad-date': (word) => `„${word}“ ist kein Datum. Es lautet etwa 2026, 2026-11 oder 2026-11-18.`,
  'bad-value': (word) => `„${word}“ passt nicht zu diesem Filter. Es gelten nur die angebotenen Werte.`,
  'no-word': (word) => `„${word}“ ist kein Wort. Gesucht wird nach Buchstaben, Ziffern oder Emojis.`,
  'too-long': () => `Nur die ersten ${format.number(longestQuery)} Zeichen werden gesucht. Die Suche kürzen.`,
  'open-quote': () => 'Ein Anführungszeichen ist offen. Es muss geschlossen oder entfernt werden.',
};

/** Everything that was ever made, and how it is found again. */
export const deHistory: typeof enHistory = {
  label: 'Aufnahmen',
  count: (matches, all) => (matches === all ? recordings(all) : `${format.number(matches)} von ${recordings(all)}`),
  loading: 'Der Verlauf wird gelesen',
  emptyTitle: 'Noch nichts hier',
  empty: 'Alles, was Sie konvertieren oder vorlesen lassen, bleibt hier und lässt sich durchsuchen, auch ohne Netz.',
  toConvert: 'Aufnahme konvertieren',
  noMatchTitle: 'Nichts passt',
  noMatch: (all) => `Von ${recordings(all)} passt keine zu dieser Suche.`,
  drop: (filter) => `Ohne „${filter}“`,
  clear: 'Suche leeren',
  today: 'Heute',
  yesterday: 'Gestern',
  day: (n, seconds) => (seconds > 0 ? `${recordings(n)}, ${format.longLength(seconds)}` : recordings(n)),
  import: 'Importieren',
  importHint: 'Eine Liste importieren, die Timbre exportiert hat',
  export: 'Exportieren',
  exportList: 'Liste exportieren …',
  exportSound: 'Liste und Ton exportieren …',
  search: {
    label: 'Verlauf durchsuchen',
    hint: 'Namen, Texte, Stimmen, Ordner',
    suggestions: 'So kann die Suche weitergehen',
    filter: (name, value, isNot) => `${isNot ? 'nicht ' : ''}${name}: ${value}`,
    removeFilter: (filter) => `Filter ${filter} entfernen`,
    names: {
      voice: 'Stimme',
      status: 'Zustand',
      kind: 'Art',
      from: 'aus',
      after: 'seit',
      before: 'vor',
      language: 'Sprache',
      tag: 'Schlagwort',
      is: 'ist',
    },
    values: {
      done: 'fertig',
      failed: 'misslungen',
      cancelled: 'abgebrochen',
      uncertain: 'ungewiss',
      conversion: 'Konvertierung',
      speech: 'Vorgelesenes',
      favourite: 'Favorit',
    },
    time: 'Zeit',
    anyTime: 'Jederzeit',
    today: 'Heute',
    week: 'Letzte 7 Tage',
    month: 'Letzte 30 Tage',
    year: 'Dieses Jahr',
    otherTime: 'Wie geschrieben',
    filters: 'Filter',
    favourites: 'Favoriten',
    failed: 'Misslungene',
    conversions: 'Konvertierungen',
    speech: 'Vorgelesenes',
    byVoice: 'Nach Stimme …',
    byTag: 'Nach Schlagwort …',
    byLanguage: 'Nach Sprache …',
    fault: (kind, word) => fault[kind](word),
  },
  spine: { label: 'Monate', at: (month, matches) => `${month}, ${recordings(matches)}` },
  row: {
    speech: 'Vorgelesen',
    watched: 'Aus einem überwachten Ordner',
    favourite: 'Favorit',
    waiting: 'Wird gelesen',
    gone: 'Datei fehlt.',
    away: 'Laufwerk nicht da.',
    find: 'Suchen',
    uncertain: 'Die Antwort ging verloren',
  },
  state: { done: 'Fertig', failed: 'Misslungen', cancelled: 'Abgebrochen', uncertain: 'Ungewiss' },
  actions: {
    more: 'Mehr',
    listen: 'Anhören',
    show: 'Datei zeigen',
    again: 'Noch einmal',
    changed: 'Mit Änderungen …',
    otherVoice: 'Mit anderer Stimme …',
    copy: 'Pfad kopieren',
    tags: 'Schlagwörter …',
    favourite: 'Als Favorit merken',
    noFavourite: 'Nicht mehr merken',
    export: 'Exportieren …',
    exportSound: 'Mit Ton exportieren …',
    remove: 'Entfernen …',
  },
  pane: {
    label: 'Gewählte Aufnahme',
    nothing: 'Eine Aufnahme wählen, um alles über sie zu sehen.',
    drag: 'Die Wellenform aus dem Fenster ziehen, um die Datei zu kopieren.',
    goneResult: 'Die Datei wurde verschoben oder gelöscht.',
    goneSource: 'Das Original wurde verschoben oder gelöscht.',
    changedSource: 'Das Original wurde seitdem geändert: die Aufnahme von damals suchen, falls es sie noch gibt.',
    awayResult: 'Die Datei liegt auf einem Laufwerk, das nicht da ist. Kommt es zurück, wird sie wiedergefunden.',
    changedResult: 'Die Datei wurde geändert, seit Timbre sie geschrieben hat.',
    makeAgain: 'Neu erzeugen',
    text: 'Text',
    several: (n) => `${recordings(n)} gewählt`,
    together: (seconds) => `zusammen ${format.longLength(seconds)}`,
    others: 'Weitere Ergebnisse dieser Quelle',
    listenTo: (name) => `${name} anhören`,
  },
  facts: {
    voice: 'Stimme',
    changed: 'Geändert',
    through: 'Über',
    took: 'Dauer',
    from: 'Aus',
    folder: (name) => `überwachter Ordner ${name}`,
    byHand: 'von Hand hinzugefügt',
    when: 'Wann',
    original: 'Original',
    result: 'Ergebnis',
    state: 'Zustand',
    task: 'Auftrag',
    attempts: 'Versuche',
    tags: 'Schlagwörter',
    addTag: 'Schlagwort hinzufügen',
    removeTag: (tag) => `Schlagwort ${tag} entfernen`,
    unknownSize: 'Größe nicht bekannt',
  },
  again: {
    title: 'Noch einmal mit Änderungen',
    convert: 'Noch einmal konvertieren',
    speak: 'Noch einmal vorlesen',
    sending: 'Wird eingereiht',
    cancel: 'Abbrechen',
    same: 'Noch nichts geändert.',
    changed: 'Geändert',
    fromTo: (word, from, to) => `${word}: ${from} → ${to}`,
    takeBack: (word) => `${word} wie zuvor`,
    on: 'an',
    off: 'aus',
    none: 'nichts',
    connectionGone: (name) => `Die Verbindung ${name} gibt es nicht mehr. Eine andere wählen.`,
    gone: (name) => `${name}, nicht mehr da`,
    voiceGone: (name, connection) => `${connection} bietet ${name} nicht an. Eine andere Stimme wählen.`,
    findVoice: (connection) => `Stimme von ${connection} suchen`,
    sourceGone: 'Das Original wurde verschoben oder gelöscht. Es suchen oder zurücklegen.',
  },
  tagging: {
    title: (n) => `Schlagwörter für ${recordings(n)}`,
    lead: 'Ein Schlagwort kommt zu allen hinzu.',
    add: 'Hinzufügen',
    done: 'Fertig',
  },
  removing: {
    title: (n) => `${entries(n)} entfernen?`,
    lead: 'Sie lassen sich zurückholen, bis Timbre geschlossen wird.',
    leadOne: 'Er lässt sich zurückholen, bis Timbre geschlossen wird.',
    record: (n) => (n === 1 ? 'Nur den Eintrag' : 'Nur die Einträge'),
    recordHint: 'Dateien bleiben, wo sie sind.',
    files: (n) => (n === 1 ? 'Den Eintrag und sein Ergebnis' : 'Die Einträge und ihre Ergebnisse'),
    filesHint: 'Ergebnisse, die Timbre geschrieben hat, werden entfernt, Originale nie.',
    no: 'Behalten',
    yes: 'Entfernen',
  },
  work: {
    export: 'Wird exportiert',
    import: 'Wird importiert',
    find: 'Die Datei wird gesucht',
    mark: 'Einträge werden geändert',
    remove: 'Wird entfernt',
    undo: 'Wird zurückgeholt',
    soFar: { export: recordings, import: entries, find: files, mark: entries, remove: entries, undo: entries },
    stop: 'Anhalten',
  },
  outcome: {
    stopped: {
      export: 'Export angehalten. Keine Datei wurde geschrieben.',
      import: 'Import angehalten. Was gelesen wurde, ist da; dieselbe Datei macht dort weiter.',
      find: 'Suche angehalten.',
      mark: 'Angehalten. Was bis dahin geändert wurde, bleibt geändert.',
      remove: 'Angehalten. Was bis dahin entfernt wurde, lässt sich zurückholen.',
      undo: 'Angehalten.',
    },
    removed: ({ entries: n, files: f, keptFiles }) =>
      sentences(
        f > 0 ? `${entries(n)} und ${files(f)} entfernt.` : `${entries(n)} entfernt.`,
        keptFiles > 0
          ? count(keptFiles, {
              one: '# Datei bleibt: Sie wird noch gebraucht, wurde geändert oder stammt nicht von Timbre.',
              other: '# Dateien bleiben: Sie werden noch gebraucht, wurden geändert oder stammen nicht von Timbre.',
            })
          : undefined,
      ),
    undo: 'Zurückholen',
    broughtBack: (n) => `${entries(n)} zurückgeholt.`,
    again: ({ added, left, first }, isChanged) =>
      added === 0
        ? 'Nichts ist noch einmal zu erzeugen.'
        : sentences(
            `${recordings(added)} in der Warteschlange, ${isChanged ? 'mit den Änderungen' : 'mit gleichen Einstellungen'}.`,
            left > 0 ? leftOut(left, first?.name ?? null) : undefined,
          ),
    exported: ({ entries: n, files: f, withoutFile, name }) =>
      sentences(
        f > 0 ? `${entries(n)} und ${files(f)} nach ${name} exportiert.` : `${entries(n)} nach ${name} exportiert.`,
        withoutFile > 0
          ? count(withoutFile, { one: 'Die Datei von # fehlt.', other: 'Die Dateien von # fehlen.' })
          : undefined,
      ),
    imported: ({ added, known, refused, withoutFile }) =>
      sentences(
        `${entries(added)} hinzugefügt.`,
        known > 0 ? `${format.number(known)} ${known === 1 ? 'war' : 'waren'} schon hier.` : undefined,
        refused > 0
          ? count(refused, { one: '# Zeile enthält keinen Eintrag.', other: '# Zeilen enthalten keinen Eintrag.' })
          : undefined,
        withoutFile > 0
          ? count(withoutFile, {
              one: 'Die Datei von # ist nicht im Archiv: Sie lässt sich dort neu exportieren, wo sie liegt.',
              other: 'Die Dateien von # sind nicht im Archiv: Sie lassen sich dort neu exportieren, wo sie liegen.',
            })
          : undefined,
      ),
    copied: (n) =>
      n === 0
        ? 'Keine Datei ist da, deren Pfad sich kopieren ließe.'
        : count(n, { one: '# Pfad kopiert.', other: '# Pfade kopiert.' }),
    tooMany: (most) => `Höchstens ${format.number(most)} Dateien auf einmal.`,
    found: (n) => `Gefunden. ${entries(n)} wieder verknüpft.`,
    notFound: (n) => `Von ${files(n)} dort ist keine die, die geschrieben wurde.`,
  },
  keys: { all: 'alle wählen', undo: 'Entfernen zurücknehmen' },
};
