import { deBackground } from './de-background.ts';
import { deConnectionFields } from './de-connection-fields.ts';
import { deConnections } from './de-connections.ts';
import { deCopies } from './de-copies.ts';
import { deFfmpeg } from './de-ffmpeg.ts';
import { deHook } from './de-hook.ts';
import { deDiagnostics } from './de-diagnostics.ts';
import { deDoctor } from './de-doctor.ts';
import { deHistory } from './de-history.ts';
import { deModels } from './de-models.ts';
import { dePresets } from './de-presets.ts';
import { deProblems } from './de-problems.ts';
import { deQueue } from './de-queue.ts';
import { deSettings } from './de-settings.ts';
import { deBatch } from './de-batch.ts';
import { deSpeech } from './de-speech.ts';
import { deStatistics } from './de-statistics.ts';
import { deCompare, dePreview, deVoices } from './de-voices.ts';
import { deWatch } from './de-watch.ts';
import type { Messages } from './en.ts';
import { sentences } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

export const de: Messages = {
  language: 'de',
  format,
  app: {
    clearSearch: 'Suche leeren',
    name: 'Timbre',
    views: 'Ansichten',
    loading: 'Wird geladen',
    retry: 'Erneut versuchen',
    restart: 'Timbre neu starten',
    close: 'Schließen',
    serviceSaid: (words) => `Meldung des Dienstes: „${words}“`,
    inProgress: (n) => `${format.number(n)} aktiv`,
  },
  views: {
    convert: 'Konvertieren',
    watch: 'Überwachte Ordner',
    voices: 'Stimmen',
    speech: 'Vorlesen',
    history: 'Verlauf',
    models: 'Eigene Stimmen',
    settings: 'Einstellungen',
    diagnostics: 'Diagnose',
  },
  connection: {
    offlineMode: 'Offline',
    goOnline: 'Online gehen',
    local: 'Bereit, funktioniert offline',
    thisComputer: 'Dieser Computer',
    remote: 'Webdienst',
    none: 'Keine Verbindung',
  },
  firstStart: {
    title: 'Aufnahme hineinziehen und mit anderer Stimme hören.',
    lead: 'Alles geschieht auf diesem Computer. Sie brauchen kein Konto, und keine Aufnahme verlässt ihn, solange Sie keinen Dienst verbinden.',
    leadRemote:
      'Wählen Sie unten eine Stimme. Aufnahmen werden nur an den Dienst gesendet, mit dem Sie verbunden sind.',
    choose: 'Aufnahmen auswählen',
    sample: 'Beispiel mit 13 Sekunden testen',
    voices: 'Stimme',
    noVoices: 'Diese Verbindung bietet noch keine Stimmen an.',
  },
  commands: {
    title: 'Befehle',
    search: 'Befehl suchen',
    noMatch: (query) => `Kein Befehl passt zu „${query}“.`,
    run: 'ausführen',
    addFiles: 'Dateien hinzufügen…',
    addFolder: 'Ordner hinzufügen…',
    watchFolder: 'Ordner überwachen…',
    pauseQueue: 'Warteschlange anhalten',
    resumeQueue: 'Warteschlange fortsetzen',
    retryAll: (n) =>
      count(n, {
        one: '# fehlgeschlagene Aufnahme erneut versuchen',
        other: 'Alle # fehlgeschlagenen erneut versuchen',
      }),
    retryFailed: 'Fehlgeschlagene erneut versuchen',
    clearDone: 'Liste der fertigen leeren',
    undoRemoving: 'Entfernen aus dem Verlauf rückgängig machen',
    changeVoice: 'Stimme wechseln',
    find: 'Suchen',
    play: 'Abspielen',
    pausePlayback: 'Wiedergabe anhalten',
    original: 'Original anhören',
    result: 'Ergebnis anhören',
    loop: 'Wiederholen ein- oder ausschalten',
    goTo: (view) => `${view} öffnen`,
    connection: (name) => `${name} verwenden`,
    theme: (name) => `Farben: ${name}`,
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    zoomReset: 'Normale Größe',
    keys: 'Tastenkürzel zeigen',
  },
  convert: {
    counts: ({ running, waiting, needAttention }) =>
      [
        running > 0 ? `${format.number(running)} aktiv` : '',
        waiting > 0 ? `${format.number(waiting)} wartend` : '',
        needAttention > 0 ? count(needAttention, { one: '# wartet auf Sie', other: '# warten auf Sie' }) : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    drop: 'Aufnahmen oder Ordner hier ablegen',
    formats: 'wav, mp3, flac, m4a, amr, mp4 und mehr',
    chooseFiles: 'Dateien auswählen',
    chooseFolder: 'Ordner auswählen',
    dragged: (n) => count(n, { one: '# Aufnahme konvertieren', other: '# Aufnahmen konvertieren' }),
    draggedNone: 'Keine Audiodateien',
    draggedOthers: (n) =>
      count(n, {
        one: '# weitere Datei ist kein Audio und wird übersprungen',
        other: '# weitere Dateien sind kein Audio und werden übersprungen',
      }),
    dropHint: 'Irgendwo im Fenster ablegen',
    adding: (n) => count(n, { one: '# Eintrag wird hinzugefügt', other: '# Einträge werden hinzugefügt' }),
    added: ({ added, refused, ignored }) =>
      sentences(
        added > 0 || (refused === 0 && ignored === 0)
          ? count(added, { one: '# Aufnahme hinzugefügt.', other: '# Aufnahmen hinzugefügt.' })
          : undefined,
        refused > 0
          ? count(refused, {
              one: '# lässt sich nicht konvertieren; den Grund zeigt die Liste.',
              other: '# lassen sich nicht konvertieren; den Grund zeigt die Liste.',
            })
          : undefined,
        ignored > 0
          ? count(ignored, {
              one: '# weitere Datei wurde übersprungen: kein Audio oder von Timbre erstellt.',
              other: '# weitere Dateien wurden übersprungen: kein Audio oder von Timbre erstellt.',
            })
          : undefined,
      ),
    undo: 'Rückgängig',
    undoLabel: 'Hinzufügen rückgängig machen',
    undone: ({ removed, kept }) =>
      sentences(
        count(removed, { one: '# Aufnahme entfernt.', other: '# Aufnahmen entfernt.' }),
        kept > 0
          ? count(kept, {
              one: '# wurde schon konvertiert oder gesendet.',
              other: '# wurden schon konvertiert oder gesendet.',
            })
          : undefined,
      ),
    large: {
      title: (n) => count(n, { one: '# Aufnahme konvertieren?', other: '# Aufnahmen konvertieren?' }),
      lead: ({ recordings, seconds, unmeasured, service }) => {
        const length = format.length(seconds);
        const sent =
          seconds === 0
            ? count(recordings, {
                one: `Sie wird an ${service} gesendet. Dabei können Kosten entstehen.`,
                other: `Sie werden an ${service} gesendet. Dabei können Kosten entstehen.`,
              })
            : `${unmeasured > 0 ? `Mindestens ${length}` : length} Audio werden an ${service} gesendet. Dabei können Kosten entstehen.`;
        return sentences(
          sent,
          unmeasured > 0
            ? count(unmeasured, {
                one: 'Die Länge von # Aufnahme ist unbekannt.',
                other: 'Die Länge von # Aufnahmen ist unbekannt.',
              })
            : undefined,
        );
      },
      tooLong: (n, service) =>
        count(n, {
          one: `# weitere ist länger, als ${service} annimmt, und wird nicht gesendet.`,
          other: `# weitere sind länger, als ${service} annimmt, und werden nicht gesendet.`,
        }),
      confirm: 'Konvertieren',
      cancel: 'Abbrechen',
    },
    withoutPath: (n) =>
      count(n, {
        one: '# Eintrag ist keine Datei auf diesem Computer. Speichern Sie ihn, bevor Sie ihn hinzufügen.',
        other: '# Einträge sind keine Dateien auf diesem Computer. Speichern Sie sie, bevor Sie sie hinzufügen.',
      }),
    lists: 'Listen',
    queue: 'Warteschlange',
    done: 'Fertig',
    clear: 'Liste leeren',
    emptyTitle: 'Nichts zu konvertieren',
    empty: 'Legen Sie Aufnahmen hier ab, fügen Sie sie ein, oder speichern Sie sie in einem überwachten Ordner.',
    watchFolder: 'Ordner überwachen',
    emptyWithDone: (n) =>
      count(n, {
        one: 'Ihre letzte Aufnahme steht unter „Fertig“.',
        other: 'Ihre letzten # Aufnahmen stehen unter „Fertig“.',
      }),
    emptyDoneTitle: 'Noch nichts fertig',
    emptyDone: 'Fertige Aufnahmen erscheinen hier, neben den Originalen.',
    side: 'Stimme und Einstellungen',
  },
  job: {
    waiting: 'Wartet',
    next: 'als Nächstes',
    starting: 'Wird gestartet',
    uploading: 'Wird hochgeladen',
    uploaded: 'Hochgeladen',
    converting: 'Wird konvertiert',
    speaking: 'Wird vorgelesen',
    joining: 'Sätze werden zusammengefügt',
    ofSentences: (done, total) => `${format.number(done)} von ${count(total, { one: '# Satz', other: '# Sätzen' })}`,
    soFar: (seconds) => `seit ${format.span(seconds)}`,
    downloading: 'Wird heruntergeladen',
    saving: 'Wird gespeichert',
    done: 'Fertig',
    cancelled: 'Abgebrochen',
    ofBytes: (done, total) => format.bytesPair(done, total).join(' von '),
    bytesSoFar: (done) => `bisher ${format.bytes(done)}`,
    play: (name) => `${name} anhören`,
    pause: (name) => `${name} anhalten`,
    reveal: (name) => `${name} im Ordner anzeigen`,
    again: (name) => `${name} erneut konvertieren`,
    cancel: (name) => `${name} abbrechen`,
    remove: (name) => `${name} aus der Liste entfernen`,
    waveformBoth: 'Wellenform: Original über der Linie, Ergebnis darunter',
    waveformOriginal: 'Wellenform des Originals',
    waveformNone: 'Keine Wellenform',
    waveformSpeech: 'Wellenform des vorgelesenen Textes',
    cancelShort: 'Abbrechen',
    removeShort: 'Aus Liste entfernen',
    dismiss: 'Ignorieren',
  },
  problemActions: {
    retry: 'Erneut versuchen',
    'convert-again': 'Erneut konvertieren',
    'show-file': 'Datei anzeigen',
    'choose-voice': 'Stimme wählen',
    'choose-folder': 'Anderen Ordner wählen',
    'convert-differently': 'Ändern und erneut konvertieren',
    'enter-token': 'Token eingeben',
    'test-connection': 'Verbindung testen',
    'edit-connection': 'Verbindung bearbeiten',
    'change-proxy': 'Proxy ändern',
    'go-online': 'Online arbeiten',
    'free-space': 'Größte Ergebnisse zeigen',
    'change-hook': 'Einstellungen dafür öffnen',
    'set-up-ffmpeg': 'ffmpeg einrichten',
  },
  voice: {
    change: 'Stimme wechseln',
    choose: 'Stimme wählen',
    none: 'Keine Stimme ausgewählt',
    noneHint: 'Wählen Sie eine Stimme für Ihre Aufnahmen.',
    missing: 'Nicht mehr im Katalog',
    useSimilar: (name) => `${name} verwenden`,
    similarHint: 'Die ähnlichste Stimme dieser Verbindung',
    find: 'Stimme suchen',
    list: 'Stimmen',
    recent: 'Zuletzt verwendet',
    male: 'männlich',
    female: 'weiblich',
    noMatch: (query) => `Keine Stimme passt zu „${query}“.`,
    cut: (n) => `Nur die ersten ${format.number(n)} Stimmen werden angezeigt. Der Dienst hat weitere.`,
    more: (n) =>
      count(n, { one: '# weitere: Tippen Sie, um sie zu finden', other: '# weitere: Tippen Sie, um sie zu finden' }),
    loading: 'Stimmen werden geladen',
    use: 'verwenden',
    move: 'bewegen',
  },
  settings: deSettings,
  connections: deConnections,
  connectionFields: deConnectionFields,
  player: {
    label: 'Wiedergabe',
    nothing: 'Keine Wiedergabe',
    hint: 'Leertaste spielt Auswahl ab',
    play: 'Abspielen',
    pause: 'Anhalten',
    toStart: 'Zum Anfang',
    loop: 'Wiederholen',
    position: 'Position',
    options: 'Tempo und Wiederholung',
    speed: 'Tempo',
    passage: 'Stelle wiederholen',
    passageStart: 'Von',
    passageEnd: 'bis',
    startHere: 'Von hier wiederholen',
    endHere: 'Bis hier wiederholen',
    endLoop: 'Nicht mehr wiederholen',
    at: (now, all) => `${format.clockLength(now)} von ${format.clockLength(all)}`,
    sides: 'Original oder Ergebnis abspielen',
    equallyLoud: 'Beide werden gleich laut abgespielt',
    original: 'Original',
    result: 'Ergebnis',
    volume: 'Lautstärke',
    failed:
      'Diese Datei lässt sich nicht abspielen. Vielleicht wurde sie verschoben oder gelöscht, oder ihr Format lässt sich nur konvertieren.',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    lead: 'Wählen Sie Tasten aus, um sie zu ändern. Tastenkürzel mit nur einem Buchstaben wirken, wenn Sie nicht in ein Textfeld schreiben; in den Einstellungen lassen sie sich alle ausschalten.',
    leadOff:
      'Wählen Sie Tasten aus, um sie zu ändern. Tastenkürzel mit nur einem Buchstaben sind in den Einstellungen ausgeschaltet.',
    change: 'Tasten ändern',
    waiting: 'Tasten drücken',
    hint: 'Esc bricht ab. Die Rücktaste schaltet das Kürzel aus.',
    taken: (keys, other) => `${keys} gehört zu „${other}“, das dann keine Tasten hätte.`,
    unsupported:
      'Diese Tasten kann Timbre nicht verwenden. Drücken Sie einen Buchstaben, ein Zeichen oder eine F-Taste, oder Strg oder ⌘ mit einem Buchstaben oder einer Ziffer.',
    reserved: (keys) => `${keys} hat in jedem Programm eine Bedeutung. Drücken Sie andere Tasten.`,
    replace: 'Hier verwenden',
    keep: 'Abbrechen',
    off: 'Aus',
    reset: 'Alle zurücksetzen',
    names: {
      ctrl: 'Strg',
      alt: 'Alt',
      shift: 'Umschalt',
      enter: 'Eingabe',
      space: 'Leertaste',
      del: 'Entf',
      home: 'Pos1',
      end: 'Ende',
      esc: 'Esc',
    },
    everywhere: 'Überall',
    list: 'Listen',
    listening: 'Wiedergabe',
    views: 'Ansichten',
    panels: 'nächster Bereich',
    panelsBack: 'voriger Bereich',
    find: 'suchen',
    palette: 'alle Befehle',
    zoomIn: 'vergrößern',
    zoomOut: 'verkleinern',
    zoomReset: 'Zoom zurücksetzen',
    zoomedTo: (percent) => `${format.number(percent)} %`,
    changeVoice: 'Stimme wechseln',
    paste: 'kopierte Aufnahmen hinzufügen',
    showKeys: 'Tastenkürzel anzeigen',
    rows: 'zwischen Zeilen bewegen',
    buttons: 'Schaltflächen einer Zeile',
    main: 'Hauptaktion',
    listen: 'abspielen, anhalten',
    details: 'Details',
    remove: 'abbrechen oder entfernen',
    move: 'wartende Zeile verschieben',
    moveFar: 'an den Anfang, ans Ende',
    pause: 'Warteschlange anhalten oder fortsetzen',
    original: 'Original',
    result: 'Ergebnis',
    loop: 'wiederholen',
    loopFrom: 'von hier wiederholen',
    loopTo: 'bis hier wiederholen',
    back: '5 s zurück',
    forward: '5 s vor',
    backFine: '1 s zurück',
    forwardFine: '1 s vor',
  },
  background: deBackground,
  doctor: deDoctor,
  queue: deQueue,
  speech: deSpeech,
  batch: deBatch,
  diagnostics: deDiagnostics,
  voices: deVoices,
  preview: dePreview,
  compare: deCompare,
  history: deHistory,
  copies: deCopies,
  hook: deHook,
  ffmpeg: deFfmpeg,
  statistics: deStatistics,
  presets: dePresets,
  models: deModels,
  watch: deWatch,
  problems: deProblems,
};
