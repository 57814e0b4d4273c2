import type { Data } from '../../main/core/data.ts';
import { resultOf, sourceOf } from '../../main/core/history/file-status.ts';
import { toArchiveLine } from '../../main/core/history/archive-format.ts';
import type { HistoryRecord } from '../../main/core/history/history.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { FileStatus, FileStatusReport } from '../../shared/schemas/history.ts';
import type { Invocation } from '../args.ts';
import { columnsOf, padColumns } from '../output.ts';
import { UserError } from '../errors.ts';
import { problemLine, stamp, resolveId } from './list.ts';

type Asked = Pick<Invocation, 'output' | 'messages' | 'signal'>;

const pairs = (record: readonly (readonly [key: string, value: unknown])[]): string =>
  record
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ');

interface Shown {
  readonly record: HistoryRecord;
  readonly line: NonNullable<ReturnType<typeof toArchiveLine>>;
  readonly look: FileStatusReport | undefined;
}

function fileFact(
  file: { readonly path: string; readonly sizeBytes: number | null; readonly sha256: string | null },
  standing: FileStatus | null,
  { format, history, cli }: Messages,
): string {
  const size = file.sizeBytes === null ? history.facts.unknownSize : format.bytes(file.sizeBytes);
  return [
    file.path,
    size,
    ...(file.sha256 === null ? [] : [`SHA-256 ${file.sha256}`]),
    ...(standing === null ? [] : [cli.history.standing[standing]]),
  ].join(', ');
}

/** What is said of an entry, a fact a line; those without anything to say are left out. */
function facts({ record, line, look }: Shown, messages: Messages): readonly (readonly [word: string, is: string])[] {
  const { format, history, cli } = messages;
  const { job, entry, watchFolder, others } = record;
  const { facts: words } = history;
  const seconds = (ms: number) => `${format.fixed(ms / 1000, 1)} s`;
  const { facts: own } = cli.history;
  const [source, result] = [sourceOf(job), resultOf(job)];
  const { id: voiceId, name: voiceName, language } = entry.voice;
  const all: readonly (readonly [string, string])[] = [
    [own.id, line.id],
    [own.name, entry.name],
    [words.state, history.state[line.state]],
    [own.problem, line.problem && job.problem ? problemLine(job.problem, messages) : ''],
    [words.voice, [voiceName, voiceId, language].filter((part) => part !== '').join(', ')],
    [own.settings, pairs(Object.entries(line.settings).filter(([key]) => key !== 'voiceId'))],
    [own.sound, entry.durationSeconds === null ? '' : format.clockLength(entry.durationSeconds)],
    [words.through, line.connection.name],
    [words.task, line.taskId ?? ''],
    [own.failedTries, format.number(line.attempts)],
    [own.created, stamp(line.createdAt)],
    [own.started, line.startedAt === null ? '' : stamp(line.startedAt)],
    [own.ended, stamp(line.endedAt)],
    [own.timings, pairs(Object.entries(line.timings).map(([state, ms]) => [state, seconds(ms)]))],
    [own.processingTime, line.processingTime === null ? '' : String(line.processingTime)],
    [words.from, watchFolder === null ? words.byHand : words.folder(watchFolder)],
    [words.original, source ? fileFact(source, look?.source ?? null, messages) : ''],
    [words.result, result ? fileFact(result, look?.result ?? null, messages) : ''],
    [own.favourite, line.isFavourite ? own.yes : ''],
    [words.tags, line.tags.join(', ')],
    [own.others, others.map(({ id }) => id).join(', ')],
  ];
  return all.filter(([, is]) => is !== '');
}

/**
 * `timbre history show ID`: everything that is known of an entry, and how its files stand now, by the id or a beginning of it that no
 * other has. As in an export no address of a result and no document of a connection is among it; paths of this computer are.
 */
export async function showEntry(
  { history, historyFiles }: Pick<Data, 'history' | 'historyFiles'>,
  given: string,
  { output, messages, signal }: Asked,
): Promise<void> {
  const id = resolveId(history, given, messages);
  const [look] = await historyFiles.fileStatus([id], signal);
  // After the look: a file that had moved may have been found again.
  const record = history.detail(id);
  const line = toArchiveLine(record.job, record.entry);
  if (!line) throw new UserError('job/not-found', messages.cli.history.unknown(given));
  const told = facts({ record, line, look }, messages);
  const width = Math.max(...told.map(([word]) => columnsOf(word)));
  for (const [word, is] of told) output.say(`${padColumns(word, width)}  ${is}`);
  if (line.kind === 'speech') for (const each of ['', ...line.text.split(/\r?\n/)]) output.say(each);
  const { resultPath, sourcePath, problem } = record.entry;
  output.event({
    event: 'result',
    ...line,
    ...(problem && { code: problem.code, message: problemLine(problem, messages) }),
    ...(line.kind === 'conversion' && {
      source: { ...line.source, path: sourcePath, standing: look?.source ?? null },
    }),
    result: line.result && { ...line.result, path: resultPath, standing: look?.result ?? null },
    watchFolder: record.watchFolder,
    others: record.others.map((other) => other.id),
  });
}
