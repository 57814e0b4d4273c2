import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { contentHash } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import { hasInode, isSameFile, isUnchangedSource } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import { baseFolder, type ConversionJob, type JobSource, outputPathOf } from './job.ts';
import type { JobRecording } from './job-row.ts';
import type { JobStore } from './job-store.ts';
import { isResultOf } from './own-results.ts';

/** `made`: its result is there. `elsewhere`: a living process works on it. `left`: a process that is dead did. */
export interface EarlierConversion {
  readonly kind: 'made' | 'elsewhere' | 'left';
  readonly job: ConversionJob;
}

/** Rows are looked up by so many paths at once. */
const pathsPerQuery = 1000;

function* inBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += pathsPerQuery) yield all.slice(start, start + pathsPerQuery);
}

async function pathsIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).map((name) => join(folder, name));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** True if the two ask for the same, apart from the recording. */
const isSameRequest = (job: ConversionJob, wanted: ConversionJob): boolean =>
  job.audioName === wanted.audioName &&
  job.platform === wanted.platform &&
  job.target.nameTemplate === wanted.target.nameTemplate &&
  baseFolder(job) === baseFolder(wanted) &&
  isDeepStrictEqual(job.settings, wanted.settings);

const isUnchanged = ({ source: { snapshot: then } }: ConversionJob, { source }: ConversionJob): boolean =>
  // Without one, the recording has not been looked at yet: it is taken as it is then.
  !!source.snapshot && (then === null || isUnchangedSource(source.snapshot, then));

const sizeOf = ({ source: { snapshot } }: ConversionJob): number | undefined => snapshot?.sizeBytes;

/** Hash of the content of a recording; null if it cannot be read. */
const hashOf = ({ path, snapshot }: JobSource, signal: AbortSignal): Promise<string | null> =>
  contentHash(path, snapshot?.sizeBytes ?? 0, signal).catch(() => {
    signal.throwIfAborted();
    return null;
  });

/** Says whether a job is for a recording, whatever its name. A recording is read once at most, and only if it could be the same. */
function createContentCheck(signal: AbortSignal): (job: ConversionJob, source: JobSource) => Promise<boolean> {
  const hashes = new Map<string, string | null>();

  async function knownHashOf(source: JobSource): Promise<string | null> {
    const known = hashes.get(source.path);
    if (known !== undefined) return known;
    const hash = await hashOf(source, signal);
    hashes.set(source.path, hash);
    return hash;
  }

  return async (job, source) => {
    const [then, now] = [job.source.snapshot, source.snapshot];
    if (!then || !now || then.sizeBytes !== now.sizeBytes) return false;
    // A renamed file keeps these.
    if (hasInode(now) && isSameFile(now, then) && isUnchangedSource(now, then)) return true;
    return job.sourceSha256 !== null && job.sourceSha256 === (await knownHashOf(source));
  };
}

/** True if the job is for the same recording, as it is now, and asks for the same. */
const isForSame = (job: ConversionJob, wanted: ConversionJob): boolean =>
  job.source.path === wanted.source.path && isUnchanged(job, wanted) && isSameRequest(job, wanted);

const queryFor = ({ connection, voice }: ConversionJob) => ({ connectionId: connection.id, voiceId: voice.id });

/**
 * The jobs, by the path of the recording, with which other processes make these, or have made them `since` then. In the transaction
 * that adds them it misses none.
 */
export function findTaken(
  wanted: readonly ConversionJob[],
  since: number,
  store: Pick<JobStore, 'earlierConversions' | 'isElsewhere'>,
): ReadonlyMap<string, ConversionJob> {
  const [first] = wanted;
  if (!first) return new Map();
  const paths = wanted.map(({ source }) => source.path);
  const isTaken = ({ id, state, endedAt }: ConversionJob) =>
    state === 'done' ? endedAt !== null && endedAt >= since : store.isElsewhere(id);
  const jobs = store.earlierConversions({ ...queryFor(first), paths });
  const found = wanted.map(
    (one) => [one.source.path, jobs.find((job) => isForSame(job, one) && isTaken(job))] as const,
  );
  return new Map(found.flatMap(([path, job]) => (job ? [[path, job] as const] : [])));
}

/**
 * Finds the earlier jobs, by the path of the recording, that spare these: from the same content with the same voice and settings,
 * to the same place. Each spares one, and that of its own path first. All are for one connection and voice.
 */
export async function findEarlierConversions(
  wanted: readonly ConversionJob[],
  store: Pick<JobStore, 'earlierConversions' | 'owns' | 'isElsewhere'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, EarlierConversion>> {
  const [first] = wanted;
  if (!first) return new Map();
  const query = queryFor(first);
  const paths = new Set(wanted.map(({ source }) => source.path));
  const used = new Set<string>();
  const isForContent = createContentCheck(signal);

  const hasSameContent = async (job: ConversionJob, one: ConversionJob): Promise<boolean> =>
    (job.source.path === one.source.path && isUnchanged(job, one)) || (await isForContent(job, one.source));

  async function spares(job: ConversionJob, one: ConversionJob): Promise<EarlierConversion | undefined> {
    if (used.has(job.id) || !isSameRequest(job, one)) return undefined;
    if (job.state !== 'done') {
      if (!isForSame(job, one) || store.owns(job.id)) return undefined;
      return { kind: store.isElsewhere(job.id) ? 'elsewhere' : 'left', job };
    }
    const isMade = (await hasSameContent(job, one)) && (await isResultOf(job, signal));
    return isMade ? { kind: 'made', job } : undefined;
  }

  async function firstOf(jobs: readonly ConversionJob[], one: ConversionJob): Promise<EarlierConversion | undefined> {
    for (const job of jobs) {
      const found = await spares(job, one);
      if (found) return found;
    }
    return undefined;
  }

  const found = new Map<string, EarlierConversion>();
  const keep = (one: ConversionJob, earlier: EarlierConversion | undefined): void => {
    if (!earlier) return;
    used.add(earlier.job.id);
    found.set(one.source.path, earlier);
  };

  for (const some of inBatches(wanted)) {
    const jobs = store.earlierConversions({ ...query, paths: some.map(({ source }) => source.path) });
    const byPath = Map.groupBy(jobs, ({ source }) => source.path);
    for (const one of some) keep(one, await firstOf(byPath.get(one.source.path) ?? [], one));
  }

  // A recording that was renamed or copied is known by its content, which is read only if a result is there that may be of it.
  const others = wanted.filter(({ source }) => !found.has(source.path));
  const byFolder = Map.groupBy(others, (one) => dirname(outputPathOf(one, 1)));
  for (const [folder, some] of byFolder) {
    for (const outputs of inBatches(await pathsIn(folder))) {
      const jobs = store
        .earlierConversions({ ...query, outputKeys: outputs.map(nameKey) })
        .filter((job) => job.state === 'done' && !paths.has(job.source.path));
      const bySize = Map.groupBy(jobs, sizeOf);
      for (const one of some)
        if (!found.has(one.source.path)) keep(one, await firstOf(bySize.get(sizeOf(one)) ?? [], one));
    }
  }
  return found;
}

/** What a renamed file keeps; null if the disk has no inodes. */
const fileKey = ({ snapshot }: JobSource): string | null =>
  snapshot && hasInode(snapshot)
    ? [snapshot.device, snapshot.inode, snapshot.sizeBytes, snapshot.modifiedNs].join(' ')
    : null;

/** Finds a job that can be used for a recording. */
export type FindLeft = (
  wanted: ConversionJob,
  isUsable: (job: ConversionJob) => Promise<boolean>,
) => Promise<ConversionJob | undefined>;

/**
 * Finds the jobs that dead processes left of recordings that were renamed, copied or saved again since: from the same content with
 * the same settings, to the same place. Each is found once. There may be thousands, of equal size, too: they are looked up once, and
 * none is compared with each recording. Null if there are none. `given` are the paths of all recordings that are wanted.
 */
export function createLeftFinder(
  connectionId: string,
  given: ReadonlySet<string>,
  store: Pick<JobStore, 'leftConversions' | 'get'>,
  signal: AbortSignal,
): FindLeft | null {
  const left = store.leftConversions(connectionId);
  if (left.length === 0) return null;
  const uploaded = left.filter(({ sourceSha256 }) => sourceSha256 !== null);
  const byFile = Map.groupBy(left, ({ source }) => fileKey(source));
  const byContent = Map.groupBy(uploaded, ({ sourceSha256 }) => sourceSha256);
  const uploadedSizes = new Set(uploaded.map(({ source }) => source.snapshot?.sizeBytes));
  const used = new Set<string>();

  async function* candidatesFor(source: JobSource): AsyncGenerator<JobRecording> {
    const key = fileKey(source);
    if (key !== null) yield* byFile.get(key) ?? [];
    if (source.snapshot === null || !uploadedSizes.has(source.snapshot.sizeBytes)) return;
    const hash = await hashOf(source, signal);
    if (hash !== null) yield* byContent.get(hash) ?? [];
  }

  return async (wanted, isUsable) => {
    for await (const { id, source } of candidatesFor(wanted.source)) {
      const isOfAnother = source.path !== wanted.source.path && given.has(source.path);
      if (isOfAnother || used.has(id)) continue;
      const job = store.get(id);
      // Another process may have taken it up for this recording meanwhile.
      if (job?.kind !== 'conversion' || job.source.path !== source.path || !isSameRequest(job, wanted)) continue;
      if (!(await isUsable(job))) continue;
      used.add(id);
      return job;
    }
    return undefined;
  };
}
