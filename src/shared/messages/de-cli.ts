import type { enCli } from './en-cli.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

const deEntries = (n: number) =>
  n === 0 ? 'Kein Eintrag' : format.count(n, { one: 'Ein Eintrag', other: '# Einträge' });

export const deCli: typeof enCli = {
  runAgain: 'Unfertige Aufträge bleiben in der Warteschlange. Derselbe Befehl setzt sie fort.',
  done: (done, all) => `${format.number(done)} von ${format.number(all)} fertig`,
  running: (n) => `${format.number(n)} in Arbeit`,
  askedForPause: (name, at) =>
    at === null ? `${name} bittet um eine Pause` : `${name} bittet um eine Pause, weiter ${at}`,
  unavailable: (name, at) =>
    at === null
      ? `${name} ist vorübergehend nicht verfügbar, neuer Versuch läuft`
      : `${name} ist vorübergehend nicht verfügbar, nächster Versuch ${at}`,
  offline: 'Keine Netzwerkverbindung, neuer Versuch läuft',
  noLogEntries: 'Das Protokoll hat keine solchen Einträge.',
  logUnreadable: (folder) =>
    `Das Protokoll in ${folder} ist nicht lesbar. Prüfen Sie, ob timbre.log eine Datei ist und Sie sie lesen dürfen.`,
  tryingAgain: (at) => `Nächster Versuch ${at}.`,
  slowShutdown: 'Dateien und Prozesse werden noch geschlossen. Noch einmal Strg-C beendet sofort.',
  hookRuns: 'Das Programm nach jedem Ergebnis läuft noch',
  finishing: 'Die laufenden Schritte werden noch beendet. Noch einmal Strg-C beendet sofort.',
  brokenSettings: (path) =>
    `${path} lässt sich nicht lesen, darum gelten die Standardeinstellungen, und nichts wird an einen Dienst gesendet. Öffnen Sie die App, um sie neu festzulegen, oder entfernen Sie die Datei.`,
  dataDamaged: (folder) =>
    `Die Daten von Timbre in ${folder} sind beschädigt, deshalb wird nichts mehr gesendet. Öffnen Sie Timbre, um sie zu reparieren, oder führen Sie den Befehl noch einmal aus; Ihre Aufnahmen blieben unberührt.`,
  dataNotWritable: (folder) =>
    `Timbre kann seine Daten nicht in ${folder} speichern. Geben Sie dort Speicherplatz frei, prüfen Sie, ob Sie dort schreiben dürfen, und führen Sie den Befehl noch einmal aus.`,
  unexpected: (message) =>
    `In Timbre ist etwas schiefgegangen: ${message}. Führen Sie den Befehl mit TIMBRE_DEBUG=1 noch einmal aus, um zu sehen, wo, und melden Sie es.`,
  noFile: (path) => `${path} ist nicht zu finden.`,
  noCurrentFolder:
    'Den aktuellen Ordner gibt es nicht mehr. Wechseln Sie in einen anderen und führen Sie den Befehl erneut aus.',
  noFolder: (path) => `Der Ordner ${path} ist nicht zu finden.`,
  notAFolder: (path) => `${path} ist kein Ordner. Geben Sie einen Ordner an.`,
  folderTakesNothing: (path) =>
    `In ${path} lässt sich nichts speichern. Erlauben Sie das Schreiben, oder geben Sie mit --out einen anderen Ordner an.`,
  noVoice: (id, name) => `${name} hat keine Stimme "${id}". "timbre voices list" zeigt alle Stimmen.`,
  noModel: (model, name) =>
    `${name} hat keine eigene Stimme "${model}". "timbre models list" zeigt Ihre eigenen Stimmen.`,
  help: {
    intro: 'Timbre verändert die Stimme von Aufnahmen, auf diesem Computer oder mit einem Webdienst.',
    app: 'die App öffnen',
    convert: 'Aufnahmen oder alle Aufnahmen eines Ordners konvertieren; vorhandene Dateien werden nie ersetzt',
    watch: 'einen Ordner überwachen und jede dort gespeicherte Aufnahme ein Mal konvertieren',
    speak: 'einen Text vorlesen; mit -, oder ohne Text bei umgeleiteter Eingabe, kommt er von stdin',
    history:
      'den Verlauf anzeigen, das Neueste zuerst; durchsuchen, Statistik anzeigen, erneut konvertieren, exportieren, importieren',
    voices: 'die Stimmen einer Verbindung anzeigen, oder Details zu einer',
    models: 'Ihre eigenen Stimmen bei einem Dienst anzeigen, oder alle mit einem Namen löschen',
    token: 'das Token einer Verbindung von stdin speichern; es löschen; oder die Verbindung testen',
    connections: 'Verbindungen anzeigen, importieren, exportieren, entfernen; Exporte enthalten nie ein Token',
    presets: 'Presets anzeigen, exportieren, importieren: Stimmen mit ihren Einstellungen unter einem Namen',
    plant: 'die Beispieloperation der Schnittstelle aufrufen',
    engine: 'die Stimm-Engine allein starten, für andere Programme auf diesem Computer',
    doctor: 'prüfen, ob Timbre arbeiten kann, und Lösungen für Probleme nennen',
    log: 'die neuesten Einträge des Protokolls anzeigen, den letzten zuletzt',
    completion: 'ein Skript zur Vervollständigung in einer Shell ausgeben',
    man: 'die Handbuchseite ausgeben: timbre man | man -l -',
    helpOf: 'diese Hilfe anzeigen, oder die eines Befehls',
    versionOf: 'die Version anzeigen',
    test: 'die Tests ausführen',
    usage: 'Aufruf',
    commands: 'Befehle',
    options: 'Optionen',
    optionsOf: (form) => `Optionen für ${form}`,
    everywhere: 'Globale Optionen',
    environment: 'Umgebung',
    exits: 'Exit-Codes',
    more: '"timbre help BEFEHL" zeigt die Hilfe eines Befehls.',
    value: (value, usual) => `${value} (Standard: ${usual})`,
    choices: (choices) => `eins von ${choices}`,
  },
  flags: {
    connection: 'der Dienst: Name einer gespeicherten Verbindung oder ihr Dokument; Standard: dieser Computer',
    dataDir: 'der Ordner mit Einstellungen, Warteschlange und Verlauf',
    json: 'ein JSON-Objekt pro Zeile auf stdout ausgeben; das letzte ist das Ergebnis',
    quiet: 'nur die angeforderte Ausgabe und Fehler ausgeben',
    help: 'diese Hilfe anzeigen',
    version: 'die Version anzeigen',
    voice: 'die Stimme; "timbre voices list" zeigt alle Stimmen',
    preset:
      'das Preset mit Verbindung, Stimme und Einstellungen; andere Optionen haben Vorrang; "timbre presets" zeigt alle',
    anotherVoice: 'eine andere Stimme als zuvor verwenden',
    page: 'die Seite, beginnend mit 1',
    limit: 'die Höchstzahl an Zeilen',
    level: 'nur Einträge, die mindestens so schwer wiegen',
    follow: 'auch neue Einträge anzeigen, bis Sie den Befehl beenden',
    yes: 'ohne Rückfrage ausführen',
    dryRun: 'nur auflisten, was konvertiert würde; nichts wird gesendet',
    outConvert: 'der Ordner für Ergebnisse; Standard: der aus den Einstellungen, sonst neben jedem Original',
    outSpeak:
      'die Audiodatei oder bei mehreren Texten der Ordner dafür; Standard: nach dem Text benannt, im Ordner aus den Einstellungen oder im aktuellen',
    outAgain: 'das Ergebnis in einem anderen Ordner als zuvor speichern',
    outImport: 'der Ordner für Audiodateien; Standard: "Timbre import" im aktuellen Ordner',
    pitch: 'die Tonhöhe als Faktor; den Bereich bestimmt die Verbindung',
    speed: 'das Tempo als Faktor; den Bereich bestimmt die Verbindung',
    format: 'das Format des Ergebnisses; "same" behält das des Originals, wenn der Dienst es unterstützt',
    pitchControl: 'ein Wert, den der Dienst festlegt; auf diesem Computer: shift-formants',
    autoF0: 'die Tonhöhe nicht an die Stimme anpassen',
    engine: 'die Engine beim Dienst',
    audioName: 'der Name der Aufnahme beim Dienst; Standard: ihr Dateiname',
    platform: 'die Herkunft der Aufnahme, wie sie dem Dienst gemeldet wird',
    once: 'beenden, wenn nichts mehr zu konvertieren ist',
    onlyNew: 'Aufnahmen überspringen, die schon im Ordner sind',
    subfolders: 'Unterordner überspringen',
    moveDone: 'konvertierte Originale in den Unterordner "Done" verschieben',
    minutesADay: 'höchstens so viele Minuten Audio pro Tag konvertieren',
    hours: 'Aufnahmen nur zu dieser Uhrzeit annehmen, etwa 22:00-06:00',
    subfolderVoices: 'Aufnahmen in einem Unterordner mit der Stimme konvertieren, nach der er benannt ist',
    hook: 'das Programm nicht starten, das die App nach jedem Ergebnis startet',
    speaker: 'die Stimme von Absätzen, die mit "NAME:" beginnen; für mehrere Namen möglich',
    speakTexts: 'auch Textdateien (.txt, .md, .srt, .vtt, .csv) sprechen, mit derselben Stimme',
    textFile:
      'eine Datei mit dem Text (.txt, .md), Untertiteln (.srt, .vtt) oder einer Tabelle mit einem Text je Zeile (.csv); mehrmals möglich; - liest stdin',
    splitChapters: 'jedes Kapitel von Markdown als eigene Datei speichern, benannt nach seiner Überschrift',
    sentencePause: 'die Pause nach jedem Satz eines langen Textes; Standard: 0.35',
    paragraphPause: 'die Pause nach jedem Absatz eines langen Textes; Standard: 0.8',
    speechLanguage: 'die Sprache, als Kürzel wie en-GB; Standard: die der Stimme',
    speechPitch: 'die Tonhöhe; Standard: die der Verbindung',
    speechSpeed: 'das Tempo; Standard: das der Verbindung',
    speechPlatform: 'die Art des Geräts, wie sie dem Dienst gemeldet wird',
    search: 'nur Einträge, die zu dieser Suche passen',
    period: 'die letzten 30 Tage, die letzten 12 Monate, ein Jahr oder der ganze Verlauf',
    statisticsKind: 'nur Aufnahmen (conversion) oder Vorgelesenes (speech)',
    csv: 'eine Tabelle als CSV ausgeben',
    csvTable: 'die Tabelle für --csv',
    language: 'nur Stimmen mit dieser Sprache',
    gender: 'nur Stimmen mit diesem Geschlecht',
    category: 'nur Stimmen dieser Kategorie',
    storeInFile: 'das Token in einer Datei speichern, die jedes von Ihnen gestartete Programm lesen kann',
    plantId: 'die ID, eine ganze 64-Bit-Zahl',
    plantName: 'der Name',
    plantTag: 'ein Schlagwort',
    port: 'der Port, auf dem Anfragen angenommen werden; 0 wählt einen freien',
  },
  environment: {
    TIMBRE_TOKEN: 'das Token der Verbindung; hat Vorrang vor dem gespeicherten',
    TIMBRE_DATA_DIR: 'wie --data-dir',
    TIMBRE_DEBUG: 'wenn gesetzt, geht das Protokoll auch nach stderr, mit der Herkunft unerwarteter Fehler',
    HTTPS_PROXY: 'der Proxy für Dienste, mit HTTP_PROXY und NO_PROXY; Standard: der aus den Einstellungen',
    LANG: 'die Sprache, wenn in den Einstellungen keine gewählt ist; LC_ALL und LC_MESSAGES haben Vorrang',
    NO_COLOR: 'wenn gesetzt, ist die Ausgabe nicht farbig',
  },
  exits: {
    done: 'alles war erfolgreich',
    other: 'etwas anderes ist schiefgegangen',
    usage: 'die Befehlszeile ist ungültig',
    token: 'das Token fehlt oder wurde abgelehnt',
    quota: 'das Guthaben beim Dienst ist aufgebraucht',
    input: 'eine Datei, ein Ordner, eine Stimme oder ein Eintrag fehlt oder ist nicht verwendbar',
    network: 'der Dienst ist nicht erreichbar',
    cancelled: 'der Befehl wurde abgebrochen',
  },
  usage: {
    options: 'Optionen',
    unknownCommand: (name, near) =>
      `Den Befehl "${name}" gibt es nicht.${near === null ? '' : ` Meinten Sie "${near}"?`} "timbre help" zeigt alle Befehle.`,
    unknownVerb: (given, near) => `"timbre ${given}" gibt es nicht. Meinten Sie "timbre ${near}"?`,
    unknownFlag: (flag, near, command) =>
      `Unbekannte Option ${flag}.${near === null ? '' : ` Meinten Sie ${near}?`} "timbre help${command === null ? '' : ` ${command}`}" zeigt alle Optionen.`,
    noCommand: 'Geben Sie einen Befehl an. "timbre help" zeigt alle Befehle.',
    needsValue: (flag, value) => `${flag} braucht einen Wert: ${flag} ${value}.`,
    noValue: (flag) => `${flag} hat keinen Wert.`,
    forms: (forms, isSeveral) => (isSeveral ? `Aufruf:\n  ${forms}` : `Aufruf: ${forms}`),
    shell: (shells, given) => `Vervollständigung gibt es für ${shells}, nicht für "${given}".`,
    tooLong: (flag, most) => `--${flag} kann höchstens ${format.number(most)} Zeichen haben.`,
    nameLanguage:
      'Der Dienst nennt für diese Stimme keine verwendbare Sprache. Geben Sie eine mit --language an, etwa en-GB.',
    seconds: (flag, most) => `--${flag} muss eine Zahl von 0 bis ${most} Sekunden sein, etwa 0.5.`,
    aboveZero: (flag, given) => `--${flag} muss eine Zahl über 0 sein, etwa 1.2, nicht "${given}".`,
    hours: (given) => `--hours muss aus zwei verschiedenen Uhrzeiten bestehen, etwa 22:00-06:00, nicht "${given}".`,
    from: (flag, min, given) => `--${flag} muss eine ganze Zahl ab ${min} sein, nicht "${given}".`,
    fromTo: (flag, min, max, given) => `--${flag} muss eine ganze Zahl von ${min} bis ${max} sein, nicht "${given}".`,
    oneOf: (flag, choices, given) => `--${flag} muss eins von ${choices} sein, nicht "${given}".`,
    inRange: (flag, min, max, name) => `--${flag} muss bei ${name} eine Zahl von ${min} bis ${max} sein.`,
    nameVoice:
      'Geben Sie eine Stimme mit --voice ID oder ein Preset mit --preset NAME an. "timbre voices list" und "timbre presets" zeigen alle.',
    speaker: (given) =>
      `"${given}" ist kein Name mit einer Stimme. Schreiben Sie --speaker "NAME=ID"; NAME hat höchstens 40 Zeichen und keinen Doppelpunkt. "timbre voices list" zeigt alle Stimmen.`,
    speakerTwice: (name) => `--speaker gibt ${name} mehr als eine Stimme. Behalten Sie eine davon.`,
    noLineOf: (name) =>
      `Keine Zeile des Textes beginnt mit "${name}:". Prüfen Sie den Namen oder lassen Sie sein --speaker weg.`,
    tooManySpeakers: (most) => `Ein Text kann bis zu ${most} Sprechrollen haben.`,
    nameText:
      'Geben Sie einen Text an: timbre speak TEXT --voice ID, oder Dateien mit --file FILE..., oder - für stdin.',
    nameConnection:
      'Geben Sie eine Verbindung mit --connection NAME an. "timbre connections list" zeigt alle Verbindungen.',
    int64: (given) =>
      `--id muss eine ganze Zahl von -9223372036854775808 bis 9223372036854775807 sein, nicht "${given}".`,
    plant: 'Geben Sie eine ID und einen Namen an: timbre plant create --id INT64 --name S.',
  },
  connections: {
    unknown: (name, names) => `Die Verbindung "${name}" gibt es nicht. Verfügbar: ${names}.`,
    noFile: (path) => `${path} lässt sich nicht lesen. Geben Sie ein Verbindungsdokument an, etwa studio.json.`,
    noEntries: 'Nichts anzuzeigen.',
    imported: (name) => `${name} importiert. "timbre token set --connection" speichert das Token.`,
    exported: (name, path) => `${name} nach ${path} exportiert.`,
    exists: (path) => `${path} gibt es schon und wird nicht ersetzt. Geben Sie eine andere Datei an.`,
    notWritten: (path) =>
      `${path} lässt sich nicht schreiben. Prüfen Sie den Ordner, oder geben Sie eine andere Datei an.`,
    noDocument: 'Dieser Computer hat kein Dokument zum Exportieren, denn er braucht weder Adresse noch Token.',
    notRemoved: 'Dieser Computer lässt sich nicht entfernen. Geben Sie eine andere Verbindung an.',
    wouldRemove: (name) => `Das würde ${name} mit dem Token entfernen. Fügen Sie --yes hinzu, um fortzufahren.`,
    removed: (name) => `${name} und das Token entfernt.`,
  },
  presets: {
    kinds: { conversion: 'Für Aufnahmen', speech: 'Zum Vorlesen' },
    none: 'Noch keine Presets. Speichern Sie eines in der App, oder importieren Sie eine Datei mit "timbre presets import FILE".',
    default: 'Standard',
    missing: (connection) => `${connection} (gibt es nicht mehr)`,
    exported: (n, path) => `${format.count(n, { one: '# Preset', other: '# Presets' })} nach ${path} exportiert.`,
    unknown: (kind, name, near, isOtherKind) =>
      `Es gibt kein Preset "${name}" ${kind === 'speech' ? 'zum Vorlesen' : 'für Aufnahmen'}${isOtherKind ? `, nur eines ${kind === 'speech' ? 'für Aufnahmen' : 'zum Vorlesen'}` : ''}.${near === null ? '' : ` Meinten Sie "${near}"?`} "timbre presets" zeigt alle Presets.`,
    noConnection: (name, connection) =>
      `Die Verbindung ${connection} des Presets "${name}" gibt es nicht mehr. Geben Sie mit --connection eine andere an, oder verschieben Sie das Preset in der App.`,
  },
  token: {
    prompt: (name) => `Token für ${name} (wird nicht angezeigt): `,
    none: 'Kein Token auf stdin. Leiten Sie es um, oder geben Sie es ein, wenn danach gefragt wird.',
    characters:
      'Dieses Token hat mehr als 65.536 Zeichen oder solche, die sich nicht senden lassen. Kopieren Sie es neu, ohne Zeilenumbrüche.',
    notHere: 'Dieser Computer braucht kein Token. Geben Sie eine andere Verbindung mit --connection NAME an.',
    notForFile:
      'Bei einer FILE.json kommt das Token nur aus TIMBRE_TOKEN. Um eines zu speichern, zuerst: timbre connections import FILE.',
    notKept: (why) =>
      'Dieser Computer hat keinen Passwortspeicher, den Timbre verwenden kann, also wurde das Token nicht gespeichert. ' +
      'Richten Sie einen Schlüsselbund ein, oder fügen Sie --store-in-file hinzu: Das Token liegt dann in einer Datei, ' +
      `die jedes von Ihnen gestartete Programm lesen kann. (${why})`,
    kept: {
      keychain: (name) => `Das Token für ${name} ist im Passwortspeicher dieses Systems gespeichert.`,
      file: (name) =>
        `Das Token für ${name} ist in einer Datei gespeichert, die jedes von Ihnen gestartete Programm lesen kann.`,
      session: (name) => `Das Token für ${name} wurde nicht gespeichert.`,
    },
    place: {
      keychain: 'Token: im Passwortspeicher dieses Systems',
      file: 'Token: in einer Datei, die jedes von Ihnen gestartete Programm lesen kann',
      session: 'Token: nur für diese Sitzung',
      none: 'Token: keines',
    },
    cleared: (name) => `Token für ${name} gelöscht.`,
    perhapsThere: (why) =>
      'Der Passwortspeicher dieses Systems antwortet nicht, vielleicht enthält er noch ein Token. ' +
      `Versuchen Sie es später erneut. (${why})`,
    operation: { voices: 'Stimmen', 'voice-detail': 'Details einer Stimme', models: 'Eigene Stimmen' },
    outcome: {
      understood: 'verstanden',
      unreached: 'nicht erreicht',
      unauthorised: 'nicht angemeldet',
      'not-understood': 'nicht verstanden',
      'not-asked': 'nicht getestet, weil die Liste keine Stimmen enthält',
    },
    suspect: (field) => `Prüfen Sie ${field} in der Verbindung.`,
  },
  history: {
    soFar: deEntries,
    exported: (entries) => `${deEntries(entries)} exportiert.`,
    exportedWithSound: (entries, sounds) =>
      `${deEntries(entries)} exportiert, mit ${format.count(sounds, { one: 'einer Audiodatei', other: '# Audiodateien' })}.`,
    withoutFile: (n) =>
      format.count(n, {
        one: 'Ein Eintrag ohne Audio: Die Datei wurde verschoben, gelöscht oder geändert.',
        other: '# Einträge ohne Audio: Die Dateien wurden verschoben, gelöscht oder geändert.',
      }),
    imported: (added, known) => `${deEntries(added)} importiert, ${format.number(known)} schon vorhanden.`,
    refused: (n) =>
      format.count(n, { one: 'Eine Zeile enthält keinen Eintrag.', other: '# Zeilen enthalten keinen Eintrag.' }),
    notBrought: (n) =>
      format.count(n, {
        one: 'Ein Eintrag ohne Audio: Die Datei fehlt im Archiv oder ist beschädigt. Exportieren Sie sie neu, wo sie liegt.',
        other:
          '# Einträge ohne Audio: Die Dateien fehlen im Archiv oder sind beschädigt. Exportieren Sie sie neu, wo sie liegen.',
      }),
    exists: (path) => `${path} gibt es schon. Geben Sie eine neue Datei an.`,
    otherEnding: (path) => `${path} muss auf .jsonl enden, für eine Liste, oder auf .zip, für eine Liste mit Audio.`,
    none: 'Noch kein Verlauf.',
    statistics: {
      badPeriod: (given) => `--period muss 30d, 12m, all oder ein Jahr wie 2026 sein, nicht "${given}".`,
      onlyCsv: '--by ist die Tabelle für --csv, das nicht zusammen mit --json geht.',
    },
    noMatch: 'Keine Treffer.',
    more: (n) => `Nur die neuesten ${format.number(n)} werden angezeigt. --limit N zeigt mehr.`,
    badValue: (word, choices) => `„${word}“ ist kein Wert dieses Filters. Verwenden Sie eins von ${choices}.`,
    unknown: (id) => `Der Verlauf hat keinen Eintrag ${id}. In "timbre history list" beginnt jede Zeile mit der ID.`,
    ambiguous: (id, ids, hasMore) =>
      `Mehrere IDs beginnen mit ${id}: ${ids}${hasMore ? ' und weitere' : ''}. Geben Sie mehr Zeichen an.`,
    repeat: {
      otherKind: {
        conversion: (flag) =>
          `${flag} gilt nur für Vorgelesenes, und dieser Eintrag ist eine Aufnahme. Entfernen Sie es.`,
        speech: (flag) => `${flag} gilt nur für Aufnahmen, und dieser Eintrag ist Vorgelesenes. Entfernen Sie es.`,
      },
      noConnection: (name) =>
        `Die Verbindung ${name} gibt es nicht mehr. Importieren Sie ihr Dokument mit "timbre connections import FILE", oder geben Sie mit --connection eine andere an.`,
      noVoice: (name) =>
        `Die Stimme ${name} ist nicht verfügbar. Geben Sie mit --voice ID eine andere an. "timbre voices list" zeigt alle Stimmen.`,
      noSource: (path) =>
        `${path} wurde verschoben oder gelöscht. Legen Sie die Datei zurück, oder konvertieren Sie sie vom neuen Ort: "timbre convert FILE --voice ID".`,
    },
    restore: {
      either: 'Nennen Sie Einträge, oder verwenden Sie --search, nicht beides.',
      restored: (path) => `Wiederhergestellt: ${path}`,
      none: (path) => `${path}: Timbre hat davon keine Kopie. Neu erstellen: "timbre history again ID".`,
      damaged: (path) => `${path}: Die Kopie war beschädigt und wurde gelöscht.`,
      away: (path) =>
        `${path}: Das Laufwerk ist nicht angeschlossen. Schließen Sie es an, und versuchen Sie es noch einmal.`,
    },
    fileStatus: {
      there: 'ist vorhanden',
      missing: 'wurde verschoben oder gelöscht',
      changed: 'wurde seitdem geändert',
      away: 'liegt auf einem Laufwerk, das nicht angeschlossen ist',
    },
    facts: {
      id: 'ID',
      name: 'Name',
      problem: 'Problem',
      settings: 'Einstellungen',
      sound: 'Länge',
      failedTries: 'Fehlversuche',
      created: 'Hinzugefügt',
      started: 'Begonnen',
      ended: 'Beendet',
      timings: 'Zeit pro Schritt',
      processingTime: 'Rechenzeit',
      favourite: 'Favorit',
      yes: 'ja',
      others: 'Gleiches Original',
    },
  },
  page: ({ page, pages, shown, total }) =>
    `Seite ${format.number(page)} von ${format.number(pages)}: ${format.number(shown)} von ${format.number(total)}.${page < pages ? ` --page ${page + 1} zeigt mehr.` : ''}`,
  voices: { asOf: (at) => `Dies ist die gespeicherte Liste, Stand ${at}.` },
  models: {
    wouldDelete: (name, connection) =>
      `Das würde jede eigene Stimme namens "${name}" bei ${connection} löschen. Fügen Sie --yes hinzu, um fortzufahren.`,
    deleted: (name) => `${name} gelöscht.`,
    nameless:
      'Dieser Name kann in keiner Adresse stehen. Geben Sie eine Stimme so an, wie "timbre models list" sie zeigt.',
  },
  speak: {
    row: (file, row) => `${file}, Zeile ${format.number(row)}`,
    ended: (done, all) =>
      `${format.number(done)} von ${format.count(all, { one: '# Text', other: '# Texten' })} vorgelesen.`,
    known: (n) =>
      format.count(n, {
        one: '# davon war schon vorgelesen und wurde nicht neu erstellt.',
        other: '# davon waren schon vorgelesen und wurden nicht neu erstellt.',
      }),
    noFile: (path) => `${path} lässt sich nicht lesen. Prüfen Sie den Namen und ob Sie die Datei lesen dürfen.`,
    notAFile: (path) => `${path} ist keine Datei. Geben Sie eine Textdatei an, oder - für die Standardeingabe.`,
    notUtf8: (path) => `${path} ist kein UTF-8-Text. Speichern Sie die Datei als UTF-8 und versuchen Sie es erneut.`,
    tooLong: (path) => `${path} ist zu lang, um auf einmal vorgelesen zu werden. Teilen Sie den Text auf.`,
    isFolder: (path) => `--out muss eine Datei sein, aber ${path} ist ein Ordner. Hängen Sie einen Dateinamen an.`,
    needsFolder: (path) =>
      `Mehrere Ergebnisse brauchen einen Ordner, aber --out nennt die Datei ${path}. Geben Sie einen Ordner an.`,
    hasField: (fields) => `Der Name in --out darf ${fields} nicht enthalten. Wählen Sie einen anderen.`,
    renamed: (path) => `Der Name in --out ist vergeben oder als Dateiname nicht möglich. Gespeichert als ${path}`,
    otherFormat: (path) =>
      `Der Dienst hat ein anderes Audioformat geliefert, als --out angibt. Gespeichert als ${path}`,
  },
  watch: {
    watching: (folder: string) =>
      `${folder} wird überwacht. Strg-C beendet die Überwachung; laufende Aufträge beenden noch ihren Schritt.`,
    wouldConvert: (recordings, texts, seconds) => {
      const convert =
        recordings > 0 ? `${format.count(recordings, { one: '# Aufnahme', other: '# Aufnahmen' })} konvertiert` : '';
      const speak = texts > 0 ? `${format.count(texts, { one: '# Text', other: '# Texte' })} gesprochen` : '';
      const what = [convert, speak].filter((part) => part !== '').join(' und ');
      return `Es würden ${what}, ${texts > 0 ? 'etwa ' : ''}${format.length(seconds)} Audio. Nichts wurde gesendet.`;
    },
    skipped: (n: number) =>
      format.count(n, {
        one: '# Datei übersprungen: Name nicht unterstützt.',
        other: '# Dateien übersprungen: Namen nicht unterstützt.',
      }),
  },
};
