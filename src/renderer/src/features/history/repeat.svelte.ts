import { type ConversionSettings, fitSettings } from '../../../../shared/schemas/settings.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { RepeatChanges, HistoryDetail, HistoryFound } from '../../../../shared/schemas/history.ts';
import type { SpeechSettings } from '../../../../shared/schemas/speech.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import type { Connections } from '../connections/connections.svelte.ts';
import { Voices } from '../voices/voices.svelte.ts';
import type { HistoryActions } from './actions.svelte.ts';

export type RepeatApi = Pick<Api, 'history' | 'app' | 'voices' | 'models'>;
export type ChangedField = keyof RepeatChanges;

const fields = [
  'connectionId',
  'voiceId',
  'language',
  'pitch',
  'speed',
  'pitchControl',
  'autoF0',
  'engine',
  'platform',
  'format',
  'outputFolder',
] as const satisfies readonly ChangedField[];

/** The settings of the entry; a language equal to the voice's own becomes empty, so that it follows the voice. */
function settingsOf({ settings, row }: HistoryDetail): ConversionSettings | SpeechSettings {
  return 'language' in settings && settings.language === row.voice.language ? { ...settings, language: '' } : settings;
}

/** The form that repeats one entry with changes. An error keeps all input. */
export class RepeatForm extends ActionState {
  readonly #api: RepeatApi;
  readonly #connections: Connections;
  #selected = $state.raw<RepeatChanges>({});

  readonly detail: HistoryDetail;
  readonly voices: Voices;

  isSending = $state(false);
  /** The result of the search for the source file. */
  searchResult = $state.raw<HistoryFound | null>(null);

  /** The entry's connection, by name if the entry was imported; undefined if it was removed. */
  readonly originalConnection: ConnectionInfo | undefined = $derived.by(() => {
    const { connectionId, connectionName } = this.detail;
    return this.#connections.find(connectionId) ?? this.#connections.list.find(({ name }) => name === connectionName);
  });
  readonly connection: ConnectionInfo | undefined = $derived.by(() => {
    const { connectionId } = this.#selected;
    return connectionId === undefined ? this.originalConnection : this.#connections.find(connectionId);
  });
  /** The settings that the form shows, within the ranges of the connection. */
  readonly settings: ConversionSettings | SpeechSettings = $derived.by(() => {
    // Each kind of entry has a form with fields of its own, so the changes fit the settings.
    const settings = { ...settingsOf(this.detail), ...this.#selected } as ConversionSettings | SpeechSettings;
    return this.connection ? fitSettings(settings, this.connection) : settings;
  });
  readonly outputFolder: string | null = $derived.by(() =>
    this.#selected.outputFolder === undefined ? this.detail.outputFolder : this.#selected.outputFolder,
  );
  readonly voice: Voice | undefined = $derived.by(() => {
    const { voiceId } = this.settings;
    return this.voices.find(voiceId) ?? (voiceId === this.detail.settings.voiceId ? this.detail.row.voice : undefined);
  });
  /** The complete list of voices lacks it, or main has replied so. */
  readonly isVoiceMissing: boolean = $derived.by(() => {
    const isUnlisted = this.connection !== undefined && this.voices.isMissing(this.settings.voiceId);
    return isUnlisted || this.problem?.code === 'voice/not-found';
  });
  /** The fields that differ from the entry. */
  readonly changes: RepeatChanges = $derived.by(() => {
    const original = this.#originalValues();
    const values = this.#values();
    // `fromEntries` loses which value belongs to which field.
    return Object.fromEntries(
      fields.filter((field) => values[field] !== original[field]).map((field) => [field, values[field]]),
    );
  });

  constructor(api: RepeatApi, connections: Connections, detail: HistoryDetail) {
    super();
    this.#api = api;
    this.#connections = connections;
    this.detail = detail;
    this.voices = new Voices(api);
    void this.loadVoices();
  }

  get connections(): readonly ConnectionInfo[] {
    return this.#connections.list;
  }

  async loadVoices(): Promise<void> {
    if (this.connection) await this.voices.load(this.connection.id);
  }

  change(change: RepeatChanges): void {
    this.#selected = { ...this.#selected, ...change };
    const isVoiceChanged = change.voiceId !== undefined || change.connectionId !== undefined;
    if (isVoiceChanged && this.problem?.code === 'voice/not-found') this.problem = null;
    if (change.connectionId !== undefined) void this.loadVoices();
  }

  reset(field: ChangedField): void {
    this.change({ [field]: this.#originalValues()[field] });
  }

  /** False for a value that the connection no longer accepts, such as a pitch out of its range. */
  canReset(field: ChangedField): boolean {
    if (field === 'connectionId') return this.originalConnection !== undefined;
    if (field === 'outputFolder' || !this.connection) return true;
    const { settings } = this.detail;
    const fitted: RepeatChanges = fitSettings(settings, this.connection);
    return fitted[field] === this.#originalValues()[field];
  }

  chooseFolder(): Promise<void> {
    return this.#attempt(async () => {
      const outputFolder = await this.#api.app.chooseFolder();
      if (outputFolder !== null) this.change({ outputFolder });
    });
  }

  /** Lets the user locate the source file. */
  findSource(): Promise<void> {
    return this.#attempt(async () => {
      this.searchResult = await this.#api.history.findFile({ id: this.detail.row.id, which: 'source' });
    });
  }

  /** Returns whether the job was added to the queue. */
  async send(): Promise<boolean> {
    if (this.isSending) return false;
    this.isSending = true;
    let isSent = false;
    await this.#attempt(async () => {
      await this.#api.history.repeat({ choice: { ids: [this.detail.row.id] }, changes: this.changes });
      isSent = true;
    });
    this.isSending = false;
    return isSent;
  }

  #originalValues(): RepeatChanges & { readonly connectionId: string } {
    const { settings, outputFolder, connectionId } = this.detail;
    return { ...settings, outputFolder, connectionId: this.originalConnection?.id ?? connectionId };
  }

  #values(): RepeatChanges {
    const original = this.#originalValues();
    const { settings, outputFolder, connection } = this;
    const connectionId = connection?.id ?? original.connectionId;
    const values: RepeatChanges = { ...settings, outputFolder, connectionId };
    const followsVoice = values.language === '' && original.language !== '';
    return followsVoice && this.voice ? { ...values, language: this.voice.language } : values;
  }

  #attempt(action: () => Promise<void>): Promise<void> {
    this.searchResult = null;
    return this.attempt(action);
  }
}

/** Repeats one entry with changes. At most one form is open; its result is shown with those of other actions. */
export class Repeat {
  readonly #api: RepeatApi;
  readonly #connections: Connections;
  readonly #actions: HistoryActions;
  readonly #begin = createLatest();

  form = $state.raw<RepeatForm | null>(null);

  constructor(api: RepeatApi, connections: Connections, actions: HistoryActions) {
    this.#api = api;
    this.#connections = connections;
    this.#actions = actions;
  }

  async open(id: string): Promise<void> {
    const isLatest = this.#begin();
    this.#actions.problem = null;
    try {
      const detail = await this.#api.history.detail({ id });
      if (isLatest()) this.form = new RepeatForm(this.#api, this.#connections, detail);
    } catch (error) {
      if (isLatest()) this.#actions.problem = toProblem(error);
    }
  }

  close(): void {
    this.#begin();
    this.form = null;
  }

  /** Closes the form once its job is in the queue. The result is shown even if the user has closed the form before. */
  async send(): Promise<void> {
    const { form } = this;
    if (!form) return;
    const isChanged = Object.keys(form.changes).length > 0;
    const isSent = await form.send();
    if (isSent) this.#actions.result = { kind: 'repeated', added: 1, skipped: 0, firstSkipped: null, isChanged };
    else if (this.form !== form) this.#actions.problem = form.problem;
    if (isSent && this.form === form) this.form = null;
  }
}
