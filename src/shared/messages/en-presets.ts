import type { PresetNameFault, PresetSkipReason } from '../schemas/preset.ts';
import { numberFact, type ProblemTextsOf, textFact } from './facts.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

/** The control for presets, its dialogs, and the outcome of an import. */
export const enPresets = {
  label: 'Preset',
  none: 'No preset',
  /** A preset of another connection, in the list. */
  at: (name: string, connection: string) => `${name} (${connection})`,
  missingConnection: (name: string, connection: string) => `${name} (${connection} is gone)`,
  modified: 'Modified',
  /** Read out after a preset was chosen. */
  using: (name: string) => `Preset “${name}” applied`,
  /** Read out after the defaults of a connection were applied. */
  usingDefaults: (names: readonly string[]) =>
    `Default for this connection applied: ${names.map((name) => `“${name}”`).join(', ')}`,
  missingVoice: (voice: string) => `Its voice “${voice}” is no longer available. Choose another voice, then save.`,
  more: 'Preset options',
  save: 'Save',
  saveNamed: (name: string) => `Save the changes to “${name}”`,
  revert: 'Discard changes',
  applyAgain: 'Apply again',
  saveAsNew: 'Save as new preset…',
  rename: 'Rename…',
  isDefault: 'Default for this connection',
  delete: 'Delete…',
  export: 'Export all presets…',
  import: 'Import presets…',
  saved: (name: string) => `“${name}” saved`,
  deleted: (name: string) => `“${name}” deleted`,
  exported: (n: number) => count(n, { one: '# preset exported', other: '# presets exported' }),
  cancel: 'Cancel',
  close: 'Close',
  needsVoice: 'Choose a voice first.',
  nameDialog: { new: 'Save as new preset', rename: (name: string) => `Rename “${name}”` },
  name: 'Name',
  create: 'Save preset',
  applyName: 'Rename',
  nameFault: {
    empty: 'Enter a name.',
    'too-long': 'A name can have up to 80 characters.',
    control: 'This name contains characters that can’t be shown. Type it again.',
  } satisfies Record<PresetNameFault, string>,
  nameTaken: 'Another preset already has this name. Choose another one.',
  deleteDialog: {
    title: (name: string) => `Delete “${name}”?`,
    lead: 'Your current voice and settings stay, and so do those of watched folders that use it.',
    confirm: 'Delete preset',
  },
  moveDialog: {
    title: (name: string, connection: string) => `Move “${name}” to “${connection}”?`,
    lead: (connection: string) => `Its connection “${connection}” no longer exists.`,
    withVoice: (voice: string) =>
      `It will use the voice that is selected now, “${voice}”, and keep its other settings.`,
    noVoice: 'To move it, choose a voice first.',
    confirm: 'Move preset',
  },
  importDialog: {
    title: (n: number) =>
      n === 0 ? 'No preset was imported' : count(n, { one: '# preset imported', other: '# presets imported' }),
    renamed: (from: string, to: string) => `“${from}” is now called “${to}”, because there was one of this name.`,
    skipped: (name: string, reason: PresetSkipReason, connection: string): string => {
      const subject = name === '' ? 'A preset without a name' : `“${name}”`;
      return {
        invalid: `${subject} was skipped: its settings aren’t valid.`,
        'no-connection': `${subject} was skipped: there is no connection “${connection}” here. Add it, then import again.`,
        known: `${subject} was skipped: it is already here.`,
        'too-many': `${subject} was skipped: there can be 500 presets.`,
      }[reason];
    },
    more: (n: number) => `And ${format.number(n)} more.`,
  },
  /** What a watched folder says about its preset. */
  folder: {
    changed: (name: string) => `The preset “${name}” has changed.`,
    removed: (name: string) => `The preset “${name}” was deleted. This folder keeps its settings.`,
    use: 'Use the new settings',
    keep: 'Keep',
  },
  commands: {
    use: (name: string) => `Use preset “${name}”`,
    useForSpeech: (name: string) => `Use preset “${name}” in Speech`,
  },
};

export const enPresetProblems: ProblemTextsOf<'preset'> = {
  'preset/not-found': () => ({ title: 'This preset no longer exists', advice: 'Choose another one.' }),
  'preset/name-taken': (facts) => ({
    title: `There is already a preset called “${textFact(facts, 'name') ?? 'that'}”`,
    advice: 'Choose another name.',
  }),
  'preset/too-many': (facts) => ({
    title: `There can be ${format.number(numberFact(facts, 'count') ?? 500)} presets at most`,
    advice: 'Delete one that you no longer need, then try again.',
  }),
  'preset/not-an-export': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'This file'} contains no presets`,
    advice: 'Choose a file that Timbre exported. Nothing was changed.',
  }),
  'preset/export-newer': () => ({
    title: 'These presets are from a newer version of Timbre',
    advice: 'Install the latest version to import them. Nothing was changed.',
  }),
  'preset/export-too-large': (facts) => ({
    title: `${textFact(facts, 'name') ?? 'This file'} is too large for presets`,
    advice: `A file of presets has at most ${format.bytes(numberFact(facts, 'limitBytes') ?? 1024 ** 2)} and ${format.number(numberFact(facts, 'count') ?? 1000)} presets. Choose a file that Timbre exported.`,
  }),
};
