import { deDoctor } from './de-doctor.ts';
import type { enCli } from './en-cli.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');

const deEntries = (n: number) =>
  n === 0 ? 'Kein Eintrag' : format.count(n, { one: 'Ein Eintrag', other: '# Einträge' });

export const deCli: typeof enCli = {
  runAgain: 'Der Rest bleibt in der Warteschlange. Derselbe Befehl macht damit weiter.',
  done: (done, all) => `${format.number(done)} von ${format.number(all)} fertig`,
  underWay: (n) => `${format.number(n)} in Arbeit`,
  askedForPause: (name, at) => `${name} bittet um eine Pause${at === null ? '' : `, weiter um ${at}`}`,
  unavailable: (name, at) =>
    `${name} ist gerade nicht verfügbar, ${at === null ? 'neuer Versuch läuft' : `neuer Versuch um ${at}`}`,
  offline: 'Kein Netz, neuer Versuch läuft',
  tryingAgain: (at) => `Neuer Versuch um ${at}.`,
  slowEnd: 'Dateien und Prozesse werden noch geschlossen. Noch einmal Strg-C beendet sofort.',
  finishing: 'Es wird gewartet, bis die laufenden Schritte enden. Noch einmal Strg-C beendet sofort.',
  brokenSettings: (path) =>
    `${path} lässt sich nicht lesen, darum gelten die Einstellungen des ersten Starts. In der App neu einstellen.`,
  dataNotWritable: (folder) =>
    `Timbre kann in ${folder} nichts sichern. Dort Platz schaffen und das Recht zum Schreiben prüfen, dann den Befehl noch einmal geben.`,
  unexpected: (said) =>
    `In Timbre ist etwas misslungen: ${said}. Mit TIMBRE_DEBUG=1 noch einmal ausführen, um zu sehen, wo, und das melden.`,
  noFile: (path) => `${path} gibt es nicht.`,
  noFolder: (path) => `Den Ordner ${path} gibt es nicht.`,
  notAFolder: (path) => `${path} ist kein Ordner. Einen nennen.`,
  folderTakesNothing: (path) =>
    `In ${path} lässt sich nichts sichern. Es erlauben oder mit --out einen anderen Ordner nennen.`,
  noVoice: (id, name) => `${name} hat keine Stimme "${id}". "timbre voices list" zeigt alle.`,
  noModel: (model, name) => `Eine eigene Stimme "${model}" gibt es bei ${name} nicht. "timbre models list" zeigt alle.`,
  help: {
    intro: 'Timbre verändert die Stimme von Aufnahmen, auf diesem Computer oder mit einem Webdienst.',
    app: 'das Programm öffnen',
    convert: 'Aufnahmen umwandeln, und alle eines Ordners; nie wird etwas ersetzt',
    watch: 'einen Ordner überwachen und umwandeln, was dort gespeichert wird, ein Mal',
    speak: 'einen Text sprechen; - liest ihn von stdin, ebenso ein Befehl ohne Text, in den etwas geleitet wird',
    history: 'zeigen, was gemacht wurde, das Neueste zuerst; suchen, noch einmal machen, exportieren, importieren',
    voices: 'die Stimmen einer Verbindung zeigen, oder alles über eine',
    models: 'die eigenen Stimmen bei einem Dienst zeigen, oder die eines Namens löschen',
    token: 'das Token einer Verbindung von stdin aufbewahren; es vergessen; oder die Verbindung prüfen',
    connections: 'Verbindungen zeigen, importieren, exportieren und entfernen; nie mit einem Token darin',
    plant: 'die Beispieloperation der Schnittstelle aufrufen',
    engine: 'die Stimm-Engine allein starten, für andere Programme auf diesem Computer',
    doctor: 'prüfen, was Timbre zum Arbeiten braucht, und sagen, was zu tun ist',
    completion: 'ausgeben, womit eine Shell Befehle und Optionen vervollständigt',
    man: 'die Handbuchseite ausgeben: timbre man | man -l -',
    helpOf: 'das hier zeigen, oder alles über einen Befehl',
    versionOf: 'die Version zeigen',
    test: 'die Tests ausführen',
    usage: 'Aufruf',
    commands: 'Befehle',
    options: 'Optionen',
    optionsOf: (form) => `Optionen von ${form}`,
    everywhere: 'Optionen jedes Befehls',
    environment: 'Umgebung',
    exits: 'Exit-Codes',
    more: '"timbre help BEFEHL" zeigt alles über einen Befehl.',
    value: (value, usual) => `${value} (üblich: ${usual})`,
    choices: (choices) => `eins von ${choices}`,
  },
  flags: {
    connection: 'der Dienst: der Name einer gespeicherten Verbindung oder ihr Dokument; sonst dieser Computer',
    dataDir: 'der Ordner mit Einstellungen, Warteschlange und Verlauf',
    json: 'ein JSON-Objekt je Zeile auf stdout, das letzte ist das Ergebnis',
    quiet: 'nur sagen, wonach gefragt wurde und was misslungen ist',
    help: 'das hier zeigen',
    version: 'die Version zeigen',
    voice: 'die Stimme; "timbre voices list" zeigt alle',
    anotherVoice: 'eine andere Stimme als damals',
    page: 'die Seite, von 1 an',
    limit: 'so viele Zeilen höchstens',
    yes: 'es ohne Frage tun',
    dryRun: 'nur sagen, was umgewandelt würde; nichts wird gesendet',
    outConvert: 'der Ordner für Ergebnisse; sonst der aus den Einstellungen, sonst neben jedem Original',
    outSpeak: 'die Datei für den Ton; sonst ein Name nach dem Text, im Ordner der Einstellungen oder dem aktuellen',
    outAgain: 'ein anderer Ordner für das Ergebnis als damals',
    outImport: 'der Ordner für den Ton; sonst "Timbre import" im aktuellen Ordner',
    pitch: 'wie hoch, als Vielfaches; die Verbindung sagt, von wo bis wo',
    speed: 'wie schnell, als Vielfaches; die Verbindung sagt, von wo bis wo',
    format: 'das Format des Ergebnisses; "same" behält das des Originals, wenn der Dienst es schreibt',
    pitchControl: 'ein Wort, das der Dienst versteht; auf diesem Computer shift-formants',
    autoF0: 'die Tonhöhe der Aufnahme lassen, wie sie ist',
    engine: 'die Engine beim Dienst',
    audioName: 'wie die Aufnahme beim Dienst heißt; sonst nach ihrer Datei',
    platform: 'was der Dienst über die Herkunft der Aufnahme erfährt',
    once: 'enden, wenn nichts mehr umzuwandeln ist',
    onlyNew: 'lassen, was schon im Ordner ist',
    subfolders: 'die Ordner darin lassen',
    moveDone: 'Umgewandeltes in den Ordner "Done" darin bewegen',
    minutesADay: 'höchstens so viele Minuten Ton am Tag umwandeln',
    textFile: 'eine Datei mit dem Text, in UTF-8; - ist stdin',
    speechLanguage: 'die Sprache, als Kürzel wie en-GB; sonst die der Stimme',
    speechPitch: 'wie hoch; sonst wie bei der Verbindung üblich',
    speechSpeed: 'wie schnell; sonst wie bei der Verbindung üblich',
    speechPlatform: 'das Gerät, von dem der Dienst erfährt',
    search: 'nur, was diese Suche findet',
    language: 'nur Stimmen dieser Sprache',
    gender: 'nur Stimmen dieses Geschlechts',
    category: 'nur Stimmen dieser Art',
    storeInFile: 'das Token in einer Datei aufbewahren, die jedes unter diesem Konto laufende Programm lesen kann',
    plantId: 'die Nummer, eine ganze Zahl mit 64 Bit',
    plantName: 'der Name',
    plantTag: 'ein Wort dazu',
    port: 'der Port zum Lauschen; 0 nimmt einen freien',
  },
  environment: {
    TIMBRE_TOKEN: 'das Token der Verbindung; geht dem aufbewahrten vor',
    TIMBRE_DATA_DIR: 'wie --data-dir',
    TIMBRE_DEBUG: 'wenn gesetzt, sagt ein unerwarteter Fehler, woher er kam',
    HTTPS_PROXY: 'der Proxy für Dienste, wie HTTP_PROXY und NO_PROXY; ohne sie der aus den Einstellungen',
    LANG: 'die Sprache, wenn die Einstellungen keine nennen; LC_ALL und LC_MESSAGES gehen vor',
    NO_COLOR: 'wenn gesetzt, ist nichts farbig',
  },
  exits: {
    done: 'alles ist getan',
    other: 'etwas anderes ist misslungen',
    usage: 'so, wie er geschrieben war, lässt sich der Befehl nicht ausführen',
    token: 'das Token fehlt oder wurde abgelehnt',
    quota: 'das Kontingent des Dienstes ist aufgebraucht',
    input: 'eine Datei, ein Ordner, eine Stimme oder ein Eintrag fehlt oder taugt nicht',
    network: 'der Dienst war nicht zu erreichen',
    cancelled: 'der Befehl sollte aufhören',
  },
  usage: {
    options: 'Optionen',
    unknownCommand: (name, near) =>
      `Den Befehl "${name}" gibt es nicht.${near === null ? '' : ` Gemeint ist vielleicht "${near}".`} "timbre help" nennt alle.`,
    unknownVerb: (given, near) => `"timbre ${given}" gibt es nicht. Gemeint ist vielleicht "timbre ${near}".`,
    unknownFlag: (flag, near, command) =>
      `${flag} gibt es hier nicht.${near === null ? '' : ` Gemeint ist vielleicht ${near}.`} "timbre help${command === null ? '' : ` ${command}`}" nennt alle Optionen.`,
    noCommand: 'Einen Befehl nennen. "timbre help" nennt alle.',
    needsValue: (flag, value) => `${flag} braucht einen Wert: ${flag} ${value}.`,
    noValue: (flag) => `${flag} nimmt keinen Wert.`,
    write: (forms, isSeveral) => (isSeveral ? `Richtig ist eins davon:\n  ${forms}` : `Richtig ist ${forms}`),
    shell: (shells, given) => `Vervollständigung gibt es für ${shells}, nicht für "${given}".`,
    tooLong: (flag, most) => `--${flag} nimmt höchstens ${format.number(most)} Zeichen.`,
    nameLanguage: 'Der Dienst nennt für diese Stimme keine brauchbare Sprache. Eine mit --language nennen, etwa en-GB.',
    aboveZero: (flag, given) => `--${flag} nimmt eine Zahl über 0 wie 1.2, nicht "${given}".`,
    from: (flag, min, given) => `--${flag} nimmt eine ganze Zahl ab ${min}, nicht "${given}".`,
    fromTo: (flag, min, max, given) => `--${flag} nimmt eine ganze Zahl von ${min} bis ${max}, nicht "${given}".`,
    oneOf: (flag, choices, given) => `--${flag} nimmt ${choices}, nicht "${given}".`,
    inRange: (flag, min, max, name) => `--${flag} nimmt bei ${name} eine Zahl von ${min} bis ${max}.`,
    nameVoice: 'Eine Stimme mit --voice ID nennen. "timbre voices list" zeigt alle.',
    nameText: 'Einen Text angeben: timbre speak TEXT --voice ID, oder --file FILE, oder - für stdin.',
    nameConnection: 'Eine Verbindung mit --connection NAME nennen. "timbre connections list" zeigt alle.',
    int64: (given) => `--id nimmt eine ganze Zahl von -9223372036854775808 bis 9223372036854775807, nicht "${given}".`,
    plant: 'Der Pflanze eine Nummer und einen Namen geben: timbre plant create --id INT64 --name S.',
  },
  connections: {
    unknown: (name, names) => `Die Verbindung "${name}" gibt es nicht. Es gibt: ${names}.`,
    noFile: (path) => `${path} lässt sich nicht lesen. Ein Verbindungsdokument nennen, etwa studio.json.`,
    noEntries: 'Nichts zu zeigen.',
    imported: (name) => `${name} ist importiert. "timbre token set --connection" bewahrt das Token auf.`,
    exported: (name, path) => `${name} ist nach ${path} exportiert.`,
    notBrought: (n) =>
      `${format.count(n, { one: 'Ein Eintrag', other: '# Einträge' })} ohne Ton: Er fehlt im Archiv oder ist dort beschädigt. Dort neu exportieren, wo er liegt.`,
    exists: (path) => `${path} gibt es schon und wird nicht ersetzt. Eine andere Datei nennen.`,
    notWritten: (path) => `${path} lässt sich nicht schreiben. Den Ordner prüfen oder eine andere Datei nennen.`,
    noDocument: 'Dieser Computer hat kein Dokument zum Exportieren: Er braucht weder Adresse noch Token.',
    notRemoved: 'Dieser Computer lässt sich nicht entfernen. Eine andere Verbindung nennen.',
    wouldRemove: (name) => `Das würde ${name} mit dem Token entfernen. Um es zu tun, --yes hinzufügen.`,
    removed: (name) => `${name} und das Token sind entfernt.`,
  },
  token: {
    prompt: (name) => `Token von ${name} (wird nicht angezeigt): `,
    none: 'Auf stdin war kein Token. Es hineinleiten oder eingeben, wenn danach gefragt wird.',
    characters:
      'Dieses Token hat mehr als 65.536 Zeichen oder solche, die sich nicht senden lassen. Es neu kopieren, ohne Zeilenumbrüche.',
    notHere: 'Dieser Computer braucht kein Token. Eine andere Verbindung mit --connection NAME nennen.',
    notForFile:
      'Das Token einer FILE.json kommt nur aus TIMBRE_TOKEN. Erst das Dokument importieren: timbre connections import FILE.',
    notKept: (why) =>
      'Dieser Computer hat keinen Passwortspeicher, den Timbre nutzen kann, also wurde nichts aufbewahrt. Einen ' +
      'Schlüsselbund einrichten oder --store-in-file hinzufügen: Das Token steht dann in einer Datei, die jedes unter ' +
      `diesem Konto laufende Programm lesen kann. (${why})`,
    kept: {
      keychain: (name) => `Das Token von ${name} ist im Passwortspeicher dieses Systems aufbewahrt.`,
      file: (name) =>
        `Das Token von ${name} steht in einer Datei, die jedes unter diesem Konto laufende Programm lesen kann.`,
      session: (name) => `Das Token von ${name} wurde nicht aufbewahrt.`,
    },
    place: {
      keychain: 'Token: im Passwortspeicher dieses Systems',
      file: 'Token: in einer Datei, die jedes unter diesem Konto laufende Programm lesen kann',
      session: 'Token: nur für diese Sitzung',
      none: 'Token: keins',
    },
    cleared: (name) => `Das Token von ${name} ist vergessen.`,
    perhapsThere: (why) =>
      'Der Passwortspeicher dieses Systems hat nicht geantwortet, vielleicht ist noch ein Token darin. ' +
      `Später noch einmal versuchen. (${why})`,
    operation: { voices: 'Stimmen', 'voice-detail': 'Eine Stimme', models: 'Eigene Stimmen' },
    outcome: {
      understood: 'verstanden',
      unreached: 'nicht erreicht',
      unauthorised: 'nicht erlaubt',
      'not-understood': 'nicht verstanden',
      'not-asked': 'nicht gefragt, weil die Liste keine Stimme nennt',
    },
    suspect: (field) => `${field} in der Verbindung prüfen.`,
  },
  history: {
    soFar: deEntries,
    exported: (entries) => `${deEntries(entries)} exportiert.`,
    exportedWithSound: (entries, sounds) =>
      `${deEntries(entries)} exportiert, mit ${format.count(sounds, { one: 'einer Tondatei', other: '# Tondateien' })}.`,
    withoutFile: (n) =>
      `${format.count(n, { one: 'Ein Eintrag', other: '# Einträge' })} ohne Ton: Die Datei liegt nicht mehr dort oder hat andere Bytes.`,
    imported: (added, known) => `${deEntries(added)} importiert, ${format.number(known)} schon vorhanden.`,
    refused: (n) =>
      format.count(n, { one: 'Eine Zeile enthält keinen Eintrag.', other: '# Zeilen enthalten keinen Eintrag.' }),
    notBrought: (n) =>
      `${format.count(n, { one: 'Ein Eintrag', other: '# Einträge' })} ohne Ton: Er fehlt im Archiv oder ist dort beschädigt. Dort neu exportieren, wo er liegt.`,
    exists: (path) => `${path} gibt es schon. Einen neuen Namen angeben.`,
    otherEnding: (path) =>
      `${path} endet weder auf .jsonl, für eine Liste, noch auf .zip, für eine Liste mit Ton. Den Namen so wählen.`,
    none: 'Es wurde noch nichts gemacht.',
    noMatch: 'Nichts passt.',
    more: (n) => `Nur die neuesten ${format.number(n)} sind gezeigt. --limit N zeigt mehr.`,
    badValue: (word, choices) => `„${word}“ passt nicht zu diesem Filter. Richtig ist ${choices}.`,
    unknown: (id) => `Einen Eintrag ${id} gibt es nicht. "timbre history list" beginnt jede Zeile mit der Id.`,
    ambiguous: (id, ids, hasMore) =>
      `So beginnen mehrere: ${ids}${hasMore ? ' und weitere' : ''}. Mehr als ${id} schreiben.`,
    again: {
      otherKind: {
        conversion: (flag) => `${flag} ist für Sprache, und dieser Eintrag ist eine Aufnahme. Ohne ${flag} geht es.`,
        speech: (flag) => `${flag} ist für Aufnahmen, und dieser Eintrag ist Sprache. Ohne ${flag} geht es.`,
      },
      noConnection: (name) =>
        `Das wurde über ${name} gemacht, und diese Verbindung gibt es nicht mehr. Ihr Dokument mit "timbre connections import FILE" importieren oder mit --connection eine andere nennen.`,
      noVoice: (name) =>
        `Die Stimme ${name} wird nicht angeboten. Mit --voice ID eine andere nennen: "timbre voices list" zeigt alle.`,
      noSource: (path) =>
        `${path} liegt nicht mehr dort. Die Datei zurücklegen oder vom neuen Ort umwandeln: "timbre convert FILE --voice ID".`,
    },
    standing: {
      there: 'ist da',
      missing: 'wurde bewegt oder gelöscht',
      changed: 'wurde seitdem geändert',
      away: 'liegt auf einem Datenträger, der nicht da ist',
    },
    facts: {
      id: 'Id',
      name: 'Name',
      problem: 'Problem',
      settings: 'Einstellungen',
      sound: 'Länge',
      failedTries: 'Fehlversuche',
      created: 'Verlangt',
      started: 'Begonnen',
      ended: 'Beendet',
      timings: 'Zeit',
      processingTime: 'Rechenzeit',
      favourite: 'Favorit',
      yes: 'ja',
      others: 'Aus derselben Quelle',
    },
  },
  page: ({ page, pages, shown, total }) =>
    `Seite ${format.number(page)} von ${format.number(pages)}: ${format.number(shown)} von ${format.number(total)}.${page < pages ? ` --page ${page + 1} zeigt mehr.` : ''}`,
  voices: { asOf: (at) => `Das sind die Stimmen vom Stand ${at}.` },
  models: {
    wouldDelete: (name, connection) =>
      `Das würde jede eigene Stimme namens "${name}" bei ${connection} löschen. Um es zu tun, --yes hinzufügen.`,
    deleted: (name) => `${name} ist gelöscht.`,
    nameless: 'Dieser Name kann in keiner Adresse stehen. Eine Stimme so nennen, wie "timbre models list" sie zeigt.',
  },
  speak: {
    noFile: (path) => `${path} lässt sich nicht lesen. Den Namen und das Recht zum Lesen prüfen.`,
    notUtf8: (path) => `${path} ist kein Text in UTF-8. Als UTF-8 sichern und noch einmal versuchen.`,
    tooLong: (path) => `${path} ist zu lang für ein einziges Stück. In mehrere teilen.`,
    isFolder: (path) => `--out nimmt den Namen einer Datei, und ${path} ist ein Ordner. Einen Namen anhängen.`,
    hasField: (fields) => `Der Name in --out darf ${fields} nicht enthalten. Einen anderen wählen.`,
    renamed: (path) => `Der Name in --out ist vergeben oder taugt nicht für eine Datei. Gesichert als ${path}`,
    otherFormat: (path) => `Der Dienst hat einen anderen Ton gemacht, als --out nennt. Gesichert als ${path}`,
  },
  watch: {
    watching: (folder: string) =>
      `${folder} wird überwacht. Strg-C beendet es; was läuft, kommt zum Ende seines Schritts.`,
    wouldConvert: (n: number, seconds: number) =>
      `Umgewandelt würden ${format.count(n, { one: '# Aufnahme', other: '# Aufnahmen' })}, ${format.length(seconds)} Ton. Nichts wurde gesendet.`,
    passedOver: (n: number) =>
      format.count(n, {
        one: '# Datei wird wegen ihres Namens übergangen.',
        other: '# Dateien werden wegen ihrer Namen übergangen.',
      }),
  },
  doctor: deDoctor,
};
