import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import type { AddedJobs, AddPreview } from '../../../shared/schemas/job.ts';
import { speakerKey } from '../../../shared/text/speakers.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import { type Clock, createEventLoopYielder } from '../clock.ts';
import type { WriteGate } from '../database/write-gate.ts';
import { createListeners } from '../events.ts';
import { discardTemporary } from '../files/publish.ts';
import { type ConversionFinder, createConversionFinder, type EarlierConversion } from './earlier-conversions.ts';
import {
  type Finding,
  findRecording,
  findRecordings,
  type MeasureLimits,
  measureRecordings,
} from './find-recordings.ts';
import { type ConversionJob, hasEnded, type Job, type JobSource, outputFolder, type SpeechJob } from './job.ts';
import { addedJob, type JobStore, type NewJob } from './job-store.ts';
import {
  type JobRequest,
  type NewConversion,
  newConversion,
  newSpeech,
  repeated,
  type SpeechRequest,
} from './new-job.ts';
import type { OwnResults } from './own-results.ts';
import { isInDoubt, isUnfetched, retryFrom } from './retry-policy.ts';

export interface SubmitJobs {
  /**
   * Measures the recordings in paths of files and folders, as `add` would find them. Those that are not measured
   * within the time limit are counted without a length. `maxSeconds` is the longest recording that is accepted.
   */
  preview(paths: readonly string[], limits: MeasureLimits, signal: AbortSignal): Promise<AddPreview>;
  /**
   * Creates jobs from paths of files and folders, but not from results that lie in those folders, wherever they were made. A
   * file that cannot be converted becomes a failed job with the reason. Jobs from the same request are resumed, or are done,
   * instead of added again: those of a killed command, and those that failed or were cancelled with a result that is paid for,
   * which continue at its download. Throws `input/more-found` if there are more files than `atMost`.
   */
  add(
    paths: readonly string[],
    request: JobRequest,
    signal: AbortSignal,
    atMost?: number,
  ): Promise<Omit<AddedJobs, 'addition'> & Submitted>;
  /** Paths that are still being added: what is not stored of them yet would be lost with this process. */
  countAdding(): number;
  /** Called when an addition ends. */
  onAdded(listener: () => void): () => void;
  /** The recordings that `add` would add. */
  find(paths: readonly string[], signal: AbortSignal): ReturnType<typeof findRecordings>;
  /** Adds recordings that `find` has found, as `add` does. */
  addFound(findings: readonly Finding[], request: JobRequest, signal: AbortSignal): Promise<Submitted>;
  /**
   * The database is closed to be repaired: what `preview` and `add` have not done yet is done in the repaired one, unless that cannot
   * be opened.
   */
  continueIn(repaired: Promise<FoundAdder>): void;
  /**
   * Like `add`, but makes nothing twice: leaves out recordings whose result is there already, and those that another process
   * works on. Of those that a dead process was to make, its jobs are resumed.
   */
  addMissing(
    paths: readonly string[],
    request: JobRequest,
    signal: AbortSignal,
  ): Promise<Submitted & LeftOut & { readonly ignored: number }>;
  /** What `addMissing` would leave out of these recordings. */
  findLeftOut(paths: readonly string[], request: JobRequest, signal: AbortSignal): Promise<LeftOut>;
  /** Adds a recording that has already been checked. */
  addRecording(source: JobSource, request: JobRequest): Job;
  /**
   * Adds a text that can be spoken (`assertSpoken`), which may come from a file that has already been checked. Returns the earlier
   * job with the same request if it became doubtful since the user asked whether that was paid for, and to a command also the
   * one that another process has in hand, or has left: its outcome is that of both.
   */
  addSpeech(text: string, request: SpeechRequest, source?: JobSource): SpeechJob;
  /** Adds texts of one file that can be spoken. Returns their ids in that order. */
  addSpeeches(
    texts: readonly { readonly text: string; readonly request: SpeechRequest }[],
    source: JobSource,
  ): readonly string[];
  /**
   * Resumes the speech job from the same request that `add` would resume, so that it is not paid for again; it may
   * already be done. Undefined if there is none.
   */
  resumeSpeech(text: string, request: SpeechRequest): Promise<SpeechJob | undefined>;
  /**
   * Adds many texts that can be spoken, each as a job. One whose result is there already from the same request, or is being made
   * by this process, is not made again: so a batch of which some failed can be added again. `ids` are in the order of the texts.
   */
  addTexts(texts: readonly { readonly text: string; readonly request: SpeechRequest }[]): Promise<Submitted>;
  /**
   * Ids of the jobs that made, or in this process are making, the results of these requests from a source, or whose outcome the
   * user decides about, as `isLeft` says. Each job answers one request only. Undefined for what is still to be made.
   */
  findResults(
    texts: readonly { readonly text: string; readonly request: SpeechRequest }[],
    sourcePath: string,
    isLeft: (job: SpeechJob) => boolean,
  ): Promise<readonly (string | undefined)[]>;
  /** Resumes a killed command's job with the same request as this job. Undefined if there is none. */
  resumeSame(job: Job, signal: AbortSignal): Promise<Job | undefined>;
  /** Adds a job like one that has ended, with the source as it is now. */
  repeat(job: Job): Job;
}

/** Recordings, by their paths, that an earlier job made, or that a job of another process makes. */
export interface LeftOut {
  readonly made: ReadonlyMap<string, ConversionJob>;
  readonly elsewhere: ReadonlyMap<string, ConversionJob>;
}

type FoundAdder = Pick<SubmitJobs, 'find' | 'addFound'>;

interface Submitted {
  /** All jobs that answer the request. */
  readonly ids: readonly string[];
  /** Those of them that were created for it. */
  readonly createdIds: readonly string[];
}

interface Dependencies {
  readonly store: JobStore;
  readonly inspectSound: InspectSound;
  readonly clock: Pick<Clock, 'sleep' | 'now'>;
  readonly writes: Pick<WriteGate, 'write' | 'commit'>;
  /**
   * A command reports that it cannot add recordings while the database is not writable, and ends; the app holds them in memory, and
   * the window shows that. A command also waits for the text that another one speaks, while each press of a button speaks it.
   */
  readonly isCommand: boolean;
  readonly ownResults: Omit<OwnResults, 'existIn' | 'isAwaitingHook' | 'isUntouchedAt'>;
  readonly randomId: () => string;
  /** Awaited between two batches of writes. */
  readonly nextBatch: () => Promise<void>;
  /**
   * When the user asked for what this process does, in milliseconds since 1970: they do not agree to pay again where it became
   * doubtful later whether they had paid.
   */
  readonly askedAt: number;
  /** Adopts jobs of dead processes and returns the claimed ones. */
  adoptOrphans(ids: readonly string[]): readonly Job[];
}

/** A commit rewrites the last page of each index, so few rows would cost much; the window must not wait for a thousand. */
const rowsPerBatch = 100;

/** Batches, each with whether it is the last. */
function* inBatches<T>(all: readonly T[]): Generator<readonly [readonly T[], boolean]> {
  for (let start = 0; start < all.length; start += rowsPerBatch)
    yield [all.slice(start, start + rowsPerBatch), start + rowsPerBatch >= all.length];
}

const jobsOf = (
  earlier: ReadonlyMap<string, EarlierConversion>,
  kind: EarlierConversion['kind'],
): ReadonlyMap<string, ConversionJob> =>
  new Map([...earlier].filter(([, one]) => one.kind === kind).map(([path, { job }]) => [path, job]));

const leftOutOf = (earlier: ReadonlyMap<string, EarlierConversion>): LeftOut => ({
  made: jobsOf(earlier, 'made'),
  elsewhere: jobsOf(earlier, 'elsewhere'),
});

/** True if a killed command's job is not just made again. One that may have been charged is reported first. */
const isReusable = (job: Job): boolean => job.state !== 'failed' && (job.state !== 'cancelled' || isInDoubt(job));

/** What a request asks for, without what may differ between two that ask for the same. */
function comparable(settings: SpeechJob['settings']) {
  const { speakers = [], pronunciations = [], ...others } = settings;
  const named = speakers.map((speaker) =>
    JSON.stringify({ ...speaker, name: speakerKey(speaker.name), voiceName: '' }),
  );
  return { ...others, speakers: named.sort(), pronunciations: pronunciations.map((one) => JSON.stringify(one)).sort() };
}

/** True if the job has the same request. */
const isSameRequest = (job: SpeechJob, request: SpeechRequest): boolean =>
  job.connection.id === request.connection.id &&
  job.voice.id === request.voice.id &&
  job.target.folder === request.outputFolder &&
  job.target.nameTemplate === request.nameTemplate &&
  isDeepStrictEqual(comparable(job.settings), comparable(request.settings));

/** Removes what a killed process downloaded. If it cannot be removed, it is downloaded elsewhere all the same. */
async function removeDownload(job: Job): Promise<void> {
  try {
    await discardTemporary(outputFolder(job), job.id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

export function createSubmitJobs(dependencies: Dependencies): SubmitJobs {
  const { store, inspectSound, clock, writes, isCommand, ownResults, randomId, nextBatch, askedAt, adoptOrphans } =
    dependencies;
  const add = (jobs: readonly NewJob[]) => writes.write(() => store.add(jobs));
  const addRelaxed = (jobs: readonly NewJob[]) => writes.write(() => store.addRelaxed(jobs));
  const commit = async <T>(work: () => T, signal: AbortSignal): Promise<T> =>
    isCommand ? writes.write(work) : writes.commit(work, signal);
  /** True if a killed command's job can be continued, or has made its result. */
  const isResumable = async (job: Job): Promise<boolean> =>
    // If the result was deleted since, it is made again.
    isReusable(job) && (job.state !== 'done' || !(await findRecording(job.output?.path ?? '')).problem);

  /** `recordings` are what the jobs are for from now on, by job id. */
  const reopen = (ids: readonly string[], recordings: ReadonlyMap<string, JobSource>): void =>
    store.batch(() => {
      store.requestJobs(ids);
      for (const id of ids) {
        // Some time has passed.
        const found = store.get(id);
        const job = found && isUnfetched(found) ? store.reopen(id, retryFrom(found)) : found;
        const source = recordings.get(id);
        if (!source || !job || hasEnded(job) || job.state === 'publishing' || store.isElsewhere(id)) continue;
        store.change(id, { source: { ...job.source, ...source } });
      }
    });

  /** Makes this process the owner and requester of these jobs; those with an unfetched result continue there. */
  function adopt(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    const ids = jobs.map(({ id }) => id);
    writes.write(() => reopen(ids, new Map()));
    adoptOrphans(ids);
  }

  const isContinuable = async (job: Job): Promise<boolean> => isUnfetched(job) || (await isResumable(job));

  /** Adopts jobs that are left of these. Their ids, by the path of the recording. */
  async function adoptLeft(
    wanted: readonly ConversionJob[],
    left: ReadonlyMap<string, ConversionJob>,
    finder: ConversionFinder,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    if (left.size === 0) return new Map();
    const recordings = new Map<string, JobSource>();
    for (const { source } of wanted) {
      const job = left.get(source.path);
      if (!job || isDeepStrictEqual(job.source, { ...job.source, ...source })) continue;
      if (await finder.keepsRecording(job)) continue;
      recordings.set(job.id, source);
      // One of this process may be downloaded just now.
      if (!store.owns(job.id) && outputFolder(job) !== outputFolder({ ...job, source })) await removeDownload(job);
    }
    for (const [some] of inBatches([...left.values()])) {
      const ids = some.map(({ id }) => id);
      await commit(() => reopen(ids, recordings), signal);
      adoptOrphans(ids);
      await nextBatch();
    }
    return new Map([...left].map(([path, { id }]) => [path, id]));
  }

  let repaired: Promise<FoundAdder | undefined> | undefined;

  /** Where to go on after an error of the closed database. Throws the error if nowhere, or if the caller cancelled meanwhile. */
  async function findRepaired(error: unknown, signal: AbortSignal): Promise<FoundAdder> {
    const found = await repaired;
    if (!found || signal.aborted) throw error;
    return found;
  }

  const find: SubmitJobs['find'] = (paths, signal) =>
    findRecordings(paths, ownResults, signal).catch(async (error: unknown) =>
      (await findRepaired(error, signal)).find(paths, signal),
    );

  /** The jobs that these recordings would become. */
  async function wantedOf(findings: readonly Finding[], request: JobRequest): Promise<readonly ConversionJob[]> {
    const wanted: ConversionJob[] = [];
    for (const [some] of inBatches(findings.filter(({ problem }) => !problem))) {
      wanted.push(...some.map((finding) => addedJob(newConversion('', finding, request), clock.now())));
      await yieldToEventLoop();
    }
    return wanted;
  }

  async function addInBatches(
    findings: readonly Finding[],
    request: JobRequest,
    addSome: (jobs: readonly NewConversion[], isLast: boolean) => Promise<void>,
  ): Promise<void> {
    for (const [some, isLast] of inBatches(findings)) {
      await addSome(
        some.map((finding) => newConversion(randomId(), finding, request)),
        isLast,
      );
      await nextBatch();
    }
  }

  /** Adds jobs for recordings that no earlier job answers. The last batch syncs all to disk: nothing was promised before. */
  async function addAll(
    findings: readonly Finding[],
    request: JobRequest,
    finder: ConversionFinder,
    signal: AbortSignal,
  ): Promise<Submitted> {
    const ids: string[] = [];
    const createdIds: string[] = [];
    let others = findings;
    try {
      const wanted = await wantedOf(findings, request);
      const adopted = await adoptLeft(wanted, await finder.findLeft(wanted, isContinuable), finder, signal);
      ids.push(...adopted.values());
      others = findings.filter(({ source }) => !adopted.has(source.path));
      await addInBatches(others, request, async (jobs, isLast) => {
        const added = await commit(() => (isLast ? store.add(jobs) : store.addRelaxed(jobs)), signal);
        createdIds.push(...added.map(({ id }) => id));
      });
      return { ids: [...ids, ...createdIds], createdIds };
    } catch (error) {
      const repairedQueue = await findRepaired(error, signal);
      // The batches before are in the repaired database.
      const more = await repairedQueue.addFound(others.slice(createdIds.length), request, signal);
      return { ids: [...ids, ...createdIds, ...more.ids], createdIds: [...createdIds, ...more.createdIds] };
    }
  }

  const addFound: SubmitJobs['addFound'] = (findings, request, signal) =>
    addAll(findings, request, createConversionFinder(store, ownResults, askedAt, signal), signal);

  type IsFree = (job: SpeechJob) => boolean;
  const isAny: IsFree = () => true;

  async function findUnacknowledged(
    text: string,
    request: SpeechRequest,
    isFree = isAny,
  ): Promise<SpeechJob | undefined> {
    for (const job of store.unacknowledgedSpeech(text).filter(isFree))
      if (isSameRequest(job, request) && (await isResumable(job))) return job;
    return undefined;
  }

  const findUnfetched = (text: string, request: SpeechRequest, isFree = isAny): SpeechJob | undefined =>
    store.unfetchedSpeech(text).find((job) => isFree(job) && isUnfetched(job) && isSameRequest(job, request));

  /** A job that became doubtful since the user asked: they decide once they know, as about a killed command's job. */
  function findDoubted(text: string, request: SpeechRequest, isFree = isAny): SpeechJob | undefined {
    // In the app nothing has ended since. Its window must not wait until a long text is read as often as it was spoken.
    if (askedAt === Infinity) return undefined;
    const isNew = (job: SpeechJob) => job.source === null && isInDoubt(job) && job.stateChangedAt >= askedAt;
    return store.earlierSpeech(text).find((job) => isFree(job) && isNew(job) && isSameRequest(job, request));
  }

  function findAwaited(text: string, request: SpeechRequest): SpeechJob | undefined {
    if (!isCommand) return undefined;
    // A process that was killed just now has left it, too.
    const isOpen = (job: SpeechJob) => !hasEnded(job) || store.isAwaitedElsewhere(job.id);
    const isAwaited = (job: SpeechJob) => job.source === null && isReusable(job) && isOpen(job);
    return store.earlierSpeech(text).find((job) => isAwaited(job) && isSameRequest(job, request));
  }

  const findLeft = async (text: string, request: SpeechRequest, isFree = isAny): Promise<SpeechJob | undefined> =>
    (await findUnacknowledged(text, request, isFree)) ??
    findUnfetched(text, request, isFree) ??
    findDoubted(text, request, isFree);

  /** An earlier job that answers the request, and is not among those `used` for the same batch. */
  async function findEarlier(
    text: string,
    request: SpeechRequest,
    used: ReadonlySet<string>,
  ): Promise<{ readonly job: SpeechJob; readonly isAdopted: boolean } | undefined> {
    const isFree: IsFree = ({ id, source }) => !used.has(id) && source === null;
    const adopted = await findLeft(text, request, isFree);
    if (adopted) return { job: adopted, isAdopted: true };
    const job = await findMade(store.earlierSpeech(text).filter(isFree), request);
    return job && { job, isAdopted: false };
  }

  /** Of earlier jobs with the text, the one that made the result, or is making it. */
  async function findMade(earlier: readonly SpeechJob[], request: SpeechRequest): Promise<SpeechJob | undefined> {
    for (const job of earlier) {
      // An uncertain job was reported: a new request agrees to another call.
      const isHere = job.state === 'done' || (!hasEnded(job) && store.owns(job.id));
      if (isHere && isSameRequest(job, request) && (await isResumable(job))) return job;
    }
    return undefined;
  }

  function adoptSpeech(job: SpeechJob | undefined): SpeechJob | undefined {
    if (job) adopt([job]);
    return job;
  }

  let adding = 0;
  const additions = createListeners<void>();
  async function counted<T>(paths: number, run: () => Promise<T>): Promise<T> {
    adding += paths;
    try {
      return await run();
    } finally {
      adding -= paths;
      additions.emit();
    }
  }

  return {
    async preview(paths, limits, signal) {
      const { findings } = await find(paths, signal);
      return measureRecordings(findings, limits, { inspectSound, clock }, signal);
    },
    add: (paths, request, signal, atMost = Infinity) =>
      counted(paths.length, async () => {
        const { findings, ignored } = await find(paths, signal);
        const found = findings.filter(({ problem }) => !problem).length;
        if (found > atMost) throw new AppError('input/more-found', `${found} files instead of ${atMost}`);
        return {
          ...(await addFound(findings, request, signal)),
          added: found,
          refused: findings.length - found,
          ignored,
          withoutPath: paths.filter((path) => path === '').length,
        };
      }),
    find,
    addFound: (findings, request, signal) => counted(findings.length, () => addFound(findings, request, signal)),
    countAdding: () => adding,
    onAdded: additions.add,
    continueIn: (next) => void (repaired = next.catch(() => undefined)),
    async addMissing(paths, request, signal) {
      const { findings, ignored } = await find(paths, signal);
      const finder = createConversionFinder(store, ownResults, askedAt, signal);
      const wanted = await wantedOf(findings, request);
      const earlier = new Map(await finder.findEarlier(wanted));
      const adopted = new Map<string, string>();
      const added = new Set<string>();
      const isOpen = ({ source: { path } }: Pick<Finding, 'source'>) =>
        !earlier.has(path) && !adopted.has(path) && !added.has(path);
      async function takeUp(left: ReadonlyMap<string, ConversionJob>): Promise<void> {
        for (const [path, id] of await adoptLeft(wanted, left, finder, signal)) adopted.set(path, id);
      }
      await takeUp(await finder.findLeft(wanted.filter(isOpen), isContinuable));
      const createdIds: string[] = [];
      await addInBatches(findings.filter(isOpen), request, async (jobs) => {
        // Until nothing is new of what other processes began, made or left, be it for jobs that are added later.
        for (;;) {
          signal.throwIfAborted();
          const free = jobs.filter(isOpen);
          const created = writes.write(() => store.batch(() => (finder.isUpToDate() ? store.add(free) : null)));
          if (created) {
            for (const { source } of free) added.add(source.path);
            createdIds.push(...created.map(({ id }) => id));
            return;
          }
          const changed = await finder.findChanged(isOpen, isContinuable);
          for (const [path, one] of changed.earlier) earlier.set(path, one);
          await takeUp(changed.left);
        }
      });
      const doubted = [...jobsOf(earlier, 'doubted').values()];
      adopt(doubted);
      const ids = [...doubted.map(({ id }) => id), ...adopted.values(), ...createdIds];
      return { ids, createdIds, ignored, ...leftOutOf(earlier) };
    },
    async findLeftOut(paths, request, signal) {
      const { findings } = await find(paths, signal);
      return leftOutOf(
        await createConversionFinder(store, ownResults, askedAt, signal).findEarlier(await wantedOf(findings, request)),
      );
    },
    addRecording(source, request) {
      const [job] = add([newConversion(randomId(), { source, problem: null }, request)]);
      return job as Job;
    },
    addSpeech(text, request, source) {
      // In one transaction, so that no doubt arises in between, and of two commands that speak the same one sees the other's job.
      const { earlier, job } = writes.write(() =>
        store.batch(() => {
          const known = source ? undefined : (findDoubted(text, request) ?? findAwaited(text, request));
          return { earlier: known, job: known ?? store.add([newSpeech(randomId(), text, request, source)])[0] };
        }),
      );
      if (earlier) adopt([earlier]);
      return job as SpeechJob;
    },
    addSpeeches: (texts, source) =>
      add(texts.map(({ text, request }) => newSpeech(randomId(), text, request, source))).map(({ id }) => id),
    async findResults(texts, sourcePath, isLeft) {
      const used = new Set<string>();
      const ids: (string | undefined)[] = [];
      const yieldIfLate = createEventLoopYielder(() => performance.now());
      for (const { text, request } of texts) {
        const isFree: IsFree = ({ id, source }) => !used.has(id) && source?.path === sourcePath;
        const earlier = store.earlierSpeech(text).filter(isFree);
        const job =
          (await findMade(earlier, request)) ?? earlier.find((one) => isLeft(one) && isSameRequest(one, request));
        if (job) used.add(job.id);
        ids.push(job?.id);
        await yieldIfLate();
      }
      return ids;
    },
    async addTexts(texts) {
      const used = new Set<string>();
      const ids: string[] = [];
      const createdIds: string[] = [];
      for (const [some, isLast] of inBatches(texts)) {
        const adopted: SpeechJob[] = [];
        const created: NewJob[] = [];
        for (const { text, request } of some) {
          const earlier = await findEarlier(text, request, used);
          if (earlier?.isAdopted) adopted.push(earlier.job);
          const job = earlier ? null : newSpeech(randomId(), text, request);
          if (job) created.push(job);
          const id = job?.id ?? earlier?.job.id ?? '';
          if (job) createdIds.push(id);
          used.add(id);
          ids.push(id);
        }
        adopt(adopted);
        // The last batch syncs all to disk: nothing was promised before.
        if (isLast) add(created);
        else addRelaxed(created);
        await nextBatch();
      }
      return { ids, createdIds };
    },
    resumeSpeech: async (text, request) => adoptSpeech(await findLeft(text, request)),
    async resumeSame(job, signal) {
      if (job.kind === 'speech') {
        const { connection, voice, settings, target } = job;
        const shared = { connection, voice, nameTemplate: target.nameTemplate };
        return adoptSpeech(await findUnacknowledged(job.text, { ...shared, settings, outputFolder: target.folder }));
      }
      const { path, subfolder } = job.source;
      const { source } = await findRecording(path, subfolder);
      const finder = createConversionFinder(store, ownResults, askedAt, signal);
      const wanted = [{ ...job, source }];
      const adopted = await adoptLeft(wanted, await finder.findLeft(wanted, isResumable), finder, signal);
      return store.get(adopted.get(path) ?? '');
    },
    repeat(job) {
      const [added] = add([repeated(randomId(), job)]);
      return added as Job;
    },
  };
}
