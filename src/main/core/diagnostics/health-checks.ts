import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { CheckLine, CheckResult } from '../../../shared/schemas/diagnostics.ts';
import type { Core } from '../core.ts';
import { freeBytes, makeFolder } from '../files/folders.ts';
import { addressOf } from '../voice-service/address.ts';
import type { Http } from '../voice-service/http.ts';

/**
 * How far this clock is off the one that wrote a `Date` header, in whole seconds; null where there is no such header. The time was
 * right somewhere between sending and receiving, and the header leaves out fractions of a second.
 */
export function clockSkewSeconds(date: string, sentAtMs: number, receivedAtMs: number): number | null {
  const told = Date.parse(date);
  if (Number.isNaN(told)) return null;
  const tooEarly = sentAtMs - (told + 999);
  const tooLate = told - receivedAtMs;
  return Math.ceil(Math.max(0, tooEarly, tooLate) / 1000);
}

/** Certificates and signed addresses are refused when the clock is further off than a few minutes. */
const worstSkewSeconds = 120;
const dateTimeoutMs = 5000;

/**
 * Asks for one voice: the local engine is really started, and a service is reached, lets us in and is understood. */
export async function checkConnection(
  connections: Core['connections'],
  id: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const known = connections.get(id);
  const connection = known.kind === 'local' ? null : known.document.name;
  try {
    await connections.service(id).listVoices({ page: 0, limit: 1 }, signal);
    return { ok: true, finding: { kind: 'answers', connection } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ok: false, finding: { kind: 'fails', connection, problem: error.problem } };
  }
}

/** Any reply tells the time, so that none of this carries a token. */
async function skewOf(http: Http, base: string, signal: AbortSignal): Promise<number | null> {
  try {
    const sentAt = Date.now();
    const reply = await http.send({
      method: 'GET',
      address: addressOf(base, '/'),
      connectTimeoutMs: dateTimeoutMs,
      replyTimeoutMs: dateTimeoutMs,
      stallTimeoutMs: dateTimeoutMs,
      signal,
    });
    reply.discard();
    return clockSkewSeconds(reply.header('date'), sentAt, reply.receivedAtMs);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** How far this computer's clock is off that of the first service which tells its time. */
export async function checkClock({ connections, http }: Core, signal: AbortSignal): Promise<CheckResult> {
  for (const { id, kind, name } of connections.list()) {
    const seconds = kind === 'remote' ? await skewOf(http, connections.get(id).document.hosts.voice, signal) : null;
    if (seconds === null) continue;
    const ok = seconds <= worstSkewSeconds;
    return {
      ok,
      finding: { kind: ok ? 'clock' : 'clock-off', connection: name, seconds: Math.max(1, seconds) },
    };
  }
  return { ok: true, finding: { kind: 'no-clock' } };
}

/** A day of work with recordings has room in this. */
const scarceBytes = 1e9;
const watchMs = 2000;

async function withCanary<T>(folder: string, work: (name: string) => Promise<T>): Promise<T> {
  const name = `.timbre-check-${randomUUID()}`;
  try {
    return await work(name);
  } finally {
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Whether files can be made there. A folder that is not there is a finding: it may be on a disk that is not. */
export async function checkRights(folder: string): Promise<CheckResult> {
  try {
    await withCanary(folder, (name) => writeFile(join(folder, name), 'timbre', { flag: 'wx' }));
    return { ok: true, finding: { kind: 'writable', folder } };
  } catch {
    return { ok: false, finding: { kind: 'not-writable', folder } };
  }
}

export async function checkSpace(folder: string): Promise<CheckResult> {
  try {
    const bytes = await freeBytes(folder);
    const ok = bytes >= scarceBytes;
    return { ok, finding: { kind: ok ? 'free' : 'full', folder, bytes } };
  } catch {
    return { ok: false, finding: { kind: 'not-writable', folder } };
  }
}

/** Whether the system tells of a new file in time. */
function isTold(folder: string, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (told: boolean) => {
      clearTimeout(deadline);
      watcher?.close();
      resolve(told);
    };
    let watcher: ReturnType<typeof watch> | undefined;
    const deadline = setTimeout(() => settle(false), watchMs);
    try {
      watcher = watch(folder, (_event, seen) => {
        if (seen === name) settle(true);
      });
      watcher.on('error', () => settle(false));
    } catch {
      settle(false);
      return;
    }
    writeFile(join(folder, name), 'timbre', { flag: 'wx' }).catch(() => settle(false));
  });
}

/** A folder that tells nothing is watched by polling, so that this is a finding and no failure. */
export async function checkWatching(folder: string): Promise<CheckResult> {
  const told = await withCanary(folder, (name) => isTold(folder, name));
  return { ok: true, finding: { kind: told ? 'told' : 'not-told', folder } };
}

export interface PlannedCheck {
  readonly check: string;
  /** Null where something that failed before leaves nothing to look at. */
  run(signal: AbortSignal): Promise<CheckResult | null>;
}

interface Places {
  readonly dataFolder: string;
  /** The folder for results; null where each goes beside its original. */
  readonly outputFolder: string | null;
}

async function checkData(opening: Promise<unknown>): Promise<CheckResult> {
  try {
    await opening;
    return { ok: true, finding: { kind: 'opens' } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, finding: { kind: 'not-open', problem: error.problem } };
  }
}

async function checkKeychain({ secrets }: Core): Promise<CheckResult> {
  const why = await secrets.keychainProblem();
  return why === null
    ? { ok: true, finding: { kind: 'keychain' } }
    : { ok: false, finding: { kind: 'no-keychain', why } };
}

/** Everything that Timbre needs to work, in the order in which it is told. Stored connections are among it once the database is open. */
export async function planChecks(core: Core, { dataFolder, outputFolder }: Places): Promise<readonly PlannedCheck[]> {
  await makeFolder(dataFolder, 0o700).catch(() => undefined);
  const rights = checkRights(dataFolder);
  const opening = core.data();
  await opening.catch(() => undefined);
  const outputs: readonly PlannedCheck[] =
    outputFolder === null
      ? []
      : [
          { check: 'output-folder', run: () => checkRights(outputFolder) },
          { check: 'disk', run: () => checkSpace(outputFolder) },
        ];
  return [
    { check: 'data-folder', run: () => rights },
    { check: 'data', run: () => checkData(opening) },
    ...core.connections.list().map(({ id, name }) => ({
      check: `connection/${name}`,
      run: (signal: AbortSignal) => checkConnection(core.connections, id, signal),
    })),
    { check: 'keychain', run: () => checkKeychain(core) },
    ...outputs,
    { check: 'data-disk', run: () => checkSpace(dataFolder) },
    { check: 'clock', run: (signal) => checkClock(core, signal) },
    { check: 'watching', run: async () => ((await rights).ok ? checkWatching(dataFolder) : null) },
  ];
}

/**
 * Runs all of them at once, so that a slow one holds up no other. `tell` hears all lines each time one of them has its result; a line
 * that has nothing to look at is taken out.
 */
export async function runChecks(
  plan: readonly PlannedCheck[],
  signal: AbortSignal,
  tell: (lines: readonly CheckLine[]) => void = () => undefined,
): Promise<readonly CheckLine[]> {
  const results = new Map<PlannedCheck, CheckResult | null>();
  const lines = (): readonly CheckLine[] =>
    plan.flatMap((planned) => {
      const result = results.get(planned);
      return results.has(planned) && !result ? [] : [{ check: planned.check, result: result ?? null }];
    });
  tell(lines());
  await Promise.all(
    plan.map(async (planned) => {
      results.set(planned, await planned.run(signal));
      tell(lines());
    }),
  );
  return lines();
}
