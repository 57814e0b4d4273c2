import { semitonesText } from '../job-settings/pitch-speed.ts';
import { restoredText } from '../../../../shared/messages/history-text.ts';
import { problemText } from '../../../../shared/messages/problem-text.ts';
import { type Messages } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/errors.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type {
  RepeatChanges,
  RepeatResult,
  HistoryDetail,
  HistoryFile,
  HistoryImportReport,
} from '../../../../shared/schemas/history.ts';
import { connectionName } from '../connections/connections.svelte.ts';
import { isPitchRatio, pitchScale, pitchSpeedText } from '../job-settings/pitch-speed.ts';
import { languageName } from '../voices/voice-labels.ts';
import type { ActionResult } from './actions.svelte.ts';
import type { QueryFilter } from './query.svelte.ts';
import type { RepeatForm, ChangedField } from './repeat.svelte.ts';

/** The label of a day: today, yesterday, or its date. */
export function dayLabel(startsAt: number, now: number, { history: t, format }: Messages): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (startsAt >= today) return t.today;
  const yesterday = new Date(today);
  yesterday.setDate(yesterday.getDate() - 1);
  return startsAt >= yesterday.getTime() ? t.yesterday : format.day(startsAt, now);
}

/** The label of a filter; values that the user named are shown as they were typed. */
export function filterText({ name, value, isNegated }: QueryFilter, { history: { search: t } }: Messages): string {
  const isNamedByUser = name === 'voice' || name === 'tag' || name === 'from';
  return t.filter({
    name: t.names[name],
    value: (isNamedByUser ? undefined : (t.values as Readonly<Record<string, string>>)[value.toLowerCase()]) ?? value,
    isNot: isNegated,
  });
}

function skippedText({ skipped: n, firstSkipped }: RepeatResult, { history: { results: t } }: Messages): string {
  if (n === 0) return '';
  const name = firstSkipped?.name ?? null;
  return name === null ? t.skipped({ n }) : t.skippedNamed({ n, name });
}

/** The lines that an import refused, each with the reason. */
export function refusedText(
  { refused, refusedLines }: Pick<HistoryImportReport, 'refused' | 'refusedLines'>,
  { history: { refused: t }, format }: Messages,
): string {
  const lines = refusedLines.map(({ line, reason, field }) =>
    format.labelled(t.line({ line }), reason === 'missing' || reason === 'wrong' ? t[reason]({ field }) : t[reason]),
  );
  const others = refused - lines.length;
  return [...lines, ...(others > 0 ? [t.more({ n: others })] : [])].join('\n');
}

/** The result of an action, as a sentence. */
export function resultText(result: ActionResult, messages: Messages): string {
  const { history, statistics, format } = messages;
  const { results: t } = history;
  switch (result.kind) {
    case 'removed':
      return format.sentences(
        (result.files > 0 ? t.removedWithFiles : t.removed)(result),
        result.keptFiles > 0 ? t.keptFiles({ n: result.keptFiles }) : '',
      );
    case 'restored':
      return t.restored({ n: result.entries });
    case 'files-restored':
      return restoredText(messages, result);
    case 'adding':
      return history.repeat.adding;
    case 'repeated':
      if (result.added === 0) return t.nothingRepeated;
      return format.sentences(
        (result.isChanged ? t.repeatedChanged : t.repeated)({ n: result.added }),
        skippedText(result, messages),
      );
    case 'exported':
      return format.sentences(
        (result.files > 0 ? t.exportedWithFiles : t.exported)(result),
        result.withoutFile > 0 ? t.filesMissing({ n: result.withoutFile }) : '',
      );
    case 'table-saved':
      return statistics.savedTable({ name: result.name });
    case 'imported':
      return format.sentences(
        result.isStopped ? t.stopped.import : '',
        t.imported({ n: result.added }),
        result.known > 0 ? t.known({ n: result.known }) : '',
        result.broughtBack > 0 ? t.broughtBack({ n: result.broughtBack }) : '',
        result.refused > 0 ? t.refused({ n: result.refused }) : '',
        result.withoutFile > 0 ? t.notInArchive({ n: result.withoutFile }) : '',
      );
    case 'import-undone':
      return t.importUndone({ n: result.entries });
    case 'copied':
      return t.copied({ n: result.paths });
    case 'copied-files':
      return t.copiedFiles({ n: result.files });
    case 'too-many':
      return t.tooMany({ most: result.max });
    case 'stopped':
      return t.stopped[result.task];
    case 'searched':
      return result.found.kind === 'found'
        ? t.found({ n: result.found.entries })
        : t.notFound({ n: result.found.files });
  }
}

export interface ChangeText {
  readonly field: ChangedField;
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

type Values = Required<RepeatChanges>;
type FormValues = Pick<RepeatForm, 'detail' | 'connection' | 'originalConnection' | 'voice' | 'changes'>;

/** The changed fields of a repeated entry, with their original and new values as text. */
export function changesText(
  { detail, connection, originalConnection, voice, changes }: FormValues,
  messages: Messages,
): readonly ChangeText[] {
  const {
    history: { repeat: t, details },
    settings,
    speech,
    format,
    language: uiLanguage,
  } = messages;
  const isLocal = connection?.kind === 'local';
  const pitchText = (value: number) =>
    connection && isPitchRatio(connection)
      ? semitonesText(pitchScale(connection).toSlider(value), messages)
      : format.fixed(value, 2);
  function pitchControlText(value: string): string {
    if (isLocal && value === '') return settings.keepFormants;
    if (isLocal && value === 'shift-formants') return settings.shiftFormants;
    return value === '' ? t.none : value;
  }
  const fieldTexts: {
    readonly [Field in ChangedField]: readonly [label: string, valueText: (values: Values) => string];
  } = {
    connectionId: [
      details.through,
      ({ connectionId }) =>
        connectionName(
          [connection, originalConnection].find((one) => one?.id === connectionId),
          messages,
        ) || detail.connectionName,
    ],
    voiceId: [
      details.voice,
      ({ voiceId }) => (voiceId === detail.settings.voiceId ? detail.row.voice.name : (voice?.name ?? voiceId)),
    ],
    language: [speech.language, ({ language: tag }) => (tag === '' ? t.none : languageName(tag, uiLanguage))],
    pitch: [settings.pitch, ({ pitch }) => pitchText(pitch)],
    speed: [settings.speed, ({ speed }) => format.fixed(speed, 2)],
    pitchControl: [
      isLocal ? settings.formants : settings.pitchControl,
      ({ pitchControl }) => pitchControlText(pitchControl),
    ],
    autoF0: [settings.autoF0, ({ autoF0 }) => (autoF0 ? t.on : t.off)],
    engine: [settings.engine, ({ engine }) => engine],
    platform: [speech.platform, ({ platform }) => speech.platforms[platform]],
    format: [settings.saveAs, ({ format: ending }) => (ending === 'same' ? settings.sameFormat : ending.slice(1))],
    outputFolder: [settings.into, ({ outputFolder: folder }) => folder ?? settings.besideOriginal],
  };
  // A changed field has a value on both sides.
  const original = {
    ...detail.settings,
    connectionId: originalConnection?.id ?? detail.connectionId,
    outputFolder: detail.outputFolder,
  } as Values;
  const changed = { ...original, ...changes };
  return (Object.keys(changes) as ChangedField[]).map((field) => {
    const [label, valueText] = fieldTexts[field];
    return { field, label, from: valueText(original), to: valueText(changed) };
  });
}

export interface Detail {
  readonly label: string;
  readonly value: string;
  /** Shown below the value in small type. */
  readonly note?: string;
  readonly isId?: boolean;
}

function fileDetail(label: string, file: HistoryFile, { format, history: { details: t } }: Messages): Detail {
  const size = file.sizeBytes === null ? t.unknownSize : format.bytes(file.sizeBytes);
  return { label, value: file.name, note: format.facts(size, format.isolate(file.folder)) };
}

function problemSentence(problem: Problem, messages: Messages): string {
  const { title, advice } = problemText(messages, problem);
  return messages.format.sentences(messages.format.sentence(title), advice);
}

/** Names and voices of the speakers of a text: `Anna (Low bronze)`. */
const speakersText = (settings: HistoryDetail['settings'], { format }: Messages): string =>
  'speakers' in settings
    ? format.list((settings.speakers ?? []).map(({ name, voiceName, voiceId }) => `${name} (${voiceName || voiceId})`))
    : '';

const pronunciationText = (settings: HistoryDetail['settings'], { format }: Messages): string =>
  'pronunciations' in settings
    ? format.list((settings.pronunciations ?? []).map(({ word, spoken }) => `${word} (${spoken})`))
    : '';

/** The details of an entry in two groups: how it was made, and its files. Empty ones are left out. */
export function entryDetails(
  detail: HistoryDetail,
  connection: ConnectionInfo | undefined,
  messages: Messages,
): readonly (readonly Detail[])[] {
  const { format, history } = messages;
  const { details: t } = history;
  const { row, startedAt } = detail;
  const seconds = startedAt === null ? null : (row.endedAt - startedAt) / 1000;
  const took = seconds === null ? '' : format.length(seconds);
  const isLocal = connection?.kind === 'local';
  const through = isLocal ? messages.connection.thisComputer : detail.connectionName;
  const groups: readonly (readonly Detail[])[] = [
    [
      { label: t.voice, value: row.voice.name },
      { label: t.speakers, value: speakersText(detail.settings, messages) },
      { label: t.pronunciation, value: pronunciationText(detail.settings, messages) },
      { label: t.changed, value: pitchSpeedText(detail.settings, connection, messages) },
      { label: t.through, value: through },
      { label: t.length, value: row.durationSeconds === null ? '' : format.clockLength(row.durationSeconds) },
      { label: t.took, value: took },
      { label: t.from, value: detail.watchFolder === null ? t.byHand : t.folder({ name: detail.watchFolder }) },
      { label: t.when, value: format.dateTime(row.endedAt) },
      ...(row.problem
        ? [
            {
              label: t.state,
              value: problemSentence(row.problem, messages),
              ...(row.problem.words !== undefined && { note: row.problem.words }),
            },
          ]
        : row.state === 'done'
          ? []
          : [{ label: t.state, value: history.state[row.state] }]),
    ],
    [
      ...(detail.source ? [fileDetail(t.original, detail.source, messages)] : []),
      ...(detail.result ? [fileDetail(t.result, detail.result, messages)] : []),
      { label: t.task, value: detail.taskId ?? '', isId: true },
      { label: t.attempts, value: detail.attempts > 1 ? format.number(detail.attempts) : '' },
    ],
  ];
  return groups.map((group) => group.filter(({ value }) => value !== '')).filter((group) => group.length > 0);
}
