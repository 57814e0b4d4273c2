import type { ErrorCode } from '../error-code.ts';

/** What a person can be offered for a problem. Each has its word in `messages.problemActions`. */
export type ProblemAction = 'retry' | 'convert-again' | 'show-file' | 'choose-voice' | 'choose-folder';

export interface ProblemKind {
  /** `bad`: it did not happen. `ask`: nobody can know without a person. `calm`: the person's own wish, or it works all the same. */
  readonly severity: 'bad' | 'ask' | 'calm';
  /** Best first. */
  readonly actions: readonly ProblemAction[];
}

const bad = (...actions: readonly ProblemAction[]): ProblemKind => ({ severity: 'bad', actions });

/** Every code, how bad it is and what can be done; its sentences stand in the language's own table. */
export const problemKinds: Readonly<Record<ErrorCode, ProblemKind>> = {
  'input/missing': bad('retry'),
  'input/unreadable': bad('retry', 'show-file'),
  'input/not-a-file': bad(),
  'input/empty': bad('retry', 'show-file'),
  'input/not-audio': bad('retry', 'show-file'),
  'input/cut': bad('retry', 'show-file'),
  'input/changed': bad('retry'),
  'input/no-audio-in-folder': bad('show-file'),
  'input/text-empty': bad(),
  'input/text-too-long': bad(),
  'input/not-text': bad(),
  'voice/missing': bad('choose-voice'),
  'voice/not-found': bad('choose-voice'),
  'output/not-writable': bad('retry', 'choose-folder'),
  'output/disk-full': bad('retry', 'choose-folder'),
  'output/failed': bad('retry'),
  'template/empty': bad(),
  'template/unknown-field': bad(),
  'template/outside': bad(),
  'system/too-many-files': bad('retry'),
  'network/unreachable': bad('retry'),
  'network/timeout': bad('retry'),
  'network/cut': bad('retry'),
  'network/insecure': bad('retry'),
  'network/proxy': bad('retry'),
  'service/refused': bad('retry'),
  'service/not-found': bad('retry'),
  'service/too-large': bad('retry'),
  'service/not-understood': bad('retry'),
  'service/redirected': bad('retry'),
  'service/unavailable': bad('retry'),
  'service/result-gone': bad('convert-again'),
  'service/result-incomplete': bad('retry'),
  'service/result-not-audio': bad('retry'),
  'service/no-audio': bad('retry'),
  'service/uncertain': { severity: 'ask', actions: ['convert-again'] },
  'auth/missing': bad('retry'),
  'auth/refused': bad('retry'),
  'auth/forbidden': bad('retry'),
  'quota/used-up': bad('retry'),
  'rate/limited': bad('retry'),
  'engine/not-started': bad('retry'),
  'connection/invalid': bad('retry'),
  'connection/not-found': bad(),
  'connection/name-taken': bad(),
  'connection/in-use': bad(),
  'settings/unreadable': bad('retry'),
  'data/unreadable': bad('retry'),
  'data/newer': bad(),
  'data/damaged': bad(),
  'data/in-use': bad('retry'),
  'watch/not-a-folder': bad(),
  'watch/missing': bad(),
  'watch/unreadable': bad(),
  'watch/another-folder': bad(),
  'watch/overlaps': bad(),
  'watch/elsewhere': bad(),
  'watch/no-hints': { severity: 'calm', actions: [] },
  'watch/too-many-folders': { severity: 'calm', actions: [] },
  'watch/network-drive': { severity: 'calm', actions: [] },
  'watch/unreadable-inside': bad(),
  'watch/length-open': bad('show-file'),
  'watch/length-unknown': bad(),
  'watch/too-long': bad(),
  'watch/source-stays': bad('show-file'),
  'dialog/failed': bad(),
  'job/not-found': bad(),
  'job/cancelled': { severity: 'calm', actions: ['convert-again'] },
  'request/invalid': bad('retry'),
  'request/unknown': bad(),
  internal: bad('retry'),
};
