import { canFocus, isMain, listFocusable } from './focusable.ts';

/** Where a removed element was: between two nodes of an element that is still there. */
interface Place {
  readonly container: Element;
  readonly previous: Node | null;
  readonly next: Node | null;
}

/** An element that had the focus. */
interface FocusEntry {
  readonly element: Element;
  /** The dialog or menu around it. */
  readonly layer: Element | null;
  /** Set once the element is removed. */
  place: Place | null;
}

const composite = '[role="grid"], [role="listbox"], [role="radiogroup"], [role="tablist"]';

const contains = (nodes: NodeList, node: Node): boolean => [...nodes].some((one) => one.contains(node));

/** The nearest node beside a removed one that was neither removed with it nor added in its place. */
function siblingOf(
  record: MutationRecord,
  side: 'previousSibling' | 'nextSibling',
  records: readonly MutationRecord[],
): Node | null {
  let node = record[side];
  // As many steps at most as there are records: nodes that were moved could lead in a circle.
  for (let step = 0; step < records.length; step++) {
    const gone = node;
    if (gone === null || gone.parentNode === record.target) break;
    node = records.findLast(({ removedNodes }) => [...removedNodes].includes(gone))?.[side] ?? null;
  }
  const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
  while (node && added.has(node)) node = node[side];
  return node?.parentNode === record.target ? node : null;
}

/** Follows a removed element to the place in the page that it, or what it was in, was removed from. */
function placeOf(element: Element, records: readonly MutationRecord[]): Place | null {
  let node: Node = element;
  for (let step = 0; step < records.length; step++) {
    const gone = node;
    const record = records.findLast(({ removedNodes }) => contains(removedNodes, gone));
    if (!(record?.target instanceof Element)) return null;
    node = record.target;
    if (node.isConnected)
      return {
        container: record.target,
        previous: siblingOf(record, 'previousSibling', records),
        next: siblingOf(record, 'nextSibling', records),
      };
  }
  return null;
}

function isBehind(element: Element, node: Node | null): boolean {
  const position = node?.compareDocumentPosition(element) ?? Node.DOCUMENT_POSITION_FOLLOWING;
  return (
    (position & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY)) ===
    Node.DOCUMENT_POSITION_FOLLOWING
  );
}
const isBefore = (element: Element, node: Node | null): boolean =>
  node === null || (node.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;

/** The first element to focus in the nearest preceding node: the last one may be the button that removes it. */
function firstBefore(previous: Node | null): HTMLElement | undefined {
  for (let node = previous; node; node = node.previousSibling) {
    if (!(node instanceof HTMLElement)) continue;
    const found = canFocus(node) ? node : listFocusable(node)[0];
    if (found) return found;
  }
  return undefined;
}

const isIn =
  ({ previous, next }: Place) =>
  (element: Element): boolean =>
    isBehind(element, previous) && isBefore(element, next);

/** What has replaced a removed element, or else what follows or precedes it in the nearest element that has something to focus. */
function nearest({ container, previous, next }: Place): HTMLElement | undefined {
  const stop = container.closest(composite)?.querySelector<HTMLElement>('[tabindex="0"]');
  if (stop && canFocus(stop)) return stop;
  const all = listFocusable(container);
  const replacing = all.filter(isIn({ container, previous, next }));
  const found =
    replacing.find(isMain) ??
    replacing[0] ??
    (next && all.find((element) => !isBefore(element, next))) ??
    firstBefore(previous);
  if (found || !container.parentElement || container instanceof HTMLDialogElement) return found;
  return nearest({
    container: container.parentElement,
    previous: container.previousSibling,
    next: container.nextSibling,
  });
}

/** Zoomed in a small window, the page scrolls, but lists scroll only themselves to what the keyboard has moved to. */
function showInPage(element: Element): void {
  if (!element.matches(':focus-visible')) return;
  const { top, bottom } = element.getBoundingClientRect();
  scrollBy(0, Math.min(top, Math.max(0, bottom - innerHeight)));
}

export interface FocusRestorer {
  /** Moves the focus into the view, unless it is there. */
  enterView(): void;
  stop(): void;
}

/**
 * Restores the focus, and keeps it in view: the element that had it may be removed, with its dialog or its view, and the browser
 * would leave the focus nowhere. A click on an empty place still takes the focus away. `view` is the element that the views replace
 * each other in.
 */
export function createFocusRestorer(view: () => Element | undefined): FocusRestorer {
  /** What had the focus below each open dialog, and last, what has it now. */
  let focusStack: FocusEntry[] = [];
  /** Finds what a view was just opened for, while that is loading and the user has done nothing. */
  let pendingFocus: { readonly focused: Element | null; find(): HTMLElement | undefined } | null = null;

  function focus(element: HTMLElement | undefined): void {
    // What the user looks at stays in view.
    element?.focus({ preventScroll: true });
  }

  /** Focuses what was just opened. */
  function show(element: HTMLElement | undefined): void {
    focus(element);
    element?.scrollIntoView({ block: 'nearest' });
  }

  function focusView(): void {
    const root = view() ?? document.body;
    const list = (): readonly HTMLElement[] => listFocusable(root);
    const findMain = (): HTMLElement | undefined => list().find(isMain);
    const heading = root.querySelector('h1');
    if (heading) heading.tabIndex = -1;
    const element = findMain() ?? heading ?? list()[0];
    show(element);
    // What it is for may still be loading, and without a heading all of it.
    const find = element ? findMain : (): HTMLElement | undefined => findMain() ?? list()[0];
    pendingFocus = element && isMain(element) ? null : { focused: document.activeElement, find };
  }

  /** A list or a text that is replaced leaves the focus to the next one, once that is loaded. */
  function focusNearest(removed: Element, place: Place): void {
    const found = nearest(place);
    (place.container.closest(composite) ? focus : show)(found);
    if (!found || isMain(found) || !isMain(removed)) return;
    const isInPlace = isIn(place);
    pendingFocus = {
      focused: found,
      find: () => listFocusable(place.container).find((element) => isMain(element) && isInPlace(element)),
    };
  }

  function restore(records: readonly MutationRecord[]): void {
    const depth = focusStack.length;
    for (let entry = focusStack.at(-1); entry; entry = focusStack.at(-1)) {
      const { element, layer, place } = entry;
      if (element.isConnected) {
        const wasMoved = records.some(({ removedNodes }) => contains(removedNodes, element));
        // Otherwise the user has taken the focus away.
        if (element instanceof HTMLElement && (focusStack.length < depth || wasMoved)) focus(element);
        return;
      }
      if (layer && !layer.isConnected) {
        focusStack.pop();
        continue;
      }
      if (!place) return;
      if (place.container === view()) focusView();
      else focusNearest(element, place);
      return;
    }
  }

  const observer = new MutationObserver((records) => {
    for (const entry of focusStack) {
      const gone = entry.place?.container ?? entry.element;
      if (!gone.isConnected) entry.place = placeOf(gone, records);
    }
    const { activeElement } = document;
    if (pendingFocus && activeElement === pendingFocus.focused) {
      const found = pendingFocus.find();
      if (!found) return;
      pendingFocus = null;
      if (isMain(found)) show(found);
      else focusView();
    } else if (activeElement === document.body) restore(records);
  });

  const events = new AbortController();
  const on = <Name extends keyof DocumentEventMap>(
    name: Name,
    listener: (event: DocumentEventMap[Name]) => void,
  ): void => document.addEventListener(name, listener, { capture: true, signal: events.signal });
  on('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const layer = target.closest('dialog, [popover]');
    const at = focusStack.findIndex((entry) => entry.layer === layer);
    focusStack = layer === null ? [] : at === -1 ? focusStack : focusStack.slice(0, at);
    focusStack.push({ element: target, layer, place: null });
    showInPage(target);
  });
  on('pointerup', () => {
    if (document.activeElement === document.body && focusStack.at(-1)?.element.isConnected) focusStack = [];
  });
  for (const name of ['keydown', 'pointerdown'] as const) on(name, () => (pendingFocus = null));
  observer.observe(document.body, { childList: true, subtree: true });

  return {
    enterView() {
      if (!view()?.contains(document.activeElement)) focusView();
    },
    stop() {
      observer.disconnect();
      events.abort();
    },
  };
}
