/** Every cause that Timbre can name, as `area/what`. The sentence that a person reads for each stands in `messages/`. */
export const errorCodes = [
  'input/missing',
  'input/unreadable',
  'input/not-a-file',
  'input/empty',
  'input/not-audio',
  'input/cut',
  'input/changed',
  'input/no-audio-in-folder',
  'voice/missing',
  'voice/not-found',
  'output/not-writable',
  'output/disk-full',
  'output/failed',
  'network/unreachable',
  'network/timeout',
  'network/cut',
  'network/insecure',
  'service/refused',
  'service/not-understood',
  'service/redirected',
  'service/unavailable',
  'service/result-gone',
  'service/result-incomplete',
  'service/result-not-audio',
  'service/uncertain',
  'auth/missing',
  'auth/refused',
  'auth/forbidden',
  'quota/used-up',
  'rate/limited',
  'engine/not-started',
  'connection/invalid',
  'connection/not-found',
  'settings/unreadable',
  'dialog/failed',
  'job/not-found',
  'job/cancelled',
  'request/invalid',
  'request/unknown',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

const known: ReadonlySet<string> = new Set(errorCodes);

export const isErrorCode = (code: string): code is ErrorCode => known.has(code);
