import { digitOf, pressOf, shortcutOf, type WindowShortcutId } from '../lib/shortcuts.ts';
import type { AppState } from './app-state.svelte.ts';
import { views } from './views.ts';

/** True for fields that take typed text; sliders and switches do not. */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['range', 'checkbox', 'radio', 'button'].includes(target.type);
}

/** True if the focused control handles Space and arrow keys itself. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('button, input, select, textarea, [role="grid"], [role="slider"]') !== null;

/** Moves the focus to the first control of the next panel, and from the last panel to the first. */
function focusNextPanel(isBack: boolean): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-panel]')].filter(
    (panel) => panel.offsetParent !== null,
  );
  const current = all.findIndex((panel) => panel.contains(document.activeElement));
  const next = all[(current + (isBack ? -1 : 1) + all.length) % all.length];
  next?.querySelector<HTMLElement>('[tabindex="0"], button:not(:disabled, [tabindex="-1"]), input, select')?.focus();
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

/** Player shortcuts need a track, and never override the keys of the focused control. */
function play({ player }: AppState, { target }: KeyboardEvent, act: (player: AppState['player']) => void): boolean {
  if (hasOwnKeys(target) || !player.track) return false;
  act(player);
  return true;
}

const seek = (app: AppState, event: KeyboardEvent, seconds: number): boolean =>
  play(app, event, (player) => player.seekBy(event.key === 'ArrowLeft' ? -seconds : seconds));

/** What each shortcut does. Returns false if it does not apply now, so that the browser handles the key. */
const actions: Readonly<Record<WindowShortcutId, (app: AppState, event: KeyboardEvent) => boolean>> = {
  views({ shell }, event) {
    const view = views[(digitOf(event) ?? 0) - 1];
    if (view) shell.view = view.id;
    return view !== undefined;
  },
  panels(_app, { shiftKey }) {
    focusNextPanel(shiftKey);
    return true;
  },
  find,
  findToo: find,
  voice: openVoicePicker,
  favourite: ({ shell, browser, history }) =>
    (shell.view === 'voices' && browser.toggleFavourite()) ||
    (shell.view === 'history' && history.toggleFavouriteSelection()),
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
  listen: (app, event) => play(app, event, (player) => void player.toggle()),
  undo({ shell, history, adding }, { target }) {
    if (isTyping(target)) return false;
    if (shell.view === 'history' && history.actions.canUndo) void history.actions.undo();
    else if (shell.view === 'convert' && adding.canUndo) void adding.undo();
    else return false;
    return true;
  },
  sides({ player }, event) {
    void player.selectSide(pressOf(event) === 'a' ? 'source' : 'result');
    return true;
  },
  loop({ player }) {
    player.toggleLoop();
    return true;
  },
  seek: (app, event) => seek(app, event, 5),
  seekFine: (app, event) => seek(app, event, 1),
};

/** Handles the shortcuts of the whole window. Lists, dialogs and fields stop the keys that they handle. */
export function onWindowKey(app: AppState, event: KeyboardEvent): void {
  if (app.status !== 'ready' || event.defaultPrevented || event.isComposing) return;
  const shortcut = shortcutOf(pressOf(event) ?? '');
  if (!shortcut) return;
  if (!shortcut.isGlobal) {
    // Dialogs block shortcuts, except the sheet: it is the side panel of a narrow window.
    const { isSidePanelOpen, isVoicePickerOpen, isShortcutsOpen, isPaletteOpen } = app.shell;
    const isInSheet = isSidePanelOpen && !isVoicePickerOpen && !isShortcutsOpen && !isPaletteOpen;
    if (!isInSheet && event.target instanceof Element && event.target.closest('dialog')) return;
    if (shortcut.isCharacter && app.settings.value?.hasLetterKeys !== true) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (!hasModifier && isTyping(event.target)) return;
  }
  if (actions[shortcut.id](app, event)) event.preventDefault();
}
