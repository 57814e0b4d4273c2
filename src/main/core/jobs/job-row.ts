import * as v from 'valibot';
import { conversionSettings } from '../../../shared/schemas/settings.ts';
import { speechJobSettings } from '../../../shared/schemas/speech.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { jobStates } from '../../../shared/schemas/job.ts';
import {
  flag,
  fromRow,
  nullableNumber,
  nullableText,
  storedJson,
  storedProblem,
  type StoredRow,
  storedVoice,
  toRow,
} from '../database/columns.ts';
import type { ConversionJob, Job } from './job.ts';

/** True if the settings of a job can be read back from the database. */
export const isReadable = (job: Job): boolean =>
  job.kind === 'speech' ? v.is(speechJobSettings, job.settings) : v.is(conversionSettings, job.settings);

const snapshot = v.object({ device: v.string(), inode: v.string(), sizeBytes: v.number(), modifiedNs: v.string() });
const source = v.object({
  path: v.string(),
  realPath: v.exactOptional(v.string()),
  subfolder: v.string(),
  snapshot: v.nullable(snapshot),
  sha256: v.exactOptional(v.string()),
});

const shared = {
  id: v.string(),
  state: v.picklist(jobStates),
  position: v.number(),
  revision: v.number(),
  isListed: flag,
  createdAt: v.number(),
  stateChangedAt: v.number(),
  startedAt: nullableNumber,
  endedAt: nullableNumber,
  nextTryAt: nullableNumber,
  attempts: v.number(),
  consecutiveFailures: v.number(),
  problem: v.nullable(storedJson(storedProblem)),
  timings: storedJson(v.record(v.string(), v.number())),
  connectionId: v.string(),
  connectionName: v.string(),
  documentHash: v.string(),
  voice: storedJson(storedVoice),
  targetFolder: nullableText,
  nameTemplate: v.string(),
  outputFormat: nullableText,
  audioUrl: nullableText,
  processingTime: nullableNumber,
  durationSeconds: nullableNumber,
  outputPath: nullableText,
  outputMethod: v.nullable(v.picklist(['link', 'placeholder'])),
  outputSha256: nullableText,
  outputBytes: nullableNumber,
  outputDevice: nullableText,
  outputInode: nullableText,
};

const conversionRow = v.object({
  ...shared,
  kind: v.literal('conversion'),
  settings: storedJson(conversionSettings),
  source: storedJson(source),
  sourceSha256: nullableText,
  audioName: nullableText,
  platform: v.string(),
  taskId: nullableText,
  changerType: nullableText,
});

const speechRow = v.object({
  ...shared,
  kind: v.literal('speech'),
  settings: storedJson(speechJobSettings),
  text: v.string(),
  source: v.nullable(storedJson(source)),
});

const recordingRow = v.object({
  id: v.string(),
  source: storedJson(source),
  sourceSha256: nullableText,
  requestedBy: nullableText,
});

/** What the recording of a conversion is found by. A command that was killed may leave thousands of conversions. */
export type JobRecording = Readonly<v.InferOutput<typeof recordingRow>>;

/** Undefined if the row is unreadable. */
export function readRecording(stored: StoredRow): JobRecording | undefined {
  const { success, output } = v.safeParse(recordingRow, fromRow(stored));
  return success ? output : undefined;
}

const jobRow = v.variant('kind', [conversionRow, speechRow]);

/**
 * Parses a row, which is untrusted like all input from disk. Throws if it is not a job. `documentOf` finds the
 * connection document by its hash; many rows share one.
 */
export function readJobRow(stored: StoredRow, documentOf: (hash: string) => ConnectionDocument): Job {
  const row = v.parse(jobRow, fromRow(stored));
  const { connectionId, connectionName, documentHash, targetFolder, nameTemplate, ...rest } = row;
  const { outputPath: path, outputMethod: method, outputSha256: sha256, outputBytes: sizeBytes, ...more } = rest;
  const { outputDevice: device, outputInode: inode, ...job } = more;
  return {
    ...job,
    connection: { id: connectionId, name: connectionName, document: documentOf(documentHash) },
    target: { folder: targetFolder, nameTemplate },
    finished:
      sha256 === null || sizeBytes === null || device === null || inode === null
        ? null
        : { sha256, sizeBytes, identity: { device, inode } },
    output: path === null || method === null ? null : { path, method },
  };
}

type Member = keyof ConversionJob;

const changing = [
  'state',
  'stateChangedAt',
  'revision',
  'startedAt',
  'endedAt',
  'nextTryAt',
  'attempts',
  'consecutiveFailures',
  'problem',
  'timings',
  'isListed',
  'source',
  'sourceSha256',
  'durationSeconds',
  'taskId',
  'changerType',
  'outputFormat',
  'audioUrl',
  'processingTime',
] as const satisfies readonly Member[];

const fixed = [
  'id',
  'kind',
  'position',
  'createdAt',
  'voice',
  'settings',
  'audioName',
  'platform',
] as const satisfies readonly Member[];

const pick = (job: Job, members: readonly Member[]) =>
  Object.fromEntries(members.map((member) => [member, member in job ? job[member as keyof Job] : null]));

const outputOf = ({ output }: Job) => ({ outputPath: output?.path, outputMethod: output?.method });

const finishedOf = ({ finished }: Job) => ({
  outputSha256: finished?.sha256,
  outputBytes: finished?.sizeBytes,
  outputDevice: finished?.identity.device,
  outputInode: finished?.identity.inode,
});

/** Columns that change after the row is inserted. */
export const changingColumns = (job: Job) => toRow({ ...pick(job, changing), ...outputOf(job), ...finishedOf(job) });

/** The changing columns that differ. SQLite rewrites every index of a column that it is given, even if it is the same. */
export const changedColumns = (before: Job, after: Job) => {
  const isChanged = (member: Member) => after[member as keyof Job] !== before[member as keyof Job];
  return toRow({
    ...pick(after, changing.filter(isChanged)),
    ...(before.source?.path !== after.source?.path && { sourcePath: after.source?.path }),
    ...(before.target.folder !== after.target.folder && { targetFolder: after.target.folder }),
    ...(isChanged('output') && outputOf(after)),
    ...(isChanged('finished') && finishedOf(after)),
  });
};

/** Columns that never change. */
export const fixedColumns = (job: Job, documentHash: string) =>
  toRow({
    ...pick(job, fixed),
    connectionId: job.connection.id,
    connectionName: job.connection.name,
    documentHash,
    sourcePath: job.source?.path ?? null,
    text: job.kind === 'speech' ? job.text : null,
    targetFolder: job.target.folder,
    nameTemplate: job.target.nameTemplate,
  });

/** Numbers the writes of all processes, so that each can select the changes since its last poll. */
export const nextChangeNumber = '(SELECT coalesce(max(change_number), 0) + 1 FROM job)';
