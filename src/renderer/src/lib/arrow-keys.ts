import type { Attachment } from 'svelte/attachments';

export interface ArrowKeyLayout {
  /** Elements in a row of a grid; null for a vertical list, which ignores left and right. */
  readonly columns: number | null;
  /** Continues at the other end. */
  readonly wraps?: boolean;
}

const mirrored: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The key with the same meaning in a left-to-right `container`: where text runs from right to left, the next element is to the left. */
export function logicalKey(key: string, container: Element): string {
  const other = mirrored[key];
  return other !== undefined && getComputedStyle(container).direction === 'rtl' ? other : key;
}

/** The index that an arrow key (of `logicalKey`), Home or End leads to from `current`; undefined for other keys. */
export function nextIndex(key: string, current: number, count: number, layout: ArrowKeyLayout): number | undefined {
  const { columns, wraps = false } = layout;
  const last = count - 1;
  const clamp = (index: number): number => (wraps ? (index + count) % count : Math.min(last, Math.max(0, index)));
  switch (key) {
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowRight':
      return columns === null ? undefined : clamp(current + 1);
    case 'ArrowLeft':
      return columns === null ? undefined : clamp(current - 1);
    case 'ArrowDown': {
      if (columns === null || columns === 1) return clamp(current + 1);
      const isInLastRow = Math.floor(current / columns) === Math.floor(last / columns);
      // The last row may be shorter: its last element is the nearest one.
      return isInLastRow ? current : Math.min(last, current + columns);
    }
    case 'ArrowUp':
      if (columns === null || columns === 1) return clamp(current - 1);
      return current < columns ? current : current - columns;
  }
  return undefined;
}

/** Moves the focus through the buttons of a row and back to the row. */
export function focusWithin(row: HTMLElement | null, step: number): void {
  if (!row) return;
  const stops = [row, ...row.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  const current = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.min(stops.length - 1, Math.max(0, current + step))]?.focus();
}

export interface ArrowKeys {
  /** CSS selector of the elements that take the focus. */
  readonly items: string;
  /** `grid` has as many columns as the CSS grid has at the moment; in a `row`, up and down move as left and right do. */
  readonly layout: 'list' | 'grid' | 'row';
  readonly wraps?: boolean;
  /** Clicks what the focus moves to, as in radio groups and tabs. */
  readonly selects?: boolean;
}

/** Moves the focus between elements by arrow keys, Home and End. It starts at the element with `tabindex="0"`. */
export const arrowKeys =
  ({ items, layout, wraps = false, selects = false }: ArrowKeys): Attachment<HTMLElement> =>
  (container) => {
    function onkeydown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const elements = [...container.querySelectorAll<HTMLElement>(items)];
      const focused = elements.findIndex((element) => element.contains(document.activeElement));
      const current = focused === -1 ? elements.findIndex(({ tabIndex }) => tabIndex === 0) : focused;
      const { gridTemplateColumns } = getComputedStyle(container);
      const next = nextIndex(logicalKey(event.key, container), Math.max(0, current), elements.length, {
        columns: layout === 'grid' ? gridTemplateColumns.split(' ').length : layout === 'row' ? 1 : null,
        wraps,
      });
      const element = next === undefined ? undefined : elements[next];
      if (!element) return;
      event.preventDefault();
      element.focus();
      if (selects) element.click();
    }
    container.addEventListener('keydown', onkeydown);
    return () => container.removeEventListener('keydown', onkeydown);
  };
