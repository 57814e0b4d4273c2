import type { enWatch } from './en-watch.ts';
import { timeOfDay } from '../text/hours.ts';
import { cutShort, ffmpegAdvice, textLimit } from './de-problems.ts';
import { sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# Aufnahme', other: '# Aufnahmen' });
const texts = (n: number) => count(n, { one: '# Text', other: '# Texte' });
const filesWith = (files: number, textCount: number) =>
  [files > textCount || files === 0 ? recordings(files - textCount) : '', textCount > 0 ? texts(textCount) : '']
    .filter((part) => part !== '')
    .join(', ');
const comingIn = (n: number) => count(n, { one: '# Datei kommt an', other: '# Dateien kommen an' });

const saveAgain = 'Speichern Sie sie neu, dann versucht Timbre es noch einmal.';

export const deWatch: typeof enWatch = {
  short: 'Ordner',
  lead: 'Neue Aufnahmen werden automatisch konvertiert',
  add: 'Ordner hinzufügen',
  emptyTitle: 'Keine überwachten Ordner',
  empty: 'Wählen Sie einen Ordner und eine Stimme. Timbre konvertiert jede Aufnahme, die Sie dort speichern, ein Mal.',
  loading: 'Ordner werden geladen',
  folders: 'Ordner',
  needAttention: (n) => count(n, { one: '# Ordner wartet auf Sie', other: '# Ordner warten auf Sie' }),
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  show: 'Anzeigen',
  more: 'Mehr',
  edit: 'Bearbeiten …',
  stop: 'Nicht mehr überwachen …',
  why: 'Warum nicht konvertiert?',
  mode: {
    idle: 'Überwacht, keine neuen Dateien',
    incoming: (n) => `Überwacht, ${comingIn(n)}`,
    polling: (seconds) => `Alle ${format.length(seconds)} geprüft: Dieses Laufwerk meldet keine Änderungen`,
    pollingLimit: (seconds) => `Alle ${format.length(seconds)} geprüft: Das System kann nicht mehr Ordner überwachen`,
    pollingNetwork: (seconds) => `Alle ${format.length(seconds)} geprüft: Dies ist ein Netzlaufwerk`,
    withIncoming: (line, n) => `${line}; ${comingIn(n)}`,
    offline: (at) => `Nicht erreichbar seit ${at}.`,
    unreadable: (at) => `Lässt sich seit ${at} nicht öffnen.`,
    replaced: (at) => `Seit ${at} liegt dort ein anderer Ordner.`,
    resumesWithDisk: 'Nichts geht verloren; die Überwachung läuft weiter, sobald das Laufwerk wieder da ist.',
    resumesWithFolder: 'Nichts geht verloren; die Überwachung läuft weiter, sobald der Ordner wieder da ist.',
    paused: (at) => `Angehalten seit ${at}`,
    starting: 'Der Ordner wird durchsucht',
    elsewhere: 'Wird von einem anderen Timbre überwacht',
    baseline: (n, textCount) => `${filesWith(n, textCount)} ${n === 1 ? 'war' : 'waren'} schon hier: konvertieren?`,
    attention: (n) => count(n, { one: '# Datei wartet auf Sie', other: '# Dateien warten auf Sie' }),
  },
  details: {
    label: 'Über diesen Ordner',
    into: 'nach',
    beside: 'neben das Original',
    checked: (seconds) => `vor ${format.length(seconds)} geprüft`,
    checkedNow: 'gerade geprüft',
    notChecked: 'noch nicht geprüft',
    bySubfolder: 'oder nach Unterordner',
    texts: 'auch Texte',
    hours: ({ from, to }) => `${timeOfDay(from)} bis ${timeOfDay(to)} Uhr`,
    known: (n) => count(n, { one: '# bekannte Datei', other: '# bekannte Dateien' }),
    today: (minutes, limit) =>
      limit === null
        ? `heute ${format.number(minutes)}\u00a0min`
        : `heute ${format.number(minutes)} von ${format.number(limit)}\u00a0min`,
  },
  existing: {
    title: (n, { texts: textCount, seconds, isMeasured }) => {
      const length = seconds > 0 ? ` (${isMeasured ? '' : 'mindestens '}${format.length(seconds)})` : '';
      return `${filesWith(n, textCount)} ${n === 1 ? 'war' : 'waren'} schon hier${length}`;
    },
    lead: 'Neue Aufnahmen werden automatisch konvertiert. Was soll mit diesen geschehen?',
    measuring: 'Ihre Länge wird noch ermittelt.',
    all: (n) => (n === 1 ? 'Konvertieren' : 'Alle konvertieren'),
    none: 'Nur neue',
  },
  files: {
    label: (folder) => `Dateien in ${folder}`,
    lists: 'Dateien filtern',
    all: 'Alle',
    attention: 'Warten auf Sie',
    file: 'Datei',
    audio: 'Audio',
    status: 'Status',
    when: 'Zeit',
    now: 'jetzt',
    empty: 'Noch keine Dateien',
    emptyLead: 'Speichern Sie eine Aufnahme in diesem Ordner. Ihr Status erscheint hier.',
    emptyAttention: 'Nichts wartet auf Sie',
    emptyAttentionLead: 'Dateien, die Timbre nicht konvertieren konnte, erscheinen hier.',
    loading: 'Dateien werden geladen',
    retryAll: (n) => `Alle ${format.number(n)} erneut versuchen`,
    attentionNow: (name) => `${name} wartet auf Sie`,
  },
  file: {
    quiet: (bytes, quiet, needed) =>
      `Wird noch geschrieben, bisher ${format.bytes(bytes)}: seit ${format.number(Math.floor(quiet))} von ${format.span(needed)} unverändert.`,
    writer: (bytes, program) =>
      `In ${program ?? 'einem anderen Programm'} geöffnet, bisher ${format.bytes(bytes)}. Beginnt, sobald die Datei geschlossen ist.`,
    reading: 'Unverändert, wird für eine letzte Prüfung gelesen',
    budget: (used, limit) =>
      `Wartet bis morgen: heute sind ${format.number(used)} von ${format.number(limit)}\u00a0min verbraucht`,
    hours: ({ from, to }) =>
      `Wartet bis ${timeOfDay(from)} Uhr: dieser Ordner konvertiert von ${timeOfDay(from)} bis ${timeOfDay(to)} Uhr`,
    turn: 'Gefunden, noch nicht an der Reihe',
    step: (words, step, of) => `${words}, Schritt ${format.number(step)} von ${format.number(of)}`,
    queued: 'Wartet in der Warteschlange',
    converted: 'Konvertiert',
    convertedIn: (seconds) => `In ${format.length(seconds)} konvertiert`,
    movedTo: (place) => `Das Original ist jetzt ${place}.`,
    cancelled: 'Nicht konvertiert: abgebrochen',
    retrying: (at, n) =>
      `${at === null ? 'Wird gerade erneut versucht' : `Nächster Versuch ${at}`}, ${count(n, { one: 'einmal fehlgeschlagen', other: '#-mal fehlgeschlagen' })}.`,
    quarantined: (n) =>
      count(n, {
        one: 'Einmal fehlgeschlagen, wartet auf Sie.',
        other: '#-mal fehlgeschlagen, wartet auf Sie.',
      }),
    before: 'Nicht konvertiert: war schon vor der Überwachung in diesem Ordner',
    sameSound: (name) => `Nicht konvertiert: gleiches Audio wie ${name}`,
    otherSettings: 'Bereits mit früheren Einstellungen des Ordners konvertiert',
    ownOutput: 'Nicht konvertiert: von Timbre erstellt',
    link: 'Nicht konvertiert: eine Verknüpfung, die aus dem Ordner hinausführen kann',
    placeholder: 'Nicht konvertiert: Diese Datei ist nur online. Machen Sie sie offline verfügbar.',
  },
  textFile: {
    converted: 'Gesprochen',
    convertedIn: (seconds) => `In ${format.length(seconds)} gesprochen`,
    cancelled: 'Nicht gesprochen: abgebrochen',
    before: 'Nicht gesprochen: war schon vor der Überwachung in diesem Ordner',
    sameSound: (name) => `Nicht gesprochen: gleicher Text wie ${name}`,
    otherSettings: 'Bereits mit früheren Einstellungen des Ordners gesprochen',
    link: 'Nicht gesprochen: eine Verknüpfung, die aus dem Ordner hinausführen kann',
    placeholder: 'Nicht gesprochen: Diese Datei ist nur online. Machen Sie sie offline verfügbar.',
  },
  advice: {
    'input/cut': (facts) => sentences(cutShort(facts), saveAgain),
    'input/empty': () => saveAgain,
    'input/not-audio': () => 'Speichern Sie sie als wav, mp3, flac oder ogg, dann versucht Timbre es noch einmal.',
    'input/needs-ffmpeg': (facts) => sentences(ffmpegAdvice(facts), 'Timbre nimmt die Datei dann von selbst auf.'),
    'input/missing': () => 'Legen Sie sie zurück, dann versucht Timbre es noch einmal.',
    'input/not-a-file': () => 'Nur gewöhnliche Dateien werden konvertiert.',
    'input/text-empty': () =>
      'Diese Datei enthält keinen Text. Schreiben Sie etwas hinein, dann versucht Timbre es noch einmal.',
    'input/text-too-long': (facts) => sentences(textLimit(facts), 'Teilen Sie ihn auf mehrere Dateien auf.'),
    'input/not-text': () => 'Speichern Sie sie als reinen Text in UTF-8, dann versucht Timbre es noch einmal.',
    'voice/missing': () => 'Wählen Sie eine Stimme für den Ordner.',
    'voice/not-found': (facts) =>
      `Die Verbindung bietet ${textFact(facts, 'name') ?? 'sie'} nicht mehr an. Wählen Sie eine andere Stimme für den Ordner.`,
    'connection/not-found': () => 'Wählen Sie eine andere Verbindung für den Ordner.',
    'output/not-writable': () => 'Erlauben Sie das Schreiben in den Ergebnisordner, oder wählen Sie einen anderen.',
  },
  actions: {
    convert: 'Konvertieren',
    'convert-anyway': 'Vorhandenes konvertieren',
    'convert-again': 'Erneut konvertieren',
    retry: 'Erneut versuchen',
    leave: 'Ignorieren',
    'show-file': 'Datei anzeigen',
    edit: 'Ordner bearbeiten',
  },
  textActions: { convert: 'Sprechen', 'convert-again': 'Erneut sprechen' },
  removing: {
    title: (name) => `„${name}“ nicht mehr überwachen?`,
    lead: (n) =>
      n === 0
        ? 'Der Ordner und seine Dateien werden nicht verändert.'
        : count(n, {
            one: 'Aufnahmen und Ergebnisse bleiben erhalten. Timbre vergisst den Status von # Datei: Wenn Sie diesen Ordner wieder überwachen, fragt es nach den Aufnahmen darin.',
            other:
              'Aufnahmen und Ergebnisse bleiben erhalten. Timbre vergisst den Status von # Dateien: Wenn Sie diesen Ordner wieder überwachen, fragt es nach den Aufnahmen darin.',
          }),
    confirm: 'Nicht mehr überwachen',
    cancel: 'Weiter überwachen',
  },
  form: {
    titleNew: 'Ordner überwachen',
    titleEdit: (name) => `„${name}“ bearbeiten`,
    leadEdit: 'Bereits konvertierte Aufnahmen werden nicht noch einmal konvertiert.',
    folder: 'Ordner',
    change: 'Ordner ändern',
    depth: 'Umfang',
    depths: { flat: 'Nur dieser Ordner', deep: 'Auch Unterordner' },
    formats: 'Formate',
    noFormats: 'Wählen Sie mindestens ein Format.',
    connection: 'Verbindung',
    voice: 'Stimme',
    noVoice: 'Wählen Sie eine Stimme für Ihre Aufnahmen.',
    voiceMissing: 'Die Verbindung bietet diese Stimme nicht mehr an. Wählen Sie eine andere.',
    saveAs: 'Format',
    into: 'Ergebnisse',
    places: { folder: 'In einen Ordner', beside: 'Neben das Original' },
    placeHint: 'Unterordner bleiben erhalten.',
    changePlace: 'Ordner ändern',
    afterwards: 'Original',
    afterwardsChoices: { keep: 'Behalten', done: 'Nach Done', trash: 'In den Papierkorb' },
    afterwardsHint: {
      keep: 'Aufnahmen werden nie verändert.',
      done: 'Kommt in den Ordner Done in diesem Ordner, sobald das Ergebnis auf dem Laufwerk geprüft ist.',
      trash:
        'Kommt in den Papierkorb, sobald das Ergebnis auf dem Laufwerk geprüft ist. Von dort können Sie es zurückholen.',
    },
    limit: 'Tageslimit',
    limitUnit: 'Minuten Audio pro Tag',
    limitNone: 'keines',
    limitHint: 'Ist das Limit erreicht, wartet der Rest bis morgen. Leer lassen für kein Limit.',
    limitError: 'Geben Sie 1 bis 100.000 Minuten ein, oder lassen Sie das Feld leer.',
    hours: 'Uhrzeit',
    hoursFrom: 'Von',
    hoursTo: 'bis',
    hoursHint:
      'Außerhalb dieser Zeit warten Aufnahmen; angenommene werden fertig konvertiert. Leer lassen für jede Uhrzeit.',
    hoursError: 'Geben Sie zwei verschiedene Uhrzeiten ein, etwa 22:00, oder lassen Sie beide Felder leer.',
    subfolders: 'Unterordner',
    subfolderVoices: 'Stimmen nach Unterordner',
    subfolderVoicesHint:
      'Eine Aufnahme in einem Unterordner mit dem Namen einer Stimme, etwa „Anna“, wird mit dieser Stimme konvertiert. Aufnahmen in anderen Unterordnern warten auf Sie.',
    texts: 'Texte',
    speakTexts: 'Textdateien sprechen (.txt, .md, .srt, .vtt, .csv)',
    speakTextsHint:
      'Jeder Text wird ein Mal mit der Stimme des Ordners gesprochen, und wieder, wenn sich sein Inhalt ändert. Auszeichnungen von Markdown, Code und HTML werden nicht gesprochen.',
    save: 'Diesen Ordner überwachen',
    saveEdit: 'Speichern',
    saving: 'Wird gespeichert …',
    cancel: 'Abbrechen',
    invalidFields: (n) => count(n, { one: '# Feld ist zu korrigieren.', other: '# Felder sind zu korrigieren.' }),
  },
  preview: {
    title: 'Vorschau',
    lead: 'Zeigt, was jetzt konvertiert würde. Nichts wird gesendet oder konvertiert.',
    run: 'Vorschau anzeigen',
    again: 'Vorschau aktualisieren',
    running: 'Der Ordner wird durchsucht …',
    stale: 'Sie haben das Formular seitdem geändert.',
    count: (recordingCount, textCount) => filesWith(recordingCount + textCount, textCount),
    none: 'Noch keine Aufnahmen in diesem Ordner',
    about: (length) => `etwa ${length}`,
    minutes: (seconds) => `${format.length(seconds)} Audio`,
    unmeasured: (n) =>
      count(n, {
        one: 'und # weitere, deren Länge erst beim Lesen bekannt wird',
        other: 'und # weitere, deren Länge erst beim Lesen bekannt wird',
      }),
    days: (days, minutes) =>
      `Bei ${format.number(minutes)}\u00a0min pro Tag: ${count(days, { one: '# Tag', other: '# Tage' })}`,
    refused: (n) =>
      count(n, {
        one: '# lässt sich nicht konvertieren; den Grund zeigt die Liste',
        other: '# lassen sich nicht konvertieren; den Grund zeigt die Liste',
      }),
    skipped: (n) =>
      count(n, { one: '# andere Datei wird übersprungen', other: '# andere Dateien werden übersprungen' }),
    links: (n) =>
      count(n, { one: '# Verknüpfung wird nicht verfolgt', other: '# Verknüpfungen werden nicht verfolgt' }),
    list: 'Dateien',
    first: (shown, all) => `Die ersten ${format.number(shown)} von ${format.number(all)}`,
    lengthUnknown: 'Länge unbekannt',
  },
  answer: {
    folder: (folder) => `In „${folder}“:`,
    outside: 'Sie liegt in keinem überwachten Ordner.',
    missing: 'Diese Datei gibt es nicht mehr.',
    paused: (folder) => `„${folder}“ ist angehalten. Timbre prüft diese Datei, wenn Sie den Ordner fortsetzen.`,
    offline: (folder) =>
      `„${folder}“ ist gerade nicht erreichbar. Nichts geht verloren; die Überwachung läuft weiter, sobald das Laufwerk wieder da ist.`,
    subfolder: (folder) => `Sie liegt in einem Unterordner, und „${folder}“ wird ohne Unterordner überwacht.`,
    excluded: (folder) =>
      `Sie liegt in einem Teil von „${folder}“, der übersprungen wird, zum Beispiel im Ergebnisordner.`,
    hidden: (folder) => `Sie ist versteckt, und versteckte Dateien in „${folder}“ werden übersprungen.`,
    temporary: (folder, pattern) =>
      `Ihr Name passt zu ${pattern}, wie temporäre Dateien heißen. „${folder}“ konvertiert sie, sobald sie ihren endgültigen Namen hat.`,
    ending: (folder, ending) =>
      ending === ''
        ? `Ihr Name hat keine Endung, an der „${folder}“ Audio erkennen könnte.`
        : `„${folder}“ konvertiert keine ${ending}-Dateien.`,
    link: (folder) =>
      `Sie ist eine Verknüpfung, die aus „${folder}“ hinausführen kann. Verknüpfungen werden nicht verfolgt.`,
    unseen: (folder) => `„${folder}“ hat sie noch nicht gefunden. Die nächste Suche im Ordner findet sie.`,
    showInList: 'In der Liste anzeigen',
  },
};
