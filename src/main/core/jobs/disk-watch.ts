import type { Clock } from '../clock.ts';
import { freeBytes } from '../outputs/free-bytes.ts';
import type { Pauses } from './pauses.ts';

/** Where nobody said how much is missing, this much free space is worth a try. */
const usualResultBytes = 32 * 1024 ** 2;
const lookAgainMs = 2000;

/** Ends the pause of a full disk as soon as there is room again. */
export function createDiskWatch({ pauses, clock }: { readonly pauses: Pauses; readonly clock: Clock }): {
  look(): Promise<void>;
} {
  return {
    async look() {
      const pause = pauses.find(null, 'disk');
      if (!pause || pause.until === null || pause.until > clock.now()) return;
      const { folder, neededBytes } = pause.problem?.facts ?? {};
      const needed = typeof neededBytes === 'number' ? neededBytes : usualResultBytes;
      const free = typeof folder === 'string' ? await freeBytes(folder).catch(() => 0) : Infinity;
      if (free >= needed) pauses.release(null, ['disk']);
      else pauses.hold({ ...pause, until: clock.now() + lookAgainMs });
    },
  };
}
