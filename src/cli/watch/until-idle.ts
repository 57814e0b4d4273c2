import { isHopeless, type Queue } from '../../main/core/jobs/queue.ts';
import type { Clock } from '../../main/core/clock.ts';
import type { Watch } from '../../main/core/watch/watch-service.ts';
import { errorFrom } from '../../shared/errors.ts';
import type { Pause } from '../../shared/schemas/job.ts';

interface Waited {
  readonly watch: Watch;
  readonly queue: Pick<Queue, 'pauses'>;
  readonly id: string;
  readonly connectionId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookMs = 200;

/**
 * Resolves with null when the folder was looked over and nothing in it is under way but what waits for another day; with the pause
 * where nothing goes on by itself for a while. Throws why the folder can't be looked at.
 */
export async function untilIdle({ watch, queue, id, connectionId, clock, signal }: Waited): Promise<Pause | null> {
  for (;;) {
    const { mode, problems, checkedAt, counts } = watch.folder(id);
    const [problem] = problems;
    if (mode === 'offline' && problem) throw errorFrom({ ...problem, message: 'the folder is away' });
    if (checkedAt !== null && counts.incoming <= counts.held && watch.isRested()) return null;
    const pause = queue.pauses
      .list()
      .find((one) => (one.connectionId ?? connectionId) === connectionId && isHopeless(one, clock.now()));
    if (pause) return pause;
    await clock.sleep(lookMs, signal);
  }
}
