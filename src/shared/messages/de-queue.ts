import type { enQueue } from './en-queue.ts';
import { sentences } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');
const { count } = format;

const tried = (n: number) => count(n, { one: 'einmal versucht', other: '#-mal versucht' });
const jobsWait = (n: number) =>
  n > 0 ? count(n, { one: '# Auftrag wartet.', other: '# Aufträge warten.' }) : undefined;
const uploadsKept = (n: number) =>
  n > 0
    ? count(n, {
        one: '# Aufnahme ist schon hochgeladen; Kosten sind nicht entstanden.',
        other: '# Aufnahmen sind schon hochgeladen; Kosten sind nicht entstanden.',
      })
    : undefined;
const resultsWait = (n: number) =>
  n > 0
    ? count(n, { one: '# Ergebnis liegt beim Dienst bereit.', other: '# Ergebnisse liegen beim Dienst bereit.' })
    : undefined;
const nextTry = (at: string | null) => (at === null ? 'Es wird gerade erneut versucht.' : `Nächster Versuch ${at}.`);
const space = (bytes: number | undefined) => (bytes === undefined ? 'Speicherplatz' : format.bytes(bytes));

export const deQueue: typeof enQueue = {
  audioLength: (seconds) => `${format.length(seconds)} Audio`,
  left: (seconds) => `noch\u00a0etwa\u00a0${format.length(seconds)}`,
  whenDone: {
    label: 'Wenn fertig',
    set: (action) => `Wenn fertig: ${action}`,
    actions: {
      nothing: 'Nichts tun',
      'open-folder': 'Ordner öffnen',
      notify: 'Benachrichtigen',
      sleep: 'Ruhezustand',
      'shut-down': 'Herunterfahren',
    },
    titles: {
      sleep: (seconds) => `Dieser Computer geht in ${format.length(seconds)} in den Ruhezustand`,
      'shut-down': (seconds) => `Dieser Computer wird in ${format.length(seconds)} heruntergefahren`,
    },
    lead: 'Alle Aufnahmen sind fertig.',
    cancel: 'Abbrechen',
    openToCancel: 'Öffnen Sie Timbre, um es abzubrechen.',
  },
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  tryNow: 'Jetzt versuchen',
  retryAll: (n) => `Alle ${format.number(n)} erneut versuchen`,
  moved: (name, place, all) =>
    `${name} steht jetzt an Stelle ${format.number(place)} von ${format.number(all)} in der Warteschlange`,
  requeued: (name) => `${name} ist wieder in der Warteschlange`,
  convertNext: 'Als Nächstes konvertieren',
  convertNextOf: (name) => `${name} als Nächstes konvertieren`,
  pausesLabel: 'Grund für die Pause',
  text: 'Text',
  uploadsNext: 'Wird als Nächstes hochgeladen',
  convertsNext: 'Wird als Nächstes konvertiert',
  savesNext: 'Wird als Nächstes gespeichert',
  nextTry: (at, attempts) => `${at === null ? 'Neuer Versuch gleich' : `Nächster Versuch ${at}`}, ${tried(attempts)}`,
  waitsFor: {
    'offline-mode': 'bis Sie online sind',
    battery: 'auf Strom aus dem Netz',
    offline: 'auf das Netzwerk',
    token: 'auf ein Token',
    quota: 'auf Ihr Konto',
    rate: 'auf den Dienst',
    disk: 'auf das Laufwerk',
    data: 'auf Timbres Daten',
    uncertain: 'auf Sie',
  },
  person: {
    title: 'Angehalten',
    text: ({ jobs, running }) =>
      sentences(running > 0 ? 'Laufende Aufträge beenden noch ihren Schritt.' : undefined, jobsWait(jobs)),
  },
  'offline-mode': {
    title: (name) => `${name} wird nicht verwendet, solange Sie offline arbeiten`,
    text: ({ jobs, uploads }) =>
      sentences(
        jobsWait(jobs),
        uploadsKept(uploads),
        'Um fortzufahren, gehen Sie in der Seitenleiste oder in den Einstellungen online.',
      ),
  },
  battery: {
    title: 'Im Akkubetrieb angehalten',
    text: ({ jobs, running }) =>
      sentences(
        running > 0 ? 'Laufende Aufträge beenden noch ihren Schritt.' : undefined,
        count(jobs, {
          one: '# Auftrag wartet und läuft weiter, sobald der Computer am Stromnetz ist.',
          other: '# Aufträge warten und laufen weiter, sobald der Computer am Stromnetz ist.',
        }),
      ),
    continue: 'Jetzt fortsetzen',
  },
  offline: {
    title: (name) => `Keine Verbindung zu ${name}`,
    text: ({ jobs, at, others }) =>
      sentences(
        count(jobs, {
          one: '# Auftrag wartet und läuft automatisch weiter.',
          other: '# Aufträge warten und laufen automatisch weiter.',
        }),
        nextTry(at),
        others.length > 0
          ? `${format.list(others)} ${others.length === 1 ? 'konvertiert' : 'konvertieren'} weiter.`
          : undefined,
      ),
  },
  token: {
    title: (name) => `${name} hat das Token abgelehnt`,
    missing: (name) => `Für ${name} fehlt ein Token`,
    otherOrigin: (name, origin) => `Das Token für ${name} wurde nicht für ${origin} eingegeben`,
    allow: 'Dorthin senden',
    text: ({ jobs, uploads, results }) => sentences(jobsWait(jobs), resultsWait(results) ?? uploadsKept(uploads)),
  },
  quota: {
    title: (name) => `Ihr Guthaben bei ${name} ist aufgebraucht`,
    forbidden: (name) => `${name} verweigert den Zugriff`,
    text: ({ jobs, uploads, at }) => sentences(jobsWait(jobs), uploadsKept(uploads), nextTry(at)),
    askService:
      'Klären Sie mit dem Dienst, ob Ihr Tarif und die Stimme das zulassen, und prüfen Sie, ob eine Firewall es blockiert.',
  },
  rate: {
    title: (name, seconds) =>
      seconds === undefined
        ? `${name} bittet um eine Pause`
        : `${name} bittet um eine Pause von ${format.span(seconds)}`,
    unavailable: (name) => `${name} ist vorübergehend nicht verfügbar`,
    text: ({ at }) => (at === null ? 'Es geht gleich weiter.' : `Es geht ${at} weiter.`),
  },
  disk: {
    title: 'Das Laufwerk ist voll',
    missing: 'Der Ordner für die Ergebnisse ist nicht mehr da',
    reconnect: ({ jobs, results }, folder) =>
      sentences(
        resultsWait(results) ?? jobsWait(jobs),
        `Schließen Sie das Laufwerk mit ${folder} wieder an oder legen Sie den Ordner neu an, dann läuft die Warteschlange automatisch weiter.`,
      ),
    text: ({ jobs, results, neededBytes }) =>
      sentences(
        resultsWait(results) ?? jobsWait(jobs),
        results > 0
          ? `Geben Sie ${space(neededBytes)} frei, um ${results === 1 ? 'es' : 'sie'} zu speichern.`
          : `Geben Sie ${space(neededBytes)} frei, dann läuft die Warteschlange automatisch weiter.`,
      ),
  },
  data: {
    title: 'Timbre kann seine Daten nicht speichern',
    damaged: 'Die Daten von Timbre sind beschädigt',
    repairing: ({ jobs }) =>
      sentences(
        'Timbre prüft und repariert sie. Wenn diese Meldung bleibt, schließen Sie Timbre und öffnen Sie es wieder. Bis dahin wird nichts gesendet.',
        jobsWait(jobs),
      ),
    text: ({ jobs }) =>
      sentences(
        'Geben Sie auf dem Laufwerk mit den Daten von Timbre Speicherplatz frei. Bis dahin wird nichts gesendet, und nichts geht verloren.',
        jobsWait(jobs),
      ),
  },
  uncertain: {
    title: (name) => `Eine Antwort von ${name} ging verloren`,
    text: ({ jobs }) => sentences('Angehalten, bis Sie fortsetzen.', jobsWait(jobs)),
  },
  quitting: {
    title: (n) => count(n, { one: '# Aufnahme ist nicht fertig', other: '# Aufnahmen sind nicht fertig' }),
    lead: (n) =>
      n === 1
        ? 'Sie wird fortgesetzt, wenn Sie Timbre wieder öffnen.'
        : 'Sie werden fortgesetzt, wenn Sie Timbre wieder öffnen.',
    unanswered: (n) =>
      count(n, {
        one: 'Der Dienst konvertiert gerade # davon. Wenn Sie jetzt beenden, geht die Antwort verloren, und Timbre fragt Sie, wie es weitergehen soll.',
        other:
          'Der Dienst konvertiert gerade # davon. Wenn Sie jetzt beenden, gehen die Antworten verloren, und Timbre fragt Sie, wie es weitergehen soll.',
      }),
    quit: 'Beenden',
    quitNow: 'Jetzt beenden',
    wait: (n) => (n === 1 ? 'Abwarten, dann beenden' : 'Alle abwarten, dann beenden'),
    cancel: 'Nicht beenden',
    waiting: (n) =>
      n === 0
        ? 'Die letzten Schritte werden beendet'
        : count(n, { one: 'Warten auf # Antwort', other: 'Warten auf # Antworten' }),
    waitingLead: (n) =>
      n === 0 ? 'Danach wird Timbre beendet.' : `Timbre wird beendet, sobald sie da ${n === 1 ? 'ist' : 'sind'}.`,
  },
};
