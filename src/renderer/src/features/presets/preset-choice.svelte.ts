import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import { isSameSettings, type Preset, type PresetContent, type PresetKind } from '../../../../shared/schemas/preset.ts';
import { fitSettings } from '../../../../shared/schemas/settings.ts';
import type { Presets } from './presets.svelte.ts';

/** What a preset is applied to: the settings of new jobs, or the form of a watched folder. */
export interface PresetTarget {
  readonly kind: PresetKind;
  /** The preset that was chosen last; empty if none was. */
  chosenId(): string;
  connections(): readonly ConnectionInfo[];
  connection(): ConnectionInfo | undefined;
  /** The settings as they are now, fitted to the connection. Without a voice, `voiceId` is empty. */
  content(): PresetContent | undefined;
  /** Whether the voice of the settings no longer exists, as opposed to one that is not loaded. */
  isVoiceGone(): boolean;
  /** Null chooses no preset, and changes no settings. */
  apply(preset: Preset | null): void;
}

/** The preset that is chosen for a target, and how the settings differ from it. */
export class PresetChoice {
  readonly presets: Presets;
  readonly #target: PresetTarget;

  /** A preset that was chosen although its connection is gone: the user may move it to the current one. */
  moving = $state.raw<Preset | null>(null);

  readonly kind: PresetKind;
  readonly list: readonly Preset[] = $derived.by(() => this.presets.list.filter(({ kind }) => kind === this.kind));
  /** The chosen preset, as long as the connection is its own. */
  readonly selected: Preset | undefined = $derived.by(() => {
    const preset = this.presets.find(this.kind, this.#target.chosenId());
    return preset?.connectionId === this.#target.connection()?.id ? preset : undefined;
  });
  readonly connection: ConnectionInfo | undefined = $derived.by(() => this.#target.connection());
  readonly isModified: boolean = $derived.by(() => {
    const [preset, connection, content] = [this.selected, this.connection, this.#target.content()];
    if (!preset || !connection || !content) return false;
    return !isSameSettings(fitSettings(preset.settings, connection), content.settings);
  });
  /** The voice of the chosen preset if it no longer exists. */
  readonly missingVoice: string | null = $derived.by(() => {
    const preset = this.selected;
    const isItsVoice = preset?.settings.voiceId === this.#target.content()?.settings.voiceId;
    return preset && isItsVoice && this.#target.isVoiceGone() ? preset.voiceName || preset.settings.voiceId : null;
  });
  /** What Save saves; null without a voice. */
  readonly content: PresetContent | null = $derived.by(() => {
    const content = this.#target.content();
    if (!content || content.settings.voiceId === '') return null;
    const isKnown = content.voiceName !== '' || content.settings.voiceId !== this.selected?.settings.voiceId;
    return isKnown ? content : { ...content, voiceName: this.selected.voiceName };
  });

  constructor(presets: Presets, target: PresetTarget) {
    this.presets = presets;
    this.#target = target;
    this.kind = target.kind;
  }

  /** The connection of a preset; undefined if it was removed. */
  connectionOf({ connectionId }: Preset): ConnectionInfo | undefined {
    return this.#target.connections().find(({ id }) => id === connectionId);
  }

  /** Applies a preset; one whose connection is gone is only offered to be moved. An empty id chooses none. */
  choose(id: string): Preset | undefined {
    const preset = this.presets.find(this.kind, id);
    if (preset && !this.connectionOf(preset)) this.moving = preset;
    else if (preset || id === '') this.#target.apply(preset ?? null);
    return this.moving ? undefined : preset;
  }

  /** Makes the settings those of the chosen preset again. */
  revert(): void {
    if (this.selected) this.#target.apply(this.selected);
  }

  save(): Promise<Preset | undefined> {
    const { selected, content } = this;
    return selected && content
      ? this.presets.update(selected.id, $state.snapshot(content))
      : Promise.resolve(undefined);
  }

  /** Saves the settings under a new name and chooses it. */
  async saveAsNew(name: string): Promise<Preset | undefined> {
    const { content } = this;
    const preset = content ? await this.presets.create(name, $state.snapshot(content)) : undefined;
    if (preset) this.#target.apply(preset);
    return preset;
  }

  /** Moves the preset to the current connection and voice, with its other settings, and applies it. */
  async move(): Promise<Preset | undefined> {
    const { moving, content, connection } = this;
    if (!moving || !content || !connection) return undefined;
    const settings = { ...fitSettings(moving.settings, connection), voiceId: content.settings.voiceId };
    const moved = await this.presets.update(moving.id, { ...$state.snapshot(content), settings } as PresetContent);
    if (!moved) return undefined;
    this.moving = null;
    this.#target.apply(moved);
    return moved;
  }
}
