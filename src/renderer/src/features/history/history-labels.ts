import { type Messages, problemText } from '../../../../shared/messages/index.ts';
import type { Problem } from '../../../../shared/errors.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { RepeatChanges, HistoryDetail, HistoryFile } from '../../../../shared/schemas/history.ts';
import { connectionName } from '../connections/connections.svelte.ts';
import { isPitchRatio, pitchScale, pitchSpeedText } from '../job-settings/pitch-speed.ts';
import { languageName } from '../voices/voice-labels.ts';
import type { ActionResult } from './actions.svelte.ts';
import type { QueryFilter } from './query.svelte.ts';
import type { RepeatForm, ChangedField } from './repeat.svelte.ts';

/** A day as it is called now: today, yesterday, else by its date. */
export function dayName(startsAt: number, now: number, { history: t, format }: Messages): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (startsAt >= today) return t.today;
  const yesterday = new Date(today);
  yesterday.setDate(yesterday.getDate() - 1);
  return startsAt >= yesterday.getTime() ? t.yesterday : format.day(startsAt, now);
}

/** A filter as it is shown: its words where we have some, else what was written. */
export function filterText({ name, value, isNot }: QueryFilter, { history: { search: t } }: Messages): string {
  const isOfPerson = name === 'voice' || name === 'tag' || name === 'from';
  return t.filter(t.names[name], (isOfPerson ? undefined : t.values[value.toLowerCase()]) ?? value, isNot);
}

/** What came of it, in a sentence. */
export function resultText(
  outcome: ActionResult,
  {
    history: {
      results: t,
      repeat: { adding },
    },
  }: Messages,
): string {
  switch (outcome.kind) {
    case 'removed':
      return t.removed(outcome);
    case 'brought-back':
      return t.restored(outcome.entries);
    case 'adding':
      return adding;
    case 'again':
      return t.repeated(outcome, outcome.isChanged);
    case 'exported':
      return t.exported(outcome);
    case 'imported':
      return t.imported(outcome);
    case 'copied':
      return t.copied(outcome.paths);
    case 'too-many':
      return t.tooMany(outcome.most);
    case 'stopped':
      return t.stopped[outcome.work];
    case 'searched':
      return outcome.found.kind === 'found' ? t.found(outcome.found.entries) : t.notFound(outcome.found.files);
  }
}

export interface ChangeText {
  readonly field: ChangedField;
  readonly word: string;
  readonly from: string;
  readonly to: string;
}

type Values = Required<RepeatChanges>;
type Written = Pick<RepeatForm, 'detail' | 'connection' | 'connectionOfThen' | 'voice' | 'changes'>;

/** What of an entry is to be another, in words: how it was and how it will be. */
export function changesText(
  { detail, connection, connectionOfThen, voice, changes }: Written,
  messages: Messages,
): readonly ChangeText[] {
  const {
    history: { repeat: t, details: facts },
    settings,
    speech,
    format,
    language: inLanguage,
  } = messages;
  const isLocal = connection?.kind === 'local';
  const tone = (value: number) =>
    connection && isPitchRatio(connection)
      ? settings.semitones(pitchScale(connection).toSlider(value))
      : format.fixed(value, 2);
  function control(value: string): string {
    if (isLocal && value === '') return settings.keepFormants;
    if (isLocal && value === 'shift-formants') return settings.shiftFormants;
    return value === '' ? t.none : value;
  }
  const says: { readonly [Field in ChangedField]: readonly [word: string, says: (values: Values) => string] } = {
    connectionId: [
      facts.through,
      ({ connectionId }) =>
        connectionName(
          [connection, connectionOfThen].find((one) => one?.id === connectionId),
          messages,
        ) || detail.connectionName,
    ],
    voiceId: [
      facts.voice,
      ({ voiceId }) => (voiceId === detail.settings.voiceId ? detail.row.voice.name : (voice?.name ?? voiceId)),
    ],
    language: [speech.language, ({ language: tag }) => (tag === '' ? t.none : languageName(tag, inLanguage))],
    pitch: [settings.pitch, ({ pitch }) => tone(pitch)],
    speed: [settings.speed, ({ speed }) => format.fixed(speed, 2)],
    pitchControl: [isLocal ? settings.formants : settings.pitchControl, ({ pitchControl }) => control(pitchControl)],
    autoF0: [settings.autoF0, ({ autoF0 }) => (autoF0 ? t.on : t.off)],
    engine: [settings.engine, ({ engine }) => engine],
    platform: [speech.platform, ({ platform }) => speech.platforms[platform]],
    format: [settings.saveAs, ({ format: ending }) => (ending === 'same' ? settings.sameFormat : ending.slice(1))],
    outputFolder: [settings.into, ({ outputFolder: folder }) => folder ?? settings.besideOriginal],
  };
  // A field that differs has a value on both sides.
  const then = {
    ...detail.settings,
    connectionId: connectionOfThen?.id ?? detail.connectionId,
    outputFolder: detail.outputFolder,
  } as Values;
  const now = { ...then, ...changes };
  return (Object.keys(changes) as ChangedField[]).map((field) => {
    const [word, say] = says[field];
    return { field, word, from: say(then), to: say(now) };
  });
}

export interface Fact {
  readonly word: string;
  readonly is: string;
  /** In smaller letters below. */
  readonly more?: string;
  readonly isId?: boolean;
}

function fileFact(word: string, file: HistoryFile, { format, history: { details: t } }: Messages): Fact {
  const size = file.sizeBytes === null ? t.unknownSize : format.bytes(file.sizeBytes);
  return { word, is: file.name, more: `${size}, ${file.folder}` };
}

function problemLine(problem: Problem, messages: Messages): string {
  const { title, advice } = problemText(messages, problem);
  return `${title}. ${advice}`;
}

/** What is known of an entry, line by line: how it came about, and its files. Lines without anything to say are left out. */
export function entryDetails(
  detail: HistoryDetail,
  connection: ConnectionInfo | undefined,
  messages: Messages,
): readonly (readonly Fact[])[] {
  const { format, history } = messages;
  const { details: t } = history;
  const { row, startedAt } = detail;
  const seconds = startedAt === null ? null : (row.endedAt - startedAt) / 1000;
  const took = seconds === null ? '' : format.length(seconds);
  const isLocal = connection?.kind === 'local';
  const through = isLocal ? messages.connection.thisComputer : detail.connectionName;
  const groups: readonly (readonly Fact[])[] = [
    [
      { word: t.voice, is: row.voice.name },
      { word: t.changed, is: pitchSpeedText(detail.settings, connection, messages) },
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
