import { attentionReasons, type Pause } from '../../shared/schemas/job.ts';
import type { Clock } from './clock.ts';
import type { Data } from './data.ts';
import { createListeners } from './events.ts';
import type { Job } from './jobs/job.ts';

/** A pause without the time of the next try, which changes often. */
interface LastingPause extends Omit<Pause, 'resumesAt'> {
  /** Jobs that wait for its end. */
  readonly waiting: number;
}

/** What Timbre is doing, for a desktop that shows it without a window. */
export interface Activity {
  /** Jobs that have not ended. */
  readonly open: number;
  /** Share of the jobs that have ended, of all since none was open: 0 to 1. Null while none is open. */
  readonly progress: number | null;
  /** Folders that this process watches, or will when they can be reached. */
  readonly folders: number;
  /** Files that a watched folder has found and that may become jobs. */
  readonly incoming: number;
  /** Pauses of the queue that need the user. */
  readonly pauses: readonly LastingPause[];
  /** Number of pauses, watched files, and other jobs that failed since the start, that need the user. */
  readonly attention: number;
  readonly isPausedByUser: boolean;
  /** True while jobs wait for mains power. */
  readonly isPausedOnBattery: boolean;
}

export const noActivity: Activity = {
  open: 0,
  progress: null,
  folders: 0,
  incoming: 0,
  pauses: [],
  attention: 0,
  isPausedByUser: false,
  isPausedOnBattery: false,
};

export interface ActivityMonitor {
  get(): Activity;
  /** Emits at most once every half second, and only if something differs. */
  onChanged(listener: (activity: Activity) => void): () => void;
  stop(): void;
}

interface Dependencies extends Pick<Data, 'queue' | 'watch'> {
  readonly clock: Pick<Clock, 'sleep'>;
  onDefect(error: unknown): void;
}

/** Each reading counts the records of every folder. */
const intervalMs = 500;
const attentionStates: ReadonlySet<Job['state']> = new Set(['failed', 'uncertain']);

/** Reads the activity from the queue and the watched folders, and again after they change. */
export function createActivityMonitor({ queue, watch, clock, onDefect }: Dependencies): ActivityMonitor {
  const { store, breaker } = queue;
  const listeners = createListeners<Activity>(onDefect);
  const stopping = new AbortController();
  const troubled = new Set<string>();
  /** Jobs of the current batch, ended ones included. */
  let batchSize = 0;
  let isPending = false;
  let last: Activity | undefined;
  let emitted = get();

  function read(): Activity {
    const allPauses = breaker.list();
    const pauses = allPauses
      .filter(({ reason }) => attentionReasons.has(reason))
      .map(({ connectionId, reason, since, problem }) => ({
        connectionId,
        reason,
        since,
        problem,
        waiting: store.countUnfinished(connectionId ?? undefined),
      }));
    const open = store.countUnfinished();
    batchSize = open === 0 ? 0 : batchSize + Math.max(0, open - (last?.open ?? 0));
    const folders = watch.listFolders().filter(({ folder, mode }) => !folder.isPaused && mode !== 'elsewhere');
    // In one query a folder: thousands may have failed.
    const counted = new Set(troubled.size > 0 ? folders.flatMap(({ folder }) => watch.jobsInNeed(folder.id)) : []);
    const others = [...troubled].filter((id) => !counted.has(id)).length;
    return {
      open,
      progress: open === 0 ? null : (batchSize - open) / batchSize,
      folders: folders.length,
      incoming: folders.reduce((sum, { counts }) => sum + counts.incoming, 0),
      pauses,
      attention: pauses.length + folders.reduce((sum, { counts }) => sum + counts.attention, 0) + others,
      isPausedByUser: allPauses.some(({ reason }) => reason === 'user'),
      isPausedOnBattery: open > 0 && allPauses.some(({ reason }) => reason === 'battery'),
    };
  }

  function get(): Activity {
    try {
      last = read();
    } catch (error) {
      // The database is damaged or closed: what was true before is the best answer.
      onDefect(error);
    }
    return last ?? noActivity;
  }

  function emitIfChanged(): void {
    const now = get();
    if (JSON.stringify(now) === JSON.stringify(emitted)) return;
    emitted = now;
    listeners.emit(now);
  }

  function changed(): void {
    if (isPending || stopping.signal.aborted) return;
    isPending = true;
    clock
      .sleep(intervalMs, stopping.signal)
      .then(() => {
        isPending = false;
        emitIfChanged();
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onDefect(error);
      });
  }

  const ends = [
    store.onEvent((event) => {
      if (event.kind === 'removed') event.ids.forEach((id) => troubled.delete(id));
      else if (event.kind === 'upserted') {
        for (const { id, state, isListed } of event.jobs) {
          if (attentionStates.has(state) && isListed && store.owns(id)) troubled.add(id);
          else troubled.delete(id);
        }
      }
      changed();
    }),
    breaker.onChanged(changed),
    watch.onFolder(changed),
  ];

  return {
    get,
    onChanged: listeners.add,
    stop() {
      stopping.abort();
      ends.forEach((end) => end());
    },
  };
}
