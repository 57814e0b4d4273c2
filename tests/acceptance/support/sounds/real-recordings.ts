import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figures, ScenarioContext } from '../scenario.ts';

const run = promisify(execFile);

/** Packages of data whose sound many people have: speech, music, instruments, effects. */
const packages = [
  'klettres-data',
  'asterisk-core-sounds-en-wav',
  'sonic-pi-samples',
  'lmms-common',
  'hydrogen-data',
  'tuxpaint-data',
  'tuxtype-data',
  'sound-theme-freedesktop',
  'alsa-utils',
];
const morePackages = ['ktuberling-data', 'freedink-data', 'frozen-bubble-data', 'pysiogame'];
const endings: ReadonlySet<string> = new Set(['.wav', '.ogg', '.oga', '.opus', '.flac', '.mp3', '.m4a', '.mp4']);
const leastPackages = 8;
/** Outside of what is watched and committed; an unpacked package is used again. */
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/timbre-recordings/', import.meta.url));
const atOnce = 2;
const together = 25;
const ffmpegRate = 16_000;

export interface Recording {
  readonly name: string;
  readonly path: string;
  readonly package: string;
  /** As ffmpeg decodes it. */
  readonly seconds: number;
}

export type RealRecordings = { readonly files: readonly Recording[] } | { readonly skipped: Figures };

/** Rows that run side by side want the same files: the first one makes them. The kernel lets go of the lock of one that was killed. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const lock = spawn('flock', [join(cache, 'lock'), 'sh', '-c', 'echo held; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(lock, 'close');
  await Promise.race([once(lock.stdout, 'data'), ended]);
  try {
    return await work();
  } finally {
    lock.stdin.end();
    await ended;
  }
}

async function download(name: string, folder: string): Promise<void> {
  const get = () => run('apt-get', ['download', name], { cwd: folder });
  // Lists that are missing or old name no file, or one that is gone.
  await get().catch(async () => {
    await run('apt-get', ['update']);
    await get();
  });
}

async function unpack(name: string): Promise<boolean> {
  const folder = join(cache, name);
  if (existsSync(folder)) return true;
  const making = join(cache, `${name}.part-${process.pid}`);
  await mkdir(making, { recursive: true });
  try {
    await download(name, making);
    const [archive] = (await readdir(making)).filter((file) => file.endsWith('.deb'));
    if (archive === undefined) return false;
    await run('dpkg-deb', ['-x', join(making, archive), join(making, 'tree')]);
    await rename(join(making, 'tree'), folder);
    return true;
  } catch {
    return existsSync(folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** As ffmpeg decodes the sound of a file, in seconds; null where it says anything about it. */
export async function ffmpegSeconds(path: string): Promise<number | null> {
  const [seconds = null] = await secondsOfAll([path]);
  return seconds;
}

/** Starting ffmpeg takes longer than to decode a short file: some go together, and alone where it says anything. */
async function secondsOfAll(paths: readonly string[]): Promise<readonly (number | null)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-lengths-'));
  const inputs = paths.flatMap((path) => ['-i', path]);
  const outputs = paths.flatMap((_, at) => {
    const to = join(folder, String(at));
    return ['-map', `${at}:a:0`, '-f', 's16le', '-ac', '1', '-ar', String(ffmpegRate), to];
  });
  try {
    const { stderr } = await run('ffmpeg', ['-v', 'error', '-nostdin', ...inputs, ...outputs]).catch(() => ({
      stderr: '?',
    }));
    if (stderr.length > 0 && paths.length > 1)
      return (await Promise.all(paths.map((path) => secondsOfAll([path])))).flat();
    if (stderr.length > 0) return [null];
    const sizes = await Promise.all(paths.map(async (_, at) => (await stat(join(folder, String(at)))).size));
    return sizes.map((bytes) => bytes / (2 * ffmpegRate) || null);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Some at a time, in the order of the items. */
export async function mapSome<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) results[at] = await map(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** What ffmpeg said before of files that do not change. */
async function lengthsOf(paths: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const file = join(cache, 'lengths.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const known = new Map(Object.entries(JSON.parse(text) as Record<string, number | null>));
  const missing = paths.filter((path) => !known.has(path));
  const batches = Array.from({ length: Math.ceil(missing.length / together) }, (_, k) =>
    missing.slice(k * together, (k + 1) * together),
  );
  const found = await mapSome(batches, (batch) => secondsOfAll(batch.map((path) => join(cache, path))));
  missing.forEach((path, at) => known.set(path, found[Math.floor(at / together)]?.[at % together] ?? null));
  if (missing.length > 0) {
    await writeFile(`${file}.${process.pid}`, JSON.stringify(Object.fromEntries(known)));
    await rename(`${file}.${process.pid}`, file);
  }
  return known;
}

/** Every n-th of each package, so that small ones give all they have. */
function choose(byPackage: ReadonlyMap<string, readonly string[]>, count: number): readonly string[] {
  const lists = [...byPackage.values()].sort((a, b) => a.length - b.length);
  let left = count;
  return lists.flatMap((files, at) => {
    const share = Math.min(files.length, Math.ceil(left / (lists.length - at)));
    left -= share;
    return Array.from({ length: share }, (_, k) => files[Math.floor((k * files.length) / share)] ?? '');
  });
}

async function prepare({ full, note }: ScenarioContext, count: number): Promise<RealRecordings> {
  const wanted = full ? [...packages, ...morePackages] : packages;
  const missing: string[] = [];
  for (const name of wanted) {
    note(`unpacking ${name}`);
    if (!(await unpack(name))) missing.push(name);
  }
  if (wanted.length - missing.length < leastPackages)
    return { skipped: { skipped: `apt has not got ${missing.join(' ')}` } };
  const byPackage = new Map<string, readonly string[]>();
  for (const name of wanted.filter((one) => !missing.includes(one))) {
    const entries = await readdir(join(cache, name), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && endings.has(extname(entry.name).toLowerCase()))
      .map((entry) => join(entry.parentPath, entry.name).slice(cache.length));
    byPackage.set(name, files.sort());
  }
  const chosen = full ? [...byPackage.values()].flat() : choose(byPackage, count);
  note(`${chosen.length} recordings, decoded by ffmpeg`);
  const lengths = await lengthsOf(chosen);
  const files = chosen.flatMap((name): readonly Recording[] => {
    const seconds = lengths.get(name) ?? null;
    const [folder = ''] = name.split('/');
    return seconds === null ? [] : [{ name, path: join(cache, name), package: folder, seconds }];
  });
  return { files };
}

/**
 * Recordings that others made, with what ffmpeg decodes of each without a message. They are fetched once with apt, which needs no rights
 * for that. Skipped, with the reason, where there is no apt, no ffmpeg or no network.
 */
export async function realRecordings(context: ScenarioContext, count: number): Promise<RealRecordings> {
  if (!(await run('ffmpeg', ['-version']).catch(() => null))) return { skipped: { skipped: 'there is no ffmpeg' } };
  await mkdir(cache, { recursive: true });
  context.note('waiting for the recordings');
  return oneAtATime(() => prepare(context, count));
}

/** Some of them, evenly over all. */
export const someOf = <T>(items: readonly T[], count: number): readonly T[] =>
  Array.from(
    { length: Math.min(count, items.length) },
    (_, k) => items[Math.floor((k * items.length) / Math.min(count, items.length))],
  ).filter((item) => item !== undefined);

/** Whether two lengths are the same to everybody: within 2 % or 0.1 s. */
export const isSameLength = (seconds: number, other: number): boolean =>
  Math.abs(seconds - other) <= Math.max(0.1, 0.02 * other);

/** Runs ffmpeg for files that no package has. */
export const ffmpeg = (...args: readonly string[]): Promise<unknown> =>
  run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
