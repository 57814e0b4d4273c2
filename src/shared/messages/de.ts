import { deCli } from './de-cli.ts';
import { deConnectionFields } from './de-connection-fields.ts';
import { deConnections } from './de-connections.ts';
import { deDiagnostics } from './de-diagnostics.ts';
import { deHistory } from './de-history.ts';
import { deModels } from './de-models.ts';
import { deProblems } from './de-problems.ts';
import { deQueue } from './de-queue.ts';
import { deSettings } from './de-settings.ts';
import { deSpeech } from './de-speech.ts';
import { deVoices } from './de-voices.ts';
import { deWatch } from './de-watch.ts';
import type { Messages } from './en.ts';
import { sentences } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');
const { count } = format;

export const de: Messages = {
  language: 'de',
  format,
  app: {
    name: 'Timbre',
    views: 'Ansichten',
    loading: 'Wird geöffnet',
    retry: 'Erneut versuchen',
    restart: 'Timbre neu starten',
    close: 'Schließen',
    serviceSaid: (words) => `Der Dienst sagt: „${words}“`,
    inProgress: (n) => `${format.number(n)} in Arbeit`,
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
    local: 'Bereit, auch ohne Netz',
    thisComputer: 'Dieser Computer',
    remote: 'Webdienst',
    none: 'Keine Verbindung',
  },
  firstStart: {
    title: 'Eine Aufnahme hineinziehen und in anderer Stimme hören.',
    lead: 'Alles geschieht auf diesem Computer. Es braucht kein Konto, und kein Ton verlässt ihn, solange kein Dienst verbunden ist.',
    leadRemote:
      'Unten eine Stimme wählen. Aufnahmen gehen an den Dienst der gewählten Verbindung und nirgendwohin sonst.',
    choose: 'Aufnahmen auswählen',
    sample: 'Unsere probieren, 13 Sekunden',
    voices: 'Stimme',
    noVoices: 'Diese Verbindung bietet noch keine Stimmen an.',
  },
  convert: {
    counts: ({ running, waiting, needPerson }) =>
      [
        running > 0 ? `${format.number(running)} in Arbeit` : '',
        waiting > 0 ? count(waiting, { one: '# wartet', other: '# warten' }) : '',
        needPerson > 0
          ? count(needPerson, { one: '# braucht eine Entscheidung', other: '# brauchen eine Entscheidung' })
          : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    drop: 'Aufnahmen oder Ordner hier ablegen',
    formats: 'wav, mp3, flac, ogg, m4a, opus, aac, webm',
    chooseFiles: 'Dateien auswählen',
    chooseFolder: 'Ordner auswählen',
    held: (n) => count(n, { one: '# Aufnahme konvertieren', other: '# Aufnahmen konvertieren' }),
    heldNone: 'Hier ist kein Ton dabei',
    heldOthers: (n) =>
      count(n, {
        one: '# weitere Datei ist kein Ton und bleibt weg',
        other: '# weitere Dateien sind kein Ton und bleiben weg',
      }),
    heldHint: 'Irgendwo im Fenster loslassen',
    adding: (n) => count(n, { one: '# Eintrag wird hinzugefügt', other: '# Einträge werden hinzugefügt' }),
    added: ({ added, refused, leftOut }) =>
      sentences(
        added > 0 || (refused === 0 && leftOut === 0)
          ? count(added, { one: '# Aufnahme hinzugefügt.', other: '# Aufnahmen hinzugefügt.' })
          : undefined,
        refused > 0
          ? count(refused, {
              one: '# lässt sich nicht konvertieren; warum, steht in der Liste.',
              other: '# lassen sich nicht konvertieren; warum, steht in der Liste.',
            })
          : undefined,
        leftOut > 0
          ? count(leftOut, {
              one: '# weitere Datei ist kein Ton und wurde weggelassen.',
              other: '# weitere Dateien sind kein Ton und wurden weggelassen.',
            })
          : undefined,
      ),
    withoutPath: (n) =>
      count(n, {
        one: '# Eintrag ist keine Datei auf diesem Computer. Erst speichern, dann hinzufügen.',
        other: '# Einträge sind keine Dateien auf diesem Computer. Erst speichern, dann hinzufügen.',
      }),
    lists: 'Listen',
    queue: 'Warteschlange',
    done: 'Fertig',
    clear: 'Liste leeren',
    emptyTitle: 'Nichts zu konvertieren',
    empty: 'Aufnahmen hier ablegen, einfügen oder in einen überwachten Ordner speichern.',
    watchFolder: 'Ordner überwachen',
    emptyWithDone: (n) =>
      count(n, { one: 'Die letzte steht unter Fertig.', other: 'Die letzten # stehen unter Fertig.' }),
    emptyDoneTitle: 'Noch nichts fertig',
    emptyDone: 'Hier steht, was konvertiert ist, und lässt sich neben dem Original hören.',
    side: 'Stimme und Einstellungen',
  },
  job: {
    waiting: 'Wartet',
    next: 'als Nächstes',
    starting: 'Beginnt',
    uploading: 'Lädt hoch',
    uploaded: 'Hochgeladen',
    converting: 'Wird konvertiert',
    speaking: 'Wird gesprochen',
    soFar: (seconds) => `seit ${format.span(seconds)}`,
    downloading: 'Lädt herunter',
    saving: 'Speichert',
    done: 'Fertig',
    cancelled: 'Abgebrochen',
    ofBytes: (done, total) => format.bytesPair(done, total).join(' von '),
    bytesSoFar: (done) => `bisher ${format.bytes(done)}`,
    play: (name) => `${name} anhören`,
    pause: (name) => `${name} anhalten`,
    reveal: (name) => `${name} im Ordner zeigen`,
    again: (name) => `${name} noch einmal konvertieren`,
    cancel: (name) => `${name} abbrechen`,
    remove: (name) => `${name} aus der Liste nehmen`,
    foldBoth: 'Original über der Linie, Ergebnis darunter',
    foldOne: 'Das Original',
    foldNone: 'Kein Bild von diesem Ton',
    foldSpeech: 'Der gesprochene Text',
    cancelShort: 'Abbrechen',
    removeShort: 'Aus der Liste nehmen',
    leave: 'So lassen',
  },
  problemActions: {
    retry: 'Erneut versuchen',
    'convert-again': 'Noch einmal konvertieren',
    'show-file': 'Datei zeigen',
    'choose-voice': 'Stimme wählen',
    'choose-folder': 'Anderen Ordner wählen',
  },
  voice: {
    change: 'Stimme wechseln',
    choose: 'Stimme wählen',
    none: 'Keine Stimme gewählt',
    noneHint: 'Aufnahmen bekommen die Stimme, die hier gewählt ist.',
    gone: 'Nicht mehr im Katalog',
    find: 'Stimme suchen',
    list: 'Stimmen',
    male: 'männlich',
    female: 'weiblich',
    noMatch: (query) => `Keine Stimme passt zu „${query}“.`,
    clearSearch: 'Suche leeren',
    cut: (n) => `Nur die ersten ${format.number(n)} Stimmen sind aufgeführt. Der Dienst hat weitere.`,
    more: (n) =>
      count(n, { one: 'und # weitere: tippen, um sie zu finden', other: 'und # weitere: tippen, um sie zu finden' }),
    loading: 'Stimmen werden gelesen',
    use: 'nehmen',
    move: 'wandern',
  },
  settings: deSettings,
  connections: deConnections,
  connectionFields: deConnectionFields,
  player: {
    label: 'Wiedergabe',
    nothing: 'Nichts läuft',
    hint: 'Leertaste spielt, was gewählt ist',
    play: 'Abspielen',
    pause: 'Anhalten',
    toStart: 'Zum Anfang',
    loop: 'Wiederholen',
    position: 'Stelle',
    at: (now, all) => `${format.clockLength(now)} von ${format.clockLength(all)}`,
    hear: 'Was zu hören ist',
    equallyLoud: 'Beide werden gleich laut abgespielt',
    original: 'Original',
    result: 'Ergebnis',
    volume: 'Lautstärke',
    failed: 'Dieser Ton lässt sich nicht abspielen. Vielleicht wurde er verschoben oder gelöscht.',
  },
  keys: {
    title: 'Tasten',
    lead: 'Einzelne Buchstaben wirken, solange kein Textfeld den Fokus hat. In den Einstellungen sind sie abschaltbar.',
    leadOff: 'Einzelne Buchstaben sind in den Einstellungen abgeschaltet.',
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
    list: 'In einer Liste',
    listening: 'Beim Hören',
    views: 'Ansichten, in ihrer Folge',
    panes: 'nächster Bereich',
    find: 'suchen',
    zoom: 'größer, kleiner',
    zoomBack: 'übliche Größe',
    zoomedTo: (percent) => `${format.number(percent)} %`,
    changeVoice: 'Stimme wechseln',
    paste: 'kopierte Aufnahmen hinzufügen',
    showKeys: 'diese Tasten zeigen',
    rows: 'Zeilen',
    buttons: 'Knöpfe einer Zeile',
    main: 'die Hauptsache',
    listen: 'anhören, anhalten',
    remove: 'abbrechen oder wegnehmen',
    move: 'wartende Zeile verschieben',
    moveFar: 'als Nächstes, ans Ende',
    pause: 'Warteschlange anhalten, weitermachen',
    sides: 'Original, Ergebnis',
    loop: 'wiederholen',
    seek: '5 s zurück, weiter',
    seekFine: '1 s zurück, weiter',
  },
  notify: {
    batch: ({ done, needPerson }) =>
      [
        done > 0 ? count(done, { one: '# Aufnahme ist fertig', other: '# Aufnahmen sind fertig' }) : '',
        needPerson > 0
          ? count(needPerson, { one: '# braucht eine Entscheidung', other: '# brauchen eine Entscheidung' })
          : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    closed: 'Timbre ist zu',
    left: (n) =>
      count(n, {
        one: '# Aufnahme ist übrig. Beim nächsten Öffnen geht es mit ihr weiter.',
        other: '# Aufnahmen sind übrig. Beim nächsten Öffnen geht es mit ihnen weiter.',
      }),
  },
  cli: deCli,
  queue: deQueue,
  speech: deSpeech,
  diagnostics: deDiagnostics,
  voices: deVoices,
  history: deHistory,
  models: deModels,
  watch: deWatch,
  problems: deProblems,
};
