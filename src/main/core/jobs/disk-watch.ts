import type { Clock } from '../clock.ts';
import { freeBytes } from '../outputs/free-bytes.ts';
import { createAlarm } from './alarm.ts';
import type { Pauses } from './pauses.ts';

/** Where nobody said how much is missing, this much free space is worth a try. */
const usualResultBytes = 32 * 1024 ** 2;
const lookAgainMs = 2000;

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
  let stopListening = () => undefined as void;

  const setAlarm = () => alarm.set(pauses.find(null, 'disk')?.until ?? null);

  async function look(): Promise<void> {
    const pause = pauses.find(null, 'disk');
    if (!pause) return;
    const { folder, neededBytes } = pause.problem?.facts ?? {};
    const needed = typeof neededBytes === 'number' ? neededBytes : usualResultBytes;
    isLooking = true;
    const free = typeof folder === 'string' ? await freeBytes(folder).catch(() => 0) : Infinity;
    isLooking = false;
    if (free >= needed) pauses.release(null, ['disk']);
    else pauses.hold({ ...pause, until: clock.now() + lookAgainMs });
  }

  return {
    start() {
      stopListening = pauses.onChanged(setAlarm);
      setAlarm();
    },
    stop() {
      stopListening();
      alarm.set(null);
    },
  };
}
