import type { Problem } from '../../../../shared/errors.ts';
import type { ConversionSettings } from '../../../../shared/schemas/settings.ts';
import type {
  WatchExplanation,
  WatchedFile,
  WatchFolderInfo,
  WatchSettings,
} from '../../../../shared/schemas/watch.ts';
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

interface Context {
  readonly connections: Connections;
  /** The settings of new folders; null while they are unknown. */
  readonly conversion: () => { readonly connectionId: string; readonly conversion: ConversionSettings } | null;
  readonly onAttention: (file: WatchedFile) => void;
}

/** The watched folders, the files of the selected one, and the form that adds or edits one. */
export class Watch extends ActionState {
  readonly #api: WatchApi;
  readonly #context: Context;

  list = $state.raw<readonly WatchFolderInfo[]>([]);
  isLoaded = $state(false);
  /** Why `list` could not be loaded. */
  listProblem = $state.raw<Problem | null>(null);
  selectedId = $state<string | null>(null);
  /** The open form. It stays open while the user visits other views. */
  form = $state.raw<FolderForm | null>(null);
  /** Paths of the folders that the form opens for next: what the user entered in the open one is never replaced. */
  following = $state.raw<readonly string[]>([]);
  explanation = $state.raw<Explanation | null>(null);
  readonly files: WatchedFiles;

  readonly selected: WatchFolderInfo | undefined = $derived(
    this.list.find(({ id }) => id === this.selectedId) ?? this.list[0],
  );
  /** How many folders wait for a decision, a disk or a connection. */
  readonly needAttention: number = $derived(
    this.list.filter(
      (folder) =>
        folder.attention > 0 || folder.mode === 'offline' || folder.baseline !== null || !this.isConnected(folder),
    ).length,
  );

  constructor(api: WatchApi, context: Context) {
    super();
    this.#api = api;
    this.#context = context;
    this.files = new WatchedFiles(api.watch, context.onAttention);
  }

  /** False if the connection of a folder was removed. */
  isConnected({ settings }: WatchFolderInfo): boolean {
    const { connections } = this.#context;
    // An empty list is not loaded yet: this computer is always in it.
    return connections.list.length === 0 || connections.find(settings.connectionId) !== undefined;
  }

  /** Names of the folders that use a voice, for themselves or for a speaker. */
  foldersWith(connectionId: string | undefined, voiceId: string): readonly string[] {
    const usesVoice = ({ conversion, speech }: WatchSettings): boolean =>
      conversion.voiceId === voiceId || (speech?.speakers?.some((speaker) => speaker.voiceId === voiceId) ?? false);
    return this.list
      .filter(({ settings }) => settings.connectionId === connectionId && usesVoice(settings))
      .map(({ name }) => name);
  }

  subscribe(): () => void {
    const ends = [
      this.#api.watch.onChanged((list) => (this.list = list)),
      this.#api.watch.onFilesChanged((changes) => this.files.merge(changes)),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Sets `listProblem` if it fails; may then be called again. */
  async load(): Promise<void> {
    try {
      this.list = await this.#api.watch.list();
      this.isLoaded = true;
      this.listProblem = null;
    } catch (error) {
      this.listProblem = toProblem(error);
    }
  }

  /** The folder with this id or path. */
  find(folder: string): WatchFolderInfo | undefined {
    return this.list.find(({ id, settings }) => id === folder || settings.path === folder);
  }

  select(id: string): void {
    this.selectedId = id;
  }

  show(filter: WatchedFilter): Promise<void> {
    return this.files.open(this.files.folderId, filter);
  }

  /** Lets the user select a folder, and opens the form for it as for a dropped one. */
  add(): Promise<void> {
    return this.attempt(async () => {
      const path = await this.#api.app.chooseFolder();
      if (path !== null && !this.#isInForm(path)) this.#enter(path, []);
    });
  }

  /**
   * Opens the form for the first folder among dropped files that is not watched yet, or enters it in the open one. While other folders
   * follow the open form, or that is for a watched folder, whose path does not change, all of them follow it. Returns which of the files
   * are no folders.
   */
  async addDropped<T>(files: readonly T[], pathOf: (file: T) => string): Promise<readonly T[]> {
    const others: T[] = [];
    await this.attempt(async () => {
      const folders: string[] = [];
      for (let start = 0; start < files.length; start += chunkSize) {
        const some = files.slice(start, start + chunkSize);
        const found = await this.#api.watch.findFolders({ paths: some.map(pathOf) });
        others.push(...some.filter((_, k) => typeof found[k] !== 'string'));
        folders.push(...found.filter((path) => path !== null));
      }
      const [first, ...rest] = folders.filter((path) => !this.#isKnown(path));
      if (first === undefined) {
        const [known] = this.list.filter(({ settings }) => folders.includes(settings.path));
        if (known) this.select(known.id);
        return;
      }
      this.#enter(first, rest);
    });
    return others;
  }

  /** Opens the form of a watched folder, once an open one is closed. */
  edit(folder: WatchFolderInfo): void {
    const { path } = folder.settings;
    if (this.form) {
      if (!this.#isInForm(path)) this.following = [...this.following, path];
      return;
    }
    this.selectedId = folder.id;
    this.form = new FolderForm(this.#api, this.#context.connections, { kind: 'edit', folder });
  }

  /** Closes the form without saving it, and opens that of the next folder. */
  skipForm(): void {
    this.#openNext();
  }

  /** Closes the form without saving it, and forgets the folders that follow it. */
  closeForm(): void {
    // What follows the form of a watched folder is not cancelled with that.
    if (this.form?.id === null) this.following = [];
    this.#openNext();
  }

  /** Saves the form and closes it; it stays open if it cannot be saved. */
  async saveForm(): Promise<WatchFolderInfo | undefined> {
    const { form } = this;
    const saved = await form?.save();
    if (!saved || this.form !== form) return undefined;
    this.#upsert(saved);
    this.selectedId = saved.id;
    this.#openNext();
    return saved;
  }

  setPaused(id: string, isPaused: boolean): Promise<void> {
    return this.attempt(() => this.#api.watch.setPaused({ id, isPaused }));
  }

  answerBaseline(id: string, answer: 'convert' | 'leave'): Promise<void> {
    return this.attempt(() => this.#api.watch.answerBaseline({ id, answer }));
  }

  answerPreset(id: string, answer: 'use' | 'keep'): Promise<void> {
    return this.attempt(() => this.#api.watch.answerPreset({ id, answer }));
  }

  remove(id: string): Promise<void> {
    return this.attempt(async () => {
      await this.#api.watch.remove({ id });
      // Without waiting for main's event.
      this.list = this.list.filter((folder) => folder.id !== id);
    });
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

  /** Closes the form, and opens that of the next folder. */
  #openNext(): void {
    this.form?.stop();
    this.form = null;
    const [next, ...rest] = this.following;
    this.following = rest;
    if (next === undefined) return;
    const watched = this.list.find(({ settings }) => settings.path === next);
    if (watched) this.edit(watched);
    else this.#openForm(next);
  }

  /** Whether the folder at this path is watched, or the form is open for it or will be. */
  #isKnown(path: string): boolean {
    return this.list.some(({ settings }) => settings.path === path) || this.#isInForm(path);
  }

  #isInForm(path: string): boolean {
    return this.form?.path === path || this.following.includes(path);
  }

  #enter(first: string, rest: readonly string[]): void {
    const { form } = this;
    const isEntered = form?.id === null && !form.isSaving && this.following.length === 0;
    this.following = form && !isEntered ? [...this.following, first, ...rest] : rest;
    if (!form) this.#openForm(first);
    else if (isEntered) form.setFolder(first);
  }

  #openForm(path: string): void {
    const settings = this.#context.conversion();
    if (settings === null) return;
    this.form = new FolderForm(this.#api, this.#context.connections, { kind: 'new', path, ...settings });
  }

  /** Shows the folder without waiting for main's event. */
  #upsert(folder: WatchFolderInfo): void {
    const isKnown = this.list.some(({ id }) => id === folder.id);
    this.list = isKnown ? this.list.map((one) => (one.id === folder.id ? folder : one)) : [...this.list, folder];
  }
}
