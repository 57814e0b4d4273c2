import type { enQueue } from './en-queue.ts';
import { sentences } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');
const { count } = format;

const tried = (n: number) => count(n, { one: 'einmal versucht', other: '#-mal versucht' });
const jobsWait = (n: number) =>
  n > 0 ? count(n, { one: '# Auftrag wartet.', other: '# Aufträge warten.' }) : undefined;
const uploadsKept = (n: number) =>
  n > 0
    ? count(n, {
        one: '# Aufnahme ist schon hochgeladen, bezahlt wurde nichts.',
        other: '# Aufnahmen sind schon hochgeladen, bezahlt wurde nichts.',
      })
    : undefined;
const resultsWait = (n: number) =>
  n > 0 ? count(n, { one: '# Ergebnis wartet beim Dienst.', other: '# Ergebnisse warten beim Dienst.' }) : undefined;
const again = (at: string | null) => (at === null ? 'Der nächste Versuch läuft.' : `Nächster Versuch um ${at}.`);
const space = (bytes: number | undefined) =>
  bytes === undefined ? 'Platz schaffen' : `${format.bytes(bytes)} frei machen`;

export const deQueue: typeof enQueue = {
  sound: (seconds) => `${format.length(seconds)} Ton`,
  left: (seconds) => `noch\u00a0etwa\u00a0${format.length(seconds)}`,
  pause: 'Anhalten',
  goOn: 'Weitermachen',
  tryNow: 'Jetzt versuchen',
  tryAll: (n) => `${format.number(n)} erneut versuchen`,
  moved: (name, place, all) => `${name} ist jetzt ${format.number(place)}. von ${format.number(all)} wartenden`,
  requeued: (name) => `${name} ist wieder in der Warteschlange`,
  convertNext: 'Als Nächstes konvertieren',
  convertNextOf: (name) => `${name} als Nächstes konvertieren`,
  pauses: 'Was die Warteschlange aufhält',
  text: 'Text',
  uploadsNext: 'Hochladen folgt',
  convertsNext: 'Konvertieren folgt',
  savesNext: 'Speichern folgt',
  triesAgain: (at, attempts) =>
    `${at === null ? 'Nächster Versuch gleich' : `Nächster Versuch um ${at}`}, ${tried(attempts)}`,
  waitsFor: {
    offline: 'auf das Netz',
    token: 'auf das Token',
    quota: 'auf das Guthaben',
    rate: 'auf den Dienst',
    disk: 'auf freien Platz',
    data: 'auf das Datenlaufwerk',
    uncertain: 'auf eine Entscheidung',
  },
  person: {
    title: 'Angehalten',
    text: ({ jobs, running }) =>
      sentences(running > 0 ? 'Was läuft, macht seinen Schritt zu Ende.' : undefined, jobsWait(jobs)),
  },
  offline: {
    title: (name) => `Kein Netz zu ${name}`,
    text: ({ jobs, at, others }) =>
      sentences(
        count(jobs, {
          one: '# Auftrag wartet und geht von selbst weiter.',
          other: '# Aufträge warten und gehen von selbst weiter.',
        }),
        again(at),
        others.length > 0
          ? `${format.list(others)} ${others.length === 1 ? 'konvertiert' : 'konvertieren'} weiter.`
          : undefined,
      ),
  },
  token: {
    title: (name) => `${name} hat das Token abgelehnt`,
    missing: (name) => `Für ${name} fehlt ein Token`,
    elsewhere: (name, origin) => `Das Token von ${name} wurde nicht für ${origin} eingegeben`,
    allow: 'Dorthin senden',
    text: ({ jobs, uploads, results }) => sentences(jobsWait(jobs), resultsWait(results) ?? uploadsKept(uploads)),
  },
  quota: {
    title: (name) => `Das Guthaben bei ${name} ist verbraucht`,
    forbidden: (name) => `Das Konto bei ${name} darf dies nicht`,
    text: ({ jobs, uploads, at }) => sentences(jobsWait(jobs), uploadsKept(uploads), again(at)),
  },
  rate: {
    title: (name, seconds) =>
      `${name} bittet um eine Pause${seconds === undefined ? '' : ` von ${format.span(seconds)}`}`,
    unavailable: (name) => `${name} ist gerade nicht verfügbar`,
    text: ({ at }) => (at === null ? 'Es geht weiter.' : `Weiter um ${at}.`),
  },
  disk: {
    title: 'Der Datenträger ist voll',
    text: ({ jobs, results, neededBytes }) =>
      sentences(
        resultsWait(results) ?? jobsWait(jobs),
        results > 0
          ? `${space(neededBytes)}, dann ${results === 1 ? 'wird es' : 'werden sie'} gespeichert.`
          : `${space(neededBytes)}, dann geht es von selbst weiter.`,
      ),
  },
  data: {
    title: 'Timbre kann sein Verzeichnis nicht speichern',
    text: ({ jobs }) =>
      sentences(
        'Auf dem Laufwerk mit den Daten von Timbre Platz schaffen. Bis dahin wird nichts gesendet und nichts geht verloren.',
        jobsWait(jobs),
      ),
  },
  uncertain: {
    title: (name) => `Eine Antwort von ${name} ging verloren`,
    text: ({ jobs }) => sentences('Dorthin geht nichts mehr, bis hier weitergemacht wird.', jobsWait(jobs)),
  },
  leaving: {
    title: (n) => count(n, { one: '# Aufnahme ist nicht fertig', other: '# Aufnahmen sind nicht fertig' }),
    lead: (n) =>
      n === 1
        ? 'Beim nächsten Öffnen macht Timbre damit weiter.'
        : 'Beim nächsten Öffnen macht Timbre mit ihnen weiter.',
    atService: (n) =>
      count(n, {
        one: '# wird gerade vom Dienst konvertiert. Wer jetzt beendet, verliert die Antwort: Timbre fragt dann danach.',
        other:
          '# werden gerade vom Dienst konvertiert. Wer jetzt beendet, verliert die Antworten: Timbre fragt dann danach.',
      }),
    quit: 'Beenden',
    quitNow: 'Jetzt beenden',
    wait: (n) => (n === 1 ? 'Abwarten, dann beenden' : 'Alle abwarten, dann beenden'),
    stay: 'Bleiben',
    waiting: (n) =>
      n === 0
        ? 'Die letzten Schritte enden'
        : count(n, { one: 'Noch # Antwort steht aus', other: 'Noch # Antworten stehen aus' }),
    waitingLead: (n) =>
      n === 0 ? 'Danach beendet sich Timbre.' : `Timbre beendet sich, wenn sie da ${n === 1 ? 'ist' : 'sind'}.`,
  },
};
