import type { Facts } from '../../../shared/problem.ts';
import type { Clock } from '../clock.ts';
import { freeBytes, takesBytes } from '../outputs/free-bytes.ts';
import { createAlarm } from './alarm.ts';
import type { Pauses } from './pauses.ts';

/** Where nobody said how much is missing, this much free space is worth a try. */
const usualResultBytes = 32 * 1024 ** 2;
const lookAgainMs = 2000;
/** A quota shows only by writing. */
const tryAgainMs = 30_000;

interface Dependencies {
  readonly pauses: Pauses;
  readonly clock: Clock;
  onDefect(error: unknown): void;
}

/**
 * Ends the pause of a full disk as soon as there is room again. Keeps its own time: the queue may be held by something else when the
 * pause is due for a look.
 */
export function createDiskWatch({ pauses, clock, onDefect }: Dependencies): { start(): void; stop(): void } {
  const alarm = createAlarm(clock, () => {
    if (!isLooking) look().catch(onDefect);
  });
  let isLooking = false;
  let isRunning = false;
  let stopListening = () => undefined as void;

  const setAlarm = () => alarm.set(pauses.find(null, 'disk')?.until ?? null);

  async function hasRoom({ folder, neededBytes, reason }: Facts): Promise<boolean> {
    if (typeof folder !== 'string') return true;
    const needed = typeof neededBytes === 'number' ? neededBytes : usualResultBytes;
    if ((await freeBytes(folder).catch(() => 0)) < needed) return false;
    return reason !== 'EDQUOT' || takesBytes(folder, needed);
  }

  async function look(): Promise<void> {
    const pause = pauses.find(null, 'disk');
    if (!pause) return;
    const facts = pause.problem?.facts ?? {};
    isLooking = true;
    const isOver = await hasRoom(facts).finally(() => (isLooking = false));
    const now = pauses.find(null, 'disk');
    if (!isRunning || !now) return;
    // Another disk may have been found full meanwhile: that one is looked at next.
    if (now.problem?.facts?.['folder'] !== facts['folder']) alarm.set(clock.now() + lookAgainMs);
    else if (isOver) pauses.release(null, ['disk']);
    else pauses.hold({ ...now, until: clock.now() + (facts['reason'] === 'EDQUOT' ? tryAgainMs : lookAgainMs) });
  }

  return {
    start() {
      isRunning = true;
      stopListening = pauses.onChanged(setAlarm);
      setAlarm();
    },
    stop() {
      isRunning = false;
      stopListening();
      alarm.set(null);
    },
  };
}
