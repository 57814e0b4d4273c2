import type { Facts } from '../errors.ts';
import { deBatchProblems } from './de-batch.ts';
import { deDataProblems } from './de-data-problems.ts';
import { deHookProblems } from './de-hook.ts';
import { deHistoryProblems } from './de-history-problems.ts';
import { dePresetProblems } from './de-presets.ts';
import { deWatchProblems } from './de-watch-problems.ts';
import { numberFact, type ProblemTexts, proxyFault, sentences, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('de');

export function cutShort(facts: Facts): string | undefined {
  const promisedSeconds = numberFact(facts, 'promisedSeconds');
  const actualSeconds = numberFact(facts, 'actualSeconds');
  if (promisedSeconds !== undefined && actualSeconds !== undefined) {
    return `Die Datei müsste ${format.clockLength(promisedSeconds)} lang sein, vorhanden sind nur ${format.clockLength(actualSeconds)}.`;
  }
  const promisedBytes = numberFact(facts, 'promisedBytes');
  const actualBytes = numberFact(facts, 'actualBytes');
  if (promisedBytes === undefined || actualBytes === undefined) return undefined;
  return `Die Datei müsste ${format.bytes(promisedBytes)} groß sein, vorhanden sind nur ${format.bytes(actualBytes)}.`;
}

function arrived(facts: Facts): string | undefined {
  const promised = numberFact(facts, 'promisedBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (promised === undefined || actual === undefined) return undefined;
  const [part, whole] = format.bytesPair(actual, promised);
  return `Nur ${part} von ${whole} sind angekommen.`;
}

function tooLarge(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitBytes');
  const actual = numberFact(facts, 'actualBytes');
  if (limit === undefined) return undefined;
  return actual === undefined
    ? `Erlaubt sind höchstens ${format.bytes(limit)}.`
    : `Erlaubt sind höchstens ${format.bytes(limit)}, diese Datei hat ${format.bytes(actual)}.`;
}

const proxyTitles: Readonly<Record<ReturnType<typeof proxyFault>, string>> = {
  credentials: 'Der Proxy verlangt einen gültigen Namen und ein gültiges Passwort',
  refused: 'Der Proxy hat die Anfrage abgelehnt',
  unreachable: 'Der Proxy ist nicht erreichbar',
  address: 'Die Adresse des Proxys ist ungültig',
  other: 'Über den Proxy kommt keine Verbindung zustande',
};

function statusOf(facts: Facts): string | undefined {
  const status = numberFact(facts, 'status');
  return status === undefined ? undefined : `Die Antwort hatte den Status ${status}.`;
}

function retryLater(facts: Facts): string {
  const seconds = numberFact(facts, 'retryAfterSeconds');
  return seconds === undefined
    ? 'Versuchen Sie es später erneut.'
    : `Versuchen Sie es in ${format.span(seconds)} erneut.`;
}

function spaceOf(facts: Facts): string {
  const needed = numberFact(facts, 'neededBytes');
  return `Geben Sie ${needed === undefined ? 'Speicherplatz' : format.bytes(needed)} frei`;
}

/** How long a text may be, and how long it is. */
export function textLimit(facts: Facts): string | undefined {
  const limit = numberFact(facts, 'limitCharacters');
  const actual = numberFact(facts, 'actualCharacters');
  const limitBytes = numberFact(facts, 'limitBytes');
  if (limitBytes !== undefined) {
    return `Erlaubt sind höchstens ${format.bytes(limitBytes)}, diese Datei hat ${format.bytes(numberFact(facts, 'actualBytes') ?? 0)}.`;
  }
  if (limit === undefined) return undefined;
  return actual === undefined
    ? `Erlaubt sind höchstens ${format.number(limit)} Zeichen.`
    : `Erlaubt sind höchstens ${format.number(limit)} Zeichen, dieser Text hat ${format.number(actual)}.`;
}

/** Woher ffmpeg auf dem System kommt, von dem das Problem stammt. */
export function ffmpegAdvice(facts: Facts): string {
  const system = textFact(facts, 'system');
  if (system === 'win32') return 'Installieren Sie es mit „winget install ffmpeg“ oder von ffmpeg.org.';
  if (system === 'darwin') return 'Installieren Sie es mit „brew install ffmpeg“ oder von ffmpeg.org.';
  return 'Installieren Sie das Paket „ffmpeg“ oder laden Sie es von ffmpeg.org.';
}

export const deProblems: ProblemTexts = {
  'input/missing': () => ({
    title: 'Datei verschoben oder gelöscht',
    advice: 'Legen Sie sie zurück und versuchen Sie es erneut, oder fügen Sie sie vom neuen Ort hinzu.',
  }),
  'input/unreadable': () => ({
    title: 'Diese Datei lässt sich nicht öffnen',
    advice:
      'Vielleicht verwendet sie ein anderes Programm, oder Sie dürfen sie nicht lesen. Prüfen Sie das und versuchen Sie es erneut.',
  }),
  'input/not-a-file': () => ({
    title: 'Das ist keine Datei',
    advice: 'Wählen Sie stattdessen eine gewöhnliche Datei.',
  }),
  'input/empty': () => ({
    title: 'Die Datei ist leer',
    advice: 'Speichern Sie die Aufnahme neu und fügen Sie sie wieder hinzu.',
  }),
  'input/not-audio': () => ({
    title: 'Kein Audio, das Timbre lesen kann',
    advice: 'Speichern Sie die Datei als wav, mp3, flac oder ogg und fügen Sie sie wieder hinzu.',
  }),
  'input/needs-ffmpeg': (facts) => ({
    title: `Für diese Datei (${textFact(facts, 'format') ?? 'Format unbekannt'}) braucht Timbre ffmpeg`,
    advice: sentences(ffmpegAdvice(facts), 'Versuchen Sie es dann noch einmal.'),
  }),
  'input/cut': (facts) => ({
    title: 'Die Aufnahme ist unvollständig',
    advice: sentences(cutShort(facts), 'Speichern Sie sie neu und versuchen Sie es erneut.'),
  }),
  'input/changed': () => ({
    title: 'Die Datei wurde nach dem Hinzufügen geändert',
    advice: 'Versuchen Sie es erneut, um sie so zu konvertieren, wie sie jetzt ist.',
  }),
  'input/no-audio-in-folder': () => ({
    title: 'In diesem Ordner sind keine Aufnahmen',
    advice: 'Fügen Sie einen Ordner mit wav-, mp3-, flac-, ogg- oder m4a-Dateien hinzu.',
  }),
  'input/text-empty': (facts) => {
    const file = textFact(facts, 'file');
    return file === undefined
      ? {
          title: 'Kein Text zum Sprechen',
          advice: 'Geben Sie Text ein oder fügen Sie welchen ein, und versuchen Sie es erneut.',
        }
      : {
          title: `Kein Text zum Sprechen in ${file}`,
          advice: 'Schreiben Sie etwas in die Datei und öffnen Sie sie noch einmal.',
        };
  },
  'input/too-long': (facts) => {
    const limit = numberFact(facts, 'limitSeconds');
    const actual = numberFact(facts, 'actualSeconds');
    return {
      title: 'Zu lang für diesen Dienst',
      advice: sentences(
        limit === undefined ? undefined : `Erlaubt sind höchstens ${format.clockLength(limit)}.`,
        actual === undefined ? undefined : `Diese Aufnahme dauert ${format.clockLength(actual)}.`,
        'Teilen Sie sie auf, oder wählen Sie einen anderen Dienst.',
      ),
    };
  },
  'input/text-too-long': (facts) => ({
    title:
      numberFact(facts, 'limitBytes') === undefined ? 'Der Text ist zu lang für diesen Dienst' : 'Der Text ist zu lang',
    advice: sentences(textLimit(facts), 'Teilen Sie ihn auf.'),
  }),
  'input/not-text': (facts) => ({
    title: `${textFact(facts, 'file') ?? 'Diese Datei'} ist kein reiner Text`,
    advice: 'Speichern Sie sie als reinen Text in UTF-8 und öffnen Sie sie noch einmal.',
  }),
  'input/subtitle-times': (facts) => ({
    title: `Die Zeiten in Zeile ${textFact(facts, 'lines') ?? '?'} sind nicht lesbar`,
    advice: 'Schreiben Sie sie wie „00:01:02,500 --> 00:01:04,000“ und versuchen Sie es erneut.',
  }),
  'voice/missing': () => ({
    title: 'Keine Stimme ausgewählt',
    advice: 'Wählen Sie eine Stimme und fügen Sie die Aufnahme wieder hinzu.',
  }),
  'voice/not-found': (facts) => ({
    title: 'Diese Stimme ist nicht mehr verfügbar',
    advice: `Die Verbindung bietet ${textFact(facts, 'name') ?? 'sie'} nicht mehr an. Wählen Sie eine andere Stimme und fügen Sie die Aufnahme wieder hinzu.`,
  }),
  'pronunciation/damaged': () => ({
    title: 'Die Ausspracheliste lässt sich nicht lesen',
    advice:
      'Ihre Datei pronunciations.json im Datenordner ist beschädigt. Reparieren oder löschen Sie sie und lassen Sie dann erneut vorlesen.',
  }),
  'pronunciation/not-a-lexicon': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Die Datei'} ist kein gültiges Aussprachelexikon`,
    advice: `Korrigieren Sie Zeile ${numberFact(facts, 'line') ?? 1} und importieren Sie die Datei erneut. Ihre Liste ist unverändert.`,
  }),
  'pronunciation/too-many': (facts) => ({
    title: 'Die Ausspracheliste ist zu lang',
    advice: `Sie kann ${numberFact(facts, 'count') ?? 2000} Wörter enthalten. Ihre Liste ist unverändert.`,
  }),
  'pronunciation/too-long': (facts) => ({
    title: `Die Aussprache von „${textFact(facts, 'word') ?? 'einem Wort'}“ ist zu lang für diesen Dienst`,
    advice: `Die Grenze sind ${format.count(numberFact(facts, 'limit') ?? 0, { one: '# Zeichen', other: '# Zeichen' })}. Kürzen Sie sie, oder wählen Sie einen anderen Dienst.`,
  }),
  'voice/speaker-not-found': (facts) => ({
    title: `Die Stimme von ${textFact(facts, 'name') ?? 'einer Sprechrolle'} ist nicht verfügbar`,
    advice: `Die Verbindung bietet ${textFact(facts, 'voice') ?? 'sie'} nicht an. Wählen Sie für diese Sprechrolle eine andere Stimme.`,
  }),
  'output/not-writable': () => ({
    title: 'Das Ergebnis lässt sich dort nicht speichern',
    advice:
      'Erlauben Sie das Schreiben in den Ordner und versuchen Sie es erneut, oder wählen Sie für die nächsten Aufnahmen einen anderen.',
  }),
  'output/disk-full': (facts) => ({
    title: 'Das Laufwerk ist voll',
    advice: `${spaceOf(facts)} und versuchen Sie es erneut.`,
  }),
  'output/folder-missing': (facts) => ({
    title: 'Der Ordner für das Ergebnis ist nicht mehr da',
    advice: `Schließen Sie das Laufwerk mit ${textFact(facts, 'folder') ?? 'dem Ordner'} wieder an oder legen Sie den Ordner neu an, und versuchen Sie es erneut.`,
  }),
  'output/failed': () => ({
    title: 'Das Ergebnis wurde nicht gespeichert',
    advice: 'Prüfen Sie, ob das Laufwerk angeschlossen ist, und versuchen Sie es erneut.',
  }),
  'template/empty': () => ({
    title: 'Ein Teil dieses Musters ist leer',
    advice: 'Vor, zwischen und nach den Schrägstrichen muss etwas stehen.',
  }),
  'template/unknown-field': () => ({
    title: 'Dieses Muster enthält ein unbekanntes Feld',
    advice: 'Verwenden Sie {name}, {voice}, {connection}, {language}, {date} oder {time}.',
  }),
  'template/outside': () => ({
    title: 'Dieses Muster führt aus dem Ordner hinaus',
    advice: 'Entfernen Sie den Schrägstrich am Anfang, das Laufwerk und Teile aus Punkten.',
  }),
  'system/too-many-files': () => ({
    title: 'Zu viele Dateien sind geöffnet',
    advice:
      'Schließen Sie andere Programme, oder erhöhen Sie das Limit des Systems für geöffnete Dateien, und versuchen Sie es erneut.',
  }),
  'system/login-item': (facts) => ({
    title: 'Was bei der Anmeldung geöffnet wird, lässt sich nicht ändern',
    advice: `Erlauben Sie das Schreiben in ${textFact(facts, 'folder') ?? 'Ihren Konfigurationsordner'} und versuchen Sie es erneut.`,
  }),
  'system/power-refused': (facts) => ({
    title:
      textFact(facts, 'action') === 'shut-down'
        ? 'Das System hat Timbre nicht erlaubt, diesen Computer herunterzufahren'
        : 'Das System hat Timbre nicht erlaubt, diesen Computer in den Ruhezustand zu versetzen',
    advice: sentences(
      textFact(facts, 'said') === undefined ? undefined : `Es meldet: „${textFact(facts, 'said') ?? ''}“`,
      'Ihre Arbeit ist erledigt. Verwenden Sie stattdessen das Menü des Systems.',
    ),
  }),
  'network/unreachable': () => ({
    title: 'Der Dienst ist nicht erreichbar',
    advice: 'Prüfen Sie Ihre Netzwerkverbindung und versuchen Sie es erneut.',
  }),
  'network/timeout': () => ({
    title: 'Der Dienst hat nicht rechtzeitig geantwortet',
    advice: 'Versuchen Sie es später erneut.',
  }),
  'network/cut': () => ({
    title: 'Die Verbindung wurde unterbrochen',
    advice: 'Prüfen Sie Ihre Netzwerkverbindung und versuchen Sie es erneut.',
  }),
  'network/insecure': (facts) => {
    const host = textFact(facts, 'resultHost');
    if (host === undefined) {
      return {
        title: 'Die Verbindung ist nicht sicher',
        advice:
          'Das Zertifikat des Dienstes ist nicht vertrauenswürdig, darum wurde nichts gesendet. Prüfen Sie die Adresse.',
      };
    }
    return {
      title: 'Das Ergebnis liegt an keiner sicheren Adresse',
      advice: `Der Dienst hat seine Arbeit getan, aber Timbre lädt nichts von ${host}, wo andere das Ergebnis mitlesen oder austauschen könnten. Bitten Sie den Betreiber des Dienstes um https-Adressen.`,
    };
  },
  'network/offline-mode': () => ({
    title: 'Sie arbeiten offline',
    advice:
      'Es wurde nichts gesendet. Schalten Sie „Offline arbeiten“ in den Einstellungen aus und versuchen Sie es erneut.',
  }),
  'network/proxy': (facts) => ({
    title: proxyTitles[proxyFault(facts)],
    advice: sentences(
      statusOf(facts),
      proxyFault(facts) === 'credentials'
        ? 'Nehmen Sie beides in die Adresse des Proxys auf, etwa http://name:passwort@host:port, in den Einstellungen von Timbre oder des Systems, und versuchen Sie es erneut.'
        : 'Prüfen Sie die Adresse des Proxys in den Einstellungen von Timbre oder des Systems und versuchen Sie es erneut.',
    ),
  }),
  'service/refused': (facts) => ({
    title: tooLarge(facts) === undefined ? 'Der Dienst hat die Anfrage abgelehnt' : 'Zu groß für diesen Dienst',
    advice: sentences(
      tooLarge(facts),
      statusOf(facts),
      'Ändern Sie die Aufnahme, den Text oder die Einstellungen und versuchen Sie es erneut.',
    ),
  }),
  'service/not-found': () => ({
    title: 'Der Dienst findet das nicht',
    advice:
      'Vielleicht wurde es dort gelöscht, oder die Adresse der Verbindung ist unvollständig. Prüfen Sie sie und versuchen Sie es erneut.',
  }),
  'ffmpeg/wrong-program': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'Dieses Programm'} ist nicht ffmpeg`,
    advice: 'Wählen Sie das Programm selbst. Es heißt ffmpeg, unter Windows ffmpeg.exe.',
  }),
  'service/format': (facts) => ({
    title: 'Der Dienst nimmt dieses Format nicht an',
    advice: `Er nimmt ${textFact(facts, 'taken') ?? 'andere'}. Speichern Sie die Aufnahme in einem davon oder wählen Sie einen anderen Dienst.`,
  }),
  'service/too-large': (facts) => ({
    title: 'Zu groß für diesen Dienst',
    advice: sentences(
      tooLarge(facts),
      'Konvertieren Sie die Aufnahme auf diesem Computer, oder senden Sie eine kürzere.',
    ),
  }),
  'service/not-understood': (facts) => ({
    title: 'Unerwartete Antwort vom Dienst',
    advice: sentences(statusOf(facts), 'Prüfen Sie die Verbindung und versuchen Sie es erneut.'),
  }),
  'service/endless-list': () => ({
    title: 'Die Liste des Dienstes nimmt kein Ende',
    advice: 'Sie sehen, was bisher ankam. Melden Sie das dem Betreiber des Dienstes.',
  }),
  'service/redirected': () => ({
    title: 'Der Dienst leitet auf eine andere Adresse um',
    advice:
      'Timbre folgt der Umleitung nicht, weil auch Ihre Aufnahme dorthin ginge. Prüfen Sie die Adresse der Verbindung.',
  }),
  'service/unavailable': (facts) => ({
    title: 'Der Dienst ist nicht verfügbar',
    advice: sentences(statusOf(facts), retryLater(facts)),
  }),
  'service/result-gone': () => ({
    title: 'Der Dienst hat das Ergebnis nicht mehr',
    advice: 'Konvertieren Sie erneut, um ein neues zu erhalten. Das kann noch einmal etwas kosten.',
  }),
  'service/result-incomplete': (facts) => ({
    title: 'Das Ergebnis kam unvollständig an',
    advice: sentences(arrived(facts), 'Versuchen Sie erneut, es herunterzuladen.'),
  }),
  'service/result-not-audio': () => ({
    title: 'Das Ergebnis ist kein Audio',
    advice: 'Es wurde nicht gespeichert. Versuchen Sie es erneut.',
  }),
  'service/no-audio': () => ({
    title: 'Die Antwort des Dienstes enthält kein Audio',
    advice:
      'Prüfen Sie in den Einstellungen der Verbindung, wie Sprache geliefert wird. Die Antwort steht bei diesem Fehler.',
  }),
  'service/uncertain': () => ({
    title: 'Vielleicht ist dies schon konvertiert',
    advice: 'Die Antwort ging verloren. Erneutes Konvertieren kann noch einmal etwas kosten.',
  }),
  'service/may-charge': () => ({
    title: 'Abgebrochen, kann aber trotzdem etwas kosten',
    advice: 'Die Anfrage war schon gesendet. Erneutes Konvertieren kann noch einmal etwas kosten.',
  }),
  'auth/missing': (facts) => {
    const origin = textFact(facts, 'origin');
    if (origin === undefined) {
      return {
        title: 'Dieser Verbindung fehlt ein Token',
        advice: 'Geben Sie eines ein und versuchen Sie es erneut.',
      };
    }
    return {
      title: `Das Token wurde nicht für ${origin} eingegeben`,
      advice: 'Es wurde nicht dorthin gesendet. Wenn die Adresse stimmt, geben Sie das Token noch einmal ein.',
    };
  },
  'auth/refused': () => ({
    title: 'Der Dienst hat das Token abgelehnt',
    advice: 'Geben Sie ein neues ein und versuchen Sie es erneut.',
  }),
  'auth/forbidden': () => ({
    title: 'Der Dienst verweigert den Zugriff',
    advice:
      'Vielleicht lassen Ihr Tarif oder die Stimme das nicht zu, oder eine Firewall blockiert es. Klären Sie das mit dem Dienst und versuchen Sie es erneut.',
  }),
  'auth/portable': () => ({
    title: 'Portable Daten enthalten keine Token',
    advice: 'Speichern Sie das Token im Schlüsselbund dieses Computers, oder behalten Sie es für diese Sitzung.',
  }),
  'quota/used-up': () => ({
    title: 'Ihr Guthaben ist aufgebraucht',
    advice: 'Laden Sie Ihr Konto beim Dienst auf und versuchen Sie es erneut.',
  }),
  'rate/limited': (facts) => ({ title: 'Der Dienst bittet um eine Pause', advice: retryLater(facts) }),
  'engine/not-started': () => ({
    title: 'Die Stimm-Engine ist nicht gestartet',
    advice: 'Versuchen Sie es erneut. Wenn das nicht hilft, schließen Sie Timbre und öffnen Sie es wieder.',
  }),
  'connection/invalid': () => ({
    title: 'Die Angaben der Verbindung sind ungültig',
    advice: 'Prüfen Sie ihre Adressen und übrigen Felder und versuchen Sie es erneut.',
  }),
  'connection/not-found': () => ({
    title: 'Diese Verbindung gibt es nicht mehr',
    advice: 'Fügen Sie die Aufnahme mit einer anderen Verbindung wieder hinzu.',
  }),
  'connection/name-taken': () => ({
    title: 'Eine Verbindung mit diesem Namen gibt es schon',
    advice: 'Wählen Sie einen anderen Namen.',
  }),
  'connection/in-use': () => ({
    title: 'Aufträge dieser Verbindung sind noch nicht fertig',
    advice: 'Warten Sie sie ab oder brechen Sie sie ab, und entfernen Sie dann die Verbindung.',
  }),
  'input/more-found': () => ({
    title: 'Es wurden mehr Aufnahmen gefunden, als Sie bestätigt haben',
    advice: 'Nichts wurde hinzugefügt. Fügen Sie sie noch einmal hinzu.',
  }),
  'settings/unreadable': (facts) => {
    const name = textFact(facts, 'name');
    return {
      title: 'Die Einstellungen lassen sich nicht lesen',
      advice: sentences(
        'Ihre Aufnahmen sind sicher.',
        name === undefined
          ? 'Versuchen Sie es erneut, oder schließen Sie Timbre und öffnen Sie es wieder.'
          : `${name} ist keine Datei. Benennen Sie es um oder entfernen Sie es, und versuchen Sie es erneut.`,
      ),
    };
  },
  'settings/damaged': (facts) => ({
    title: 'Die Einstellungen waren beschädigt',
    advice: sentences(
      `Sie bleiben als ${textFact(facts, 'name') ?? 'Kopie'} erhalten, und die Standardeinstellungen gelten.`,
      'Timbre arbeitet offline, bis Sie es ändern, falls Sie offline oder über einen Proxy gearbeitet haben.',
    ),
  }),
  ...deBatchProblems,
  ...deDataProblems,
  ...deHookProblems,
  ...deWatchProblems,
  ...deHistoryProblems,
  ...dePresetProblems,
  'dialog/failed': () => ({
    title: 'Der Dateidialog des Systems hat sich nicht geöffnet',
    advice: 'Ziehen Sie Dateien oder Ordner auf das Fenster, oder fügen Sie sie ein.',
  }),
  'job/not-found': () => ({
    title: 'Das steht nicht mehr in der Liste',
    advice: 'Fügen Sie die Aufnahme wieder hinzu.',
  }),
  'job/cancelled': () => ({ title: 'Abgebrochen', advice: 'Das Original ist unverändert.' }),
  'request/invalid': () => ({
    title: 'Dieser Wert ist nicht zulässig',
    advice: 'Ändern Sie die Einstellungen und versuchen Sie es erneut.',
  }),
  'request/unknown': () => ({
    title: 'Das kann diese Version von Timbre nicht',
    advice: 'Schließen Sie Timbre und öffnen Sie es wieder.',
  }),
  internal: () => ({
    title: 'In Timbre ist etwas schiefgegangen',
    advice:
      'Ihre Aufnahmen sind sicher. Versuchen Sie es erneut, oder starten Sie Timbre neu. Die Diagnose zeigt das Protokoll.',
  }),
};
