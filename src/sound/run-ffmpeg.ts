import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { InputFormat } from '../shared/input-formats.ts';

/** The one demuxer that may read a file: playlists and others that open further files or addresses are never tried. */
const demuxers: Readonly<Partial<Record<InputFormat, string>>> = {
  m4a: 'mov',
  webm: 'matroska',
  wma: 'asf',
  aiff: 'aiff',
  caf: 'caf',
  spx: 'ogg',
};

/** No recording is longer; a crafted one may be endless. */
const maxSeconds = 24 * 3600;
/** ffmpeg decodes a minute in less than a second. Without output for so long, it hangs. */
const stallMs = 60_000;
/** Of one block of memory. */
const maxAllocBytes = 256 * 1024 * 1024;
const maxMessageLength = 2000;

const argumentsFor = (path: string, demuxer: string): readonly string[] => [
  ...['-nostdin', '-hide_banner', '-v', 'error', '-max_alloc', String(maxAllocBytes)],
  // The prefix keeps a name that begins with a dash or contains a colon from being read as anything else.
  ...['-protocol_whitelist', 'file,pipe', '-threads', '1', '-f', demuxer, '-i', `file:${path}`],
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-t', String(maxSeconds)],
  ...['-map_metadata', '-1', '-bitexact', '-c:a', 'pcm_f32le', '-f', 'wav', 'pipe:1'],
];

/** A token, and the variable that makes ffmpeg write a log file. */
const withheld: ReadonlySet<string> = new Set(['TIMBRE_TOKEN', 'FFREPORT']);
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.has(name)));

/** Rejects once no output has come for too long. */
async function withinTime<T>(next: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('ffmpeg gives no output')), stallMs);
  });
  try {
    return await Promise.race([next, stalled]);
  } finally {
    clearTimeout(timer);
  }
}

export interface FfmpegOptions {
  /** Absolute path of ffmpeg. */
  readonly program: string;
  readonly format: InputFormat;
  readonly signal?: AbortSignal | undefined;
}

/** Thrown if the program cannot be started. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

async function started(child: ChildProcess, program: string): Promise<void> {
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new FfmpegMissingError(`${program} cannot be started`, { cause });
  }
}

/**
 * Decodes the first audio track of a file with ffmpeg, in a process of its own and without a shell.
 * Yields the bytes of a WAV with 32-bit floats and an open length. The process ends with the
 * iteration, however that ends. Throws `FfmpegMissingError`, and Error with ffmpeg's words if it fails.
 */
export async function* readFfmpegPieces(
  path: string,
  { program, format, signal }: FfmpegOptions,
): AsyncGenerator<Uint8Array> {
  const demuxer = demuxers[format];
  if (demuxer === undefined) throw new Error(`ffmpeg is not asked for ${format}`);
  signal?.throwIfAborted();
  const child = spawn(program, [...argumentsFor(path, demuxer)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
    shell: false,
    windowsHide: true,
  });
  const kill = () => child.kill('SIGKILL');
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  signal?.addEventListener('abort', kill, { once: true });
  // A thread that is terminated leaves no listener behind that could end the process.
  process.once('exit', kill);
  let message = '';
  child.stderr.on('data', (bytes: Buffer) => (message = (message + bytes.toString('utf8')).slice(-maxMessageLength)));
  try {
    await started(child, program);
    const pieces = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      const piece = await withinTime(pieces.next());
      signal?.throwIfAborted();
      if (piece.done === true) break;
      yield Uint8Array.from(piece.value);
    }
    const exitCode = await withinTime(ended);
    signal?.throwIfAborted();
    if (exitCode !== 0) throw new Error(message.trim() || `ffmpeg ended with ${exitCode}`);
  } finally {
    signal?.removeEventListener('abort', kill);
    process.removeListener('exit', kill);
    kill();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}
