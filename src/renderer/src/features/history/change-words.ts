import type { Messages } from '../../../../shared/messages/index.ts';
import type { AgainChanges } from '../../../../shared/wire/history.ts';
import { connectionName } from '../../components/connection-name.ts';
import { isPitchRatio, pitchScale } from '../../components/slider-scale.ts';
import { languageName } from '../../components/voice-words.ts';
import type { AgainDraft, ChangedField } from '../../state/again-draft.svelte.ts';

export interface ChangeWords {
  readonly field: ChangedField;
  readonly word: string;
  readonly from: string;
  readonly to: string;
}

type Values = Required<AgainChanges>;
type Written = Pick<AgainDraft, 'detail' | 'connection' | 'connectionOfThen' | 'voice' | 'changes'>;

/** What of an entry is to be another, in words: how it was and how it will be. */
export function changeWords(
  { detail, connection, connectionOfThen, voice, changes }: Written,
  messages: Messages,
): readonly ChangeWords[] {
  const {
    history: { again: t, facts },
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
