import { AppError } from '../../../shared/app-error.ts';
import type { CheckLine, CheckResult } from '../../../shared/wire/check.ts';
import type { Core } from '../core.ts';
import { checkClock, checkConnection } from './check-connections.ts';
import { makeFolder } from '../outputs/output-folder.ts';
import { checkRights, checkSpace, checkWatching } from './check-folders.ts';

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
