import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fastClock } from '../main/core/clock.fixture.ts';
import { damageDatabase } from '../main/core/database/damage.fixture.ts';
import { databaseName } from '../main/core/database/database.ts';
import type { Data } from '../main/core/data.ts';
import { createCopyStore } from '../main/core/files/copy-store.ts';
import { createTemporaryFiles } from '../main/core/files/temporary-files.ts';
import { conversionJob } from '../main/core/jobs/job.fixture.ts';
import { sample, useTestQueue } from '../main/core/jobs/queue.fixture.ts';
import { AppError } from '../shared/errors.ts';
import { loadCliMessages } from '../shared/messages/cli.ts';
import { queueSecondsLeft } from '../shared/time-left.ts';
import { createOutput } from './output.ts';
import { followJobs, pauseReason, progressText, reportCopies, secondsLeft } from './run-jobs.ts';

const en = await loadCliMessages('en');

const de = await loadCliMessages('de');

const queue = useTestQueue();
const now = 100_000;
const waiting = (durationSeconds: number | null) => conversionJob({ durationSeconds });
const underWay = (durationSeconds: number, secondsAgo: number) =>
  conversionJob({ state: 'converting', durationSeconds, stateChangedAt: now - secondsAgo * 1000 });
const done = conversionJob({ state: 'done', durationSeconds: 100, startedAt: 0 });

describe('the time that is left', () => {
  it('is the same as in the window', () => {
    const jobs = [underWay(20, 10), waiting(10), waiting(30), done];
    const shown = jobs
      .filter(({ state }) => state !== 'done')
      .map(({ kind, state, stateChangedAt, durationSeconds }) => ({
        kind,
        state,
        stateChangedAt,
        connectionId: 'one',
        durationSeconds,
      }));
    const inWindow = queueSecondsLeft(shown, {
      realTimeFactorOf: () => 2,
      isRunning: ({ state }) => state === 'converting',
      now,
    });
    expect(secondsLeft(jobs, 2, now)).toBe(inWindow);
    expect(inWindow).toBe(110);
  });

  it('is unknown without a known speed, without a duration, or if no job is running', () => {
    expect(secondsLeft([underWay(10, 1)], null, now)).toBeNull();
    expect(secondsLeft([underWay(10, 1), waiting(null)], 2, now)).toBeNull();
    expect(secondsLeft([waiting(10)], 2, now)).toBeNull();
    expect(secondsLeft([done], 2, now)).toBeNull();
  });
});

describe('the reason for a pause', () => {
  const pause = { connectionId: 'one', since: 0, resumesAt: null };
  it.each([
    ['quota', 'quota/used-up', 'You’re out of credit at Studio', 'Ihr Guthaben bei Studio ist aufgebraucht'],
    ['quota', 'auth/forbidden', 'Studio denies access', 'Studio verweigert den Zugriff'],
    [
      'offline',
      'network/unreachable',
      'No network connection, trying again',
      'Keine Netzwerkverbindung, neuer Versuch läuft',
    ],
    ['offline', 'network/insecure', 'The connection isn’t secure', 'Die Verbindung ist nicht sicher'],
    ['uncertain', 'service/uncertain', 'Lost the response from Studio', 'Eine Antwort von Studio ging verloren'],
    [
      'uncertain',
      'service/redirected',
      'The service redirected to another address',
      'Der Dienst leitet auf eine andere Adresse um',
    ],
    ['token', 'auth/missing', 'Studio has no token', 'Für Studio fehlt ein Token'],
    ['disk', 'output/disk-full', 'The disk is full', 'Das Laufwerk ist voll'],
    [
      'disk',
      'output/folder-missing',
      'The folder for the results can’t be reached',
      'Der Ordner für die Ergebnisse ist nicht erreichbar',
    ],
  ] as const)('%s says what is known after %s', (reason, code, english, german) => {
    const texts = [en, de].map((messages) =>
      pauseReason({ ...pause, reason, problem: { code } }, 'Studio', messages, 0),
    );
    expect(texts).toEqual([english, german]);
  });
});

describe('the progress line of a batch', () => {
  const jobs = [done, done, underWay(10, 1), waiting(10)];

  it.each([
    ['en', null, [], '2 of 4 done, 1 running'],
    ['en', 120, [], '2 of 4 done, 1 running, about 2 min left'],
    ['en', 120, ['No network connection, trying again'], '2 of 4 done, 1 running, No network connection, trying again'],
    ['de', 120, [], '2 von 4 fertig, 1 in Arbeit, noch etwa 2 min'],
  ])('shows progress and the reason to wait in %s', (language, seconds, reasons, text) => {
    expect(progressText(jobs, seconds, reasons, language === 'de' ? de : en).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it('leaves out running jobs if there are none', () => {
    expect(progressText([done], null, [], en)).toBe('1 of 1 done');
  });
});

it('a copy that only the space it leaves free keeps from being made does not call the disk full', async () => {
  const copy = { sha256: 'a'.repeat(64), sizeBytes: 1, extension: '.wav' };
  const folder = join(queue().folder, 'copies');
  const owners = { owner: randomUUID(), isAlive: () => true };
  const store = createCopyStore({
    ...owners,
    folder,
    temporaryFiles: createTemporaryFiles({ ...owners, folder: join(queue().folder, 'temporary-files') }),
    reservedBytes: () => Promise.resolve(0),
    spareBytes: Number.MAX_SAFE_INTEGER,
  });
  const failed = await store.add(sample, copy, 0, new AbortController().signal).catch((error: unknown) => error);
  const listeners: (() => void)[] = [];
  let shown = '';
  const stream = { isTTY: false, write: (text: string) => void (shown += text) };
  const copies = {
    problem: () => (failed instanceof AppError ? failed.problem : null),
    onChanged: (listener: () => void) => (listeners.push(listener), () => undefined),
    stop: () => Promise.resolve(),
  };
  const finish = await reportCopies(
    { data: () => Promise.resolve({ copies } as unknown as Data) },
    { output: createOutput({}, { stdout: stream, stderr: stream }), messages: en },
  );
  listeners.forEach((listener) => {
    listener();
  });
  await finish();
  expect(shown).toContain(en.copies.notCopied.full({ folder }));
  expect(shown).not.toContain('disk is full');
});

it('a database that is damaged does not end a command through its status line: a paid call may be in flight', async () => {
  await damageDatabase(join(queue().folder, 'data', databaseName), 0);
  let shown = '';
  const stream = { isTTY: true, write: (text: string) => void (shown += text) };
  const stop = followJobs(
    {
      queue: queue(),
      ids: [],
      clock: fastClock(100),
      connection: { id: queue().request.connection.id, name: 'Studio' },
      onEnded: () => undefined,
    },
    { output: createOutput({}, { stdout: stream, stderr: stream }), messages: en },
  );
  await expect.poll(() => queue().writes.isDamaged()).toBe(true);
  await expect.poll(() => shown).toContain('0 of 0 done');
  stop();
});
