import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { batchesOf } from '../../../shared/batches.ts';
import type { Problem } from '../../../shared/errors.ts';
import type { AddPreview } from '../../../shared/schemas/job.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import { type Clock, createEventLoopYielder } from '../clock.ts';
import { entryKey, folderKey } from '../files/canonical-path.ts';
import { tryContentHash } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import { snapshotOf } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import type { JobSource } from './job.ts';
import { type OwnResults, stemKey } from './own-results.ts';
import { findSoundFiles, missingFile } from './source-files.ts';

/** A file that was asked for, or why it cannot be converted. */
export type Finding = { readonly source: JobSource; readonly problem: Problem | null };

type GivenResults = Pick<OwnResults, 'hasContent' | 'hasSize' | 'isAt' | 'originalsOf' | 'originalsOfContent'>;

const maxConcurrentStats = 16;
const maxConcurrentInspections = 4;
/** 6 kbit/s, the lowest bit rate of Opus. */
const minBytesPerSecond = 750;

async function statOrProblem(path: string): Promise<BigIntStats | Problem> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    return isNotFound(error) ? missingFile(path) : { code: 'input/unreadable', facts: { name: basename(path) } };
  }
}

const rejected = (path: string, problem: Problem): Finding => ({
  source: { path, subfolder: '', snapshot: null },
  problem,
});

function findingOf(path: string, subfolder: string, seen: BigIntStats | Problem, realPath = path): Finding {
  if ('code' in seen) return rejected(path, seen);
  if (!seen.isFile()) return rejected(path, { code: 'input/not-a-file', facts: { name: basename(path) } });
  const reached = realPath === path ? {} : { realPath };
  return { source: { path, ...reached, subfolder, snapshot: snapshotOf(seen) }, problem: null };
}

/** The file at a path, in a subfolder of the folder that was asked for. */
export const findRecording = async (path: string, subfolder = '', realPath = path): Promise<Finding> =>
  findingOf(path, subfolder, await statOrProblem(path), realPath);

const realPathOf = (path: string): Promise<string> => realpath(path).catch(() => path);

/** Hash of a result that is not where it was published; null for all else. */
async function hashOfMoved(
  { source: { path, snapshot } }: Finding,
  { hasSize, hasContent }: GivenResults,
  signal: AbortSignal,
): Promise<string | null> {
  if (!snapshot || !hasSize(snapshot.sizeBytes)) return null;
  const sha256 = await tryContentHash(path, snapshot.sizeBytes, signal);
  return sha256 !== null && hasContent(sha256) ? sha256 : null;
}

async function folderFindings(
  path: string,
  ownResults: GivenResults,
  signal: AbortSignal,
): Promise<{ findings: Finding[]; ignored: number }> {
  const { files, skipped, results, unreadable } = await findSoundFiles(path, ownResults, signal);
  const findings: Finding[] = unreadable.map((folder) =>
    rejected(folder, { code: 'input/unreadable', facts: { name: basename(folder) } }),
  );
  if (files.length + results === 0 && unreadable.length === 0) {
    const nothing = rejected(path, { code: 'input/no-audio-in-folder', facts: { name: basename(path) } });
    return { findings: [nothing], ignored: 0 };
  }
  const root = await realPathOf(path);
  let moved = 0;
  for (const some of batchesOf(files, maxConcurrentStats)) {
    const seen = some.map(({ path: file, subfolder }) =>
      findRecording(file, subfolder, join(root, relative(path, file))),
    );
    for (const finding of await Promise.all(seen)) {
      if (await hashOfMoved(finding, ownResults, signal)) moved += 1;
      else findings.push(finding);
    }
  }
  return { findings, ignored: skipped + results + moved };
}

/** True if one of the paths leads to the same file in other letters. */
async function isSpelledAs(paths: Iterable<string>, path: string): Promise<boolean> {
  const entry = await entryKey(path);
  for (const other of paths) if ((await entryKey(other)) === entry) return true;
  return false;
}

/** The first finding of each file. Of thousands with one size and time, only their folders are looked at. */
async function firstOfEach(findings: readonly Finding[]): Promise<readonly Finding[]> {
  const yieldIfDue = createEventLoopYielder(() => performance.now());
  const byPath = Map.groupBy(findings, ({ source }) => source.path);
  const firsts = [...byPath.values()].flatMap(([first]) => first ?? []);
  // Some disks number a file anew for each spelling of its name, but give it one size and time.
  const alike = Map.groupBy(firsts, ({ source: { path, snapshot } }) =>
    snapshot ? `${snapshot.sizeBytes} ${snapshot.modifiedNs}` : path,
  );
  const folders = new Map<string, string>();
  const others = new Set<Finding>();
  for (const some of alike.values()) {
    /** By folder, and by name apart from its letters. */
    const spellings = new Map<string, Map<string, string>>();
    for (const finding of some.length === 1 ? [] : some) {
      await yieldIfDue();
      const { path, realPath = path } = finding.source;
      const [folder, name] = [dirname(realPath), basename(realPath)];
      const place = folders.get(folder) ?? (await folderKey(folder));
      folders.set(folder, place);
      const key = `${place} ${nameKey(name)}`;
      const seen = spellings.get(key) ?? new Map<string, string>();
      spellings.set(key, seen);
      const isSeen = seen.has(name) || (seen.size > 0 && (await isSpelledAs(seen.values(), realPath)));
      if (isSeen) others.add(finding);
      else seen.set(name, realPath);
    }
  }
  return firsts.filter((finding) => !others.has(finding));
}

/** True if this is the name of a recording beside it with more behind, as results have: `Take, Low bronze`. */
function isNamedAfterOther(path: string, stems: ReadonlySet<string>): boolean {
  const stem = stemKey(path);
  const name = stem.slice(stem.lastIndexOf(sep) + 1);
  return [...name.matchAll(/(?<=.)[^\p{L}\p{N}]/gu)].some(({ index }) =>
    stems.has(stem.slice(0, stem.length - name.length + index)),
  );
}

/**
 * Those without results that are given together with their originals: a shell makes both of `*.wav`, and a folder that was moved
 * contains both.
 */
async function withoutResults(
  findings: readonly Finding[],
  ownResults: GivenResults,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const given = new Set<string>();
  const stems = new Set<string>();
  const yieldIfDue = createEventLoopYielder(() => performance.now());
  for (const { source } of findings) {
    for (const path of [source.path, source.realPath ?? source.path]) given.add(nameKey(path));
    stems.add(stemKey(source.path));
    await yieldIfDue();
  }
  async function isResult(finding: Finding): Promise<boolean> {
    const { path } = finding.source;
    const isWithOriginal = ownResults.originalsOf(path).some((original) => given.has(nameKey(original)));
    if (isWithOriginal && (await ownResults.isAt(path, signal))) return true;
    const sha256 = await hashOfMoved(finding, ownResults, signal);
    if (sha256 === null) return false;
    const isGiven = (original: string) => given.has(nameKey(original));
    return isNamedAfterOther(path, stems) || ownResults.originalsOfContent(sha256).some(isGiven);
  }
  const recordings: Finding[] = [];
  for (const finding of findings) {
    await yieldIfDue();
    if (!(await isResult(finding))) recordings.push(finding);
  }
  return recordings;
}

/**
 * Files as given, and audio files in given folders, each once: a folder may be given with what is in it, or with a link to it.
 * `ignored` counts files of folders that are no recordings, and results beside their originals.
 */
export async function findRecordings(
  paths: readonly string[],
  ownResults: GivenResults,
  signal: AbortSignal,
): Promise<{ readonly findings: readonly Finding[]; readonly ignored: number }> {
  const findings: Finding[] = [];
  const given = [...new Set(paths.filter((path) => path !== '').map((path) => resolve(path)))];
  let ignored = 0;
  for (const some of batchesOf(given, maxConcurrentStats)) {
    const seen = await Promise.all(some.map(statOrProblem));
    for (const [k, path] of some.entries()) {
      const stats = seen[k] ?? { code: 'input/missing' };
      if ('code' in stats || !stats.isDirectory()) findings.push(findingOf(path, '', stats, await realPathOf(path)));
      else {
        const folder = await folderFindings(path, ownResults, signal);
        findings.push(...folder.findings);
        ignored += folder.ignored;
      }
    }
  }
  signal.throwIfAborted();
  const unique = await firstOfEach(findings);
  const recordings = await withoutResults(unique, ownResults, signal);
  return { findings: recordings, ignored: ignored + unique.length - recordings.length };
}

export interface MeasureLimits {
  /** The longest recording that is accepted. */
  readonly maxSeconds: number | null;
  readonly timeLimitMs: number;
}

/** Measures recordings, as far as the time limit allows; those that are left are counted without a length. */
export async function measureRecordings(
  findings: readonly Finding[],
  { maxSeconds, timeLimitMs }: MeasureLimits,
  { inspectSound, clock }: { readonly inspectSound: InspectSound; readonly clock: Pick<Clock, 'sleep'> },
  signal: AbortSignal,
): Promise<AddPreview> {
  const ending = new AbortController();
  const limited = AbortSignal.any([signal, ending.signal]);
  void clock.sleep(timeLimitMs, limited).then(
    () => ending.abort(),
    () => undefined,
  );
  const files = findings.filter(({ problem }) => !problem);
  const remaining = files.values();
  const counts = { found: files.length, recordings: 0, seconds: 0, unmeasured: 0, longestSeconds: 0, tooLong: 0 };
  const measure = async () => {
    for (const { source } of remaining) {
      const found = limited.aborted
        ? undefined
        : await inspectSound(source.path, { signal: limited }).catch(() => undefined);
      signal.throwIfAborted();
      // Its row will say why.
      if (found?.kind === 'problem') continue;
      const seconds = found?.durationSeconds;
      if (seconds !== undefined && maxSeconds !== null && seconds > maxSeconds) {
        counts.tooLong += 1;
        continue;
      }
      counts.recordings += 1;
      if (seconds === undefined) counts.unmeasured += 1;
      else counts.seconds += seconds;
      counts.longestSeconds += seconds ?? (source.snapshot?.sizeBytes ?? 0) / minBytesPerSecond;
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentInspections }, measure)).finally(() => ending.abort());
  return counts;
}
