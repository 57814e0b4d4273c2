import type { FileDesk } from './file-desk.ts';
import type { FileLine } from './file-line.ts';
import type { FileLines } from './file-lines.ts';
import type { Ledger } from './ledger.ts';
import { startOfDay } from './start-of-day.ts';

/** Files that were not taken, for a reason that may be over: sends them to the gate again. */
export interface LookAgain {
  /** The folder is watched anew, by other settings perhaps. */
  atStart(): void;
  /** The folder was away, and is there again. */
  whenBack(): void;
  /** Once a second. */
  tick(now: number): void;
}

interface Dependencies {
  readonly desk: FileDesk;
  readonly lines: Pick<FileLines, 'paths' | 'held'>;
  readonly ledger: Pick<Ledger, 'minutesSince'>;
  consider(paths: readonly string[]): void;
}

const heldEveryMs = 60_000;
const unreadableEveryMs = 600_000;

/** Not the file was at fault but its disk, or a right. */
const isUnreadable = ({ problem }: FileLine): boolean => problem?.code === 'input/unreadable';

/** Not the file was at fault but the folder's settings, which may be others now. */
const isOfFolder = (line: FileLine): boolean =>
  isUnreadable(line) ||
  line.standing === 'attention' ||
  line.problem?.code === 'watch/too-long' ||
  line.problem?.code === 'watch/length-unknown';

/** True at once, and then so long after it was true; a clock that is set back makes nobody wait. */
function createEvery(ms: number): (now: number) => boolean {
  let last = -Infinity;
  return (now) => {
    if (now >= last && now - last < ms) return false;
    last = now;
    return true;
  };
}

export function createLookAgain({ desk, lines, ledger, consider }: Dependencies): LookAgain {
  const { id } = desk;
  const isTimeForHeld = createEvery(heldEveryMs);
  const isTimeForUnreadable = createEvery(unreadableEveryMs);

  function takeRefused(isWanted: (line: FileLine) => boolean): void {
    desk.inSlices(lines.paths(id, 'refused'), (some) => {
      const again = some.filter((path) => {
        const line = desk.get(path);
        return line?.verdict === 'refused' && isWanted(line);
      });
      again.forEach((path) => desk.toGate(path));
      consider(again);
    });
  }

  /** Whoever is sent to the gate is read to its end: only those for which there is room today. */
  function takeHeld(now: number): void {
    const { dailyMinutes } = desk.folder().settings;
    const roomMinutes = dailyMinutes === null ? Infinity : dailyMinutes - ledger.minutesSince(id, startOfDay(now));
    consider(lines.held(id, Math.ceil(roomMinutes * 60)));
  }

  return {
    atStart: () => takeRefused(isOfFolder),
    whenBack: () => takeRefused(isUnreadable),
    tick(now) {
      if (isTimeForHeld(now)) takeHeld(now);
      if (isTimeForUnreadable(now)) takeRefused(isUnreadable);
    },
  };
}
