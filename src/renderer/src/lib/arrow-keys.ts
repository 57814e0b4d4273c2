import type { Attachment } from 'svelte/attachments';

export interface ArrowKeyLayout {
  /** Elements in a row of a grid; null for a vertical list, which leaves left and right alone. */
  readonly columns: number | null;
  /** Past one end comes the other. */
  readonly wraps?: boolean;
  readonly isRightToLeft?: boolean;
}

/** The index that an arrow key, Home or End leads to from `here`; undefined for other keys. */
export function nextIndex(key: string, here: number, count: number, layout: ArrowKeyLayout): number | undefined {
  const { columns, wraps = false, isRightToLeft = false } = layout;
  const last = count - 1;
  const clamp = (index: number): number => (wraps ? (index + count) % count : Math.min(last, Math.max(0, index)));
  const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
  const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
  switch (key) {
    case 'Home':
      return 0;
    case 'End':
      return last;
    case forward:
      return columns === null ? undefined : clamp(here + 1);
    case back:
      return columns === null ? undefined : clamp(here - 1);
    case 'ArrowDown': {
      if (columns === null || columns === 1) return clamp(here + 1);
      const isInLastRow = Math.floor(here / columns) === Math.floor(last / columns);
      // Where the last row is shorter, its last element is the nearest.
      return isInLastRow ? here : Math.min(last, here + columns);
    }
    case 'ArrowUp':
      if (columns === null || columns === 1) return clamp(here - 1);
      return here < columns ? here : here - columns;
  }
  return undefined;
}

export interface ArrowKeys {
  /** Selects the elements inside that take the focus, in their order. */
  readonly items: string;
  /** `grid`: as many columns as the CSS grid has just now. */
  readonly layout: 'list' | 'grid';
  readonly wraps?: boolean;
}

/** Moves the focus between elements by arrow keys, Home and End. The element with `tabindex="0"` is where it begins. */
export const arrowKeys =
  ({ items, layout, wraps = false }: ArrowKeys): Attachment<HTMLElement> =>
  (container) => {
    function onkeydown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const elements = [...container.querySelectorAll<HTMLElement>(items)];
      const focused = elements.findIndex((element) => element.contains(document.activeElement));
      const here = focused === -1 ? elements.findIndex(({ tabIndex }) => tabIndex === 0) : focused;
      const { direction, gridTemplateColumns } = getComputedStyle(container);
      const next = nextIndex(event.key, Math.max(0, here), elements.length, {
        columns: layout === 'grid' ? gridTemplateColumns.split(' ').length : null,
        wraps,
        isRightToLeft: direction === 'rtl',
      });
      const element = next === undefined ? undefined : elements[next];
      if (!element) return;
      event.preventDefault();
      element.focus();
    }
    container.addEventListener('keydown', onkeydown);
    return () => container.removeEventListener('keydown', onkeydown);
  };
