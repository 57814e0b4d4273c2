import { focusTarget } from '../lib/focusable.ts';
import { isBlockedByDialog } from '../lib/is-blocked-by-dialog.ts';
import { isCharacter, pressOf, viewOf, type WindowShortcutId } from '../lib/shortcut-table.ts';
import type { ViewId } from '../../../shared/schemas/app.ts';
import type { AppState } from './app-state.svelte.ts';

/** True for fields that take typed text; sliders and switches do not. */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['range', 'checkbox', 'radio', 'button'].includes(target.type);
}

/** Presses that controls handle themselves. */
const controlPresses: ReadonlySet<string> = new Set(['space', 'left', 'right', 'shift+left', 'shift+right']);

/** True if the focused control handles Space and arrow keys itself. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('button, input, select, textarea, [role="grid"], [role="slider"]') !== null;

/** What had the focus in each panel when F6 left it. */
const leftAt = new WeakMap<Element, Element>();

/** Moves the focus to the next panel that can take it: to where it was there, or to what the panel is for. */
function focusNextPanel(isBack: boolean): void {
  const panels = [...document.querySelectorAll('[data-panel]')];
  if (isBack) panels.reverse();
  const focused = document.activeElement;
  const current = panels.findIndex((panel) => panel.contains(focused));
  if (focused && panels[current]) leftAt.set(panels[current], focused);
  // The panel itself is the last one.
  const others = [...panels.splice(current + 1), ...panels];
  others
    .map((panel) => focusTarget(panel, leftAt.get(panel)))
    .find(Boolean)
    ?.focus();
}

/** Returns false if the view has no search field. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** Returns false if this view has no voice to choose. */
export function openVoicePicker({ shell, isFirstStart, voices }: AppState): boolean {
  const hasPicker = shell.view === 'speech' || (shell.view === 'convert' && !isFirstStart);
  if (!hasPicker || voices.all.length === 0) return false;
  shell.isVoicePickerOpen = true;
  return true;
}

/** Returns false if this view has nothing to find. */
export const find = (app: AppState): boolean => focusSearch() || openVoicePicker(app);

function seek({ player }: AppState, seconds: number): boolean {
  if (!player.track) return false;
  player.seekBy(seconds);
  return true;
}

/** What each shortcut does. Returns false if it does not apply now, so that the browser handles the key. */
const actions: Readonly<
  Record<Exclude<WindowShortcutId, `view-${ViewId}`>, (app: AppState, event: KeyboardEvent) => boolean>
> = {
  panels() {
    focusNextPanel(false);
    return true;
  },
  panelsBack() {
    focusNextPanel(true);
    return true;
  },
  find,
  findToo: find,
  voice: openVoicePicker,
  favourite: ({ shell, browser, history }) =>
    (shell.view === 'voices' && browser.toggleFavourite()) ||
    (shell.view === 'history' && history.toggleFavouriteSelection()),
  compare: ({ shell, browser, comparison, i18n }) => {
    const { selected } = browser;
    if (shell.view !== 'voices' || !selected) return false;
    const { added, removed, full } = i18n.t.compare;
    const before = comparison.letterOf(selected.id);
    if (!comparison.toggle(selected)) shell.announce(full);
    else shell.announce(before === undefined ? added({ name: selected.name }) : removed({ name: selected.name }));
    return true;
  },
  pause(app) {
    if (app.shell.view !== 'convert' || !app.canPause) return false;
    app.togglePause();
    return true;
  },
  zoomIn(app) {
    app.zoom(1);
    return true;
  },
  zoomOut(app) {
    app.zoom(-1);
    return true;
  },
  zoomBack(app) {
    app.zoom(0);
    return true;
  },
  palette({ shell }) {
    shell.isPaletteOpen = true;
    return true;
  },
  keys({ shell }) {
    shell.isShortcutsOpen = true;
    return true;
  },
  listen({ player }) {
    if (!player.track) return false;
    void player.toggle();
    return true;
  },
  undo({ shell, history, adding }, { target }) {
    if (isTyping(target)) return false;
    if (shell.view === 'history' && history.actions.canUndo) void history.actions.undo();
    else if (shell.view === 'convert' && (adding.canUndo || adding.pending > 0)) void adding.undo();
    else if (shell.view === 'speech' && adding.undoes === 'cancelled' && adding.canUndo) void adding.undo();
    else return false;
    return true;
  },
  original({ player }) {
    void player.selectSide('source');
    return true;
  },
  result({ player }) {
    void player.selectSide('result');
    return true;
  },
  loop({ player }) {
    player.toggleLoop();
    return true;
  },
  loopFrom({ player }) {
    player.startPassage();
    return true;
  },
  loopTo({ player }) {
    player.endPassage();
    return true;
  },
  back: (app) => seek(app, -5),
  forward: (app) => seek(app, 5),
  backFine: (app) => seek(app, -1),
  forwardFine: (app) => seek(app, 1),
};

/** What the last press was for, and so what it is for while its key is held: the window or the browser. */
let hasActed = false;

/** Handles the shortcuts of the whole window. Lists, dialogs and fields stop the keys that they handle. */
export function onWindowKey(app: AppState, event: KeyboardEvent): void {
  if (app.status !== 'ready' || event.defaultPrevented || event.isComposing) return;
  const press = pressOf(event) ?? '';
  const shortcut = app.keyBindings.find(press);
  if (!shortcut) return;
  // Wherever the focus is.
  if (!shortcut.isGlobal && isBlockedByDialog()) return;
  if (controlPresses.has(press) && hasOwnKeys(event.target)) return;
  if (isCharacter(press) && isTyping(event.target)) return;
  if (!event.repeat || shortcut.canRepeat) {
    const view = viewOf(shortcut.id);
    if (view) app.shell.openView(view);
    hasActed = view !== undefined || actions[shortcut.id as keyof typeof actions](app, event);
  }
  if (hasActed) event.preventDefault();
}
