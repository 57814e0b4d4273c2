import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import { type JobInfo, type Pause, pauseReasons } from '../../../../shared/schemas/job.ts';
import { jobOf } from './job.fixture.ts';
import { isRunning } from './jobs.svelte.ts';
import { pauseView } from './pause-view.ts';

const en = await loadMessages('en');
const de = await loadMessages('de');

const now = new Date(2026, 10, 20, 14, 3, 8).getTime();
const at = (seconds: number): number => now + seconds * 1000;
const plain = (text: string): string => text.replace(/\u00a0/g, ' ');
const north = (id: string, state: JobInfo['state'] = 'queued') => jobOf(id, { state, connectionId: 'north' });

function view(pause: Partial<Pause> & Pick<Pause, 'reason'>, jobs: readonly JobInfo[] = [], language = 'en') {
  const { title, text, ...rest } = pauseView(
    { connectionId: 'north', since: 0, resumesAt: null, problem: null, ...pause },
    {
      jobs,
      isRunning: (job) => isRunning(job, undefined),
      nameOf: (id) => (id === 'local' ? 'This computer' : 'Studio North'),
      isPaused: (connectionId) => connectionId === 'north',
      now,
      messages: language === 'de' ? de : en,
    },
  );
  return { ...rest, text: plain(`${title}. ${text}`) };
}

describe('a pause', () => {
  test.each<[string, Partial<Pause> & Pick<Pause, 'reason'>, string | null]>([
    ['a rejected token', { reason: 'token', problem: { code: 'auth/refused' } }, 'enter-token'],
    [
      'a token for another origin, which has a question',
      { reason: 'token', problem: { code: 'auth/missing', facts: { origin: 'https://other.example' } } },
      null,
    ],
    ['no network', { reason: 'offline', problem: { code: 'network/unreachable' } }, 'test-connection'],
    ['a proxy', { reason: 'offline', problem: { code: 'network/proxy' } }, 'change-proxy'],
    ['the offline mode', { reason: 'offline-mode' }, 'go-online'],
    ['a lost response', { reason: 'uncertain', problem: { code: 'service/uncertain' } }, null],
    ['responses without audio', { reason: 'uncertain', problem: { code: 'service/no-audio' } }, 'edit-connection'],
    ['unexpected responses', { reason: 'uncertain', problem: { code: 'service/not-understood' } }, 'test-connection'],
    ['a full disk', { reason: 'disk', problem: { code: 'output/disk-full' } }, 'free-space'],
    ['a missing disk', { reason: 'disk', problem: { code: 'output/folder-missing' } }, 'choose-folder'],
    ['a read-only disk', { reason: 'disk', problem: { code: 'output/not-writable' } }, 'choose-folder'],
    ['data that cannot be saved', { reason: 'data', problem: { code: 'data/not-writable' } }, 'free-space'],
    ['damaged data', { reason: 'data', problem: { code: 'data/damaged' } }, null],
  ])('for %s has what mends it', (_cause, pause, remedy) => {
    expect(view(pause).remedy).toBe(remedy);
  });

  test.each(pauseReasons)('with reason %s has a text in both languages', (reason) => {
    for (const language of ['en', 'de']) {
      const { text } = view({ reason, resumesAt: at(12) }, [north('a'), north('b', 'uploaded')], language);
      expect(text).not.toMatch(/!|please|bitte\b|undefined|NaN|null/);
      expect(text.endsWith('.')).toBe(true);
    }
  });

  test('after results that were of no use says why, and what to do', () => {
    const problem = { code: 'service/no-audio', words: 'On its way.' } as const;
    const { text } = view({ reason: 'uncertain', problem }, [north('a')]);
    expect(text).toMatch(/^The service’s response contains no audio\. Check how speech is delivered .*Paused until/);
    expect(text).toContain('On its way.');
  });

  test('after unexpected responses before anything was paid for says when it tries again', () => {
    const problem = { code: 'service/not-understood' } as const;
    const { text } = view({ reason: 'uncertain', problem, resumesAt: at(12) }, [north('a')]);
    expect(text).toMatch(
      /^Unexpected response from the service\. Check the connection, then try again\. Next try at .*waiting/,
    );
  });

  test('for a certificate or a proxy says so', () => {
    const insecure = { code: 'network/insecure', facts: { host: 'a.test', reason: 'CERT_HAS_EXPIRED' } } as const;
    expect(view({ reason: 'offline', problem: insecure }, [north('a')]).text).toContain(
      'The connection isn’t secure. The service’s certificate isn’t trusted, so nothing was sent. Check the address.',
    );
    const refused = { code: 'network/proxy', facts: { host: 'a.test', status: 502 } } as const;
    expect(view({ reason: 'offline', problem: refused }, [north('a')]).text).toContain('Check the proxy address');
    const { text } = view({ reason: 'offline', problem: { code: 'network/unreachable' } }, [north('a')]);
    expect(text).not.toContain('reach');
  });

  test('without a network says when it resumes, and which connections keep working', () => {
    const jobs = [north('a'), north('b'), jobOf('c', { state: 'converting' })];
    expect(view({ reason: 'offline', resumesAt: at(12) }, jobs)).toEqual({
      severity: 'info',
      text: 'Can’t connect to Studio North. 2 items are waiting and resume automatically. Next try at 14:03:20. This computer keeps converting.',
      button: 'Try now',
      remedy: 'test-connection',
    });
  });

  test('for a rejected token says which uploads are kept, and offers to try again', () => {
    const problem = { code: 'auth/refused', words: 'Token expired.' } as const;
    expect(view({ reason: 'token', problem }, [north('a'), north('b', 'uploaded')])).toEqual({
      severity: 'warning',
      text: 'Studio North rejected the token. 2 items are waiting. 1 upload is kept and you weren’t charged. Message from the service: “Token expired.”',
      button: 'Try again',
      remedy: 'enter-token',
    });
    expect(view({ reason: 'token', problem: { code: 'auth/missing' } }).text).toContain('Studio North has no token.');
  });

  test('for a rate limit says when it ends, and has no button', () => {
    const problem = { code: 'rate/limited', facts: { retryAfterSeconds: 12 } } as const;
    const asked = view({ reason: 'rate', resumesAt: at(12), problem }, [north('a')]);
    expect(asked.text).toBe('Studio North asked Timbre to wait 12 s. Resumes at 14:03:20.');
    expect(asked.button).toBeNull();
    expect(view({ reason: 'rate', resumesAt: at(-1), problem }).text).toContain('Resuming now.');
  });

  test('for a full disk says how much space to free, if known', () => {
    const problem = { code: 'output/disk-full', facts: { neededBytes: 340e6 } } as const;
    const jobs = [north('a', 'converted'), north('b', 'converted'), north('c')];
    expect(view({ reason: 'disk', connectionId: null, problem }, jobs)).toMatchObject({
      text: 'The disk is full. 2 results are ready. Free up 340 MB to save them.',
      button: null,
    });
    expect(view({ reason: 'disk', connectionId: null }, [north('c')]).text).toBe(
      'The disk is full. 1 item is waiting. Free up some space and the queue resumes automatically.',
    );
  });

  test.each([
    [
      'en',
      'The folder for the results can’t be reached. 1 result is ready. Reconnect the disk with /media/usb/out, or create the folder again, and the queue resumes automatically.',
    ],
    [
      'de',
      'Der Ordner für die Ergebnisse ist nicht erreichbar. 1 Ergebnis ist fertig. Schließen Sie das Laufwerk mit /media/usb/out wieder an oder legen Sie den Ordner neu an, dann läuft die Warteschlange automatisch weiter.',
    ],
  ])('for a disk that was taken away names the folder (%s)', (language, text) => {
    const problem = { code: 'output/folder-missing', facts: { folder: '/media/usb/out' } } as const;
    expect(view({ reason: 'disk', connectionId: null, problem }, [north('a', 'converted')], language).text).toBe(text);
  });

  test.each([
    [
      'en',
      'Studio North denies access. 1 item is waiting. Next try at 15:03. Check with the service whether your plan and the voice allow this, and that no firewall blocks it. Message from the service: “Not in your plan.”',
    ],
    [
      'de',
      'Studio North verweigert den Zugriff. 1 Auftrag wartet. Nächster Versuch um 15:03. Klären Sie mit dem Dienst, ob Ihr Tarif und die Stimme das zulassen, und prüfen Sie, ob eine Firewall es blockiert. Meldung des Dienstes: „Not in your plan.“',
    ],
  ])('for denied access does not claim that the credit is used up (%s)', (language, text) => {
    const problem = { code: 'auth/forbidden', words: 'Not in your plan.' } as const;
    expect(view({ reason: 'quota', resumesAt: at(3600), problem }, [north('b')], language).text).toBe(text);
  });

  test('for a disk that became read-only says what to allow', () => {
    const problem = { code: 'output/not-writable', facts: { folder: '/media/usb/out' } } as const;
    expect(view({ reason: 'disk', connectionId: null, problem }, [north('a', 'converted')]).text).toBe(
      'Can’t save the result there. 1 result is ready. Allow writing to the results folder, or choose another one.',
    );
  });

  test('for damaged data does not ask for space on the disk', () => {
    const damaged = (language: string) =>
      view({ reason: 'data', connectionId: null, problem: { code: 'data/damaged' } }, [north('a')], language).text;
    expect(damaged('en')).toBe(
      'Timbre’s data is damaged. Timbre checks it and repairs it. If this message stays, quit Timbre and open it again. Until then, nothing is sent. 1 item is waiting.',
    );
    expect(damaged('de')).toContain('Die Daten von Timbre sind beschädigt. Timbre prüft und repariert sie.');
  });

  test('without credit does not count results, which are still downloaded', () => {
    const problem = { code: 'quota/used-up', words: 'No credit left.' } as const;
    const jobs = [north('a', 'converted'), north('b')];
    expect(view({ reason: 'quota', resumesAt: at(3600), problem }, jobs)).toEqual({
      severity: 'warning',
      text: 'You’re out of credit at Studio North. 1 item is waiting. Next try at 15:03. Message from the service: “No credit left.”',
      button: 'Try again',
      remedy: null,
    });
  });

  test('by the user says that running steps finish, and has no button of its own', () => {
    expect(view({ reason: 'user', connectionId: null }, [north('a', 'uploading'), north('b')])).toEqual({
      severity: 'info',
      text: 'Paused. Items in progress finish their current step. 1 item is waiting.',
      remedy: null,
      button: null,
    });
  });
});
