// `node scripts/advisories.mts`: asks npm for known vulnerabilities in the lock file, and stores the answer with its date in
// tests/static/advisories.json for the tests, which run offline. They skip a check whose answer is missing or outdated.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mts';

/** The stored answer of npm. */
export interface Advisories {
  /** UTC date, such as `2026-03-09`. */
  readonly asked: string;
  /** Hash of the lock file. The answer is invalid for any other one. */
  readonly lockSha256: string;
  readonly found: readonly { readonly name: string; readonly severity: string; readonly titles: readonly string[] }[];
}

/** A vulnerability that cannot be reached in Timbre, or has no mended version yet. It counts again after its last day. */
export interface AdvisoryException {
  readonly name: string;
  /** UTC date, the last day. */
  readonly until: string;
  readonly why: string;
}

export type Judgement =
  /** One sentence for each relevant vulnerability; empty if none is known. */
  | { readonly kind: 'asked'; readonly holes: readonly string[] }
  /** Unknown, with the reason. */
  | { readonly kind: 'not-asked'; readonly why: string };

const file = join(root, 'tests/static/advisories.json');
const exceptionsFile = join(root, 'tests/static/advisory-exceptions.json');
const lockFile = join(root, 'package-lock.json');
const validDays = 30;
const dayMs = 86_400_000;
const counts = new Set(['high', 'critical']);

export const lockSha256 = (): string => createHash('sha256').update(readFileSync(lockFile)).digest('hex');

export const storedAdvisories = (): Advisories | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Advisories) : null;

export const storedExceptions = (): readonly AdvisoryException[] =>
  JSON.parse(readFileSync(exceptionsFile, 'utf8')) as readonly AdvisoryException[];

/** Evaluates a stored answer for a lock file at a time. Vulnerabilities below `high` are ignored. */
export function judgeAdvisories(
  stored: Advisories | null,
  lock: string,
  nowMs: number,
  exceptions: readonly AdvisoryException[] = storedExceptions(),
): Judgement {
  const again = 'Run "node scripts/advisories.mts" where npm answers.';
  if (!stored) return { kind: 'not-asked', why: `Advisories were never asked for. ${again}` };
  const { asked, found } = stored;
  const holes = found
    .filter(({ severity }) => counts.has(severity))
    .filter(({ name }) => !exceptions.some((one) => one.name === name && nowMs < Date.parse(one.until) + dayMs))
    .map(({ name, severity, titles }) => `${name} (${severity}): ${titles.join('; ')}`);
  if (stored.lockSha256 !== lock) {
    return {
      kind: 'not-asked',
      why: `The packages have changed since advisories were asked for on ${asked}. ${again}`,
    };
  }
  // A known vulnerability stays valid, but "none known" expires.
  if (holes.length === 0 && nowMs - Date.parse(asked) > validDays * dayMs) {
    return {
      kind: 'not-asked',
      why: `Advisories were asked for on ${asked}, more than ${validDays} days ago. ${again}`,
    };
  }
  return { kind: 'asked', holes };
}

interface Audit {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly via: readonly (string | { readonly title: string })[] }>
  >;
}

function ask(): void {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8' });
  const { vulnerabilities } = JSON.parse(stdout || '{}') as Audit;
  if (!vulnerabilities) {
    console.error('npm does not answer which packages have known holes; nothing was written.');
    process.exitCode = 1;
    return;
  }
  const found = Object.entries(vulnerabilities).map(([name, { severity, via }]) => ({
    name,
    severity,
    titles: via.map((one) => (typeof one === 'string' ? `through ${one}` : one.title)),
  }));
  const answer: Advisories = { asked: new Date().toISOString().slice(0, 10), lockSha256: lockSha256(), found };
  writeFileSync(file, `${JSON.stringify(answer, null, 2)}\n`);
  console.log(`${found.length} packages with known holes are in ${file}`);
}

if (import.meta.main) ask();
