import type { ErrorCode, Problem } from '../../../../shared/errors.ts';
import { type ConversionSettings, fitSettings } from '../../../../shared/schemas/settings.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import {
  watchedExtensions,
  type SourceDisposal,
  type WatchedExtension,
  type WatchFolderInfo,
  type WatchPreview,
  type WatchSettings,
} from '../../../../shared/schemas/watch.ts';
import type { Connections } from '../connections/connections.svelte.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { Voices } from '../voices/voices.svelte.ts';

export type WatchApi = Pick<Api, 'watch' | 'app' | 'voices' | 'models'>;

/** Fields of the form that a fault can stand at. */
export type WatchField = 'path' | 'endings' | 'voice' | 'output' | 'limit';

type Start =
  | {
      readonly kind: 'new';
      readonly path: string;
      readonly connectionId: string;
      readonly conversion: ConversionSettings;
    }
  | { readonly kind: 'edit'; readonly folder: WatchFolderInfo };

/** Where in the form an answer of main belongs; all else stands above it. */
const fieldOf: Readonly<Partial<Record<ErrorCode, WatchField>>> = {
  'watch/not-a-folder': 'path',
  'watch/missing': 'path',
  'watch/unreadable': 'path',
  'watch/another-folder': 'path',
  'watch/overlaps': 'path',
  'watch/elsewhere': 'path',
  'voice/missing': 'voice',
  'voice/not-found': 'voice',
  'output/not-writable': 'output',
};

const largestLimit = 100_000;

/** Results go into `Converted` in the folder, until somebody says otherwise. The separator is that of the path itself. */
export function convertedIn(path: string): string {
  const separator = path.startsWith('/') || !path.includes('\\') ? '/' : '\\';
  return `${path.replace(/[/\\]+$/, '')}${separator}Converted`;
}

/** Minutes that a person wrote: null for none, undefined where it is no number that a folder takes. */
export function parseLimit(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const minutes = /^\d+([.,]\d+)?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
  return minutes >= 1 && minutes <= largestLimit ? minutes : undefined;
}

/** A form for one folder, and the dry run of what it says. Nothing that was written is lost by an error. */
export class FolderForm extends ActionState {
  readonly #api: WatchApi;
  readonly #connections: Connections;
  readonly #known: WatchFolderInfo | null;
  readonly #beginPreview = createLatest();

  readonly id: string | null;
  readonly voices: Voices;

  path = $state('');
  isRecursive = $state(false);
  endings = $state.raw<readonly WatchedExtension[]>(watchedExtensions);
  connectionId = $state('');
  conversion: ConversionSettings = $state.raw<ConversionSettings>({} as ConversionSettings);
  place = $state<'folder' | 'beside'>('folder');
  /** Kept while results go beside the original, so that changing one's mind costs nothing. */
  outputFolder = $state('');
  afterwards = $state<SourceDisposal>('keep');
  limit = $state('');

  preview = $state.raw<WatchPreview | null>(null);
  isLooking = $state(false);
  previewProblem = $state.raw<Problem | null>(null);
  #lookedAt = $state('');

  isSaving = $state(false);
  /** Faults are told once somebody wanted to save. */
  wasTried = $state(false);
  #refusal = $state.raw<{ readonly field: WatchField; readonly problem: Problem } | null>(null);

  readonly connection: ConnectionInfo | undefined = $derived.by(() => this.#connections.find(this.connectionId));
  readonly voice: Voice | undefined = $derived.by(() => {
    const { voiceId } = this.conversion;
    const known = this.#known?.settings.connectionId === this.connectionId ? this.#known.voice : undefined;
    return this.voices.find(voiceId) ?? (known?.id === voiceId && !this.voices.isWhole ? known : undefined);
  });
  readonly dailyMinutes: number | null | undefined = $derived(parseLimit(this.limit));
  readonly settings: WatchSettings = $derived.by(() => ({
    path: this.path,
    isRecursive: this.isRecursive,
    endings: this.endings,
    connectionId: this.connectionId,
    conversion: this.connection ? fitSettings(this.conversion, this.connection) : this.conversion,
    outputFolder: this.place === 'beside' ? null : this.outputFolder,
    afterwards: this.afterwards,
    dailyMinutes: this.dailyMinutes ?? null,
  }));
  /** The dry run says nothing of the form as it is now. */
  readonly isStale: boolean = $derived(this.#lookedAt !== '' && this.#lookedAt !== this.#scope());
  readonly faults: readonly WatchField[] = $derived.by(() => {
    const isVoiceless = this.conversion.voiceId === '' || (this.voices.isWhole && this.voice === undefined);
    const wrong: Readonly<Record<WatchField, boolean>> = {
      path: false,
      endings: this.endings.length === 0,
      voice: isVoiceless,
      output: false,
      limit: this.dailyMinutes === undefined,
    };
    return (Object.keys(wrong) as WatchField[]).filter((field) => wrong[field]);
  });

  constructor(api: WatchApi, connections: Connections, start: Start) {
    super();
    this.#api = api;
    this.#connections = connections;
    this.voices = new Voices(api);
    this.#known = start.kind === 'edit' ? start.folder : null;
    this.id = this.#known?.id ?? null;
    if (start.kind === 'edit') {
      const { settings } = start.folder;
      this.path = settings.path;
      this.isRecursive = settings.isRecursive;
      this.endings = settings.endings;
      this.connectionId = settings.connectionId;
      this.conversion = settings.conversion;
      this.place = settings.outputFolder === null ? 'beside' : 'folder';
      this.outputFolder = settings.outputFolder ?? convertedIn(settings.path);
      this.afterwards = settings.afterwards;
      this.limit = settings.dailyMinutes === null ? '' : String(settings.dailyMinutes);
    } else {
      this.path = start.path;
      this.connectionId = start.connectionId;
      this.conversion = start.conversion;
      this.outputFolder = convertedIn(start.path);
    }
    void this.voices.load(this.connectionId);
  }

  /** What is wrong with a field, by main's answer. */
  refusalOf(field: WatchField): Problem | null {
    return this.#refusal?.field === field ? this.#refusal.problem : null;
  }

  /** Whether a fault is told at a field. */
  isFaulty(field: WatchField): boolean {
    return (this.wasTried && this.faults.includes(field)) || this.refusalOf(field) !== null;
  }

  change(change: Partial<ConversionSettings>): void {
    this.conversion = { ...this.conversion, ...change };
    if (change.voiceId !== undefined) this.#forgive('voice');
  }

  /** Pitch and speed are in the ranges of a connection: where another one counts otherwise, they begin anew. */
  connect(id: string): void {
    const before = this.connection;
    this.connectionId = id;
    const { connection } = this;
    if (connection && JSON.stringify(before?.pitch) !== JSON.stringify(connection.pitch))
      this.change({ pitch: connection.pitch.default });
    if (connection && JSON.stringify(before?.speed) !== JSON.stringify(connection.speed))
      this.change({ speed: connection.speed.default });
    this.#forgive('voice');
    void this.voices.load(id);
  }

  toggleEnding(ending: WatchedExtension): void {
    const isChosen = this.endings.includes(ending);
    this.endings = watchedExtensions.filter((one) => (one === ending ? !isChosen : this.endings.includes(one)));
  }

  chooseFolder(): Promise<void> {
    return this.#choose((folder) => {
      if (this.outputFolder === convertedIn(this.path)) this.outputFolder = convertedIn(folder);
      this.path = folder;
      this.#forgive('path');
    });
  }

  chooseOutput(): Promise<void> {
    return this.#choose((folder) => {
      this.outputFolder = folder;
      this.place = 'folder';
      this.#forgive('output');
    });
  }

  /** Looks at what is in the folder, and what of it would be converted. */
  async look(): Promise<void> {
    const isLatest = this.#beginPreview();
    this.isLooking = true;
    this.previewProblem = null;
    const scope = this.#scope();
    try {
      const preview = await this.#api.watch.preview({ settings: this.settings });
      if (!isLatest()) return;
      this.preview = preview;
      this.#lookedAt = scope;
    } catch (error) {
      if (!isLatest()) return;
      this.preview = null;
      this.#lookedAt = '';
      this.previewProblem = toProblem(error);
    } finally {
      if (isLatest()) this.isLooking = false;
    }
  }

  async save(): Promise<WatchFolderInfo | undefined> {
    this.wasTried = true;
    this.problem = this.#refusal = null;
    if (this.faults.length > 0 || this.isSaving) return undefined;
    this.isSaving = true;
    try {
      return await this.#api.watch.save({ id: this.id, settings: this.settings });
    } catch (error) {
      const problem = toProblem(error);
      const field = fieldOf[problem.code];
      if (field === undefined) this.problem = problem;
      else this.#refusal = { field, problem };
      return undefined;
    } finally {
      this.isSaving = false;
    }
  }

  /** Answers that are still on their way are no longer wanted. */
  stop(): void {
    this.#beginPreview();
  }

  /** What a dry run depends on. */
  #scope(): string {
    const { path, isRecursive, endings, outputFolder, dailyMinutes } = this.settings;
    return JSON.stringify([path, isRecursive, endings, outputFolder, dailyMinutes]);
  }

  #forgive(field: WatchField): void {
    if (this.#refusal?.field === field) this.#refusal = null;
  }

  #choose(take: (folder: string) => void): Promise<void> {
    return this.attempt(async () => {
      const folder = await this.#api.app.chooseFolder();
      if (folder !== null) take(folder);
    });
  }
}
