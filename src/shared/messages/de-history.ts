import { longestQuery, type QueryError } from '../schemas/history.ts';
import type { enHistory } from './en-history.ts';
import { sentences } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# Aufnahme', other: '# Aufnahmen' });
const entries = (n: number) => count(n, { one: '# Eintrag', other: '# Einträge' });
const files = (n: number) => count(n, { one: '# Datei', other: '# Dateien' });

function skipped(n: number, name: string | null): string {
  if (name === null) return count(n, { one: '# wurde übersprungen.', other: '# wurden übersprungen.' });
  return n === 1 ? `${name} wurde übersprungen.` : `${format.number(n)} wurden übersprungen, zuerst ${name}.`;
}

const fault: Readonly<Record<QueryError['kind'], (word: string) => string>> = {
  empty: (word) => `Geben Sie nach „${word}“ ein Wort ein.`,
  'unknown-filter': (word) =>
    `Es gibt keinen Filter „${word}“. Setzen Sie ihn in Anführungszeichen, um nach dem Text zu suchen.`,
  'bad-date': (word) => `„${word}“ ist kein Datum. Schreiben Sie 2026, 2026-11 oder 2026-11-18.`,
  'bad-value': (word) => `„${word}“ ist kein Wert dieses Filters. Wählen Sie einen der Vorschläge.`,
  'no-word': (word) => `Nach „${word}“ lässt sich nicht suchen. Verwenden Sie Buchstaben, Ziffern oder Emojis.`,
  'too-long': () => `Nur die ersten ${format.number(longestQuery)} Zeichen werden verwendet. Kürzen Sie die Suche.`,
  'open-quote': () => 'Ein Anführungszeichen ist offen. Schließen oder entfernen Sie es.',
};

export const deHistory: typeof enHistory = {
  label: 'Aufnahmen',
  count: (matches, all) => (matches === all ? recordings(all) : `${format.number(matches)} von ${recordings(all)}`),
  loading: 'Verlauf wird geladen',
  emptyTitle: 'Noch kein Verlauf',
  empty: 'Alles, was Sie konvertieren oder vorlesen lassen, erscheint hier. Sie können es auch offline durchsuchen.',
  toConvert: 'Aufnahme konvertieren',
  noMatchTitle: 'Keine Treffer',
  noMatch: (all) => `Von ${recordings(all)} passt keine zu dieser Suche.`,
  removeFilter: (filter) => `„${filter}“ entfernen`,
  clear: 'Suche leeren',
  today: 'Heute',
  yesterday: 'Gestern',
  day: (n, seconds) => (seconds > 0 ? `${recordings(n)}, ${format.longLength(seconds)}` : recordings(n)),
  import: 'Importieren',
  importHint: 'Eine von Timbre exportierte Liste importieren',
  export: 'Exportieren',
  exportList: 'Liste exportieren …',
  exportSound: 'Liste und Audio exportieren …',
  search: {
    label: 'Verlauf durchsuchen',
    hint: 'Namen, Texte, Stimmen, Ordner',
    suggestions: 'Suchvorschläge',
    filter: (name, value, isNot) => `${isNot ? 'nicht ' : ''}${name}: ${value}`,
    removeFilter: (filter) => `Filter ${filter} entfernen`,
    names: {
      voice: 'Stimme',
      status: 'Status',
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
      failed: 'fehlgeschlagen',
      cancelled: 'abgebrochen',
      uncertain: 'unbekannt',
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
    otherTime: 'Eigene Angabe',
    filters: 'Filter',
    favourites: 'Favoriten',
    failed: 'Fehlgeschlagen',
    conversions: 'Konvertierungen',
    speech: 'Vorgelesenes',
    byVoice: 'Nach Stimme …',
    byTag: 'Nach Schlagwort …',
    byLanguage: 'Nach Sprache …',
    error: (kind, word) => fault[kind](word),
  },
  monthScrubber: { label: 'Monate', at: (month, matches) => `${month}, ${recordings(matches)}` },
  row: {
    speech: 'Vorgelesen',
    watched: 'Aus einem überwachten Ordner',
    favourite: 'Favorit',
    waiting: 'Wird geladen',
    missing: 'Datei fehlt.',
    away: 'Laufwerk fehlt.',
    find: 'Suchen',
    restore: 'Wiederherstellen',
    uncertain: 'Antwort verloren',
  },
  state: { done: 'Fertig', failed: 'Fehlgeschlagen', cancelled: 'Abgebrochen', uncertain: 'Unbekannt' },
  actions: {
    more: 'Mehr',
    listen: 'Anhören',
    show: 'Datei anzeigen',
    tryVoices: 'Stimmen an dieser Aufnahme ausprobieren …',
    repeat: 'Erneut konvertieren',
    repeatWithChanges: 'Mit Änderungen …',
    repeatWithVoice: 'Mit anderer Stimme …',
    copy: 'Pfad kopieren',
    copyFile: 'Datei kopieren',
    copyFiles: 'Dateien kopieren',
    share: 'Teilen …',
    tags: 'Schlagwörter …',
    favourite: 'Zu Favoriten hinzufügen',
    removeFavourite: 'Aus Favoriten entfernen',
    export: 'Exportieren …',
    exportSound: 'Mit Audio exportieren …',
    restore: 'Aus Kopie wiederherstellen',
    remove: 'Entfernen …',
  },
  panel: {
    label: 'Ausgewählte Aufnahme',
    nothing: 'Wählen Sie eine Aufnahme, um ihre Details zu sehen.',
    drag: 'Ziehen Sie die Wellenform aus dem Fenster, um die Datei zu kopieren.',
    missingResult: 'Die Datei wurde verschoben oder gelöscht.',
    missingWithCopy: 'Die Datei wurde verschoben oder gelöscht. Timbre hat eine Kopie davon.',
    restore: 'Datei wiederherstellen',
    missingSource: 'Das Original wurde verschoben oder gelöscht.',
    changedSource: 'Das Original wurde seitdem geändert. Wenn Sie die frühere Fassung noch haben, suchen Sie sie.',
    awayResult:
      'Die Datei liegt auf einem Laufwerk, das nicht angeschlossen ist. Schließen Sie es an, um sie zu nutzen.',
    changedResult: 'Die Datei wurde geändert, seit Timbre sie gespeichert hat.',
    changedWithCopy:
      'Die Datei wurde geändert, seit Timbre sie gespeichert hat. Timbre hat eine Kopie des ursprünglichen Ergebnisses.',
    restoreBeside: 'Daneben wiederherstellen',
    convertAgain: 'Datei neu erstellen',
    text: 'Text',
    several: (n) => `${recordings(n)} ausgewählt`,
    total: (seconds) => `insgesamt ${format.longLength(seconds)}`,
    others: 'Weitere Ergebnisse dieses Originals',
    listenTo: (name) => `${name} anhören`,
  },
  details: {
    voice: 'Stimme',
    speakers: 'Sprechrollen',
    pronunciation: 'Aussprache',
    changed: 'Geändert',
    through: 'Verbindung',
    took: 'Verarbeitet in',
    from: 'Quelle',
    folder: (name) => `überwachter Ordner ${name}`,
    byHand: 'manuell hinzugefügt',
    when: 'Beendet',
    original: 'Original',
    result: 'Ergebnis',
    state: 'Status',
    task: 'Auftrag',
    attempts: 'Versuche',
    tags: 'Schlagwörter',
    addTag: 'Schlagwort hinzufügen',
    removeTag: (tag) => `Schlagwort ${tag} entfernen`,
    unknownSize: 'Größe unbekannt',
  },
  largest: {
    title: 'Größte Ergebnisse',
    lead: 'Lassen Sie ein Ergebnis in seinem Ordner anzeigen, um es dort zu verschieben oder zu löschen. Sein Eintrag im Verlauf bleibt.',
    searching: 'Die größten Ergebnisse werden gesucht …',
    none: 'Ergebnisse von Timbre belegen hier keinen Platz. Löschen oder verschieben Sie andere Dateien.',
    disk: (disk, freeBytes) => `${disk}, ${format.bytes(freeBytes)} frei`,
  },
  repeat: {
    title: 'Mit Änderungen erneut konvertieren',
    convert: 'Erneut konvertieren',
    speak: 'Erneut vorlesen',
    adding: 'Wird in die Warteschlange gestellt',
    cancel: 'Abbrechen',
    unchanged: 'Noch keine Änderungen.',
    changed: 'Änderungen',
    fromTo: (word, from, to) => `${word}: ${from} → ${to}`,
    reset: (word) => `${word} zurücksetzen`,
    on: 'ein',
    off: 'aus',
    none: 'keine',
    connectionMissing: (name) => `Die Verbindung ${name} gibt es nicht mehr. Wählen Sie eine andere.`,
    removedConnection: (name) => `${name} (entfernt)`,
    voiceMissing: (name, connection) => `${connection} bietet ${name} nicht an. Wählen Sie eine andere Stimme.`,
    findVoice: (connection) => `Stimme von ${connection} suchen`,
    sourceMissing: 'Das Original wurde verschoben oder gelöscht. Suchen Sie es, oder legen Sie es zurück.',
  },
  tagging: {
    title: (n) => `Schlagwörter für ${recordings(n)}`,
    lead: 'Ein neues Schlagwort wird zu allen hinzugefügt.',
    add: 'Hinzufügen',
    done: 'Fertig',
  },
  removing: {
    title: (n) => `${entries(n)} entfernen?`,
    lead: 'Sie können das rückgängig machen, bis Sie Timbre schließen.',
    leadWithCopies:
      'Sie können das rückgängig machen, bis Sie Timbre schließen. Dann werden auch die Kopien dieser Ergebnisse gelöscht, die kein anderer Eintrag braucht.',
    entries: (n) => (n === 1 ? 'Nur den Eintrag' : 'Nur die Einträge'),
    entriesHint: 'Dateien bleiben, wo sie sind.',
    entriesAndResults: (n) => (n === 1 ? 'Eintrag und Ergebnis' : 'Einträge und Ergebnisse'),
    entriesAndResultsHint: 'Entfernt Ergebnisse, die Timbre gespeichert hat, aber nie Originale.',
    cancel: 'Abbrechen',
    confirm: 'Entfernen',
  },
  tasks: {
    export: 'Wird exportiert',
    import: 'Wird importiert',
    find: 'Die Datei wird gesucht',
    mark: 'Einträge werden geändert',
    remove: 'Wird entfernt',
    restore: 'Dateien werden wiederhergestellt',
    undo: 'Wird wiederhergestellt',
    soFar: {
      export: recordings,
      import: entries,
      find: files,
      mark: entries,
      remove: entries,
      restore: entries,
      undo: entries,
    },
    stop: 'Abbrechen',
  },
  results: {
    stopped: {
      export: 'Export abgebrochen. Es wurde keine Datei gespeichert.',
      import:
        'Import abgebrochen. Bisher importierte Einträge bleiben; importieren Sie dieselbe Datei noch einmal, um fortzufahren.',
      find: 'Suche abgebrochen.',
      mark: 'Abgebrochen. Bisher geänderte Einträge bleiben geändert.',
      remove: 'Abgebrochen. Bisher entfernte Einträge können Sie wiederherstellen.',
      restore: 'Abgebrochen. Bisher wiederhergestellte Dateien bleiben.',
      undo: 'Abgebrochen.',
    },
    removed: ({ entries: n, files: f, keptFiles }) =>
      sentences(
        f > 0 ? `${entries(n)} und ${files(f)} entfernt.` : `${entries(n)} entfernt.`,
        keptFiles > 0
          ? count(keptFiles, {
              one: '# Datei bleibt erhalten, weil sie noch gebraucht wird, geändert wurde oder nicht von Timbre stammt.',
              other:
                '# Dateien bleiben erhalten, weil sie noch gebraucht werden, geändert wurden oder nicht von Timbre stammen.',
            })
          : undefined,
      ),
    undo: 'Rückgängig',
    restored: (n) => `${entries(n)} wiederhergestellt.`,
    repeated: ({ added, skipped: left, firstSkipped: first }, isChanged) =>
      added === 0
        ? 'Nichts erneut zu konvertieren.'
        : sentences(
            isChanged
              ? `${recordings(added)} mit Ihren Änderungen in die Warteschlange gestellt.`
              : `${recordings(added)} mit denselben Einstellungen in die Warteschlange gestellt.`,
            left > 0 ? skipped(left, first?.name ?? null) : undefined,
          ),
    exported: ({ entries: n, files: f, withoutFile, name }) =>
      sentences(
        f > 0 ? `${entries(n)} und ${files(f)} nach ${name} exportiert.` : `${entries(n)} nach ${name} exportiert.`,
        withoutFile > 0 ? count(withoutFile, { one: '# Datei fehlt.', other: '# Dateien fehlen.' }) : undefined,
      ),
    imported: ({ added, known, refused, withoutFile }) =>
      sentences(
        `${entries(added)} hinzugefügt.`,
        known > 0
          ? count(known, { one: '# Eintrag war schon vorhanden.', other: '# Einträge waren schon vorhanden.' })
          : undefined,
        refused > 0
          ? count(refused, { one: '# Zeile enthält keinen Eintrag.', other: '# Zeilen enthalten keinen Eintrag.' })
          : undefined,
        withoutFile > 0
          ? count(withoutFile, {
              one: '# Datei ist nicht im Archiv: Exportieren Sie sie dort neu, wo sie liegt.',
              other: '# Dateien sind nicht im Archiv: Exportieren Sie sie dort neu, wo sie liegen.',
            })
          : undefined,
      ),
    filesRestored: ({ restored, there, none, damaged, away, failed }) =>
      sentences(
        restored > 0 ? `${files(restored)} wiederhergestellt.` : 'Keine Datei wiederhergestellt.',
        there > 0 ? count(there, { one: '# ist noch da.', other: '# sind noch da.' }) : undefined,
        none > 0
          ? count(none, { one: 'Von # hat Timbre keine Kopie.', other: 'Von # hat Timbre keine Kopie.' })
          : undefined,
        damaged > 0
          ? count(damaged, {
              one: '# Kopie war beschädigt und wurde gelöscht.',
              other: '# Kopien waren beschädigt und wurden gelöscht.',
            })
          : undefined,
        away > 0
          ? count(away, {
              one: '# liegt auf einem Laufwerk, das nicht angeschlossen ist.',
              other: '# liegen auf einem Laufwerk, das nicht angeschlossen ist.',
            })
          : undefined,
        failed > 0
          ? count(failed, { one: '# ließ sich nicht speichern.', other: '# ließen sich nicht speichern.' })
          : undefined,
      ),
    tooMany: (most) => `Sie können höchstens ${format.number(most)} Dateien auf einmal ziehen.`,
    copiedFiles: (n) =>
      n === 0 ? 'Keine Dateien zum Kopieren.' : count(n, { one: '# Datei kopiert.', other: '# Dateien kopiert.' }),
    copied: (n) =>
      n === 0 ? 'Keine Pfade zu kopieren.' : count(n, { one: '# Pfad kopiert.', other: '# Pfade kopiert.' }),
    found: (n) => `Datei gefunden und mit ${count(n, { one: '# Eintrag', other: '# Einträgen' })} verknüpft.`,
    notFound: (n) => `Die Datei wurde nicht gefunden (${files(n)} durchsucht).`,
  },
  keys: { all: 'alle auswählen', undo: 'Hinzufügen oder Entfernen rückgängig machen' },
};
