import type { enWatch } from './en-watch.ts';
import { cutShort } from './de-problems.ts';
import { sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# Aufnahme', other: '# Aufnahmen' });
const comingIn = (n: number) => count(n, { one: '# Datei kommt herein', other: '# Dateien kommen herein' });

/** Folders that are watched, what comes of their files, and why. */
export const deWatch: typeof enWatch = {
  short: 'Ordner',
  lead: 'Eine Aufnahme in einen Ordner speichern; die Konvertierung folgt von selbst',
  add: 'Ordner hinzufügen',
  emptyTitle: 'Kein überwachter Ordner',
  empty: 'Einen Ordner und eine Stimme wählen. Was dort gespeichert wird, kommt konvertiert zurück, genau einmal.',
  loading: 'Ordner werden gelesen',
  folders: 'Ordner',
  needPerson: (n) =>
    count(n, { one: '# Ordner braucht eine Entscheidung', other: '# Ordner brauchen eine Entscheidung' }),
  pause: 'Anhalten',
  goOn: 'Weitermachen',
  show: 'Zeigen',
  more: 'Mehr',
  edit: 'Bearbeiten …',
  stop: 'Nicht mehr überwachen …',
  why: 'Warum nicht konvertiert?',
  mode: {
    quiet: 'Überwacht, nichts kommt herein',
    incoming: (n) => `Überwacht, ${comingIn(n)}`,
    polling: (seconds) => `Keine Meldungen von diesem Laufwerk, daher alle ${format.length(seconds)} ein Blick hinein`,
    pollingLimit: (seconds) =>
      `Das System überwacht keine weiteren Ordner, daher alle ${format.length(seconds)} ein Blick hinein`,
    pollingNetwork: (seconds) => `Ein Netzlaufwerk, daher alle ${format.length(seconds)} ein Blick hinein`,
    withIncoming: (line, n) => `${line}; ${comingIn(n)}`,
    offline: (at) => `Nicht erreichbar seit ${at}.`,
    unreadable: (at) => `Lässt sich nicht öffnen seit ${at}.`,
    another: (at) => `Ein anderer Ordner steht an seiner Stelle seit ${at}.`,
    nothingForgotten: 'Nichts ist vergessen; es geht weiter, sobald das Laufwerk wieder da ist.',
    nothingForgottenFolder: 'Nichts ist vergessen; es geht weiter, sobald der Ordner wieder da ist.',
    paused: (at) => `Angehalten seit ${at}`,
    starting: 'Der Ordner wird durchgesehen',
    elsewhere: 'Ein anderes Timbre überwacht ihn',
    asks: (n) => `${recordings(n)} ${n === 1 ? 'war' : 'waren'} schon hier: konvertieren?`,
    attention: (n) =>
      count(n, { one: '# Datei braucht eine Entscheidung', other: '# Dateien brauchen eine Entscheidung' }),
  },
  facts: {
    label: 'Über diesen Ordner',
    into: 'nach',
    beside: 'neben das Original',
    checked: (seconds) => `vor ${format.length(seconds)} durchgesehen`,
    checkedNow: 'gerade durchgesehen',
    notChecked: 'noch nicht durchgesehen',
    known: (n) => count(n, { one: '# Datei bekannt', other: '# Dateien bekannt' }),
    today: (minutes, limit) =>
      limit === null
        ? `heute ${format.number(minutes)}\u00a0min`
        : `heute ${format.number(minutes)} von ${format.number(limit)}\u00a0min`,
  },
  existing: {
    title: (n, { seconds, isMeasured }) => {
      const length = seconds > 0 ? ` (${isMeasured ? '' : 'mindestens '}${format.length(seconds)})` : '';
      return `${recordings(n)} ${n === 1 ? 'war' : 'waren'} schon hier${length}`;
    },
    lead: 'Neue werden von selbst konvertiert. Was soll mit diesen geschehen?',
    measuring: 'Ihre Längen werden noch gelesen.',
    all: (n) => (n === 1 ? 'Konvertieren' : 'Alle konvertieren'),
    none: 'Nur neue',
  },
  files: {
    label: (folder) => `Dateien in ${folder}`,
    lists: 'Welche Dateien',
    all: 'Alle',
    attention: 'Zu entscheiden',
    file: 'Datei',
    sound: 'Ton',
    what: 'Was geschah und warum',
    when: 'Wann',
    now: 'jetzt',
    empty: 'Noch ist nichts hereingekommen',
    emptyLead: 'Eine Aufnahme in diesen Ordner speichern. Was mit ihr geschieht und warum, steht dann hier.',
    emptyAttention: 'Nichts ist zu entscheiden',
    emptyAttentionLead: 'Dateien, die sich nicht konvertieren ließen, warten hier auf eine Entscheidung.',
    loading: 'Dateien werden gelesen',
    tryAll: (n) => `${format.number(n)} erneut versuchen`,
    attentionNow: (name) => `${name} braucht eine Entscheidung`,
  },
  file: {
    quiet: (bytes, quiet, needed) =>
      `Wird noch geschrieben, bisher ${format.bytes(bytes)}: seit ${format.number(Math.floor(quiet))} von ${format.span(needed)} ruhig.`,
    writer: (bytes, program) =>
      `${program ?? 'Ein Programm'} hat sie offen, bisher ${format.bytes(bytes)}. Beginnt, sobald sie geschlossen ist.`,
    reading: 'Ruhig; für die letzte Prüfung wird sie gelesen',
    budget: (used, limit) =>
      `Wartet auf morgen: ${format.number(used)} der ${format.number(limit)}\u00a0min des Tages sind verbraucht`,
    turn: 'Gesehen; ist noch nicht an der Reihe',
    step: (words, step, of) => `${words}, Schritt ${format.number(step)} von ${format.number(of)}`,
    queued: 'Wartet in der Warteschlange',
    converted: 'Konvertiert',
    convertedIn: (seconds) => `In ${format.length(seconds)} konvertiert`,
    movedTo: (place) => `Das Original ist jetzt ${place}.`,
    cancelled: 'Nicht konvertiert: abgebrochen',
    retrying: (at, n) =>
      `${at === null ? 'Nächster Versuch gleich' : `Nächster Versuch um ${at}`}, ${count(n, { one: 'einmal gescheitert', other: '#-mal gescheitert' })}.`,
    quarantined: (n) =>
      count(n, {
        one: 'Einmal gescheitert; wartet auf eine Entscheidung.',
        other: '#-mal gescheitert; wartet auf eine Entscheidung.',
      }),
    before: 'Nicht konvertiert: war schon hier, bevor dieser Ordner überwacht wurde',
    sameSound: (name) => `Nicht konvertiert: gleicher Ton wie ${name}`,
    otherSettings: 'Nicht noch einmal konvertiert: das geschah schon, mit den damaligen Einstellungen des Ordners',
    ownOutput: 'Nicht konvertiert: stammt von Timbre',
    link: 'Nicht konvertiert: eine Verknüpfung, die aus dem Ordner hinausführen kann',
    placeholder:
      'Nicht konvertiert: liegt nur in der Cloud, und Lesen würde sie herunterladen. Die Datei auf diesem Computer behalten.',
  },
  advice: {
    'input/cut': (facts) => sentences(cutShort(facts), 'Neu speichern, dann wird sie wieder angesehen.'),
    'input/empty': () => 'Neu speichern, dann wird sie wieder angesehen.',
    'input/not-audio': () => 'Als wav, mp3, flac oder ogg speichern, dann wird sie wieder angesehen.',
    'input/missing': () => 'Zurücklegen, dann wird sie wieder angesehen.',
    'input/not-a-file': () => 'Nur Aufnahmen werden konvertiert.',
    'voice/missing': () => 'Eine für den Ordner wählen.',
    'voice/not-found': (facts) =>
      sentences(
        textFact(facts, 'name') === undefined ? undefined : `${textFact(facts, 'name') ?? ''} gibt es nicht mehr.`,
        'Eine andere für den Ordner wählen.',
      ),
    'connection/not-found': () => 'Eine andere für den Ordner wählen.',
    'output/not-writable': () => 'Das Schreiben in den Ordner der Ergebnisse erlauben, oder einen anderen wählen.',
  },
  act: {
    convert: 'Konvertieren',
    'convert-anyway': 'Konvertieren, was da ist',
    'convert-again': 'Noch einmal konvertieren',
    retry: 'Erneut versuchen',
    leave: 'Dabei belassen',
    'show-file': 'Datei zeigen',
    edit: 'Ordner bearbeiten',
  },
  removing: {
    title: (name) => `„${name}“ nicht mehr überwachen?`,
    lead: (n) =>
      n === 0
        ? 'Der Ordner und seine Dateien bleiben, wie sie sind.'
        : count(n, {
            one: 'Aufnahmen und Ergebnisse bleiben. Was über # Datei bekannt ist, wird vergessen: Wird der Ordner wieder überwacht, fragt er nach allem, was da ist.',
            other:
              'Aufnahmen und Ergebnisse bleiben. Was über # Dateien bekannt ist, wird vergessen: Wird der Ordner wieder überwacht, fragt er nach allem, was da ist.',
          }),
    yes: 'Nicht mehr überwachen',
    no: 'Weiter überwachen',
  },
  form: {
    titleNew: 'Einen Ordner überwachen',
    titleEdit: (name) => `„${name}“ bearbeiten`,
    leadEdit: 'Was konvertiert ist, wird nicht noch einmal konvertiert.',
    folder: 'Ordner',
    change: 'Anderen wählen',
    depth: 'Umfang',
    depths: { flat: 'Nur dieser Ordner', deep: 'Auch Unterordner' },
    endings: 'Formate',
    noEndings: 'Mindestens ein Format wählen.',
    connection: 'Verbindung',
    voice: 'Stimme',
    noVoice: 'Die Stimme wählen, in der Aufnahmen zurückkommen.',
    voiceGone: 'Die Verbindung bietet diese Stimme nicht mehr an. Eine andere wählen.',
    saveAs: 'Format',
    into: 'Ergebnisse',
    places: { folder: 'In einen Ordner', beside: 'Neben das Original' },
    placeHint: 'Darin bleibt der Aufbau des Ordners erhalten.',
    changePlace: 'Ordner ändern',
    afterwards: 'Das Original',
    afterwardsChoices: { keep: 'Bleibt', done: 'Kommt nach Done', trash: 'In den Papierkorb' },
    afterwardsHint: {
      keep: 'Aufnahmen werden nie verändert.',
      done: 'Erst wenn das Ergebnis auf dem Laufwerk geprüft ist, und zwar in den Ordner Done in diesem Ordner.',
      trash: 'Erst wenn das Ergebnis auf dem Laufwerk geprüft ist. Aus dem Papierkorb lässt es sich zurückholen.',
    },
    limit: 'Grenze',
    limitUnit: 'Minuten Ton am Tag',
    limitNone: 'keine',
    limitHint: 'Bevor sie überschritten wird, wartet der Ordner auf den nächsten Tag. Leer: keine Grenze.',
    limitFault: 'Eine Zahl von 1 bis 100.000 Minuten eintragen, oder nichts.',
    save: 'Diesen Ordner überwachen',
    saveEdit: 'Speichern',
    saving: 'Wird gespeichert …',
    cancel: 'Abbrechen',
    faulty: (n) => count(n, { one: '# Feld stimmt noch nicht.', other: '# Felder stimmen noch nicht.' }),
  },
  preview: {
    title: 'Was konvertiert würde',
    lead: 'Sieht nach, was jetzt im Ordner liegt. Nichts wird gesendet und nichts konvertiert.',
    run: 'Zeigen, was konvertiert würde',
    again: 'Noch einmal nachsehen',
    running: 'Der Ordner wird durchgesehen …',
    stale: 'Seither hat sich das Formular geändert.',
    count: (n) => recordings(n),
    none: 'In diesem Ordner liegt noch keine Aufnahme',
    minutes: (seconds) => `${format.length(seconds)} Ton`,
    unmeasured: (n) =>
      count(n, {
        one: 'und # weitere, deren Länge erst beim Lesen bekannt wird',
        other: 'und # weitere, deren Länge erst beim Lesen bekannt wird',
      }),
    days: (days, minutes) =>
      `Bei ${format.number(minutes)}\u00a0min am Tag: ${count(days, { one: '# Tag', other: '# Tage' })}`,
    refused: (n) =>
      count(n, {
        one: '# würde abgelehnt; warum, steht in der Liste',
        other: '# würden abgelehnt; warum, steht in der Liste',
      }),
    passedOver: (n) => count(n, { one: '# andere Datei wird übergangen', other: '# andere Dateien werden übergangen' }),
    links: (n) =>
      count(n, { one: '# Verknüpfung wird nicht verfolgt', other: '# Verknüpfungen werden nicht verfolgt' }),
    list: 'Aufnahmen',
    first: (shown, all) => `Die ersten ${format.number(shown)} von ${format.number(all)}`,
    lengthOpen: 'Länge unbekannt',
  },
  answer: {
    folder: (folder) => `In „${folder}“:`,
    outside: 'Sie liegt in keinem überwachten Ordner.',
    missing: 'Diese Datei gibt es nicht mehr.',
    paused: (folder) => `„${folder}“ ist angehalten. Geht es dort weiter, wird nach ihr gesehen.`,
    offline: (folder) =>
      `„${folder}“ ist gerade nicht erreichbar. Nichts ist vergessen; es geht weiter, sobald das Laufwerk wieder da ist.`,
    subfolder: (folder) => `Sie liegt in einem Unterordner, und „${folder}“ nimmt nur, was im Ordner selbst liegt.`,
    excluded: (folder) =>
      `Sie liegt in einem Teil von „${folder}“, der ausgelassen wird, etwa im Ordner der Ergebnisse.`,
    hidden: (folder) => `Sie ist versteckt, und versteckte Dateien in „${folder}“ werden in Ruhe gelassen.`,
    temporary: (folder, pattern) =>
      `Ihr Name passt zu ${pattern}, wie vorläufige Dateien heißen. „${folder}“ nimmt sie, sobald sie ihren endgültigen Namen hat.`,
    ending: (folder, ending) =>
      ending === ''
        ? `Ihr Name hat keine Endung, an der „${folder}“ Ton erkennen könnte.`
        : `„${folder}“ nimmt keine Dateien mit ${ending}.`,
    link: (folder) =>
      `Sie ist eine Verknüpfung, die aus „${folder}“ hinausführen kann. Verknüpfungen wird nicht gefolgt.`,
    unseen: (folder) => `„${folder}“ hat sie noch nicht gesehen. Der nächste Blick in den Ordner findet sie.`,
    inList: 'In der Liste zeigen',
  },
};
