import { maxPresets, type PresetImport } from '../schemas/preset.ts';
import type { Messages } from './index.ts';

/** Why an import left out a preset. */
export function skippedPresetText(
  { name, reason, connection }: PresetImport['skipped'][number],
  { presets }: Messages,
): string {
  const { skipped: t } = presets.importDialog;
  const isNamed = name !== '';
  switch (reason) {
    case 'no-connection':
      return t[reason]({ isNamed, name, connection });
    case 'too-many':
      return t[reason]({ isNamed, name, most: maxPresets });
    case 'invalid':
    case 'known':
      return t[reason]({ isNamed, name });
  }
}
