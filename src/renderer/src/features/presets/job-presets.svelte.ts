import type { Preset, PresetContent, PresetKind } from '../../../../shared/schemas/preset.ts';
import { presetKinds } from '../../../../shared/schemas/preset.ts';
import { voiceSettingsOf } from '../../../../shared/schemas/speech.ts';
import type { Settings } from '../../../../shared/schemas/settings.ts';
import type { I18n } from '../../lib/i18n.svelte.ts';
import type { Shell } from '../../lib/shell.svelte.ts';
import type { Connections } from '../connections/connections.svelte.ts';
import { PresetChoice } from './preset-choice.svelte.ts';
import type { Presets } from './presets.svelte.ts';
import type { Voices } from '../voices/voices.svelte.ts';
import type { JobDefaults } from '../settings/job-defaults.svelte.ts';
import type { SettingsState } from '../settings/settings.svelte.ts';

interface Dependencies {
  readonly presets: Presets;
  readonly settings: SettingsState;
  readonly connections: Connections;
  readonly voices: Voices;
  readonly defaults: JobDefaults;
  readonly shell: Shell;
  readonly i18n: I18n;
}

/** The presets of new jobs: what is chosen in Convert and in Speech, and the defaults of connections. */
export class JobPresets {
  readonly #dependencies: Dependencies;
  readonly conversion: PresetChoice;
  readonly speech: PresetChoice;

  /**
   * Defaults of the selected connection that apply because no voice is selected. Speech without a voice of its own
   * has that of conversions, so it has no pending default once that one is selected.
   */
  readonly pendingDefaults: readonly Preset[] = $derived.by(() => {
    const { settings, presets, defaults } = this.#dependencies;
    const { value } = settings;
    const { connection } = defaults;
    if (!value || !connection || value.conversion.voiceId !== '') return [];
    return presetKinds.flatMap((kind) =>
      value[kind].voiceId === '' ? (presets.defaultOf(kind, connection.id) ?? []) : [],
    );
  });

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.conversion = this.#choice('conversion', () => this.#conversion());
    this.speech = this.#choice('speech', () => this.#speech());
  }

  /** Switches to a connection, with its default presets. */
  selectConnection(connectionId: string): void {
    const { presets, settings } = this.#dependencies;
    const defaults = presetKinds.flatMap((kind) => presets.defaultOf(kind, connectionId) ?? []);
    settings.update({ connectionId, ...this.#changes(defaults) });
    this.#announceDefaults(defaults);
  }

  applyPendingDefaults(): void {
    const { pendingDefaults } = this;
    if (pendingDefaults.length === 0) return;
    this.#dependencies.settings.update(this.#changes(pendingDefaults));
    this.#announceDefaults(pendingDefaults);
  }

  /** Applies a preset, and the defaults of its connection if that is another one. */
  apply(preset: Preset): void {
    const { settings } = this.#dependencies;
    if (preset.connectionId !== settings.value?.connectionId) this.selectConnection(preset.connectionId);
    settings.update(this.#changes([preset]));
  }

  #announceDefaults(defaults: readonly Preset[]): void {
    const { shell, i18n } = this.#dependencies;
    if (defaults.length > 0)
      shell.announce(
        i18n.t.presets.usingDefaults({ names: defaults.map(({ name }) => i18n.t.app.quoted({ text: name })) }),
      );
  }

  /** The settings that change with these presets, of different kinds. */
  #changes(chosen: readonly Preset[]): Partial<Settings> {
    const { value } = this.#dependencies.settings;
    if (!value || chosen.length === 0) return {};
    const ids = Object.fromEntries(chosen.map(({ kind, id }) => [kind, id]));
    const { speakers } = value.speech;
    const all = Object.fromEntries(
      chosen.map(({ kind, settings }) => [kind, kind === 'speech' && speakers ? { ...settings, speakers } : settings]),
    );
    return { ...all, presets: { ...value.presets, ...ids } };
  }

  #conversion(): PresetContent | undefined {
    const { defaults } = this.#dependencies;
    const { connection, conversion, voice } = defaults;
    if (!connection || !conversion) return undefined;
    return { kind: 'conversion', connectionId: connection.id, voiceName: voice?.name ?? '', settings: conversion };
  }

  /** With the voice that would speak: without one of its own, that of conversions. */
  #speech(): PresetContent | undefined {
    const { defaults } = this.#dependencies;
    const { connection, speech, speaker } = defaults;
    if (!connection || !speech) return undefined;
    const settings = { ...voiceSettingsOf(speech), voiceId: speaker?.id ?? speech.voiceId };
    return { kind: 'speech', connectionId: connection.id, voiceName: speaker?.name ?? '', settings };
  }

  #choice(kind: PresetKind, content: () => PresetContent | undefined): PresetChoice {
    const { presets, settings, connections, voices, defaults } = this.#dependencies;
    return new PresetChoice(presets, {
      kind,
      content,
      chosenId: () => settings.value?.presets[kind] ?? '',
      connections: () => connections.list,
      connection: () => defaults.connection,
      isVoiceGone: () => voices.isWhole && content()?.voiceName === '',
      apply: (preset) => {
        if (preset) this.apply(preset);
        else if (settings.value) settings.update({ presets: { ...settings.value.presets, [kind]: '' } });
      },
    });
  }
}
