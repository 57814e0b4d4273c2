/** Files that are being dragged over the window: how many may be audio, and how many are of no use. */
export interface DragPreview {
  readonly sounds: number;
  readonly others: number;
}

/** Folders and files of an unknown kind have no type; they may contain audio. */
const mayBeAudio = (type: string): boolean =>
  type === '' || /^(audio|video)\/|^application\/(ogg|octet-stream)$/.test(type);

/** Of what is dragged, a folder is among what has no type. */
const mayBeFolders = (items: Iterable<Pick<DataTransferItem, 'type'>>): boolean =>
  [...items].every(({ type }) => type === '');

/** Counts by type, because names and contents are not available before the drop. */
export function countDragged(items: Iterable<Pick<DataTransferItem, 'kind' | 'type'>>): DragPreview | null {
  let sounds = 0;
  let others = 0;
  for (const { kind, type } of items) {
    // Texts open in Speech.
    if (kind !== 'file' || type.startsWith('text/')) continue;
    if (mayBeAudio(type)) sounds++;
    else others++;
  }
  return sounds + others > 0 ? { sounds, others } : null;
}

/**
 * What takes files under the pointer: a voice, which has its id in `data-drop-voice`, or else a place with `data-drop-recording` for a
 * single recording to try voices on, or one with `data-drop-folder` for folders to watch.
 */
const placeUnder = (target: EventTarget | null): HTMLElement | null =>
  (target as Element | null)?.closest<HTMLElement>('[data-drop-voice], [data-drop-recording], [data-drop-folder]') ??
  null;

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable);

interface Dependencies {
  readonly internalDrag: Pick<InternalDrag, 'isActive' | 'drop'>;
  /** A dialog is open. None takes files, and what is beneath it is out of reach. */
  readonly isBlocked: () => boolean;
  /** `voiceId` is that of the voice on which the files were dropped, if any. */
  readonly onDrop: (files: readonly File[], voiceId?: string) => void;
  /** One file was dropped where voices can be tried on it. */
  readonly onRecording: (file: File) => void;
  /** Files were dropped where folders are watched; only main can tell which of them are folders. */
  readonly onFolders: (files: readonly File[]) => void;
}

/** Adds files that are dropped anywhere on the window or pasted, except those that were dragged out of it, and none while a dialog is open. */
export class FileDrop {
  /** Null while nothing is dragged over the window. */
  preview = $state.raw<DragPreview | null>(null);
  readonly #dependencies: Dependencies;
  /** What takes the files under the pointer, marked with `data-dropping`. */
  #place: HTMLElement | null = null;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  enter(event: DragEvent): void {
    const preview = event.dataTransfer && countDragged(event.dataTransfer.items);
    if (!preview) return;
    event.preventDefault();
    // Names are unknown before the drop: it may be our own drag, so no preview is shown.
    if (this.#dependencies.internalDrag.isActive || this.#dependencies.isBlocked()) return;
    this.preview = preview;
  }

  over(event: DragEvent): void {
    const data = event.dataTransfer;
    if (!data) return;
    const hasFiles = data.types.includes('Files');
    if (!hasFiles && isTextField(event.target)) return;
    event.preventDefault();
    data.dropEffect = hasFiles && !this.#dependencies.isBlocked() ? 'copy' : 'none';
    const place = this.preview && placeUnder(event.target);
    const { dropVoice, dropFolder } = place?.dataset ?? {};
    const isTaken = dropFolder === undefined ? dropVoice !== undefined || this.#isSingle() : mayBeFolders(data.items);
    this.#mark(isTaken ? place : null);
  }

  /** Ends the preview once the pointer is over nothing of the page. What is removed under it gets no `dragleave` that could be counted. */
  leave({ relatedTarget }: Pick<DragEvent, 'relatedTarget'>): void {
    if (relatedTarget !== null) return;
    this.preview = null;
    this.#mark(null);
  }

  async drop(event: DragEvent): Promise<void> {
    this.preview = null;
    this.#mark(null);
    const { internalDrag, isBlocked, onDrop, onRecording, onFolders } = this.#dependencies;
    const isRefused = isBlocked();
    const { dropVoice: voiceId, dropRecording, dropFolder } = placeUnder(event.target)?.dataset ?? {};
    const files = [...(event.dataTransfer?.files ?? [])];
    // A dropped link must not navigate the window; text may be dropped into a field.
    if (files.length > 0 || !isTextField(event.target)) event.preventDefault();
    const [file] = files;
    if (!file || (await internalDrag.drop(files)) || isRefused) return;
    if (dropRecording !== undefined && files.length === 1) onRecording(file);
    else if (dropFolder !== undefined) onFolders(files);
    else onDrop(files, voiceId);
  }

  paste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    // A spreadsheet copies cells as text and as a picture.
    if (files.every(({ type }) => type.startsWith('image/')) && isTextField(event.target)) return;
    event.preventDefault();
    if (!this.#dependencies.isBlocked()) this.#dependencies.onDrop(files);
  }

  #isSingle(): boolean {
    return this.preview !== null && this.preview.sounds + this.preview.others === 1;
  }

  #mark(place: HTMLElement | null): void {
    if (place === this.#place) return;
    this.#place?.toggleAttribute('data-dropping', false);
    place?.toggleAttribute('data-dropping', true);
    this.#place = place;
  }
}

export interface InternalDrag {
  /** A drag out of this window may still be in progress. */
  readonly isActive: boolean;
  /** Starts a drag. Some systems block main until the drop, so the names of the files may arrive after it. */
  begin(names: Promise<readonly string[]>): void;
  /** A pointer that moves without a pressed button ends the drag. */
  move(event: Pick<PointerEvent, 'buttons'>): void;
  /** Ends the drag. True if the dropped files are those that were dragged out. */
  drop(files: readonly Pick<File, 'name'>[]): Promise<boolean>;
}

/**
 * Distinguishes files dragged out of this window from those of other programs. The page cancels `dragstart` in favour of the system's
 * drag, so there is no `dragend`: a drag that ended outside is noticed when the pointer moves without a button, or by other names.
 */
export function createInternalDrag(): InternalDrag {
  let dragged: Promise<readonly string[]> | null = null;
  return {
    get isActive() {
      return dragged !== null;
    },
    begin(names) {
      dragged = names;
    },
    move({ buttons }) {
      if (buttons === 0) dragged = null;
    },
    async drop(files) {
      const names = dragged;
      dragged = null;
      // macOS may pass names in decomposed characters.
      const own = (await names)?.map((name) => name.normalize());
      return files.every(({ name }) => own?.includes(name.normalize()) === true);
    },
  };
}
