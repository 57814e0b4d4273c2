import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { AppError, type Facts, type Problem } from '../../../shared/errors.ts';
import { inputExtensions } from '../../../shared/input-formats.ts';
import { formatLabel, isOutputFormat } from '../../../sound/sound-format.ts';
import type { InspectSound } from '../../../sound/sound-inspector.ts';
import { createEventLoopYielder } from '../clock.ts';
import { databaseName } from '../data-folder.ts';
import { contentHash } from '../files/content.ts';
import { errnoOf, isNotFound, isOutOfHandles } from '../files/errno.ts';
import { isUnchangedSource, snapshotOf } from '../files/identity.ts';
import { hasReplacement } from '../files/names.ts';
import type { JobChange } from './job-store.ts';
import type { ConversionJob, JobSource } from './job.ts';
import type { OwnResults } from './own-results.ts';
import { decideUploadForm } from './upload-source.ts';

/** Audio file extensions. In a folder, only these are added; a file that the user names is checked by its content. */
const audioExtensions: ReadonlySet<string> = new Set(inputExtensions.map((extension) => `.${extension}`));

interface FoundFile {
  readonly path: string;
  /** Folders between the root and the file, with the system's separator; empty at the root. */
  readonly subfolder: string;
}

interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Number of links, and of files without an audio extension. */
  readonly skipped: number;
  /** Number of audio files that are results of earlier jobs. */
  readonly results: number;
  /** Folders that could not be read. */
  readonly unreadable: readonly string[];
}

const byName = (a: Dirent, b: Dirent) => a.name.localeCompare(b.name, undefined, { numeric: true });
const isHidden = (name: string) => name.startsWith('.');

/**
 * Finds audio files in the order of a file manager, without results that lie beside their originals. Does not follow
 * links: they could leave the folder or loop.
 */
export async function findSoundFiles(
  root: string,
  ownResults: Pick<OwnResults, 'isAt'>,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const unreadable: string[] = [];
  const yieldIfDue = createEventLoopYielder(() => performance.now());
  // A result may have been published under the folder's real path, or under the link that leads to it.
  const roots = new Set([root, await realpath(root).catch(() => root)]);
  let skipped = 0;
  let results = 0;

  async function isResult(path: string): Promise<boolean> {
    await yieldIfDue();
    for (const each of roots) if (await ownResults.isAt(join(each, path), signal)) return true;
    return false;
  }

  async function walk(subfolder: string): Promise<void> {
    signal.throwIfAborted();
    const folder = join(root, subfolder);
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch {
      unreadable.push(folder);
      return;
    }
    // What Timbre keeps of recordings, in folders of its data, is none of the user's. Data may lie in a folder that is given.
    const isDataFolder = entries.some((entry) => entry.isFile() && entry.name === databaseName);
    for (const entry of entries.sort(byName)) {
      if (isHidden(entry.name)) continue;
      if (entry.isDirectory() && isDataFolder) skipped += 1;
      else if (entry.isDirectory()) await walk(join(subfolder, entry.name));
      else if (entry.isSymbolicLink()) skipped += 1;
      else if (!entry.isFile()) continue;
      else if (!audioExtensions.has(extname(entry.name).toLowerCase())) skipped += 1;
      else if (await isResult(join(subfolder, entry.name))) results += 1;
      else files.push({ path: join(folder, entry.name), subfolder });
    }
  }

  await walk('');
  return { files, skipped, results, unreadable };
}

/** Why nothing is found at a path. A name that is no UTF-8 cannot be opened by what Node makes of it. */
export function missingFile(path: string): Problem {
  const name = basename(path);
  return { code: hasReplacement(name) ? 'input/unreadable-name' : 'input/missing', facts: { name } };
}

/**
 * Nothing is paid for an old version of a file: throws `input/changed`, `input/missing` or `input/unreadable`. One without a
 * snapshot is not compared.
 */
export async function assertUnchanged({ path, snapshot, sha256 }: JobSource, signal: AbortSignal): Promise<void> {
  if (!snapshot) return;
  try {
    if (isUnchangedSource(snapshot, snapshotOf(await stat(path, { bigint: true })))) return;
    // Perhaps it was only saved once more.
    if (sha256 !== undefined && (await contentHash(path, snapshot.sizeBytes, signal)) === sha256) return;
  } catch (cause) {
    signal.throwIfAborted();
    if (isOutOfHandles(cause)) throw new AppError('system/too-many-files', `cannot open ${path}`, { cause });
    const { code, facts }: Problem = isNotFound(cause)
      ? missingFile(path)
      : { code: 'input/unreadable', facts: { name: basename(path) } };
    throw new AppError(code, `cannot read ${path}`, { cause, ...(facts && { facts }) });
  }
  throw new AppError('input/changed', `${path} changed since it was queued`, { facts: { name: basename(path) } });
}

export type Preflight =
  | {
      readonly kind: 'sound';
      readonly change: Required<Pick<JobChange, 'source' | 'outputFormat' | 'durationSeconds'>>;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** What is known of a job before its source is checked. */
export interface UncheckedJob extends Pick<ConversionJob, 'source' | 'settings'> {
  readonly connection: Pick<ConversionJob['connection'], 'document'>;
}

interface PreflightDependencies {
  readonly inspectSound: InspectSound;
  readonly ffmpeg: () => Promise<string | null>;
  /** As in `process.platform`. */
  readonly platform: string;
}

/**
 * Checks a source before anything is sent, so that an unusable file costs neither time nor money. Takes a
 * snapshot if there is none; fails if the source no longer matches its snapshot.
 */
export async function preflight(
  { source, settings, connection }: UncheckedJob,
  signal: AbortSignal,
  { inspectSound, ffmpeg, platform }: PreflightDependencies,
): Promise<Preflight> {
  const facts: Facts = { name: basename(source.path), ending: extname(source.path).slice(1).toLowerCase() };
  const found = await inspectSound(source.path, { signal }).catch((error: unknown) => {
    const code = errnoOf(error);
    // A shortage of file handles is transient, so the scheduler retries. A missing share or failing disk is not.
    if (isOutOfHandles(error))
      throw new AppError('system/too-many-files', `cannot open ${source.path}`, { cause: error });
    if (code === undefined || error instanceof AppError) throw error;
    return { kind: 'problem', code: 'input/unreadable', facts: {} } as const;
  });
  const seen = await stat(source.path, { bigint: true }).catch(() => undefined);
  const snapshot = seen && snapshotOf(seen);
  // Check this first: a problem of a file that replaced the source, perhaps half written, would be misleading.
  if (source.snapshot && snapshot && !isUnchangedSource(source.snapshot, snapshot)) {
    return { kind: 'problem', problem: { code: 'input/changed', facts } };
  }
  if (found.kind === 'problem' && found.code === 'input/missing') {
    return { kind: 'problem', problem: missingFile(source.path) };
  }
  if (found.kind === 'problem') {
    return { kind: 'problem', problem: { code: found.code, facts: { ...facts, ...found.facts } } };
  }
  if (!snapshot) return { kind: 'problem', problem: missingFile(source.path) };

  const { document } = connection;
  const form = decideUploadForm(found, document);
  if (form === null) {
    const formats = document.uploadFormats;
    const taken = typeof formats === 'string' ? formats : formats.join(', ');
    return { kind: 'problem', problem: { code: 'service/format', facts: { ...facts, format: found.format, taken } } };
  }
  if (form !== 'as-is' && found.unsupportedCodec !== undefined && (await ffmpeg()) === null) {
    const format = formatLabel(found.format, found.unsupportedCodec);
    return { kind: 'problem', problem: { code: 'input/needs-ffmpeg', facts: { ...facts, format, system: platform } } };
  }
  const { maxUploadBytes, maxSeconds } = document.limits;
  // The size of a copy is known when it is made.
  if (form === 'as-is' && maxUploadBytes !== null && snapshot.sizeBytes > maxUploadBytes) {
    const sizes = { limitBytes: maxUploadBytes, actualBytes: snapshot.sizeBytes };
    return { kind: 'problem', problem: { code: 'service/too-large', facts: { ...facts, ...sizes } } };
  }
  const seconds = found.durationSeconds;
  if (maxSeconds !== null && seconds !== undefined && seconds > maxSeconds) {
    const lengths = { limitSeconds: maxSeconds, actualSeconds: seconds };
    return { kind: 'problem', problem: { code: 'input/too-long', facts: { ...facts, ...lengths } } };
  }
  const sourceFormat = isOutputFormat(found.format) ? `.${found.format}` : '.wav';
  return {
    kind: 'sound',
    change: {
      source: { ...source, snapshot },
      outputFormat: settings.format === 'same' ? sourceFormat : settings.format,
      durationSeconds: found.durationSeconds ?? null,
    },
  };
}
