/** Every error code, as `area/what`. `messages/` has the sentence that the user reads for each. */
export const errorCodes = [
  'input/missing',
  'input/unreadable',
  'input/disk-silent',
  'input/unreadable-name',
  'input/not-a-file',
  'input/empty',
  'input/not-audio',
  'input/needs-ffmpeg',
  'input/cut',
  'input/changed',
  'input/no-audio-in-folder',
  'input/more-found',
  'input/too-long',
  'input/text-empty',
  'input/text-too-long',
  'input/not-text',
  'input/subtitle-times',
  'table/no-text',
  'table/columns',
  'table/quotes',
  'table/language',
  'table/no-voice',
  'table/several-voices',
  'table/too-many-rows',
  'table/bad-rows',
  'speech/late-cues',
  'voice/missing',
  'voice/not-found',
  'voice/speaker-not-found',
  'output/not-writable',
  'output/disk-full',
  'output/folder-missing',
  'output/failed',
  'template/empty',
  'template/unknown-field',
  'template/outside',
  'system/too-many-files',
  'system/login-item',
  'system/terminal-command',
  'system/terminal-command-taken',
  'system/power-refused',
  'network/unreachable',
  'network/timeout',
  'network/cut',
  'network/insecure',
  'network/proxy',
  'network/offline-mode',
  'service/refused',
  'service/not-found',
  'service/too-large',
  'service/format',
  'service/not-understood',
  'service/endless-list',
  'service/redirected',
  'service/unavailable',
  'service/result-gone',
  'service/result-incomplete',
  'service/result-not-audio',
  'service/no-audio',
  'service/uncertain',
  'service/may-charge',
  'auth/missing',
  'auth/refused',
  'auth/forbidden',
  'auth/portable',
  'quota/used-up',
  'rate/limited',
  'engine/not-started',
  'connection/invalid',
  'connection/not-found',
  'connection/name-taken',
  'connection/in-use',
  'preset/not-found',
  'preset/name-taken',
  'preset/too-many',
  'pronunciation/damaged',
  'pronunciation/not-a-lexicon',
  'pronunciation/too-many',
  'pronunciation/too-long',
  'preset/not-an-export',
  'preset/export-newer',
  'preset/export-too-large',
  'settings/unreadable',
  'settings/damaged',
  'data/unreadable',
  'data/newer',
  'data/unreleased',
  'data/damaged',
  'data/in-use',
  'data/not-writable',
  'data/unchecked',
  'data/new-here',
  'data/safe-start',
  'data/portable-not-writable',
  'watch/not-a-folder',
  'watch/missing',
  'watch/unreadable',
  'watch/disk-silent',
  'watch/another-folder',
  'watch/overlaps',
  'watch/elsewhere',
  'watch/no-hints',
  'watch/too-many-folders',
  'watch/network-drive',
  'watch/unreadable-inside',
  'watch/length-open',
  'watch/length-unknown',
  'watch/too-long',
  'watch/source-stays',
  'watch/no-voice',
  'watch/several-voices',
  'watch/another-voice',
  'history/undo-over',
  'history/files-away',
  'history/not-an-export',
  'history/export-newer',
  'history/export-damaged',
  'history/export-too-large',
  'history/no-drag',
  'history/no-transfer',
  'history/busy',
  'hook/missing',
  'hook/not-allowed',
  'hook/not-a-program',
  'hook/batch-file',
  'hook/failed',
  'hook/timeout',
  'hook/interrupted',
  'ffmpeg/wrong-program',
  'update/list-invalid',
  'update/failed',
  'update/jobs-open',
  'dialog/failed',
  'job/not-found',
  'job/cancelled',
  'job/elsewhere',
  'history/list-ended',
  'request/invalid',
  'request/unknown',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Looks into the table that the page has anyway: the list would be all codes once more. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(problemHandling, code);

/** Values for sentences: sizes in bytes, times in seconds, names. */
export type Facts = Readonly<Record<string, string | number>>;

/**
 * Why something failed, as data that any process can turn into text. `words` is what the service
 * said (its `error` and `details`); it is shown beside our sentence, never instead of it.
 */
export interface Problem {
  readonly code: ErrorCode;
  readonly facts?: Facts;
  readonly words?: string;
}

interface Options extends ErrorOptions {
  readonly facts?: Facts | undefined;
  readonly words?: string | undefined;
}

/**
 * The only error that crosses process boundaries. `message` is for the log; the user reads the
 * sentence of `problem.code`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly problem: Problem;

  constructor(code: ErrorCode, message: string, { facts, words, ...options }: Options = {}) {
    super(message, options);
    this.problem = { code, ...(facts && { facts }), ...(words && { words }) };
  }

  get code(): ErrorCode {
    return this.problem.code;
  }
}

/** A failure on the wire. Sent as data, because an Error loses its class and code between processes. */
export interface Failure extends Problem {
  readonly message: string;
}

export type Reply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };

/** Creates the error that a failure describes, for example one from another process. An unknown code becomes `internal`. */
export function toAppError({ code, message, facts, words }: Failure): AppError {
  return new AppError(isErrorCode(code) ? code : 'internal', message, { facts, words });
}

/** Actions that are the same wherever a problem is shown. */
const remedies = [
  'choose-voice',
  'enter-token',
  'test-connection',
  'edit-connection',
  'change-proxy',
  'go-online',
  'free-space',
  'change-hook',
  'set-up-ffmpeg',
  'update',
] as const;

export type Remedy = (typeof remedies)[number];

export const isRemedy = (action: string): action is Remedy => (remedies as readonly string[]).includes(action);

/** An action offered for a problem. `messages.problemActions` has its label. */
export type ProblemAction = 'retry' | 'convert-again' | 'convert-differently' | 'show-file' | 'choose-folder' | Remedy;

export interface ProblemHandling {
  /** `error`: it failed. `needs-input`: the user must decide. `info`: it works anyway. */
  readonly severity: 'error' | 'needs-input' | 'info';
  /** Best first. */
  readonly actions: readonly ProblemAction[];
}

const bad = (...actions: readonly ProblemAction[]): ProblemHandling => ({ severity: 'error', actions });

/** The severity and actions of every code. Each language's table has its sentence. */
export const problemHandling: Readonly<Record<ErrorCode, ProblemHandling>> = {
  'input/missing': bad('retry'),
  'input/unreadable': bad('retry', 'show-file'),
  'input/disk-silent': bad('retry'),
  'input/unreadable-name': bad(),
  'input/not-a-file': bad(),
  'input/empty': bad('retry', 'show-file'),
  'input/not-audio': bad('retry', 'show-file'),
  'input/needs-ffmpeg': bad('set-up-ffmpeg', 'retry'),
  'input/cut': bad('retry', 'show-file'),
  'input/changed': bad('retry'),
  'input/no-audio-in-folder': bad('show-file'),
  'input/more-found': bad(),
  'input/text-empty': bad(),
  'input/too-long': bad('convert-differently'),
  'input/text-too-long': bad(),
  'input/not-text': bad(),
  'input/subtitle-times': bad(),
  'table/no-text': bad(),
  'table/columns': bad(),
  'table/quotes': bad(),
  'table/language': bad(),
  'table/no-voice': bad(),
  'table/several-voices': bad(),
  'table/too-many-rows': bad(),
  'table/bad-rows': bad('show-file'),
  'speech/late-cues': { severity: 'info', actions: [] },
  'voice/missing': bad('choose-voice'),
  'voice/not-found': bad('choose-voice'),
  'voice/speaker-not-found': bad(),
  'output/not-writable': bad('retry', 'choose-folder'),
  'output/disk-full': bad('retry', 'free-space', 'choose-folder'),
  'output/folder-missing': bad('retry', 'choose-folder'),
  'output/failed': bad('retry'),
  'template/empty': bad(),
  'template/unknown-field': bad(),
  'template/outside': bad(),
  'system/too-many-files': bad('retry'),
  'system/login-item': bad(),
  'system/terminal-command': bad(),
  'system/terminal-command-taken': bad(),
  'system/power-refused': bad(),
  'network/unreachable': bad('retry', 'test-connection'),
  'network/timeout': bad('retry', 'test-connection'),
  'network/cut': bad('retry', 'test-connection'),
  'network/insecure': bad('edit-connection', 'retry'),
  'network/proxy': bad('change-proxy', 'retry'),
  'network/offline-mode': bad('go-online', 'retry'),
  'service/refused': bad('convert-differently', 'retry'),
  'service/not-found': bad('retry', 'edit-connection'),
  'service/format': bad('convert-differently', 'edit-connection'),
  'service/too-large': bad('convert-differently', 'retry'),
  'service/not-understood': bad('retry', 'test-connection'),
  'service/endless-list': bad('retry'),
  'service/redirected': bad('edit-connection', 'retry'),
  'service/unavailable': bad('retry'),
  'service/result-gone': bad('convert-again'),
  'service/result-incomplete': bad('retry'),
  'service/result-not-audio': bad('retry'),
  'service/no-audio': bad('edit-connection', 'retry'),
  'service/uncertain': { severity: 'needs-input', actions: ['convert-again'] },
  'service/may-charge': { severity: 'needs-input', actions: ['convert-again'] },
  'auth/missing': bad('enter-token', 'retry'),
  'auth/refused': bad('enter-token', 'retry'),
  'auth/forbidden': bad('retry'),
  'auth/portable': bad(),
  'quota/used-up': bad('retry'),
  'rate/limited': bad('retry'),
  'engine/not-started': bad('retry'),
  'connection/invalid': bad('edit-connection', 'retry'),
  'connection/not-found': bad('convert-differently'),
  'connection/name-taken': bad(),
  'connection/in-use': bad(),
  'preset/not-found': bad(),
  'preset/name-taken': bad(),
  'preset/too-many': bad(),
  'pronunciation/damaged': bad('retry'),
  'pronunciation/not-a-lexicon': bad(),
  'pronunciation/too-many': bad(),
  'pronunciation/too-long': bad(),
  'preset/not-an-export': bad(),
  'preset/export-newer': bad(),
  'preset/export-too-large': bad(),
  'settings/unreadable': bad('retry'),
  'settings/damaged': bad('go-online'),
  'data/unreadable': bad('retry'),
  'data/newer': bad('update'),
  'data/unreleased': bad(),
  'data/damaged': bad(),
  'data/in-use': bad('retry'),
  'data/not-writable': bad('free-space'),
  'data/unchecked': bad(),
  'data/new-here': { severity: 'info', actions: [] },
  'data/safe-start': { severity: 'info', actions: [] },
  'data/portable-not-writable': bad(),
  'watch/not-a-folder': bad(),
  'watch/missing': bad(),
  'watch/unreadable': bad(),
  'watch/disk-silent': bad(),
  'watch/another-folder': bad(),
  'watch/overlaps': bad(),
  'watch/elsewhere': bad(),
  'watch/no-hints': { severity: 'info', actions: [] },
  'watch/too-many-folders': { severity: 'info', actions: [] },
  'watch/network-drive': { severity: 'info', actions: [] },
  'watch/unreadable-inside': bad(),
  'watch/length-open': bad('show-file'),
  'watch/length-unknown': bad(),
  'watch/too-long': bad(),
  'watch/source-stays': bad('show-file'),
  'watch/no-voice': { severity: 'needs-input', actions: ['show-file'] },
  'watch/several-voices': { severity: 'needs-input', actions: ['show-file'] },
  'watch/another-voice': { severity: 'needs-input', actions: ['show-file'] },
  'history/undo-over': bad(),
  'history/files-away': bad(),
  'history/not-an-export': bad(),
  'history/export-newer': bad(),
  'history/export-damaged': bad(),
  'history/export-too-large': bad(),
  'history/no-drag': bad(),
  'history/no-transfer': bad(),
  'history/busy': { severity: 'info', actions: [] },
  'hook/missing': bad('change-hook'),
  'hook/not-allowed': bad('change-hook'),
  'hook/not-a-program': bad('change-hook'),
  'hook/batch-file': bad('change-hook'),
  'hook/failed': bad('change-hook'),
  'hook/timeout': bad('change-hook'),
  'hook/interrupted': bad('change-hook'),
  'ffmpeg/wrong-program': bad(),
  'update/list-invalid': bad(),
  'update/failed': bad(),
  'update/jobs-open': { severity: 'needs-input', actions: [] },
  'dialog/failed': bad(),
  'job/not-found': bad(),
  'job/elsewhere': { severity: 'info', actions: [] },
  'job/cancelled': { severity: 'info', actions: ['convert-again'] },
  'history/list-ended': { severity: 'info', actions: ['retry'] },
  'request/invalid': bad('convert-differently', 'retry'),
  'request/unknown': bad(),
  internal: bad('retry'),
};

/** True if a file was rejected for something that it needs, such as the voices of a service, and not for what is in it. */
export const isPassingProblem = ({ code }: Problem): boolean =>
  /^(?:network|service|auth|rate|quota|engine)\//.test(code) || code === 'pronunciation/damaged';
