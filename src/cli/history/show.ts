import type { Data } from '../../main/core/data.ts';
import { resultOf, sourceOf } from '../../main/core/history/file-status.ts';
import { toArchiveLine } from '../../main/core/history/archive-format.ts';
import type { HistoryRecord } from '../../main/core/history/history.ts';
import type { CliMessages } from '../../shared/messages/cli.ts';
import type { FileStatus, FileStatusReport } from '../../shared/schemas/history.ts';
import type { Invocation } from '../args.ts';
import { columnsOf, padColumns } from '../output.ts';
import { UserError } from '../errors.ts';
import { problemLine, timestamp, resolveId } from './list.ts';

type ShowContext = Pick<Invocation, 'output' | 'messages' | 'signal'>;

/** The fields of what has several, such as pauses. */
const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([key, part]) => `${key} ${String(part)}`)
        .join(' ')
    : String(value);

const pairs = (entries: readonly (readonly [key: string, value: unknown])[]): string =>
  entries
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${valueText(value)}`)
    .join(', ');

interface EntryDetail {
  readonly record: HistoryRecord;
  readonly line: NonNullable<ReturnType<typeof toArchiveLine>>;
  readonly status: FileStatusReport | undefined;
}

function fileFact(
  file: { readonly path: string; readonly sizeBytes: number | null; readonly sha256: string | null },
  status: FileStatus | null,
  { format, history, cli }: CliMessages,
): string {
  const size = file.sizeBytes === null ? history.details.unknownSize : format.bytes(file.sizeBytes);
  return [
    file.path,
    size,
    ...(file.sha256 === null ? [] : [`SHA-256 ${file.sha256}`]),
    ...(status === null ? [] : [cli.history.fileStatus[status]]),
  ].join(', ');
}

/** Settings with a row of their own, and which takes a job made, which says nothing to the user. */
const notListed: ReadonlySet<string> = new Set(['voiceId', 'speakers', 'pronunciations', 'takes']);

const pronunciationFact = (settings: EntryDetail['line']['settings']): string =>
  'pronunciations' in settings
    ? (settings.pronunciations ?? []).map(({ word, spoken }) => `${word}=${spoken}`).join(', ')
    : '';

/** As for `--speaker`: `Anna=low-bronze`. */
const speakersFact = (settings: EntryDetail['line']['settings']): string =>
  'speakers' in settings ? (settings.speakers ?? []).map(({ name, voiceId }) => `${name}=${voiceId}`).join(', ') : '';

/** The rows of an entry as label and value; rows without a value are omitted. */
function facts(
  { record, line, status }: EntryDetail,
  messages: CliMessages,
): readonly (readonly [label: string, value: string])[] {
  const { format, history, cli } = messages;
  const { job, entry, watchFolder, others } = record;
  const { details: labels } = history;
  const seconds = (ms: number) => `${format.fixed(ms / 1000, 1)} s`;
  const { facts: own } = cli.history;
  const [source, result] = [sourceOf(job), resultOf(job)];
  const { id: voiceId, name: voiceName, language } = entry.voice;
  const all: readonly (readonly [string, string])[] = [
    [own.id, line.id],
    [own.name, entry.name],
    [labels.state, history.state[line.state]],
    [own.problem, line.problem && job.problem ? problemLine(job.problem, messages) : ''],
    [labels.voice, [voiceName, voiceId, language].filter((part) => part !== '').join(', ')],
    [own.settings, pairs(Object.entries(line.settings).filter(([key]) => !notListed.has(key)))],
    [labels.speakers, speakersFact(line.settings)],
    [labels.pronunciation, pronunciationFact(line.settings)],
    [labels.length, entry.durationSeconds === null ? '' : format.clockLength(entry.durationSeconds)],
    [labels.through, line.connection.name],
    [labels.task, line.taskId ?? ''],
    [own.failedTries, format.number(line.attempts)],
    [own.created, timestamp(line.createdAt)],
    [own.started, line.startedAt === null ? '' : timestamp(line.startedAt)],
    [own.ended, timestamp(line.endedAt)],
    [own.timings, pairs(Object.entries(line.timings).map(([state, ms]) => [state, seconds(ms)]))],
    [own.processingTime, line.processingTime === null ? '' : String(line.processingTime)],
    [labels.from, watchFolder === null ? labels.byHand : labels.folder({ name: watchFolder })],
    [labels.original, source ? fileFact(source, status?.source ?? null, messages) : ''],
    [labels.result, result ? fileFact(result, status?.result ?? null, messages) : ''],
    [own.favourite, line.isFavourite ? own.yes : ''],
    [labels.tags, line.tags.join(', ')],
    [own.others, others.map(({ id }) => id).join(', ')],
  ];
  return all.filter(([, value]) => value !== '');
}

/**
 * `timbre history show ID`: prints all data of an entry and the current status of its files, by its id or a unique prefix.
 * Like an export it omits result addresses and connection documents, but it includes local paths.
 */
export async function showEntry(
  { history, historyFiles }: Pick<Data, 'history' | 'historyFiles'>,
  given: string,
  { output, messages, signal }: ShowContext,
): Promise<void> {
  const id = resolveId(history, given, messages);
  const [status] = await historyFiles.fileStatus([id], signal);
  // Read after the status check, which may have found a moved file.
  const record = history.detail(id);
  const line = toArchiveLine(record.job, record.entry);
  if (!line) throw new UserError('job/not-found', messages.cli.history.unknown({ id: given }));
  const rows = facts({ record, line, status }, messages);
  const width = Math.max(...rows.map(([label]) => columnsOf(label)));
  for (const [label, value] of rows) output.print(`${padColumns(label, width)}  ${value}`);
  if (line.kind === 'speech') for (const each of ['', ...line.text.split(/\r?\n/)]) output.print(each);
  const { resultPath, sourcePath, problem } = record.entry;
  output.event({
    event: 'result',
    ...line,
    ...(problem && { code: problem.code, message: problemLine(problem, messages) }),
    ...(line.source && {
      source: { ...line.source, path: sourcePath, standing: status?.source ?? null },
    }),
    result: line.result && { ...line.result, path: resultPath, standing: status?.result ?? null },
    watchFolder: record.watchFolder,
    others: record.others.map((other) => other.id),
  });
}
