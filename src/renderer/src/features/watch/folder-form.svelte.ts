import type { ErrorCode, Problem } from '../../../../shared/errors.ts';
import {
  type Preset,
  type PresetContent,
  type PresetReference,
  referenceTo,
} from '../../../../shared/schemas/preset.ts';
import { type ConversionSettings, fitSettings } from '../../../../shared/schemas/settings.ts';
import { slowestSpeed } from '../../../../shared/schemas/speech.ts';
import type { ConnectionInfo, Range } from '../../../../shared/schemas/connection.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import {
  defaultFolderSpeech,
  type FolderSpeech,
  defaultWatchedExtensions,
  maxDailyMinutes,
  minDailyMinutes,
  watchedExtensions,
  type SourceDisposal,
  type WatchedExtension,
  type WatchFolderInfo,
  type WatchPreview,
  type WatchSettings,
} from '../../../../shared/schemas/watch.ts';
import { type Hours, parseHours, timeOfDay } from '../../../../shared/text/hours.ts';
import type { Connections } from '../connections/connections.svelte.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { Voices } from '../voices/voices.svelte.ts';

export type WatchApi = Pick<Api, 'watch' | 'app' | 'voices' | 'models'>;

/** Fields of the form that can show an error. */
export type WatchField = 'path' | 'endings' | 'connection' | 'voice' | 'output' | 'limit' | 'hours';

type FormSource =
  | {
      readonly kind: 'new';
      readonly path: string;
      readonly connectionId: string;
      readonly conversion: ConversionSettings;
    }
  | { readonly kind: 'edit'; readonly folder: WatchFolderInfo };

/** The field that shows an error of main; all others are shown above the form. */
const fieldOf: Readonly<Partial<Record<ErrorCode, WatchField>>> = {
  'watch/not-a-folder': 'path',
  'watch/missing': 'path',
  'watch/unreadable': 'path',
  'watch/another-folder': 'path',
  'watch/disk-silent': 'path',
  'watch/overlaps': 'path',
  'watch/elsewhere': 'path',
  'connection/not-found': 'connection',
  'voice/missing': 'voice',
  'voice/not-found': 'voice',
  'output/not-writable': 'output',
};

const isSameRange = (a: Range | undefined, b: Range): boolean =>
  a?.min === b.min && a.max === b.max && a.default === b.default;

/** The default output folder: `Converted` in the watched folder, with the separator of its path. */
export function defaultOutputFolder(path: string): string {
  const separator = path.startsWith('/') || !path.includes('\\') ? '/' : '\\';
  return `${path.replace(/[/\\]+$/, '')}${separator}Converted`;
}

/** Minutes of the limit field: null if it is empty, undefined if it is invalid. */
export function parseLimit(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const minutes = /^\d+([.,]\d+)?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
  return minutes >= minDailyMinutes && minutes <= maxDailyMinutes ? minutes : undefined;
}

/** The form of one folder, and the preview of its settings. An error keeps all input. */
export class FolderForm extends ActionState {
  readonly #api: WatchApi;
  readonly #connections: Connections;
  readonly #folder: WatchFolderInfo | null;
  readonly #beginPreview = createLatest();

  readonly id: string | null;
  readonly voices: Voices;

  path = $state('');
  isRecursive = $state(false);
  endings = $state.raw<readonly WatchedExtension[]>(defaultWatchedExtensions);
  connectionId = $state('');
  conversion: ConversionSettings = $state.raw<ConversionSettings>({} as ConversionSettings);
  /** The preset that connection and conversion come from. */
  preset = $state.raw<PresetReference | null>(null);
  outputLocation = $state<'folder' | 'beside'>('folder');
  /** Kept while results go beside the originals, so that switching back restores it. */
  outputFolder = $state('');
  afterwards = $state<SourceDisposal>('keep');
  limit = $state('');
  /** Times of the day, such as 22:00; both are empty for any time. */
  from = $state('');
  to = $state('');
  hasSubfolderVoices = $state(false);
  speaksTexts = $state(false);
  runsHook = $state(true);
  /** Kept while texts are not spoken, so that switching back restores it; null before they ever were. */
  #speech = $state.raw<FolderSpeech | null>(null);

  preview = $state.raw<WatchPreview | null>(null);
  isLoadingPreview = $state(false);
  previewProblem = $state.raw<Problem | null>(null);
  #previewedSettings = $state('');

  isSaving = $state(false);
  /** Errors are shown only after the first attempt to save. */
  wasSubmitted = $state(false);
  #fieldProblem = $state.raw<{ readonly field: WatchField; readonly problem: Problem } | null>(null);

  readonly connection: ConnectionInfo | undefined = $derived.by(() => this.#connections.find(this.connectionId));
  /** The selected voice as the folder was saved with it. */
  readonly savedVoice: Voice | undefined = $derived.by(() => {
    const saved = this.#folder?.settings.connectionId === this.connectionId ? this.#folder.voice : undefined;
    return saved?.id === this.conversion.voiceId ? saved : undefined;
  });
  readonly voice: Voice | undefined = $derived.by(
    () => this.voices.find(this.conversion.voiceId) ?? (this.voices.isWhole ? undefined : this.savedVoice),
  );
  /** Null while the connection is not known. */
  readonly speech: FolderSpeech | null = $derived.by(() => {
    const { connection } = this;
    const speech = this.#speech ?? (connection ? defaultFolderSpeech(connection) : null);
    return speech && connection ? fitSettings(speech, connection) : speech;
  });
  readonly dailyMinutes: number | null | undefined = $derived(parseLimit(this.limit));
  /** Null for any time; undefined if it is invalid. */
  readonly hours: Hours | null | undefined = $derived(
    this.from.trim() === '' && this.to.trim() === '' ? null : parseHours(`${this.from}-${this.to}`),
  );
  readonly settings: WatchSettings = $derived.by(() => ({
    path: this.path,
    isRecursive: this.isRecursive,
    endings: this.endings,
    connectionId: this.connectionId,
    conversion: this.connection ? fitSettings(this.conversion, this.connection) : this.conversion,
    ...(this.preset && { preset: this.preset }),
    outputFolder: this.outputLocation === 'beside' ? null : this.outputFolder,
    afterwards: this.afterwards,
    dailyMinutes: this.dailyMinutes ?? null,
    hours: this.hours ?? null,
    hasSubfolderVoices: this.isRecursive && this.hasSubfolderVoices,
    speech: this.speaksTexts ? this.speech : null,
    runsHook: this.runsHook,
  }));
  readonly presetContent: PresetContent = $derived.by(() => ({
    kind: 'conversion',
    connectionId: this.connectionId,
    voiceName: this.voice?.name ?? '',
    settings: this.settings.conversion,
  }));
  /** Whether the preview was made with other settings. */
  readonly isStale: boolean = $derived(
    this.#previewedSettings !== '' && this.#previewedSettings !== this.#previewSettings(),
  );
  readonly invalidFields: readonly WatchField[] = $derived.by(() => {
    const hasNoVoice = this.conversion.voiceId === '' || (this.voices.isWhole && this.voice === undefined);
    const isInvalid: Readonly<Record<WatchField, boolean>> = {
      path: false,
      endings: this.endings.length === 0,
      connection: this.connection === undefined,
      // Without a connection there are no voices to choose from.
      voice: this.connection !== undefined && hasNoVoice,
      output: false,
      limit: this.dailyMinutes === undefined,
      hours: this.hours === undefined,
    };
    return (Object.keys(isInvalid) as WatchField[]).filter((field) => isInvalid[field]);
  });

  constructor(api: WatchApi, connections: Connections, source: FormSource) {
    super();
    this.#api = api;
    this.#connections = connections;
    this.voices = new Voices(api);
    this.#folder = source.kind === 'edit' ? source.folder : null;
    this.id = this.#folder?.id ?? null;
    if (source.kind === 'edit') {
      const { settings } = source.folder;
      this.path = settings.path;
      this.isRecursive = settings.isRecursive;
      this.endings = settings.endings;
      this.connectionId = settings.connectionId;
      this.conversion = settings.conversion;
      this.preset = settings.preset ?? null;
      this.outputLocation = settings.outputFolder === null ? 'beside' : 'folder';
      this.outputFolder = settings.outputFolder ?? defaultOutputFolder(settings.path);
      this.afterwards = settings.afterwards;
      this.limit = settings.dailyMinutes === null ? '' : String(settings.dailyMinutes);
      if (settings.hours) [this.from, this.to] = [timeOfDay(settings.hours.from), timeOfDay(settings.hours.to)];
      this.hasSubfolderVoices = settings.hasSubfolderVoices;
      this.speaksTexts = settings.speech !== null;
      this.#speech = settings.speech;
      this.runsHook = settings.runsHook;
    } else {
      this.path = source.path;
      this.connectionId = source.connectionId;
      this.conversion = source.conversion;
      this.outputFolder = defaultOutputFolder(source.path);
    }
    void this.voices.load(this.connectionId);
  }

  /** The error of main that this field shows. */
  problemOf(field: WatchField): Problem | null {
    return this.#fieldProblem?.field === field ? this.#fieldProblem.problem : null;
  }

  /** Whether the field shows an error. */
  hasError(field: WatchField): boolean {
    return (this.wasSubmitted && this.invalidFields.includes(field)) || this.problemOf(field) !== null;
  }

  change(change: Partial<ConversionSettings>): void {
    this.conversion = { ...this.conversion, ...change };
    if (change.voiceId !== undefined) this.#clearProblem('voice');
  }

  changeSpeech(change: Partial<FolderSpeech>): void {
    if (this.speech) this.#speech = { ...this.speech, ...change };
  }

  /** Fills connection, voice and settings, and refers to the preset; null ends the reference and changes nothing else. */
  applyPreset(preset: Preset | null): void {
    this.preset = preset && referenceTo(preset);
    if (preset?.kind !== 'conversion') return;
    this.connectionId = preset.connectionId;
    this.conversion = preset.settings;
    this.#clearProblem('voice');
    void this.voices.load(preset.connectionId);
  }

  /** Ends the reference to a preset. Resets pitch and speed if the connection has other ranges for them. */
  setConnection(id: string): void {
    const before = this.connection;
    this.connectionId = id;
    this.preset = null;
    const { connection } = this;
    if (connection) {
      const { pitch, speed } = connection;
      const reset = {
        ...(!isSameRange(before?.pitch, pitch) && { pitch: pitch.default }),
        ...(!isSameRange(before?.speed, speed) && { speed: speed.default }),
      };
      this.change(reset);
      if (this.#speech) this.changeSpeech(reset);
    }
    this.#clearProblem('connection');
    this.#clearProblem('voice');
    void this.voices.load(id);
  }

  toggleEnding(ending: WatchedExtension): void {
    const isChosen = this.endings.includes(ending);
    this.endings = watchedExtensions.filter((one) => (one === ending ? !isChosen : this.endings.includes(one)));
  }

  chooseFolder(): Promise<void> {
    return this.#chooseFolder((folder) => this.setFolder(folder));
  }

  setFolder(path: string): void {
    if (this.outputFolder === defaultOutputFolder(this.path)) this.outputFolder = defaultOutputFolder(path);
    this.path = path;
    this.#clearProblem('path');
  }

  chooseOutputFolder(): Promise<void> {
    return this.#chooseFolder((folder) => {
      this.outputFolder = folder;
      this.outputLocation = 'folder';
      this.#clearProblem('output');
    });
  }

  /** Lists what the folder contains and what would be converted. */
  async loadPreview(): Promise<void> {
    const isLatest = this.#beginPreview();
    this.isLoadingPreview = true;
    this.previewProblem = null;
    const settings = this.#previewSettings();
    try {
      const preview = await this.#api.watch.preview({ settings: this.settings });
      if (!isLatest()) return;
      this.preview = preview;
      this.#previewedSettings = settings;
    } catch (error) {
      if (!isLatest()) return;
      this.preview = null;
      this.#previewedSettings = '';
      this.previewProblem = toProblem(error);
    } finally {
      if (isLatest()) this.isLoadingPreview = false;
    }
  }

  async save(): Promise<WatchFolderInfo | undefined> {
    this.wasSubmitted = true;
    this.problem = this.#fieldProblem = null;
    if (this.invalidFields.length > 0 || this.isSaving) return undefined;
    this.isSaving = true;
    try {
      return await this.#api.watch.save({ id: this.id, settings: this.settings });
    } catch (error) {
      const problem = toProblem(error);
      const field = fieldOf[problem.code];
      // Deleted meanwhile. The list shows no preset already, so the user could not end the reference.
      if (problem.code === 'preset/not-found') this.preset = null;
      if (field === undefined) this.problem = problem;
      else this.#fieldProblem = { field, problem };
      return undefined;
    } finally {
      this.isSaving = false;
    }
  }

  /** Discards the reply of a running preview. */
  stop(): void {
    this.#beginPreview();
  }

  /** The settings that the preview depends on. */
  #previewSettings(): string {
    const { path, isRecursive, endings, outputFolder, dailyMinutes, hasSubfolderVoices, connectionId, speech } =
      this.settings;
    const voices = hasSubfolderVoices && connectionId;
    const texts = speech && [connectionId, slowestSpeed(speech)];
    return JSON.stringify([path, isRecursive, endings, outputFolder, dailyMinutes, voices, texts]);
  }

  #clearProblem(field: WatchField): void {
    if (this.#fieldProblem?.field === field) this.#fieldProblem = null;
  }

  #chooseFolder(apply: (folder: string) => void): Promise<void> {
    return this.attempt(async () => {
      const folder = await this.#api.app.chooseFolder();
      if (folder !== null) apply(folder);
    });
  }
}
