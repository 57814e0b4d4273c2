import type { WatchWait } from '../../../../shared/wire/watch.ts';
import type { Candidate } from './candidate.ts';
import type { EyesNews } from './eyes.ts';
import { neededQuietMs, type Quiet } from './quiet.ts';

/** Two lines a second for each file are all that a person can read. */
const tellEveryMs = 500;

interface Dependencies {
  readonly monotonic: () => number;
  readonly tell: (news: EyesNews) => void;
}

/** Tells what a file waits for: at once where that is another thing than before, else twice a second at most. */
export const createWaitTeller =
  ({ monotonic, tell }: Dependencies) =>
  (candidate: Candidate, wait: WatchWait): void => {
    const now = monotonic();
    const isSame = candidate.toldKind === wait.kind;
    if (isSame && (wait.kind === 'turn' || now - candidate.toldAt < tellEveryMs)) return;
    candidate.toldKind = wait.kind;
    candidate.toldAt = now;
    tell({ kind: 'waiting', id: candidate.rootId, path: candidate.path, wait });
  };

export const quietWait = (quiet: Quiet, now: number): WatchWait => ({
  kind: 'quiet',
  sizeBytes: quiet.signature.sizeBytes,
  quietSeconds: (now - quiet.changedAt) / 1000,
  neededSeconds: neededQuietMs(quiet) / 1000,
});
