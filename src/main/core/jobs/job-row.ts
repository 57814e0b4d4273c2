import type { SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts';
import { conversionSettings } from '../../../shared/schemas/settings.ts';
import { speechSettings } from '../../../shared/schemas/speech.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { jobStates } from '../../../shared/schemas/job.ts';
import type { Job } from './job.ts';

export type JobRow = Record<string, SQLOutputValue>;

export const storedJson = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Converts a row read with `setReadBigInts`; without it, node:sqlite throws on integers beyond the safe range.
 * Clamps those, so that the user can still see and remove the row.
 */
export function bigintsToNumbers(row: JobRow): JobRow {
  // In place, because every row of every list passes through here.
  for (const column in row) {
    const value = row[column];
    if (typeof value !== 'bigint') continue;
    row[column] = Number(value > largest ? largest : value < -largest ? -largest : value);
  }
  return row;
}

const text = v.nullable(v.string());
const number = v.nullable(v.number());

export const storedProblem = v.object({
  // A later version's unknown code still gets a general message.
  code: v.pipe(
    v.string(),
    v.transform((code): ErrorCode => (isErrorCode(code) ? code : 'internal')),
  ),
  facts: v.exactOptional(v.record(v.string(), v.union([v.string(), v.pipe(v.number(), v.finite())]))),
  words: v.exactOptional(v.string()),
});

export const storedVoice = v.object({
  id: v.string(),
  name: v.string(),
  language: v.string(),
  gender: v.string(),
  category: v.string(),
});

/** True if the settings of a job can be read back from the database. */
export const isReadable = (job: Job): boolean =>
  job.kind === 'speech' ? v.is(speechSettings, job.settings) : v.is(conversionSettings, job.settings);

const snapshot = v.object({ device: v.string(), inode: v.string(), sizeBytes: v.number(), modifiedNs: v.string() });
const source = v.object({
  path: v.string(),
  subfolder: v.string(),
  snapshot: v.nullable(snapshot),
  sha256: v.exactOptional(v.string()),
});

const shared = {
  id: v.string(),
  state: v.picklist(jobStates),
  place: v.number(),
  revision: v.number(),
  listed: v.number(),
  created_at: v.number(),
  since: v.number(),
  started_at: number,
  ended_at: number,
  next_try_at: number,
  attempts: v.number(),
  tries: v.number(),
  problem: v.nullable(storedJson(storedProblem)),
  timings: storedJson(v.record(v.string(), v.number())),
  connection_id: v.string(),
  connection_name: v.string(),
  document_hash: v.string(),
  voice: storedJson(storedVoice),
  target_folder: text,
  name_template: v.string(),
  output_format: text,
  audio_url: text,
  processing_time: number,
  output_path: text,
  output_how: v.nullable(v.picklist(['link', 'placeholder'])),
  output_sha256: text,
  output_bytes: number,
  output_device: text,
  output_inode: text,
};

const conversionRow = v.object({
  ...shared,
  kind: v.literal('conversion'),
  settings: storedJson(conversionSettings),
  source: storedJson(source),
  source_sha256: text,
  duration_seconds: number,
  audio_name: text,
  platform: v.string(),
  task_id: text,
  changer_type: text,
});

const speechRow = v.object({
  ...shared,
  kind: v.literal('speech'),
  settings: storedJson(speechSettings),
  text: v.string(),
});

const jobRow = v.variant('kind', [conversionRow, speechRow]);

function finishedOf(row: v.InferOutput<typeof jobRow>): Job['finished'] {
  const { output_sha256: sha256, output_bytes: sizeBytes, output_device: device, output_inode: inode } = row;
  if (sha256 === null || sizeBytes === null || device === null || inode === null) return null;
  return { sha256, sizeBytes, identity: { device, inode } };
}

/**
 * Parses a row, as untrusted as any input from disk. Throws if it is not a job. `documentOf` finds the
 * connection document by its hash; many rows share one.
 */
export function readJobRow(stored: JobRow, documentOf: (hash: string) => ConnectionDocument): Job {
  const row = v.parse(jobRow, stored);
  const { output_path: path, output_how: how } = row;
  const common = {
    id: row.id,
    position: row.place,
    revision: row.revision,
    state: row.state,
    stateChangedAt: row.since,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    nextTryAt: row.next_try_at,
    attempts: row.attempts,
    consecutiveFailures: row.tries,
    problem: row.problem,
    timings: row.timings,
    listed: row.listed === 1,
    connection: { id: row.connection_id, name: row.connection_name, document: documentOf(row.document_hash) },
    voice: row.voice,
    target: { folder: row.target_folder, nameTemplate: row.name_template },
    outputFormat: row.output_format,
    audioUrl: row.audio_url,
    processingTime: row.processing_time,
    finished: finishedOf(row),
    output: path === null || how === null ? null : { path, how },
  };
  if (row.kind === 'speech') return { ...common, kind: 'speech', settings: row.settings, text: row.text };
  return {
    ...common,
    kind: 'conversion',
    settings: row.settings,
    source: row.source,
    sourceSha256: row.source_sha256,
    durationSeconds: row.duration_seconds,
    audioName: row.audio_name,
    platform: row.platform,
    taskId: row.task_id,
    changerType: row.changer_type,
  };
}

/** Columns that change after the row is inserted. */
export function changingColumns(job: Job) {
  const conversion = job.kind === 'conversion' ? job : undefined;
  return {
    state: job.state,
    since: job.stateChangedAt,
    revision: job.revision,
    started_at: job.startedAt,
    ended_at: job.endedAt,
    next_try_at: job.nextTryAt,
    attempts: job.attempts,
    tries: job.consecutiveFailures,
    problem: job.problem && JSON.stringify(job.problem),
    timings: JSON.stringify(job.timings),
    listed: job.listed ? 1 : 0,
    source: conversion ? JSON.stringify(conversion.source) : null,
    source_sha256: conversion?.sourceSha256 ?? null,
    duration_seconds: conversion?.durationSeconds ?? null,
    task_id: conversion?.taskId ?? null,
    changer_type: conversion?.changerType ?? null,
    output_format: job.outputFormat,
    audio_url: job.audioUrl,
    processing_time: job.processingTime,
    output_path: job.output?.path ?? null,
    output_how: job.output?.how ?? null,
    output_sha256: job.finished?.sha256 ?? null,
    output_bytes: job.finished?.sizeBytes ?? null,
    output_device: job.finished?.identity.device ?? null,
    output_inode: job.finished?.identity.inode ?? null,
  };
}

/** Columns that never change. */
export function fixedColumns(job: Job, documentHash: string) {
  const conversion = job.kind === 'conversion' ? job : undefined;
  return {
    id: job.id,
    kind: job.kind,
    place: job.position,
    created_at: job.createdAt,
    connection_id: job.connection.id,
    connection_name: job.connection.name,
    document_hash: documentHash,
    voice: JSON.stringify(job.voice),
    settings: JSON.stringify(job.settings),
    source_path: conversion?.source.path ?? null,
    audio_name: conversion?.audioName ?? null,
    platform: conversion?.platform ?? null,
    text: job.kind === 'speech' ? job.text : null,
    target_folder: job.target.folder,
    name_template: job.target.nameTemplate,
  };
}

/** Must match the WHERE clause of the partial indexes literally, or SQLite does not use them. */
export const unfinished = 'phase < 9';

/** Numbers the writes of all processes, so that each can select the changes since its last poll. */
export const nextChange = '(SELECT coalesce(max(change), 0) + 1 FROM job)';

/** SQL condition for a column in a list that is bound as a JSON array. */
export const isIn = (column: string, parameter: string): string =>
  `${column} IN (SELECT value FROM json_each(${parameter}))`;
