import type { Messages } from '../../../../shared/messages/index.ts';
import { problemText } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { ConnectionInfo } from '../../../../shared/wire/connection.ts';
import type { HistoryDetail, HistoryFile } from '../../../../shared/wire/history.ts';
import { voiceChanges } from '../../components/voice-changes.ts';

export interface Fact {
  readonly word: string;
  readonly is: string;
  /** In smaller letters below. */
  readonly more?: string;
  readonly isId?: boolean;
}

function fileFact(word: string, file: HistoryFile, { format, history: { facts: t } }: Messages): Fact {
  const size = file.sizeBytes === null ? t.unknownSize : format.bytes(file.sizeBytes);
  return { word, is: file.name, more: `${size}, ${file.folder}` };
}

function problemLine(problem: Problem, messages: Messages): string {
  const { title, advice } = problemText(messages, problem);
  return `${title}. ${advice}`;
}

/** What is known of an entry, line by line: how it came about, and its files. Lines without anything to say are left out. */
export function entryFacts(
  detail: HistoryDetail,
  connection: ConnectionInfo | undefined,
  messages: Messages,
): readonly (readonly Fact[])[] {
  const { format, history } = messages;
  const { facts: t } = history;
  const { row, startedAt } = detail;
  const seconds = startedAt === null ? null : (row.endedAt - startedAt) / 1000;
  const took = seconds === null ? '' : format.length(seconds);
  const isLocal = connection?.kind === 'local';
  const through = isLocal ? messages.connection.thisComputer : detail.connectionName;
  const groups: readonly (readonly Fact[])[] = [
    [
      { word: t.voice, is: row.voice.name },
      { word: t.changed, is: voiceChanges(detail.settings, connection, messages) },
      { word: t.through, is: through },
      { word: t.took, is: took },
      { word: t.from, is: detail.watchFolder === null ? t.byHand : t.folder(detail.watchFolder) },
      { word: t.when, is: format.dateTime(row.endedAt) },
      ...(row.problem
        ? [
            {
              word: t.state,
              is: problemLine(row.problem, messages),
              ...(row.problem.words !== undefined && { more: row.problem.words }),
            },
          ]
        : row.state === 'done'
          ? []
          : [{ word: t.state, is: history.state[row.state] }]),
    ],
    [
      ...(detail.source ? [fileFact(t.original, detail.source, messages)] : []),
      ...(detail.result ? [fileFact(t.result, detail.result, messages)] : []),
      { word: t.task, is: detail.taskId ?? '', isId: true },
      { word: t.attempts, is: detail.attempts > 1 ? format.number(detail.attempts) : '' },
    ],
  ];
  return groups.map((facts) => facts.filter(({ is }) => is !== '')).filter((facts) => facts.length > 0);
}
