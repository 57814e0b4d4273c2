import type { ConversionJob, Job, SpeechJob } from './job.ts';

type Given =
  'order' | 'revision' | 'createdAt' | 'since' | 'listed' | 'attempts' | 'tries' | 'timings' | 'startedAt' | 'endedAt';

/** A job as it is asked for; the store gives the rest. */
export type NewJob = Omit<ConversionJob, Given> | Omit<SpeechJob, Given>;

type Fixed =
  'id' | 'kind' | 'order' | 'revision' | 'createdAt' | 'since' | 'connection' | 'voice' | 'target' | 'timings';

export type JobChange = Partial<Omit<ConversionJob, Fixed | 'settings'>>;

export type StoreNews =
  | { readonly kind: 'put'; readonly jobs: readonly Job[] }
  | { readonly kind: 'removed'; readonly ids: readonly string[] }
  /** Another process changed jobs that are in no list, as entries of history are. */
  | { readonly kind: 'unlisted'; readonly ids: readonly string[] };

/** What the queue may take up next of one connection. */
export interface WorkQuery {
  readonly now: number;
  /** Only results that wait at the service. */
  readonly onlyResults: boolean;
  readonly except: readonly string[];
  readonly limit: number;
}

/**
 * Where jobs are kept. Everything is synchronous: a change is on disk before the call returns, so that whoever makes one may act on
 * it in the next line. Inside a transaction it is on disk, and told, when that has been committed.
 */
export interface JobStore {
  /** Adds jobs of this process at the end of the queue, all or none. */
  add(jobs: readonly NewJob[]): readonly Job[];
  get(id: string): Job | undefined;
  /**
   * Changes a job that has not ended. A change of `state` sets `since` and the timings, and forgets what held the job up unless it
   * says so itself. Throws `job/not-found` where there is none, and `job/cancelled` where it has ended meanwhile, by another process
   * perhaps.
   */
  change(id: string, change: JobChange): Job;
  /**
   * As `change`, for what costs nothing to do again: it outlives the process like everything here, but is not waited for, and a power
   * cut may take it back.
   */
  note(id: string, change: JobChange): Job;
  /** Makes all changes of `work` in one transaction. */
  together<T>(work: () => T): T;
  /**
   * Cancels a job of any process and gives it back. Undefined where it has ended, or its result gets its name at this moment: what that is,
   * only its own process knows.
   */
  cancel(id: string): Job | undefined;
  /** Tells of a change that is decided and cannot be written yet. */
  announceAs(job: Job, change: JobChange): void;
  /** Brings an ended job back into this process's queue, in its old place. */
  revive(id: string, change: JobChange): Job;
  /**
   * Claims a name for a job's result. False where another result of ours has it, or is about to, under a name that some file systems
   * take for the same; whether the name is free in its folder is not asked.
   */
  claimName(id: string, path: string): boolean;
  /** Takes ended jobs off the list; others stay, and history keeps them all. */
  remove(ids: readonly string[]): void;
  /** Puts waiting jobs, in this order, before another one; null is the end of the queue. */
  move(ids: readonly string[], before: string | null): void;
  /** Up to `limit` listed jobs behind `order` (exclusive; null starts at the first), ascending. */
  page(after: number | null, limit: number): readonly Job[];
  /** What this process may work on now of a connection, first things first. */
  work(connectionId: string, query: WorkQuery): readonly Job[];
  /** Connections of which this process has unfinished jobs. */
  busyConnections(): readonly string[];
  /** Recordings of this process that nobody has looked at yet, first in line first. */
  unexamined(limit: number, except: readonly string[]): readonly ConversionJob[];
  /** When the next of this process's jobs that wait for a time may go on; null where none does. */
  nextTryAt(): number | null;
  /** Takes over jobs whose process is dead: all of these connections, or those of these ids. Returns what it took. */
  claim(which: { readonly connectionIds: readonly string[] } | { readonly ids: readonly string[] }): readonly Job[];
  /** Conversions of these recordings that a command asked for which died before it was told what became of them. */
  untold(paths: readonly string[]): readonly ConversionJob[];
  /** The same of pieces of speech that are this text. */
  untoldSpeech(text: string): readonly SpeechJob[];
  /** This command is the one that is to be told of these. */
  askFor(ids: readonly string[]): void;
  /** Whoever asked for these has been told. */
  told(ids: readonly string[]): void;
  /** Ids of this process's jobs that have not ended. */
  unfinished(): readonly string[];
  countUnfinished(): number;
  /** True of a job that this process works on, or did. */
  owns(id: string): boolean;
  /**
   * Seconds of work that a second of sound has cost on this connection: the median of the last twenty that were done. Null where there
   * are fewer than five.
   */
  pace(connectionId: string): number | null;
  /** Looks whether another process wrote, and tells its news. Cheap enough for twice a second. */
  look(): void;
  /** Tells of jobs that somebody in this process wrote beside the store: where the files of history are now. */
  announce(ids: readonly string[]): void;
  /** Tells of every change, those of other processes too. */
  onNews(listener: (news: StoreNews) => void): () => void;
}
