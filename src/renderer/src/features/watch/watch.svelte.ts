import type { Problem } from '../../../../shared/errors.ts';
import type { ConversionSettings } from '../../../../shared/schemas/settings.ts';
import type { WatchExplanation, WatchedFile, WatchFolderInfo } from '../../../../shared/schemas/watch.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import { toProblem } from '../../lib/api.ts';
import { FolderForm, type WatchApi } from './folder-form.svelte.ts';
import { WatchedFiles, type WatchedFilter } from './watched-files.svelte.ts';
import type { Connections } from '../connections/connections.svelte.ts';

export interface Explanation {
  readonly path: string;
  readonly answer: WatchExplanation;
}

/** The contract's limit for paths in one call. */
const chunkSize = 1000;

/** A person has to decide, or to bring something back. */
const folderNeedsPerson = ({ attention, mode, baseline }: WatchFolderInfo): boolean =>
  attention > 0 || mode === 'offline' || baseline !== null;

interface Desk {
  readonly connections: Connections;
  /** What new folders begin with. */
  readonly conversion: () => { readonly connectionId: string; readonly conversion: ConversionSettings } | null;
  readonly onAttention: (file: WatchedFile) => void;
}

/** Folders that are watched, the files of the one that is looked at, and the form in which one is added or changed. */
export class Watch extends ActionState {
  readonly #api: WatchApi;
  readonly #desk: Desk;

  list = $state.raw<readonly WatchFolderInfo[]>([]);
  isRead = $state(false);
  /** Why there is no list. */
  listProblem = $state.raw<Problem | null>(null);
  selectedId = $state<string | null>(null);
  /** The form that is open; it stays so while the person looks elsewhere in the window. */
  draft = $state.raw<FolderForm | null>(null);
  explanation = $state.raw<Explanation | null>(null);
  readonly files: WatchedFiles;

  readonly selected: WatchFolderInfo | undefined = $derived(
    this.list.find(({ id }) => id === this.selectedId) ?? this.list[0],
  );
  readonly needPerson: number = $derived(this.list.filter(folderNeedsPerson).length);

  constructor(api: WatchApi, desk: Desk) {
    super();
    this.#api = api;
    this.#desk = desk;
    this.files = new WatchedFiles(api.watch, desk.onAttention);
  }

  /** Names of the folders that convert to a voice. */
  foldersWith(connectionId: string | undefined, voiceId: string): readonly string[] {
    return this.list
      .filter(({ settings }) => settings.connectionId === connectionId && settings.conversion.voiceId === voiceId)
      .map(({ name }) => name);
  }

  subscribe(): () => void {
    const ends = [
      this.#api.watch.onChanged((list) => (this.list = list)),
      this.#api.watch.onFilesChanged((changes) => this.files.merge(changes)),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Where it fails, `listProblem` says why, and this may be called again. */
  async load(): Promise<void> {
    this.listProblem = null;
    try {
      this.list = await this.#api.watch.list();
      this.isRead = true;
    } catch (error) {
      this.listProblem = toProblem(error);
    }
  }

  /** The folder that an answer names. */
  find(folder: string): WatchFolderInfo | undefined {
    return (
      this.list.find(({ id }) => id === folder) ??
      this.list.find(({ name, settings }) => settings.path === folder || name === folder)
    );
  }

  select(id: string): void {
    this.selectedId = id;
  }

  show(only: WatchedFilter): Promise<void> {
    return this.files.open(this.files.folderId, only);
  }

  /** Asks for a folder, and opens the form for it. */
  add(): Promise<void> {
    return this.attempt(async () => {
      const path = await this.#api.app.chooseFolder();
      const start = this.#desk.conversion();
      if (path === null || start === null) return;
      this.draft = new FolderForm(this.#api, this.#desk.connections, { kind: 'new', path, ...start });
    });
  }

  edit(folder: WatchFolderInfo): void {
    this.selectedId = folder.id;
    this.draft = new FolderForm(this.#api, this.#desk.connections, { kind: 'edit', folder });
  }

  closeDraft(): void {
    this.draft?.stop();
    this.draft = null;
  }

  /** Keeps what the form says; it stays open where it cannot be kept. */
  async saveDraft(): Promise<WatchFolderInfo | undefined> {
    const { draft } = this;
    const saved = await draft?.save();
    if (!saved || this.draft !== draft) return undefined;
    this.#put(saved);
    this.selectedId = saved.id;
    this.closeDraft();
    return saved;
  }

  setPaused(id: string, isPaused: boolean): Promise<void> {
    return this.attempt(() => this.#api.watch.setPaused({ id, isPaused }));
  }

  answerExisting(id: string, answer: 'convert' | 'leave'): Promise<void> {
    return this.attempt(() => this.#api.watch.answerBaseline({ id, answer }));
  }

  remove(id: string): Promise<void> {
    return this.attempt(() => this.#api.watch.remove({ id }));
  }

  convert(id: string, paths: readonly string[]): Promise<void> {
    return this.attempt(async () => {
      for (let start = 0; start < paths.length; start += chunkSize)
        await this.#api.watch.convert({ id, paths: paths.slice(start, start + chunkSize) });
    });
  }

  /** Shows a file, or for null the folder itself, in the system's file manager. */
  reveal(id: string, path: string | null): Promise<void> {
    return this.attempt(() => this.#api.watch.reveal({ id, path }));
  }

  explain(): Promise<void> {
    return this.attempt(async () => void (this.explanation = await this.#api.watch.explain()));
  }

  /** Main tells it too, a moment later. */
  #put(folder: WatchFolderInfo): void {
    const isKnown = this.list.some(({ id }) => id === folder.id);
    this.list = isKnown ? this.list.map((one) => (one.id === folder.id ? folder : one)) : [...this.list, folder];
  }
}
