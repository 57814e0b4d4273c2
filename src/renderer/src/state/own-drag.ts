export interface OwnDrag {
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
export function createOwnDrag(): OwnDrag {
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
      const own = new Set((await names)?.map((name) => name.normalize()));
      return files.every(({ name }) => own.has(name.normalize()));
    },
  };
}
