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

/** A language that was only the voice's own goes with the voice. */
function settingsOf({ settings, row }: HistoryDetail): ConversionSettings | SpeechSettings {
  return 'language' in settings && settings.language === row.voice.language ? { ...settings, language: '' } : settings;
}

/** The form for one entry that is to be made again with something changed. Nothing that was chosen is lost by an error. */
export class RepeatForm extends ActionState {
  readonly #api: RepeatApi;
  readonly #connections: Connections;
  #chosen = $state.raw<RepeatChanges>({});

  readonly detail: HistoryDetail;
  readonly voices: Voices;

  isSending = $state(false);
  /** What came of looking for the original. */
  searched = $state.raw<HistoryFound | null>(null);

  /** An entry that came from another computer knows its connection by name, as main does. Undefined where it is gone. */
  readonly connectionOfThen: ConnectionInfo | undefined = $derived.by(() => {
    const { connectionId, connectionName } = this.detail;
    return this.#listed(connectionId) ?? this.#connections.list.find(({ name }) => name === connectionName);
  });
  readonly connection: ConnectionInfo | undefined = $derived.by(() => {
    const { connectionId } = this.#chosen;
    return connectionId === undefined ? this.connectionOfThen : this.#listed(connectionId);
  });
  /** What the form shows: as in Convert, nothing beyond its sliders is asked for. */
  readonly settings: ConversionSettings | SpeechSettings = $derived.by(() => {
    // The form of a kind offers what that kind knows.
    const settings = { ...settingsOf(this.detail), ...this.#chosen } as ConversionSettings | SpeechSettings;
    return this.connection ? fitSettings(settings, this.connection) : settings;
  });
  readonly outputFolder: string | null = $derived.by(() =>
    this.#chosen.outputFolder === undefined ? this.detail.outputFolder : this.#chosen.outputFolder,
  );
  readonly voice: Voice | undefined = $derived.by(() => {
    const { voiceId } = this.settings;
    return this.voices.find(voiceId) ?? (voiceId === this.detail.settings.voiceId ? this.detail.row.voice : undefined);
  });
  /** All voices were read and it is not among them, or main has said so. */
  readonly isVoiceGone: boolean = $derived.by(() => {
    const isUnlisted = this.voices.isWhole && this.voices.offline === null && !this.voices.find(this.settings.voiceId);
    return (this.connection !== undefined && isUnlisted) || this.problem?.code === 'voice/not-found';
  });
  /** What differs from the entry. */
  readonly changes: RepeatChanges = $derived.by(() => {
    const then = this.#then();
    const now = this.#now();
    // Each value is that of its field; pairs lose it.
    return Object.fromEntries(fields.filter((field) => now[field] !== then[field]).map((field) => [field, now[field]]));
  });

  constructor(api: RepeatApi, connections: Connections, detail: HistoryDetail) {
    super();
    this.#api = api;
    this.#connections = connections;
    this.detail = detail;
    this.voices = new Voices(api);
    this.loadVoices();
  }

  get connections(): readonly ConnectionInfo[] {
    return this.#connections.list;
  }

  loadVoices(): void {
    if (this.connection) void this.voices.load(this.connection.id);
  }

  change(change: RepeatChanges): void {
    this.#chosen = { ...this.#chosen, ...change };
    const isVoiceOther = change.voiceId !== undefined || change.connectionId !== undefined;
    if (isVoiceOther && this.problem?.code === 'voice/not-found') this.problem = null;
    if (change.connectionId !== undefined) this.loadVoices();
  }

  takeBack(field: ChangedField): void {
    this.change({ [field]: this.#then()[field] });
  }

  /** False for what the connection does not take, such as a pitch of then that is out of its range by now. */
  canTakeBack(field: ChangedField): boolean {
    if (field === 'connectionId') return this.connectionOfThen !== undefined;
    if (field === 'outputFolder' || !this.connection) return true;
    const { settings } = this.detail;
    const fitted: RepeatChanges = fitSettings(settings, this.connection);
    return fitted[field] === this.#then()[field];
  }

  chooseFolder(): Promise<void> {
    return this.#attempt(async () => {
      const outputFolder = await this.#api.app.chooseFolder();
      if (outputFolder !== null) this.change({ outputFolder });
    });
  }

  /** Asks where the original is now. */
  findSource(): Promise<void> {
    return this.#attempt(async () => {
      this.searched = await this.#api.history.findFile({ id: this.detail.row.id, which: 'source' });
    });
  }

  /** True once it is in the queue. */
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

  #then(): RepeatChanges & { readonly connectionId: string } {
    const { settings, outputFolder, connectionId } = this.detail;
    return { ...settings, outputFolder, connectionId: this.connectionOfThen?.id ?? connectionId };
  }

  #now(): RepeatChanges {
    const then = this.#then();
    const { settings, outputFolder, connection } = this;
    const connectionId = connection?.id ?? then.connectionId;
    const now: RepeatChanges = { ...settings, outputFolder, connectionId };
    const isOwn = now.language === '' && then.language !== '';
    return isOwn && this.voice ? { ...now, language: this.voice.language } : now;
  }

  #listed(connectionId: string): ConnectionInfo | undefined {
    return this.#connections.list.find(({ id }) => id === connectionId);
  }

  #attempt(action: () => Promise<void>): Promise<void> {
    this.searched = null;
    return this.attempt(action);
  }
}

/** Makes one entry again with something changed: at most one form is open, and what came of it is told where other deeds are. */
export class Repeat {
  readonly #api: RepeatApi;
  readonly #connections: Connections;
  readonly #deeds: HistoryActions;
  readonly #begin = createLatest();

  draft = $state.raw<RepeatForm | null>(null);

  constructor(api: RepeatApi, connections: Connections, deeds: HistoryActions) {
    this.#api = api;
    this.#connections = connections;
    this.#deeds = deeds;
  }

  async open(id: string): Promise<void> {
    const isLatest = this.#begin();
    this.#deeds.problem = null;
    try {
      const detail = await this.#api.history.detail({ id });
      if (isLatest()) this.draft = new RepeatForm(this.#api, this.#connections, detail);
    } catch (error) {
      if (isLatest()) this.#deeds.problem = toProblem(error);
    }
  }

  close(): void {
    this.#begin();
    this.draft = null;
  }

  /** Closes the form once its job is in the queue. Where the person has closed it before, what came of it is told all the same. */
  async send(): Promise<void> {
    const { draft } = this;
    if (!draft) return;
    const isChanged = Object.keys(draft.changes).length > 0;
    const isSent = await draft.send();
    if (isSent) this.#deeds.outcome = { kind: 'again', added: 1, skipped: 0, firstSkipped: null, isChanged };
    else if (this.draft !== draft) this.#deeds.problem = draft.problem;
    if (isSent && this.draft === draft) this.draft = null;
  }
}
