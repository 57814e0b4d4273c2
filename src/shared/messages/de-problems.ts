import type { Facts } from '../errors.ts';
import { deDataProblems } from './de-data-problems.ts';
import { deHistoryProblems } from './de-history-problems.ts';
import { deWatchProblems } from './de-watch-problems.ts';
import { numberFact, type ProblemTexts, sentences, textFact } from './facts.ts';
import { formatFor } from './format.ts';

const format = formatFor('de');

export function cutShort(facts: Facts): string | undefined {
  const promisedSeconds = numberFact(facts, 'promisedSeconds');
  const actualSeconds = numberFact(facts, 'actualSeconds');
  if (promisedSeconds !== undefined && actualSeconds !== undefined) {
    return `Der Dateikopf verspricht ${format.clockLength(promisedSeconds)}, angekommen sind nur ${format.clockLength(actualSeconds)}.`;
  }
  const promisedBytes = numberFact(facts, 'promisedBytes');
  const actualBytes = numberFact(facts, 'actualBytes');
  if (promisedBytes === undefined || actualBytes === undefined) return undefined;
  return `Der Dateikopf verspricht ${format.bytes(promisedBytes)}, angekommen sind nur ${format.bytes(actualBytes)}.`;
}

function arrived(facts: Facts): string | undefined {
  const promised = numberFact(facts, 'promisedBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (promised === undefined || actual === undefined) return undefined;
  const [part, whole] = format.bytesPair(actual, promised);
  return `${part} von ${whole} sind da.`;
}

function tooLarge(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (limit === undefined) return undefined;
  const takes = `Er nimmt höchstens ${format.bytes(limit)}`;
  return actual === undefined ? `${takes}.` : `${takes}, diese Datei hat ${format.bytes(actual)}.`;
}

function statusOf(facts: Facts): string | undefined {
  const status = numberFact(facts, 'status');
  return status === undefined ? undefined : `Er hat mit Status ${status} geantwortet.`;
}

function pauseOf(facts: Facts): string | undefined {
  const seconds = numberFact(facts, 'retryAfterSeconds');
  return seconds === undefined ? undefined : `Er bittet um eine Pause von ${format.span(seconds)}.`;
}

function spaceOf(facts: Facts): string {
  const needed = numberFact(facts, 'neededBytes');
  return needed === undefined ? 'Platz schaffen' : `${format.bytes(needed)} frei machen`;
}

function lengthOf(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitCharacters');
  const actual = numberFact(facts, 'actualCharacters');
  if (limit === undefined) return undefined;
  const takes = `Er nimmt höchstens ${format.number(limit)} Zeichen`;
  return actual === undefined ? `${takes}.` : `${takes}, dieser hat ${format.number(actual)}.`;
}

export const deProblems: ProblemTexts = {
  'input/missing': () => ({
    title: 'Datei verschoben oder gelöscht',
    advice: 'Zurücklegen und erneut versuchen, oder vom neuen Ort hinzufügen.',
  }),
  'input/unreadable': () => ({
    title: 'Diese Datei lässt sich nicht öffnen',
    advice: 'Vielleicht hält ein anderes Programm sie fest, oder das Leserecht fehlt. Danach erneut versuchen.',
  }),
  'input/not-a-file': () => ({
    title: 'Das ist keine Datei',
    advice: 'Die Aufnahme selbst oder ihren Ordner hinzufügen.',
  }),
  'input/empty': () => ({ title: 'Die Datei ist leer', advice: 'Die Aufnahme neu speichern und wieder hinzufügen.' }),
  'input/not-audio': () => ({
    title: 'Kein Ton, den Timbre lesen kann',
    advice: 'Als wav, mp3, flac oder ogg speichern und wieder hinzufügen.',
  }),
  'input/cut': (facts) => ({
    title: 'Die Aufnahme bricht zu früh ab',
    advice: sentences(cutShort(facts), 'Neu speichern, dann erneut versuchen.'),
  }),
  'input/changed': () => ({
    title: 'Die Datei wurde inzwischen geändert',
    advice: 'Erneut versuchen, um sie so zu konvertieren, wie sie jetzt ist.',
  }),
  'input/no-audio-in-folder': () => ({
    title: 'In diesem Ordner sind keine Aufnahmen',
    advice: 'Einen Ordner mit wav-, mp3-, flac-, ogg- oder m4a-Dateien hinzufügen.',
  }),
  'input/text-empty': () => ({
    title: 'Es gibt keinen Text zu sprechen',
    advice: 'Einen schreiben oder einfügen, dann erneut versuchen.',
  }),
  'input/too-long': (facts) => {
    const limit = numberFact(facts, 'limitSeconds');
    const actual = numberFact(facts, 'actualSeconds');
    return {
      title: 'Länger, als dieser Dienst annimmt',
      advice: sentences(
        limit === undefined ? undefined : `Er nimmt höchstens ${format.clockLength(limit)}.`,
        actual === undefined ? undefined : `Diese Aufnahme dauert ${format.clockLength(actual)}.`,
        'In Teile schneiden oder einen anderen Dienst wählen.',
      ),
    };
  },
  'input/text-too-long': (facts) => ({
    title: 'Der Text ist zu lang für diesen Dienst',
    advice: sentences(lengthOf(facts), 'In mehrere Stücke teilen.'),
  }),
  'input/not-text': () => ({
    title: 'Diese Datei ist kein reiner Text',
    advice: 'Speichern Sie sie als reinen Text in UTF-8 und öffnen Sie sie noch einmal.',
  }),
  'voice/missing': () => ({
    title: 'Keine Stimme gewählt',
    advice: 'Eine Stimme wählen und die Aufnahme wieder hinzufügen.',
  }),
  'voice/not-found': (facts) => {
    const name = textFact(facts, 'name');
    const gone = name === undefined ? 'Die Verbindung bietet sie nicht mehr an.' : `${name} wird nicht mehr angeboten.`;
    return {
      title: 'Diese Stimme gibt es nicht mehr',
      advice: `${gone} Eine andere wählen und die Aufnahme wieder hinzufügen.`,
    };
  },
  'output/not-writable': () => ({
    title: 'Dort lässt sich das Ergebnis nicht speichern',
    advice: 'Das Schreiben in den Ordner erlauben und erneut versuchen, oder für die nächsten einen anderen wählen.',
  }),
  'output/disk-full': (facts) => ({
    title: 'Der Datenträger ist voll',
    advice: `${spaceOf(facts)}, dann erneut versuchen.`,
  }),
  'output/failed': () => ({
    title: 'Das Ergebnis wurde nicht gespeichert',
    advice: 'Prüfen, ob der Datenträger da ist, dann erneut versuchen.',
  }),
  'template/empty': () => ({
    title: 'In diesem Muster fehlt ein Name',
    advice: 'Vor, zwischen und nach den Schrägstrichen muss etwas stehen.',
  }),
  'template/unknown-field': () => ({
    title: 'Ein Feld in diesem Muster ist unbekannt',
    advice: 'Es gibt {name}, {voice}, {connection}, {language}, {date} und {time}.',
  }),
  'template/outside': () => ({
    title: 'Dieses Muster führt aus dem Ordner hinaus',
    advice: 'Den Schrägstrich am Anfang, das Laufwerk und Teile aus Punkten weglassen.',
  }),
  'system/too-many-files': () => ({
    title: 'Auf diesem Computer sind zu viele Dateien offen',
    advice: 'Andere Programme schließen, dann erneut versuchen.',
  }),
  'network/unreachable': () => ({
    title: 'Der Dienst ist nicht erreichbar',
    advice: 'Das Netz prüfen, dann erneut versuchen.',
  }),
  'network/timeout': () => ({
    title: 'Der Dienst hat nicht rechtzeitig geantwortet',
    advice: 'In einer Weile erneut versuchen.',
  }),
  'network/cut': () => ({ title: 'Das Netz ist abgerissen', advice: 'Das Netz prüfen, dann erneut versuchen.' }),
  'network/insecure': () => ({
    title: 'Die Verbindung ist nicht sicher',
    advice: 'Dem Zertifikat des Dienstes war nicht zu trauen, darum wurde nichts gesendet. Die Adresse prüfen.',
  }),
  'network/proxy': (facts) => ({
    title: 'Der Proxy hat das nicht durchgelassen',
    advice: sentences(
      statusOf(facts),
      'Die Adresse des Proxys in den Einstellungen oder im System prüfen, dann noch einmal versuchen.',
    ),
  }),
  'service/refused': (facts) => ({
    title: tooLarge(facts) === undefined ? 'Der Dienst hat abgelehnt' : 'Zu groß für diesen Dienst',
    advice: sentences(
      tooLarge(facts),
      statusOf(facts),
      'Die Aufnahme, den Text oder die Einstellungen ändern, dann erneut versuchen.',
    ),
  }),
  'service/not-found': () => ({
    title: 'Der Dienst hat das nicht',
    advice:
      'Vielleicht ist es dort gelöscht, oder die Adresse der Verbindung ist unvollständig. Prüfen, dann erneut versuchen.',
  }),
  'service/too-large': (facts) => ({
    title: 'Zu groß für diesen Dienst',
    advice: sentences(tooLarge(facts), 'Auf diesem Computer umwandeln oder eine kürzere Aufnahme senden.'),
  }),
  'service/not-understood': (facts) => ({
    title: 'Die Antwort des Dienstes ist nicht zu verstehen',
    advice: sentences(statusOf(facts), 'Die Verbindung prüfen, dann erneut versuchen.'),
  }),
  'service/endless-list': () => ({
    title: 'Die Liste des Dienstes hat kein Ende',
    advice: 'Was bis dahin kam, ist zu sehen. Dem Betreiber des Dienstes Bescheid sagen.',
  }),
  'service/redirected': () => ({
    title: 'Der Dienst verweist auf eine andere Adresse',
    advice: 'Timbre folgt ihr nicht, denn die Aufnahme ginge mit dorthin. Die Adresse der Verbindung prüfen.',
  }),
  'service/unavailable': (facts) => ({
    title: 'Der Dienst ist nicht verfügbar',
    advice: sentences(statusOf(facts), pauseOf(facts), 'In einer Weile erneut versuchen.'),
  }),
  'service/result-gone': () => ({
    title: 'Der Dienst hat das Ergebnis nicht mehr',
    advice: 'Noch einmal konvertieren ergibt ein neues und kostet vielleicht ein zweites Mal.',
  }),
  'service/result-incomplete': (facts) => ({
    title: 'Das Ergebnis kam unvollständig an',
    advice: sentences(arrived(facts), 'Erneut versuchen, um es zu holen.'),
  }),
  'service/result-not-audio': () => ({
    title: 'Das Ergebnis ist kein Ton',
    advice: 'Es wurde nicht gespeichert. Erneut versuchen.',
  }),
  'service/no-audio': () => ({
    title: 'In der Antwort des Dienstes ist kein Ton',
    advice: 'In der Verbindung prüfen, wie Sprache geliefert wird. Die Antwort steht daneben.',
  }),
  'service/uncertain': () => ({
    title: 'Der Dienst hat dies vielleicht konvertiert',
    advice: 'Die Antwort ging verloren. Noch einmal konvertieren kostet vielleicht doppelt.',
  }),
  'service/may-charge': () => ({
    title: 'Abgebrochen, aber der Dienst berechnet es vielleicht',
    advice: 'Die Anfrage war schon unterwegs. Noch einmal umwandeln kann doppelt kosten.',
  }),
  'auth/missing': (facts) => {
    const origin = textFact(facts, 'origin');
    if (origin === undefined) {
      return { title: 'Dieser Verbindung fehlt ein Token', advice: 'Eines eingeben, dann erneut versuchen.' };
    }
    return {
      title: `Das Token wurde nicht für ${origin} eingegeben`,
      advice: 'Es wurde nicht dorthin gesendet. Ist die Adresse richtig, das Token erneut eingeben.',
    };
  },
  'auth/refused': () => ({
    title: 'Der Dienst hat das Token abgelehnt',
    advice: 'Ein neues eingeben, dann erneut versuchen.',
  }),
  'auth/forbidden': () => ({
    title: 'Das Konto darf dies nicht',
    advice: 'Beim Dienst freischalten lassen, dann erneut versuchen.',
  }),
  'quota/used-up': () => ({
    title: 'Das Guthaben ist verbraucht',
    advice: 'Beim Dienst aufladen, dann erneut versuchen.',
  }),
  'rate/limited': (facts) => ({
    title: 'Der Dienst bittet um eine Pause',
    advice: sentences(pauseOf(facts), 'Danach erneut versuchen.'),
  }),
  'engine/not-started': () => ({
    title: 'Der Stimmen-Motor ist nicht gestartet',
    advice: 'Erneut versuchen. Hilft das nicht, Timbre schließen und wieder öffnen.',
  }),
  'connection/invalid': () => ({
    title: 'Die Angaben der Verbindung sind nicht vollständig',
    advice: 'Die Adressen prüfen, dann erneut versuchen.',
  }),
  'connection/not-found': () => ({
    title: 'Die Verbindung gibt es nicht mehr',
    advice: 'Die Aufnahme mit einer anderen Verbindung wieder hinzufügen.',
  }),
  'connection/name-taken': () => ({
    title: 'Eine Verbindung dieses Namens gibt es schon',
    advice: 'Dieser einen anderen Namen geben.',
  }),
  'connection/in-use': () => ({
    title: 'Aufträge dieser Verbindung sind noch offen',
    advice: 'Abwarten oder abbrechen, dann entfernen.',
  }),
  'settings/unreadable': () => ({
    title: 'Die Einstellungen ließen sich nicht lesen',
    advice: 'Die Aufnahmen sind sicher. Erneut versuchen, oder Timbre schließen und wieder öffnen.',
  }),
  ...deDataProblems,
  ...deWatchProblems,
  ...deHistoryProblems,
  'dialog/failed': () => ({
    title: 'Der Dateidialog des Systems ging nicht auf',
    advice: 'Dateien oder Ordner stattdessen auf das Fenster ziehen oder einfügen.',
  }),
  'job/not-found': () => ({
    title: 'Das steht nicht mehr in der Liste',
    advice: 'Die Aufnahme wieder hinzufügen.',
  }),
  'job/cancelled': () => ({ title: 'Abgebrochen', advice: 'Das Original ist, wie es war.' }),
  'request/invalid': () => ({
    title: 'Dieser Wert wird nicht angenommen',
    advice: 'Die Einstellungen ändern und erneut versuchen.',
  }),
  'request/unknown': () => ({
    title: 'Das kann diese Version von Timbre nicht',
    advice: 'Timbre schließen und wieder öffnen.',
  }),
  internal: () => ({
    title: 'In Timbre ist etwas schiefgegangen',
    advice: 'Die Aufnahmen sind sicher. Erneut versuchen, oder Timbre neu starten. Die Diagnose zeigt das Protokoll.',
  }),
};
