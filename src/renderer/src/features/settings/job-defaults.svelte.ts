import { type ConversionSettings, fitSettings } from '../../../../shared/schemas/settings.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { SpeechSettings } from '../../../../shared/schemas/speech.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import type { I18n } from '../../lib/i18n.svelte.ts';
import type { Shell } from '../../lib/shell.svelte.ts';
import type { Connections } from '../connections/connections.svelte.ts';
import type { Voices } from '../voices/voices.svelte.ts';
import type { SettingsState } from './settings.svelte.ts';

interface Dependencies {
  readonly chooseFolder: Api['app']['chooseFolder'];
  readonly settings: SettingsState;
  readonly connections: Connections;
  readonly voices: Voices;
  readonly shell: Shell;
  readonly i18n: I18n;
}

/** What jobs that are added together have in common. */
export interface JobOrder {
  readonly connectionId: string;
  /** Display name of the connection if it is a service; null if the jobs stay on this computer, where nothing is paid for. */
  readonly service: string | null;
  readonly settings: ConversionSettings;
}

/** Defaults of new jobs: the selected connection, its voices, and the settings limited to what the connection supports. */
export class JobDefaults {
  readonly #dependencies: Dependencies;

  /** The voice highlighted on the first start; the first job selects it. */
  firstVoiceId = $state<string | null>(null);

  readonly connection: ConnectionInfo | undefined = $derived.by(() =>
    this.#dependencies.connections.findOrFirst(this.#dependencies.settings.value?.connectionId ?? ''),
  );
  /** The selected voice; undefined if none is selected or the catalogue no longer lists it. */
  readonly voice: Voice | undefined = $derived.by(() =>
    this.#dependencies.voices.find(this.#dependencies.settings.value?.conversion.voiceId ?? ''),
  );
  readonly conversion: ConversionSettings | undefined = $derived.by(() =>
    this.#fit(this.#dependencies.settings.value?.conversion),
  );
  readonly speech: SpeechSettings | undefined = $derived.by(() => this.#fit(this.#dependencies.settings.value?.speech));
  /** The voice for text to speech: the one selected for it, else that of conversions, else the first in the catalogue. */
  readonly speaker: Voice | undefined = $derived.by(() => {
    const { settings, voices } = this.#dependencies;
    const id = settings.value?.speech.voiceId || settings.value?.conversion.voiceId;
    return id ? voices.find(id) : voices.list[0];
  });

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  selectVoice({ id, name }: Pick<Voice, 'id' | 'name'>): void {
    const { settings, shell, i18n } = this.#dependencies;
    settings.updateConversion({ voiceId: id });
    shell.announce(i18n.t.voices.using({ name }));
  }

  async chooseOutputFolder(onchosen?: (folder: string) => Promise<void>): Promise<void> {
    const { settings, chooseFolder } = this.#dependencies;
    try {
      const outputFolder = await chooseFolder();
      if (outputFolder === null) return;
      settings.update({ outputFolder });
      await onchosen?.(outputFolder);
    } catch (error) {
      settings.problem = toProblem(error);
    }
  }

  /** New watch folders start with the connection and settings that are selected now. */
  forWatchFolder(): { readonly connectionId: string; readonly conversion: ConversionSettings } | null {
    const { conversion, connection } = this;
    return conversion && connection ? { connectionId: connection.id, conversion: $state.snapshot(conversion) } : null;
  }

  /**
   * The order for jobs that are added now, sent after all earlier changes. If no voice is selected yet, selects the highlighted one, else
   * the first in the catalogue. Null before the settings are loaded.
   */
  async forJobs(): Promise<JobOrder | null> {
    const { settings, voices } = this.#dependencies;
    const { conversion, connection } = this;
    if (!conversion || !settings.value) return null;
    const order = {
      connectionId: settings.value.connectionId,
      service: connection && connection.kind !== 'local' ? connection.name : null,
      settings: $state.snapshot(conversion),
    };
    await settings.flush();
    if (conversion.voiceId !== '') return order;
    if (voices.list.length === 0) await voices.load(order.connectionId);
    const voiceId = this.firstVoiceId ?? voices.list[0]?.id ?? '';
    if (voiceId !== '') settings.updateConversion({ voiceId });
    return { ...order, settings: { ...order.settings, voiceId } };
  }

  /** Settings for a text that is spoken now, sent after all earlier changes; null if there is no voice for it. */
  async forSpeech(): Promise<SpeechSettings | null> {
    const { speech, speaker } = this;
    if (!speech || !speaker) return null;
    await this.#dependencies.settings.flush();
    return { ...$state.snapshot(speech), voiceId: speaker.id };
  }

  #fit<S extends ConversionSettings | SpeechSettings>(settings: S | undefined): S | undefined {
    return settings && this.connection ? fitSettings(settings, this.connection) : settings;
  }
}
