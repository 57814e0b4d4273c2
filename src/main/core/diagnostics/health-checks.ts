import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { HealthCheck, CheckResult } from '../../../shared/schemas/diagnostics.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { isDiskFull } from '../files/errno.ts';
import { freeBytes, makeFolder } from '../files/folders.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { addressOf } from '../voice-service/address.ts';
import type { Http } from '../voice-service/http.ts';

/**
 * Difference between this clock and the sender of a `Date` header in whole seconds; null without a valid header.
 * The header was written between sending and receiving, and omits fractions of a second.
 */
export function clockSkewSeconds(date: string, sentAtMs: number, receivedAtMs: number): number | null {
  const serverTime = Date.parse(date);
  if (Number.isNaN(serverTime)) return null;
  const tooEarly = sentAtMs - (serverTime + 999);
  const tooLate = serverTime - receivedAtMs;
  return Math.ceil(Math.max(0, tooEarly, tooLate) / 1000);
}

/** What the checks ask. */
interface CheckedParts {
  readonly connections: ConnectionRegistry;
  readonly secrets: Pick<SecretStore, 'keychainProblem'>;
  readonly http: Http;
  /** Opens the database; `refusal` if it can only be read. */
  data(): Promise<{ readonly refusal: AppError | null }>;
}

/** Certificates and signed URLs fail when the clock is off by more than a few minutes. */
const maxSkewSeconds = 120;
const dateTimeoutMs = 5000;

/**
 * Requests one voice: this starts the local engine, or verifies that a service is reachable, accepts the token
 * and returns a valid reply.
 */
async function checkConnection(connections: ConnectionRegistry, id: string, signal: AbortSignal): Promise<CheckResult> {
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

/** Sends no token: every reply has a `Date` header. */
async function measureSkew(http: Http, base: string, signal: AbortSignal): Promise<number | null> {
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

/** Compares this computer's clock with that of the first service that sends its time. */
async function checkClock({ connections, http }: CheckedParts, signal: AbortSignal): Promise<CheckResult> {
  for (const { id, kind, name } of connections.list()) {
    const seconds =
      kind === 'remote' ? await measureSkew(http, connections.get(id).document.hosts.voice, signal) : null;
    if (seconds === null) continue;
    const ok = seconds <= maxSkewSeconds;
    return {
      ok,
      finding: { kind: ok ? 'clock' : 'clock-off', connection: name, seconds: Math.max(1, seconds) },
    };
  }
  return { ok: true, finding: { kind: 'no-clock' } };
}

/** Enough for a day of work with recordings. */
const minFreeBytes = 1e9;
const watchMs = 2000;

const canary = 'timbre';
const canaryName = /^\.timbre-check-[0-9a-f-]{36}$/;
/** A check of another process may be running. */
const minSweepAgeMs = 60_000;

/** Removes what checks left that were killed. */
async function sweepCanaries(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!canaryName.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs, size } = await lstat(path);
    if (Date.now() - mtimeMs > minSweepAgeMs && size <= canary.length) await rm(path, { force: true });
  }
}

async function withCanary<T>(folder: string, work: (name: string) => Promise<T>): Promise<T> {
  const name = `.timbre-check-${randomUUID()}`;
  try {
    return await work(name);
  } finally {
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Checks that files can be created in `folder`. A missing folder is a finding: its disk may not be mounted. */
async function checkRights(folder: string): Promise<CheckResult> {
  try {
    await withCanary(folder, (name) => writeFile(join(folder, name), canary, { flag: 'wx' }));
    await sweepCanaries(folder).catch(() => undefined);
    return { ok: true, finding: { kind: 'writable', folder } };
  } catch (error) {
    return {
      ok: false,
      finding: isDiskFull(error) ? { kind: 'full', folder, bytes: 0 } : { kind: 'not-writable', folder },
    };
  }
}

async function checkSpace(folder: string): Promise<CheckResult> {
  try {
    const bytes = await freeBytes(folder);
    const ok = bytes >= minFreeBytes;
    return { ok, finding: { kind: ok ? 'free' : 'full', folder, bytes } };
  } catch {
    return { ok: false, finding: { kind: 'not-writable', folder } };
  }
}

/** True if the system reports a new file within `watchMs`. */
function hasFileEvent(folder: string, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasEvent: boolean) => {
      clearTimeout(deadline);
      watcher?.close();
      resolve(hasEvent);
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
    writeFile(join(folder, name), canary, { flag: 'wx' }).catch(() => settle(false));
  });
}

/** A folder without file events is watched by polling, so this is a finding, not a failure. */
async function checkWatching(folder: string): Promise<CheckResult> {
  const hasEvents = await withCanary(folder, (name) => hasFileEvent(folder, name));
  return { ok: true, finding: { kind: hasEvents ? 'told' : 'not-told', folder } };
}

interface PlannedCheck {
  readonly subject: string;
  /** Returns null if an earlier failure leaves nothing to check. */
  run(signal: AbortSignal): Promise<CheckResult | null>;
}

interface CheckedFolders {
  readonly dataFolder: string;
  /** The folder for results; null if results are saved next to their sources. */
  readonly outputFolder: string | null;
}

async function checkData(opening: ReturnType<CheckedParts['data']>): Promise<CheckResult> {
  try {
    const { refusal } = await opening;
    // Its cause also names the backup.
    if (refusal) throw refusal.cause instanceof AppError ? refusal.cause : refusal;
    return { ok: true, finding: { kind: 'opens' } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, finding: { kind: 'not-open', problem: error.problem } };
  }
}

async function checkKeychain({ secrets }: CheckedParts): Promise<CheckResult> {
  const why = await secrets.keychainProblem();
  return why === null
    ? { ok: true, finding: { kind: 'keychain' } }
    : { ok: false, finding: { kind: 'no-keychain', why } };
}

/** Plans all checks in display order. Opens the database first, so that stored connections are included. */
export async function planChecks(
  parts: CheckedParts,
  { dataFolder, outputFolder }: CheckedFolders,
): Promise<readonly PlannedCheck[]> {
  await makeFolder(dataFolder, 0o700).catch(() => undefined);
  const rights = checkRights(dataFolder);
  const opening = parts.data();
  await opening.catch(() => undefined);
  const outputs: readonly PlannedCheck[] =
    outputFolder === null
      ? []
      : [
          { subject: 'output-folder', run: () => checkRights(outputFolder) },
          { subject: 'disk', run: () => checkSpace(outputFolder) },
        ];
  return [
    { subject: 'data-folder', run: () => rights },
    { subject: 'data', run: () => checkData(opening) },
    ...parts.connections.list().map(({ id, name }) => ({
      subject: `connection/${name}`,
      run: (signal: AbortSignal) => checkConnection(parts.connections, id, signal),
    })),
    { subject: 'keychain', run: () => checkKeychain(parts) },
    ...outputs,
    { subject: 'data-disk', run: () => checkSpace(dataFolder) },
    { subject: 'clock', run: (signal) => checkClock(parts, signal) },
    { subject: 'watching', run: async () => ((await rights).ok ? checkWatching(dataFolder) : null) },
  ];
}

/**
 * Runs all checks concurrently. Calls `onProgress` with all lines at the start and after each result; removes lines
 * whose check returned null.
 */
export async function runChecks(
  plan: readonly PlannedCheck[],
  signal: AbortSignal,
  onProgress: (lines: readonly HealthCheck[]) => void = () => undefined,
): Promise<readonly HealthCheck[]> {
  const results = new Map<PlannedCheck, CheckResult | null>();
  const lines = (): readonly HealthCheck[] =>
    plan.flatMap((planned) => {
      const result = results.get(planned);
      return results.has(planned) && !result ? [] : [{ subject: planned.subject, result: result ?? null }];
    });
  onProgress(lines());
  await Promise.all(
    plan.map(async (planned) => {
      results.set(planned, await planned.run(signal));
      onProgress(lines());
    }),
  );
  return lines();
}
