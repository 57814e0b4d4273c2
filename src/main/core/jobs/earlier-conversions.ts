import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { batchesOf } from '../../../shared/batches.ts';
import { createEventLoopYielder } from '../clock.ts';
import { canonicalPath, entryKey } from '../files/canonical-path.ts';
import { tryContentHash } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import { hasInode, isSameFile, isUnchangedSource } from '../files/identity.ts';
import { nameKey } from '../files/names.ts';
import { findRecording } from './find-recordings.ts';
import { baseFolder, type ConversionJob, hasEnded, type Job, type JobSource, outputPathOf } from './job.ts';
import type { JobRecording } from './job-row.ts';
import type { ConversionsQuery } from './job-queries.ts';
import type { JobStore } from './job-store.ts';
import { type OwnResults, stemKey } from './own-results.ts';
import { isInDoubt, isUnfetched } from './retry-policy.ts';

/**
 * `made`: its result is there. `elsewhere`: a living process works on it. `doubted`: it may have been charged, which the user did not
 * know when they asked.
 */
export interface EarlierConversion {
  readonly kind: 'made' | 'elsewhere' | 'doubted';
  readonly job: ConversionJob;
}

type IsContinuable = (job: ConversionJob) => Promise<boolean>;

/**
 * Finds earlier jobs that answer wanted ones, by the path of the recording: jobs with the same request and the same recording, even
 * if that was renamed since. A recording is recognized by its path, by what a renamed file keeps, or by its content, which is read
 * once, and only if the recording of a job has the same size. Each job answers one wanted job, first that of its own path. All
 * wanted jobs are of one request.
 */
export interface ConversionFinder {
  /**
   * Jobs whose result is there, be it that it was moved with its recording, that living processes work on, or that became doubtful
   * since the user asked for these.
   */
  findEarlier(wanted: readonly ConversionJob[]): Promise<ReadonlyMap<string, EarlierConversion>>;
  /**
   * Jobs that nobody waits for, and that `isContinuable`. One that a process goes on with stays that of its own recording while
   * that is there.
   */
  findLeft(wanted: readonly ConversionJob[], isContinuable: IsContinuable): Promise<ReadonlyMap<string, ConversionJob>>;
  /**
   * True if no job that may answer a wanted one has changed since `findEarlier` began. Call it in the transaction that adds a job,
   * so that of two processes that want the same, one sees the other's job.
   */
  isUpToDate(): boolean;
  /** What `findEarlier` and `findLeft` would find among the jobs that have changed, for those of the wanted that are open. */
  findChanged(
    isOpen: (one: ConversionJob) => boolean,
    isContinuable: IsContinuable,
  ): Promise<{
    readonly earlier: ReadonlyMap<string, EarlierConversion>;
    readonly left: ReadonlyMap<string, ConversionJob>;
  }>;
  /** True if the job keeps its recording, and the name of its result, when it answers the request for another one. */
  keepsRecording(job: ConversionJob): Promise<boolean>;
}

/** Rows are looked up by so many paths at once. */
const pathsPerQuery = 1000;

async function pathsIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).map((name) => join(folder, name));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** True if the two ask for the same, apart from the recording and the folder. */
const isSameRequest = (job: ConversionJob, wanted: ConversionJob): boolean =>
  job.connection.id === wanted.connection.id &&
  job.voice.id === wanted.voice.id &&
  job.audioName === wanted.audioName &&
  job.platform === wanted.platform &&
  job.target.nameTemplate === wanted.target.nameTemplate &&
  isDeepStrictEqual(job.settings, wanted.settings);

/** What two recordings of the same content have in common, if they get their results in the same place. */
const placeKey = (job: ConversionJob): string => `${job.source.snapshot?.sizeBytes ?? ''} ${nameKey(baseFolder(job))}`;

/** Keys of what a result may have been named: it got a number if another file had its name. */
const stemKeysOf = (path: string): ReadonlySet<string> => {
  const stem = stemKey(path);
  return new Set([stem, stem.replace(/ \(\d+\)$/, '')]);
};

const pathsOf = ({ path, realPath }: JobSource): readonly string[] =>
  realPath === undefined ? [path] : [path, realPath];

/** True if the recording of a job is the same file as it is now, under the same name. */
const isUnchanged = (then: JobSource, now: JobSource): boolean =>
  then.path === now.path &&
  // Without a snapshot, the recording has not been looked at yet: it is taken as it is then.
  now.snapshot !== null &&
  (then.snapshot === null || isUnchangedSource(now.snapshot, then.snapshot));

/** What a renamed file keeps; null if the disk has no inodes. */
const fileKey = ({ snapshot }: JobSource): string | null =>
  snapshot && hasInode(snapshot)
    ? [snapshot.device, snapshot.inode, snapshot.sizeBytes, snapshot.modifiedNs].join(' ')
    : null;

const queryFor = ({ connection, voice }: ConversionJob) => ({ connectionId: connection.id, voiceId: voice.id });

/** Jobs by what their recordings are known by. */
async function createRecordingIndex(
  jobs: readonly JobRecording[],
  hashOf: (source: JobSource) => Promise<string | null>,
  yieldIfDue: ReturnType<typeof createEventLoopYielder>,
) {
  /** By path, file key and hash, no two of which are alike. */
  const byKey = new Map<string, Set<JobRecording>>();
  const jobsWith = (key: string | null): ReadonlySet<JobRecording> => byKey.get(key ?? '') ?? new Set();
  const hashedSizes = new Set<number>();
  const knownHash = ({ source, sourceSha256 }: JobRecording): string | null => sourceSha256 ?? source.sha256 ?? null;
  const keysOf = (job: JobRecording) =>
    [job.source.path, fileKey(job.source), knownHash(job)].filter((key) => key !== null);
  for (const job of jobs) {
    for (const key of keysOf(job)) byKey.set(key, (byKey.get(key) ?? new Set()).add(job));
    if (job.source.snapshot && knownHash(job) !== null) hashedSizes.add(job.source.snapshot.sizeBytes);
    await yieldIfDue();
  }

  /** Jobs that are for this recording, whatever its name. */
  async function* find(source: JobSource): AsyncGenerator<JobRecording> {
    const mayBeKnown = source.snapshot !== null && hashedSizes.has(source.snapshot.sizeBytes);
    const hash = mayBeKnown ? await hashOf(source) : null;
    // Some disks number their files anew each time they are connected, so the content decides wherever it is known.
    const isSameContent = (job: JobRecording) => hash === null || (knownHash(job) ?? hash) === hash;
    for (const job of jobsWith(fileKey(source))) if (isSameContent(job)) yield job;
    yield* jobsWith(hash);
  }

  return {
    find,
    /** Of those, the jobs that had it under its present name. */
    async *findByPath(source: JobSource): AsyncGenerator<JobRecording> {
      for (const job of jobsWith(source.path)) if (isUnchanged(job.source, source)) yield job;
      if (jobsWith(source.path).size > 0)
        for await (const job of find(source)) if (job.source.path === source.path) yield job;
    },
    remove(job: JobRecording): void {
      for (const key of keysOf(job)) byKey.get(key)?.delete(job);
    },
  };
}

/** `askedAt`: when the user asked for what is wanted, in milliseconds since 1970. */
export function createConversionFinder(
  store: Pick<JobStore, 'earlierConversions' | 'leftConversions' | 'lastChange' | 'owns' | 'isElsewhere' | 'get'>,
  { isResultOf }: Pick<OwnResults, 'isResultOf'>,
  askedAt: number,
  signal: AbortSignal,
): ConversionFinder {
  const hashes = new Map<string, string | null>();
  /** Ids of jobs that already answer a wanted one. */
  const used = new Set<string>();
  /** What is wanted, by path and place, and the number of the last change that `isUpToDate` has checked. */
  let current = { request: null as ConversionJob | null, byKey: new Map<string, ConversionJob[]>(), lastChange: 0 };
  /** Jobs that have changed and may answer a wanted one, by id, and those of them that nobody waits for. */
  const changed = { earlier: new Map<string, JobRecording>(), left: new Map<string, JobRecording>() };

  /** Canonical paths of folders. */
  const places = new Map<string, Promise<string>>();

  /** The same for a folder however it is written: `c:\takes` and `C:\Takes` are one, and so are a folder and a link to it. */
  function placeOf(folder: string): Promise<string> {
    const place = places.get(folder) ?? canonicalPath(folder).catch(() => folder);
    places.set(folder, place);
    return place;
  }

  const entries = new Map<string, Promise<string>>();

  function entryOf(path: string): Promise<string> {
    const entry = entries.get(path) ?? entryKey(path);
    entries.set(path, entry);
    return entry;
  }

  /** True if both paths lead to the same name of the same file. */
  async function isSameEntry(one: JobSource, other: JobSource): Promise<boolean> {
    if (one.path === other.path) return true;
    const areKnown = one.snapshot && other.snapshot && hasInode(one.snapshot) && hasInode(other.snapshot);
    if (areKnown && !isSameFile(one.snapshot, other.snapshot)) return false;
    return (await entryOf(one.path)) === (await entryOf(other.path));
  }

  /** Hash of the content of a recording; null if it cannot be read. */
  async function hashOf({ path, snapshot }: JobSource): Promise<string | null> {
    const known = hashes.get(path);
    if (known !== undefined) return known;
    const hash = await tryContentHash(path, snapshot?.sizeBytes ?? 0, signal);
    hashes.set(path, hash);
    return hash;
  }

  const isOpenElsewhere = (job: ConversionJob): boolean => !hasEnded(job) && store.isElsewhere(job.id);

  const isThere = async ({ source }: ConversionJob): Promise<boolean> =>
    isUnchanged(source, (await findRecording(source.path)).source);

  /** Another process that does not find the recording any more will not convert it. */
  const willBeMade = async (job: ConversionJob): Promise<boolean> =>
    !isOpenElsewhere(job) || job.sourceSha256 !== null || (await isThere(job));

  async function keepsRecording(job: ConversionJob): Promise<boolean> {
    if (job.state === 'publishing' || (hasEnded(job) && !isUnfetched(job)) || isOpenElsewhere(job)) return true;
    // A watched folder goes by the name of its recording.
    return job.source.sha256 !== undefined && (await isThere(job));
  }

  async function isSamePlace(job: ConversionJob, one: ConversionJob): Promise<boolean> {
    const [folder, wanted] = [job.target.folder, one.target.folder];
    if (await keepsRecording(job)) {
      if ((await placeOf(baseFolder(job))) === (await placeOf(baseFolder(one)))) return true;
      // The result is beside a link to the recording, or beside the recording itself.
      return folder === null && wanted === null && (await isSameEntry(job.source, one.source));
    }
    return folder === null || wanted === null ? folder === wanted : (await placeOf(folder)) === (await placeOf(wanted));
  }

  /** For each recording that is not `found` yet the first job for which `judge` does not return null. */
  async function match<T>(
    jobs: readonly JobRecording[],
    wanted: readonly ConversionJob[],
    judge: (job: ConversionJob, one: ConversionJob) => Promise<T | null>,
    found: Map<string, T>,
  ): Promise<void> {
    if (jobs.length === 0) return;
    const free = jobs.filter(({ id }) => !used.has(id));
    const yieldIfDue = createEventLoopYielder(() => performance.now());
    const index = await createRecordingIndex(free, hashOf, yieldIfDue);

    async function firstOf(candidates: AsyncIterable<JobRecording>, one: ConversionJob): Promise<T | null> {
      for await (const candidate of candidates) {
        const { id, source } = candidate;
        await yieldIfDue();
        const job = store.get(id);
        // Another process may have taken it up for another recording meanwhile.
        const isSame = job?.kind === 'conversion' && job.source.path === source.path && isSameRequest(job, one);
        if (isSame && !(await isSamePlace(job, one))) continue;
        // Each candidate is judged once, as there may be thousands with the same content.
        index.remove(candidate);
        const verdict = isSame ? await judge(job, one) : null;
        if (verdict === null) continue;
        used.add(id);
        return verdict;
      }
      return null;
    }

    for (const candidatesFor of [index.findByPath, index.find]) {
      for (const one of wanted) {
        if (found.has(one.source.path)) continue;
        await yieldIfDue();
        const verdict = await firstOf(candidatesFor(one.source), one);
        if (verdict !== null) found.set(one.source.path, verdict);
      }
    }
  }

  /** True if the job has no other recording than this: two that are there are both wanted, also if they sound the same. */
  const isOnlyFor = async (job: ConversionJob, one: ConversionJob): Promise<boolean> =>
    (await isSameEntry(job.source, one.source)) || !(await isThere(job));

  async function judgeEarlier(job: ConversionJob): Promise<EarlierConversion | null> {
    if (job.state === 'done') return (await isResultOf(job, signal)) ? { kind: 'made', job } : null;
    if (isInDoubt(job)) return { kind: 'doubted', job };
    return isOpenElsewhere(job) && (await willBeMade(job)) ? { kind: 'elsewhere', job } : null;
  }

  const isRequested = (job: Job | undefined): job is ConversionJob =>
    job?.kind === 'conversion' && current.request !== null && isSameRequest(job, current.request);

  /** Reads the recordings that other processes have yet to send, where one of these may have the same content. */
  async function withHashes(
    jobs: readonly JobRecording[],
    wanted: readonly ConversionJob[],
  ): Promise<readonly JobRecording[]> {
    const keys = new Set(wanted.map(placeKey));
    const yieldIfDue = createEventLoopYielder(() => performance.now());
    const hashed: JobRecording[] = [];
    for (const recording of jobs) {
      await yieldIfDue();
      const job = recording.sourceSha256 === null ? store.get(recording.id) : undefined;
      const mayBeSame = isRequested(job) && keys.has(placeKey(job)) && isOpenElsewhere(job);
      const sourceSha256 = mayBeSame && (await isThere(job)) ? await hashOf(job.source) : null;
      hashed.push(sourceSha256 === null ? recording : { ...recording, sourceSha256 });
    }
    return hashed;
  }

  /** The job whose result was moved, or copied, with its recording: it lies where this one would get its result. */
  async function findMoved(
    one: ConversionJob,
    outputs: readonly string[],
    query: ConversionsQuery & { readonly endedSince: number },
  ): Promise<EarlierConversion | null> {
    if (outputs.length === 0) return null;
    const content = await hashOf(one.source);
    if (content === null) return null;
    for (const { id } of store.earlierConversions({ ...query, content })) {
      const job = store.get(id);
      if (!isRequested(job) || job.state !== 'done' || !job.output) continue;
      for (const path of outputs) {
        const moved: ConversionJob = { ...job, output: { ...job.output, path } };
        if (await isResultOf(moved, signal)) return { kind: 'made', job: moved };
      }
    }
    return null;
  }

  /** Keys in `current` of the wanted jobs that this one may answer. None for one that this process has just added. */
  function keysOf({ id, source }: JobRecording): readonly string[] {
    const job = used.has(id) ? undefined : store.get(id);
    if (!isRequested(job) || (!hasEnded(job) && store.owns(id))) return [];
    return [...pathsOf(source), placeKey(job)].filter((key) => current.byKey.has(key));
  }

  /** Of the jobs that nobody waits for, those that may have one of these recordings. */
  async function listLeft(wanted: readonly ConversionJob[], query: ConversionsQuery): Promise<readonly JobRecording[]> {
    const keys = new Set(wanted.flatMap(({ source: { path, snapshot } }) => [path, snapshot?.sizeBytes ?? null]));
    const yieldIfDue = createEventLoopYielder(() => performance.now());
    const left: JobRecording[] = [];
    for (const some of store.leftConversions(query)) {
      for (const job of some) {
        const { path, snapshot } = job.source;
        if (keys.has(path) || (snapshot && keys.has(snapshot.sizeBytes))) left.push(job);
      }
      await yieldIfDue();
    }
    return left;
  }

  async function matchLeft(
    left: readonly JobRecording[],
    wanted: readonly ConversionJob[],
    isContinuable: IsContinuable,
  ): Promise<ReadonlyMap<string, ConversionJob>> {
    const found = new Map<string, ConversionJob>();
    const ofApps = new Set(left.filter(({ requestedBy }) => requestedBy === null).map(({ id }) => id));
    /** True if its process lives, or is an app, which goes on with its queue once it is started again. */
    const goesOn = (job: ConversionJob): boolean =>
      !hasEnded(job) && (store.owns(job.id) || store.isElsewhere(job.id) || ofApps.has(job.id));
    async function judge(job: ConversionJob, one: ConversionJob): Promise<ConversionJob | null> {
      if (goesOn(job) && !(await isOnlyFor(job, one))) return null;
      return (await willBeMade(job)) && (await isContinuable(job)) ? job : null;
    }
    await match(left, wanted, judge, found);
    return found;
  }

  return {
    keepsRecording,
    async findEarlier(wanted) {
      const found = new Map<string, EarlierConversion>();
      const [first] = wanted;
      if (!first) return found;
      const yieldIfDue = createEventLoopYielder(() => performance.now());
      current = { request: first, byKey: new Map(), lastChange: store.lastChange() };
      for (const one of wanted) {
        for (const key of [...pathsOf(one.source), placeKey(one)]) {
          const some = current.byKey.get(key);
          if (some) some.push(one);
          else current.byKey.set(key, [one]);
        }
        await yieldIfDue();
      }
      const query = { ...queryFor(first), endedSince: askedAt };
      const byPath: JobRecording[] = [];
      for (const some of batchesOf(wanted, pathsPerQuery)) {
        byPath.push(...store.earlierConversions({ ...query, paths: some.flatMap(({ source }) => pathsOf(source)) }));
        await yieldIfDue();
      }
      await match(byPath, wanted, judgeEarlier, found);
      const others = wanted.filter(({ source }) => !found.has(source.path));
      if (others.length === 0) return found;
      const more = [...(await withHashes(store.earlierConversions({ ...query, areElsewhere: true }), others))];
      const folders = new Set(others.map((one) => dirname(outputPathOf(one, 1))));
      for (const folder of [...folders]) folders.add(await placeOf(folder));
      const byStem = new Map<string, string[]>();
      for (const folder of folders) {
        for (const outputs of batchesOf(await pathsIn(folder), pathsPerQuery)) {
          more.push(...store.earlierConversions({ ...query, outputKeys: outputs.map(nameKey) }));
          for (const path of outputs) {
            for (const stem of stemKeysOf(path)) {
              const some = byStem.get(stem);
              if (some) some.push(path);
              else byStem.set(stem, [path]);
            }
          }
          await yieldIfDue();
        }
      }
      await match(more, others, judgeEarlier, found);
      for (const one of others) {
        await yieldIfDue();
        if (found.has(one.source.path)) continue;
        const moved = await findMoved(one, byStem.get(stemKey(outputPathOf(one, 1))) ?? [], query);
        if (moved) found.set(one.source.path, moved);
      }
      return found;
    },
    async findLeft(wanted, isContinuable) {
      const [first] = wanted;
      return first ? matchLeft(await listLeft(wanted, queryFor(first)), wanted, isContinuable) : new Map();
    },
    isUpToDate() {
      const { request, lastChange: changedAfter } = current;
      if (!request) return true;
      const query = { ...queryFor(request), changedAfter };
      current.lastChange = store.lastChange();
      for (const job of store.earlierConversions({ ...query, endedSince: askedAt }))
        if (keysOf(job).length > 0) changed.earlier.set(job.id, job);
      for (const some of store.leftConversions(query))
        for (const job of some) if (keysOf(job).length > 0) changed.left.set(job.id, job);
      return changed.earlier.size + changed.left.size === 0;
    },
    async findChanged(isOpen, isContinuable) {
      const [jobs, left] = [[...changed.earlier.values()], [...changed.left.values()]];
      changed.earlier.clear();
      changed.left.clear();
      const keys = new Set([...jobs, ...left].flatMap(keysOf));
      const wanted = [...new Set([...keys].flatMap((key) => current.byKey.get(key) ?? []))].filter(isOpen);
      const earlier = new Map<string, EarlierConversion>();
      await match(await withHashes(jobs, wanted), wanted, judgeEarlier, earlier);
      const others = wanted.filter(({ source }) => !earlier.has(source.path));
      return { earlier, left: await matchLeft(left, others, isContinuable) };
    },
  };
}
