import { extname, parse } from 'node:path';
import * as v from 'valibot';
import type { Facts, Problem } from '../../../shared/errors.ts';
import { conversionSettings } from '../../../shared/schemas/settings.ts';
import { speechSettings } from '../../../shared/schemas/speech.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { historyStates } from '../../../shared/schemas/history.ts';
import { inputFormats } from '../../../sound/sound-format.ts';
import { legalName } from '../files/names.ts';
import { storedProblem, storedVoice } from '../jobs/job-row.ts';
import { hasEnded, type Job } from '../jobs/job.ts';
import { latestTime } from './entries.ts';
import { unseenFilePath, type EntryFile, resultOf, sourceOf } from './file-status.ts';

/** As sound that is known, or that services are known to write. */
const known: ReadonlySet<string> = new Set([
  ...inputFormats,
  'aif',
  'wma',
  'amr',
  'ac3',
  'oga',
  'mp4',
  'mka',
  'ape',
  'wv',
]);

const isSoundEnding = (ending: string): boolean => ending.startsWith('.') && known.has(ending.slice(1).toLowerCase());

/**
 * A result under a name of a sound, as it travels from one computer to another: nothing else is ever written. Whoever puts a result
 * aside may call it `a.wav.old`; that becomes `a.wav.old.wav`. `format` is what it was made in, with its dot.
 */
export function resultName(name: string, format: string | null): string {
  // A separator at the end would hide the ending from some systems and not from others.
  const flat = name.replace(/[\\/]/g, '_') || '_';
  if (isSoundEnding(extname(flat))) return flat;
  return `${flat}${format !== null && isSoundEnding(format) ? format : '.wav'}`;
}

/** A name of `resultName` as the file is called that is written here: legal on every system. */
export function legalResultName(name: string): string {
  const { name: stem, ext } = parse(name);
  return `${legalName(stem)}${ext}`;
}

/** The first line of an exported history. */
export const historyHeader = { timbre: 'history', version: 1 } as const;

/** In an archive: the list, and beside it each sound once, by its content. */
export const listName = 'history.jsonl';
export const soundName = (sha256: string, ending: string): string => `audio/${sha256}${ending}`;
const soundPattern = /^audio\/([0-9a-f]{64})(?:\.[^/]*)?$/;
/** The content that an archive's entry says it is; null for what is no sound of ours. */
export const soundOf = (name: string): string | null => soundPattern.exec(name)?.[1] ?? null;

/** What a person has written on an entry. */
export interface Marks {
  readonly isFavourite: boolean;
  readonly tags: readonly string[];
}

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
// What is larger cannot be stored, or not read again.
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
  taskId: v.nullable(text(1024)),
  processingTime: v.nullable(v.pipe(v.number(), v.finite())),
  nameTemplate: text(1024),
  outputFormat: v.nullable(text(16)),
  result: v.nullable(result),
  isFavourite: v.boolean(),
  // Far more than anybody gives by hand: each takes the longer, the more there are, and nobody waits for a line for minutes.
  tags: v.pipe(v.array(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))), v.maxLength(1000)),
};

/** One entry of an exported history; docs/history-format.md says what its fields are. */
export const historyLine = v.variant('kind', [
  v.object({
    ...shared,
    kind: v.literal('conversion'),
    settings: conversionSettings,
    source,
    durationSeconds: v.nullable(amount),
    audioName: v.nullable(text(1024)),
    platform: text(256),
    changerType: v.nullable(text(256)),
  }),
  v.object({ ...shared, kind: v.literal('speech'), settings: speechSettings, text: v.string() }),
]);

export type HistoryLine = v.InferOutput<typeof historyLine>;

/** A result's address may be signed, and a path names the person: neither leaves in what went wrong. */
export const withoutAddresses = (words: string): string => words.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…');
const isPath = (fact: string): boolean => /[\\/]/.test(fact);

function harmless({ code, facts, words }: Problem): Problem {
  const kept: Facts = Object.fromEntries(
    Object.entries(facts ?? {}).filter(([, fact]) => typeof fact === 'number' || !isPath(fact)),
  );
  return {
    code,
    ...(Object.keys(kept).length > 0 && { facts: kept }),
    ...(words !== undefined && { words: withoutAddresses(words) }),
  };
}

const named = ({ name, sizeBytes, sha256: hash }: EntryFile) => ({ name, sizeBytes, sha256: hash });

/** An entry as it leaves the computer: no path, no address, no id of a connection. Null for a job that has not ended. */
export function toHistoryLine(job: Job, { isFavourite, tags }: Marks): HistoryLine | null {
  if (!hasEnded(job)) return null;
  const { id, createdAt, startedAt, endedAt, attempts, timings, problem, voice, taskId, processingTime, outputFormat } =
    {
      taskId: null,
      ...job,
    };
  const file = resultOf(job);
  const common = {
    id,
    state: job.state as HistoryLine['state'],
    createdAt,
    startedAt,
    endedAt: endedAt ?? createdAt,
    attempts,
    timings: { ...timings },
    problem: problem && harmless(problem),
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
  if (job.kind === 'speech') return { ...common, kind: 'speech', settings: job.settings, text: job.text };
  const { settings, durationSeconds, audioName, platform, changerType } = job;
  const given = sourceOf(job);
  return {
    ...common,
    kind: 'conversion',
    settings,
    source: given ? named(given) : { name: '', sizeBytes: null, sha256: null },
    durationSeconds,
    audioName,
    platform,
    changerType,
  };
}

interface Circumstances {
  /** Where sounds of imports go. */
  readonly folder: string;
  /** The connection of this name here, or nobody's. */
  readonly connectionId: string;
  readonly document: ConnectionDocument;
}

/** The job that an exported entry was: it has ended, nobody works on it, and no queue lists it. Its files are elsewhere. */
export function fromHistoryLine(line: HistoryLine, { folder, connectionId, document }: Circumstances): Job {
  const at = (name: string) => unseenFilePath(folder, name);
  const { id, state, createdAt, startedAt, endedAt, attempts, timings, problem, result } = line;
  const common = {
    id,
    order: 0,
    revision: 1,
    state,
    since: endedAt,
    createdAt,
    startedAt,
    endedAt,
    nextTryAt: null,
    attempts,
    tries: 0,
    problem: problem,
    timings: timings as Job['timings'],
    listed: false,
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
    output: result && ({ path: at(result.name), how: 'link' } as const),
  };
  if (line.kind === 'speech') return { ...common, kind: 'speech', settings: line.settings, text: line.text };
  const { source, taskId, settings, durationSeconds, audioName, platform, changerType } = line;
  const snapshot =
    source.sizeBytes === null ? null : { device: '0', inode: '0', sizeBytes: source.sizeBytes, modifiedNs: '0' };
  return {
    ...common,
    kind: 'conversion',
    settings,
    source: { path: at(source.name), subfolder: '', snapshot },
    sourceSha256: source.sha256,
    durationSeconds,
    audioName,
    platform,
    taskId,
    changerType,
  };
}
