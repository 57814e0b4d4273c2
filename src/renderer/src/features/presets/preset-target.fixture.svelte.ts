import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { Preset, PresetContent } from '../../../../shared/schemas/preset.ts';
import type { ConversionSettings } from '../../../../shared/schemas/settings.ts';
import type { PresetTarget } from './preset-choice.svelte.ts';

/** Settings of conversions with the first connection, in memory. */
export class PresetTargetFixture implements PresetTarget {
  readonly kind = 'conversion';
  readonly #connections: readonly ConnectionInfo[];
  readonly applied: Preset[] = [];
  chosen = $state('');
  settings: ConversionSettings;
  isGone = $state(false);

  constructor(connections: readonly ConnectionInfo[], settings: ConversionSettings) {
    this.#connections = connections;
    this.settings = $state.raw(settings);
  }

  chosenId = (): string => this.chosen;
  connections = (): readonly ConnectionInfo[] => this.#connections;
  connection = (): ConnectionInfo | undefined => this.#connections[0];
  isVoiceGone = (): boolean => this.isGone;
  content = (): PresetContent => ({
    kind: 'conversion',
    connectionId: this.#connections[0]?.id ?? '',
    voiceName: 'Clear fjord',
    settings: this.settings,
  });
  apply = (preset: Preset | null): void => {
    this.chosen = preset?.id ?? '';
    if (preset?.kind !== 'conversion') return;
    this.settings = preset.settings;
    this.applied.push(preset);
  };
}
