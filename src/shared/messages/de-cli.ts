import { deDoctor } from './de-doctor.ts';
import type { enCli } from './en-cli.ts';
import { createFormat } from './format.ts';

const format = createFormat('de');

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
  help: {
    intro: 'Timbre verändert die Stimme von Aufnahmen, auf diesem Computer oder mit einem Webdienst.',
    app: 'das Programm öffnen',
    convert: 'Aufnahmen konvertieren; ohne --out kommt jedes Ergebnis neben sein Original',
    watch:
      'einen Ordner überwachen und umwandeln, was dort gespeichert wird, ein Mal; --once endet, wenn nichts übrig ist, --dry-run zeigt es nur',
    speak: 'einen Text sprechen; - liest ihn von stdin, und ohne --out kommt der Ton in den aktuellen Ordner',
    history:
      'zeigen, was gemacht wurde, das Neueste zuerst, darin suchen, alles über einen Eintrag zeigen, ihn noch einmal machen, ' +
      'als Liste oder mit Ton exportieren, oder importieren; beim Import ohne --out kommt der Ton nach "Timbre import" im aktuellen Ordner',
    voices: 'die Stimmen einer Verbindung zeigen, oder alles über eine',
    models: 'die eigenen Stimmen bei einem Dienst zeigen, oder die eines Namens löschen',
    token: 'das Token einer Verbindung von stdin lesen und aufbewahren, es vergessen, oder die Verbindung prüfen',
    connections: 'Verbindungen zeigen, importieren, exportieren und entfernen; nie mit einem Token darin',
    plant: 'die Beispieloperation der Schnittstelle aufrufen',
    engine: 'die Stimm-Engine allein starten, für andere Programme auf diesem Computer',
    doctor: 'prüfen, was Timbre zum Arbeiten braucht, und sagen, was zu tun ist',
    test: 'die Tests ausführen',
    everywhere:
      'Überall: --connection NAME oder FILE.json (ohne sie dieser Computer), --data-dir DIR, --json. ' +
      'Ein Token bewahrt "timbre token set" auf, oder es steht in TIMBRE_TOKEN; das einer FILE.json nur in TIMBRE_TOKEN.',
  },
  usage: {
    unknownCommand: (name) => `Den Befehl "${name}" gibt es nicht. "timbre help" nennt alle.`,
    unknownFlag: (flag, usages) => `${flag} gibt es hier nicht. Richtig ist ${usages}`,
    flagValue: (flag, usages) => `${flag} nimmt seinen Wert wie in ${flag}=WERT, oder keinen. Richtig ist ${usages}`,
    wrong: (usages) => `So wird das nicht geschrieben. Richtig ist ${usages}`,
    or: ' oder ',
    aboveZero: (flag, given) => `--${flag} nimmt eine Zahl über 0 wie 1.2, nicht "${given}".`,
    from: (flag, min, given) => `--${flag} nimmt eine ganze Zahl ab ${min}, nicht "${given}".`,
    fromTo: (flag, min, max, given) => `--${flag} nimmt eine ganze Zahl von ${min} bis ${max}, nicht "${given}".`,
    oneOf: (flag, choices, given) => `--${flag} nimmt ${choices}, nicht "${given}".`,
    inRange: (flag, min, max, name) => `--${flag} nimmt bei ${name} eine Zahl von ${min} bis ${max}.`,
    nameVoice: 'Eine Stimme mit --voice ID nennen. "timbre voices list" zeigt alle.',
    nameRecording: 'Mindestens eine Aufnahme oder einen Ordner nennen: timbre convert FILE --voice ID.',
    nameFolder: 'Einen Ordner nennen: timbre watch DIR --voice ID.',
    nameText: 'Einen Text angeben: timbre speak TEXT --voice ID, oder --file FILE, oder - für stdin.',
    nameConnection: 'Eine Verbindung mit --connection NAME nennen. "timbre connections list" zeigt alle.',
    engineAlone: 'Die Engine nimmt keine Dateinamen: timbre engine --port N.',
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
    onlyStored: 'Dieser Computer braucht kein Dokument und lässt sich nicht entfernen. Eine andere Verbindung nennen.',
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
    operation: { voices: 'Stimmen', voice: 'Eine Stimme', models: 'Eigene Stimmen' },
    outcome: {
      understood: 'verstanden',
      unreached: 'nicht erreicht',
      unauthorised: 'nicht erlaubt',
      'not-understood': 'nicht verstanden',
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
  models: {
    wouldDelete: (name, connection) =>
      `Das würde jede eigene Stimme namens "${name}" bei ${connection} löschen. Um es zu tun, --yes hinzufügen.`,
    deleted: (name) => `${name} ist gelöscht.`,
    nameless: 'Dieser Name kann in keiner Adresse stehen. Eine Stimme so nennen, wie "timbre models list" sie zeigt.',
    page: (page, pages, total) =>
      `Seite ${format.number(page)} von ${format.number(pages)}, ${format.number(total)} insgesamt`,
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
