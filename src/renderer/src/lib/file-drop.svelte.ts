/** What hangs over the window while somebody drags it: how much of it may be sound, how much can't be. */
export interface DragPreview {
  readonly sounds: number;
  readonly others: number;
}

/** A folder, and a file of a kind that the system does not know, have no type: they may well be sound. */
const maySound = (type: string): boolean =>
  type === '' || /^(audio|video)\/|^application\/(ogg|octet-stream)$/.test(type);

/** Counts by type alone: names and contents are not told before the drop. */
export function countDragged(items: Iterable<Pick<DataTransferItem, 'kind' | 'type'>>): DragPreview | null {
  let sounds = 0;
  let others = 0;
  for (const { kind, type } of items) {
    if (kind !== 'file') continue;
    if (maySound(type)) sounds++;
    else others++;
  }
  return sounds + others > 0 ? { sounds, others } : null;
}

const isTextField = (target: EventTarget | null): boolean => target instanceof HTMLInputElement;

interface Dependencies {
  readonly ownDrag: Pick<InternalDrag, 'isUnderWay' | 'drop'>;
  readonly onDrop: (files: readonly File[]) => void;
}

/** Files over the window, wherever in it: the whole window takes the drop, unless it comes from here, and files pasted as well. */
export class FileDrop {
  /** Null while nothing hangs over the window. */
  held = $state.raw<DragPreview | null>(null);
  readonly #ownDrag: Dependencies['ownDrag'];
  readonly #onDrop: Dependencies['onDrop'];
  /** Entering a child comes before leaving its parent: only the balance says whether the pointer is still here. */
  #depth = 0;

  constructor({ ownDrag, onDrop }: Dependencies) {
    this.#ownDrag = ownDrag;
    this.#onDrop = onDrop;
  }

  enter(event: DragEvent): void {
    const held = event.dataTransfer && countDragged(event.dataTransfer.items);
    if (!held) return;
    event.preventDefault();
    // It has no names before the drop: it may be another's, and is taken then, but nothing is promised.
    if (this.#ownDrag.isUnderWay) return;
    this.#depth++;
    this.held = held;
  }

  over(event: DragEvent): void {
    const data = event.dataTransfer;
    if (!data) return;
    const hasFiles = data.types.includes('Files');
    if (!hasFiles && isTextField(event.target)) return;
    event.preventDefault();
    data.dropEffect = hasFiles ? 'copy' : 'none';
  }

  leave(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth === 0) this.held = null;
  }

  async drop(event: DragEvent): Promise<void> {
    this.#depth = 0;
    this.held = null;
    const files = [...(event.dataTransfer?.files ?? [])];
    // A link that is dropped must not make the window go there; text may be dropped into a field.
    if (files.length > 0 || !isTextField(event.target)) event.preventDefault();
    if (files.length > 0 && !(await this.#ownDrag.drop(files))) this.#onDrop(files);
  }

  paste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.#onDrop(files);
  }
}

export interface InternalDrag {
  /** Files may still be on their way that were dragged out of this window. */
  readonly isUnderWay: boolean;
  /** A drag begins. The names of its files may come as late as after they were let go: some systems keep main until then. */
  begin(names: Promise<readonly string[]>): void;
  /** A pointer without a pressed button drags nothing any more. */
  move(event: Pick<PointerEvent, 'buttons'>): void;
  /** True where these files, dropped just now, are those that were dragged out. Whatever was dropped, nothing is under way then. */
  drop(files: readonly Pick<File, 'name'>[]): Promise<boolean>;
}

/**
 * Tells files that were dragged out of this window from those of other programs. The system's own drag is one that the page has called
 * off at `dragstart`, so no `dragend` comes; where it ended outside, the first thing that is heard of it is a pointer that moves freely
 * over the page again, or else another drag, which began elsewhere meanwhile: that one has other names.
 */
export function createInternalDrag(): InternalDrag {
  let dragged: Promise<readonly string[]> | null = null;
  return {
    get isUnderWay() {
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
      // macOS may spell a name that it hands over in decomposed characters.
      const own = (await names)?.map((name) => name.normalize());
      return files.every(({ name }) => own?.includes(name.normalize()) === true);
    },
  };
}
