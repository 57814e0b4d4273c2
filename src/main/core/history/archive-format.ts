import { extname, parse } from 'node:path';
import * as v from 'valibot';
import type { Facts, Problem } from '../../../shared/errors.ts';
import { conversionSettings } from '../../../shared/schemas/settings.ts';
import { speechJobSettings } from '../../../shared/schemas/speech.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { historyStates } from '../../../shared/schemas/history.ts';
import { inputExtensions } from '../../../shared/input-formats.ts';
import { legalName } from '../files/names.ts';
import { storedProblem, storedVoice } from '../database/columns.ts';
import { hasEnded, type Job, type JobSource } from '../jobs/job.ts';
import { latestTime } from './entries.ts';
import { unseenFilePath, type EntryFile, resultOf, sourceOf } from './file-status.ts';

/** Extensions of audio that Timbre reads or that services are known to write. */
const audioExtensions: ReadonlySet<string> = new Set([...inputExtensions, 'ac3', 'ape', 'wv']);

const isAudioExtension = (ending: string): boolean =>
  ending.startsWith('.') && audioExtensions.has(ending.slice(1).toLowerCase());

/**
 * Portable name of a result with an audio extension; nothing else is ever written. A renamed
 * `a.wav.old` becomes `a.wav.old.wav`. `format` is the output format with its dot.
 */
export function resultName(name: string, format: string | null): string {
  // A trailing separator would hide the extension on some systems only.
  const flat = name.replace(/[\\/]/g, '_') || '_';
  if (isAudioExtension(extname(flat))) return flat;
  return `${flat}${format !== null && isAudioExtension(format) ? format : '.wav'}`;
}

/** The name of a result as a file name that is legal on every system. */
export function legalResultName(name: string): string {
  const { name: stem, ext } = parse(name);
  return `${legalName(stem)}${ext}`;
}

/** The first line of an exported history. */
export const historyHeader = { timbre: 'history', version: 1 } as const;

/** Content of an archive: the list, and each audio file once, named by its hash. */
export const listName = 'history.jsonl';
export const soundName = (sha256: string, ending: string): string => `audio/${sha256}${ending}`;
const soundPattern = /^audio\/([0-9a-f]{64})(?:\.[^/]*)?$/;
/** The hash in the name of an archive entry; null if it is not audio of an export. */
export const soundOf = (name: string): string | null => soundPattern.exec(name)?.[1] ?? null;

/** The user's annotations on an entry. */
export interface EntryAnnotations {
  readonly isFavourite: boolean;
  readonly tags: readonly string[];
}

/** Services may make them as long as they like. */
const identifier = v.string();
const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
// Larger values could not be stored or read again.
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.pipe(count, v.maxValue(latestTime));
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const source = v.object({ name: text(1024), sizeBytes: v.nullable(count), sha256: v.nullable(sha256) });
const result = v.object({ name: text(1024), sizeBytes: count, sha256 });

const shared = {
  id: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  state: v.picklist(historyStates),
  createdAt: time,
  startedAt: v.nullable(time),
  endedAt: time,
  attempts: count,
  timings: v.record(text(32), amount),
  problem: v.nullable(storedProblem),
  connection: v.object({ name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)) }),
  voice: storedVoice,
  taskId: v.nullable(identifier),
  processingTime: v.nullable(v.pipe(v.number(), v.finite())),
  nameTemplate: text(1024),
  // 16 letters behind a dot.
  outputFormat: v.nullable(text(17)),
  result: v.nullable(result),
  isFavourite: v.boolean(),
  // Far more than the user adds by hand. The cost grows with the number of tags: without a limit,
  // one line could take minutes.
  tags: v.pipe(v.array(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))), v.maxLength(1000)),
};

/** One entry of an exported history; docs/history-format.md describes its fields. */
export const archiveLine = v.variant('kind', [
  v.object({
    ...shared,
    kind: v.literal('conversion'),
    settings: conversionSettings,
    source,
    durationSeconds: v.nullable(amount),
    audioName: v.nullable(text(1024)),
    platform: text(256),
    changerType: v.nullable(identifier),
  }),
  v.object({
    ...shared,
    kind: v.literal('speech'),
    settings: speechJobSettings,
    text: v.string(),
    // Exports of earlier versions have none.
    durationSeconds: v.exactOptional(v.nullable(amount)),
    // Texts of watched folders have one.
    source: v.exactOptional(source),
  }),
]);

export type ArchiveLine = v.InferOutput<typeof archiveLine>;

/** A URL may be signed and a path names the user: neither may be exported with a problem. */
export const withoutAddresses = (words: string): string => words.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…');
const isPath = (fact: string): boolean => /[\\/]/.test(fact);

function withoutPaths({ code, facts, words }: Problem): Problem {
  const kept: Facts = Object.fromEntries(
    Object.entries(facts ?? {}).filter(([, fact]) => typeof fact === 'number' || !isPath(fact)),
  );
  return {
    code,
    ...(Object.keys(kept).length > 0 && { facts: kept }),
    ...(words !== undefined && { words: withoutAddresses(words) }),
  };
}

const fileFields = ({ name, sizeBytes, sha256: hash }: EntryFile) => ({ name, sizeBytes, sha256: hash });

/** An entry in export format: no path, no URL, no connection id. Null for an unfinished job. */
export function toArchiveLine(job: Job, { isFavourite, tags }: EntryAnnotations): ArchiveLine | null {
  if (!hasEnded(job)) return null;
  const { id, createdAt, startedAt, endedAt, attempts, timings, problem, voice, taskId, processingTime, outputFormat } =
    {
      taskId: null,
      ...job,
    };
  const file = resultOf(job);
  const common = {
    id,
    state: job.state as ArchiveLine['state'],
    createdAt,
    startedAt,
    endedAt: endedAt ?? createdAt,
    attempts,
    timings: { ...timings },
    problem: problem && withoutPaths(problem),
    connection: { name: job.connection.name },
    voice: { ...voice },
    taskId,
    processingTime,
    nameTemplate: job.target.nameTemplate,
    outputFormat,
    result: file && {
      name: resultName(file.name, outputFormat),
      sizeBytes: file.sizeBytes ?? 0,
      sha256: file.sha256 ?? '',
    },
    isFavourite,
    tags: [...tags],
  };
  const given = sourceOf(job);
  if (job.kind === 'speech') {
    const { settings, text: spoken, durationSeconds } = job;
    const own = { settings, text: spoken, durationSeconds };
    return { ...common, kind: 'speech', ...own, ...(given && { source: fileFields(given) }) };
  }
  const { settings, durationSeconds, audioName, platform, changerType } = job;
  return {
    ...common,
    kind: 'conversion',
    settings,
    source: given ? fileFields(given) : { name: '', sizeBytes: null, sha256: null },
    durationSeconds,
    audioName,
    platform,
    changerType,
  };
}

interface ImportContext {
  /** Folder for imported audio. */
  readonly folder: string;
  /** Id of the connection with this name, or the id of a foreign one. */
  readonly connectionId: string;
  readonly document: ConnectionDocument;
}

/**
 * The finished job of an exported entry, without an owner and not listed in a queue. Its files are
 * not on this computer.
 */
export function parseArchiveLine(line: ArchiveLine, { folder, connectionId, document }: ImportContext): Job {
  const at = (name: string) => unseenFilePath(folder, name);
  const { id, state, createdAt, startedAt, endedAt, attempts, timings, problem, result } = line;
  const common = {
    id,
    position: 0,
    revision: 1,
    state,
    stateChangedAt: endedAt,
    createdAt,
    startedAt,
    endedAt,
    nextTryAt: null,
    attempts,
    consecutiveFailures: 0,
    problem: problem,
    timings: timings as Job['timings'],
    isListed: false,
    connection: { id: connectionId, name: line.connection.name, document },
    voice: line.voice,
    target: { folder: line.kind === 'speech' ? folder : null, nameTemplate: line.nameTemplate },
    outputFormat: line.outputFormat,
    audioUrl: null,
    processingTime: line.processingTime,
    finished: result && {
      sha256: result.sha256,
      sizeBytes: result.sizeBytes,
      identity: { device: '0', inode: '0' },
    },
    output: result && ({ path: at(result.name), method: 'link' } as const),
  };
  const sourceAt = ({ name, sizeBytes }: v.InferOutput<typeof source>): JobSource => ({
    path: at(name),
    subfolder: '',
    snapshot: sizeBytes === null ? null : { device: '0', inode: '0', sizeBytes, modifiedNs: '0' },
  });
  if (line.kind === 'speech') {
    const given = line.source;
    return {
      ...common,
      kind: 'speech',
      settings: line.settings,
      text: line.text,
      durationSeconds: line.durationSeconds ?? null,
      source: given ? { ...sourceAt(given), ...(given.sha256 !== null && { sha256: given.sha256 }) } : null,
    };
  }
  const { taskId, settings, durationSeconds, audioName, platform, changerType } = line;
  return {
    ...common,
    kind: 'conversion',
    settings,
    source: sourceAt(line.source),
    sourceSha256: line.source.sha256,
    durationSeconds,
    audioName,
    platform,
    taskId,
    changerType,
  };
}
