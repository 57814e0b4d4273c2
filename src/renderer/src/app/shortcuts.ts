import type { Messages } from '../../../shared/messages/index.ts';
import { characterOf, digitOf, letterOf, zoomStepOf, type CharacterKey } from '../lib/keyboard.ts';
import type { AppState } from './app-state.svelte.ts';
import { views } from './views.ts';

export interface Shortcut {
  readonly id: string;
  readonly keys: readonly string[];
  /** The last key of a range: Ctrl 1 to 8. */
  readonly to?: string;
  /** A character alone, which can be switched off in Settings. */
  readonly isCharacter?: boolean;
  readonly what: string;
}

/** All that the keys do, as Settings and the dialog show it. */
export function shortcutGroups(
  { keys: k, voices, history }: Messages,
  views: number,
): readonly { readonly id: string; readonly title: string; readonly shortcuts: readonly Shortcut[] }[] {
  return [
    {
      id: 'everywhere',
      title: k.everywhere,
      shortcuts: [
        { id: 'views', keys: ['ctrl', '1'], to: String(views), what: k.views },
        { id: 'panes', keys: ['F6'], what: k.panes },
        { id: 'find', keys: ['ctrl', 'F'], what: k.find },
        { id: 'findToo', keys: ['/'], isCharacter: true, what: k.find },
        { id: 'voice', keys: ['V'], isCharacter: true, what: k.changeVoice },
        { id: 'paste', keys: ['ctrl', 'V'], what: k.paste },
        { id: 'favourite', keys: ['F'], isCharacter: true, what: voices.keys.favourite },
        { id: 'pause', keys: ['P'], isCharacter: true, what: k.pause },
        { id: 'zoom', keys: ['ctrl', '+', '−'], what: k.zoom },
        { id: 'zoomBack', keys: ['ctrl', '0'], what: k.zoomBack },
        { id: 'keys', keys: ['?'], isCharacter: true, what: k.showKeys },
      ],
    },
    {
      id: 'list',
      title: k.list,
      shortcuts: [
        { id: 'rows', keys: ['↑', '↓'], what: k.rows },
        { id: 'buttons', keys: ['→'], what: k.buttons },
        { id: 'main', keys: ['enter'], what: k.main },
        { id: 'listen', keys: ['space'], what: k.listen },
        { id: 'remove', keys: ['del'], what: k.remove },
        { id: 'undo', keys: ['ctrl', 'Z'], what: history.keys.undo },
        { id: 'all', keys: ['ctrl', 'A'], what: history.keys.all },
        { id: 'move', keys: ['alt', '↑', '↓'], what: k.move },
        { id: 'moveFar', keys: ['alt', 'home', 'end'], what: k.moveFar },
      ],
    },
    {
      id: 'listening',
      title: k.listening,
      shortcuts: [
        { id: 'sides', keys: ['A', 'B'], isCharacter: true, what: k.sides },
        { id: 'loop', keys: ['L'], isCharacter: true, what: k.loop },
        { id: 'seek', keys: ['←', '→'], what: k.seek },
        { id: 'seekFine', keys: ['shift', '←', '→'], what: k.seekFine },
      ],
    },
  ];
}

/** Whether what is typed belongs to a text field. Sliders and switches are no text fields. */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['range', 'checkbox', 'radio', 'button'].includes(target.type);
}

/** Whether Space or an arrow already means something where the focus is. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('button, input, select, textarea, [role="grid"], [role="slider"]') !== null;

const panes = '[data-pane]';

/** Moves the focus to the first thing of the next pane, round and round. */
function focusNextPane(back: boolean): void {
  const all = [...document.querySelectorAll<HTMLElement>(panes)].filter((pane) => pane.offsetParent !== null);
  const here = all.findIndex((pane) => pane.contains(document.activeElement));
  const next = all[(here + (back ? -1 : 1) + all.length) % all.length];
  next?.querySelector<HTMLElement>('[tabindex="0"], button:not(:disabled, [tabindex="-1"]), input, select')?.focus();
}

/** The search field of the view, where it has one. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}

function openPicker(app: AppState): boolean {
  const hasPicker = app.shell.view === 'speech' || (app.shell.view === 'convert' && !app.isFirstStart);
  if (!hasPicker || app.voices.all.length === 0) return false;
  app.shell.isVoicePickerOpen = true;
  return true;
}

function undo({ history }: AppState): boolean {
  void history.deeds.undo();
  return true;
}

function control(app: AppState, event: KeyboardEvent): boolean {
  const letter = letterOf(event);
  if (letter === 'f') return focusSearch() || openPicker(app);
  if (letter === 'z' && app.shell.view === 'history' && !isTyping(event.target))
    return app.history.deeds.canUndo && undo(app);
  const view = views[(digitOf(event) ?? 0) - 1];
  if (!view) return false;
  app.shell.view = view.id;
  return true;
}

/** Characters that act without a modifier, while no text field has the focus. */
function character(app: AppState, key: CharacterKey): boolean {
  const { player } = app;
  switch (key) {
    case '/':
      return focusSearch() || openPicker(app);
    case 'v':
      return openPicker(app);
    case '?':
      app.shell.isShortcutsOpen = true;
      return true;
    case 'a':
      void player.hear('source');
      return true;
    case 'b':
      void player.hear('result');
      return true;
    case 'p':
      if (app.shell.view !== 'convert' || !app.canPause) return false;
      app.togglePause();
      return true;
    case 'f':
      return (
        (app.shell.view === 'voices' && app.browser.toggleFavourite()) ||
        (app.shell.view === 'history' && app.history.markChosen())
      );
    case 'l':
      player.toggleLoop();
      return true;
  }
}

/** Keys that are pressed without a modifier, while no text field has the focus. */
function single(app: AppState, event: KeyboardEvent): boolean {
  const { player } = app;
  const seekSeconds = event.shiftKey ? 1 : 5;
  const key = characterOf(event);
  if (key) return app.settings.value?.hasLetterKeys === true && character(app, key);
  if (hasOwnKeys(event.target) || !player.track) return false;
  switch (event.key) {
    case ' ':
      void player.toggle();
      return true;
    case 'ArrowLeft':
      player.seekBy(-seekSeconds);
      return true;
    case 'ArrowRight':
      player.seekBy(seekSeconds);
      return true;
  }
  return false;
}

/** The keys of the whole window. What a list, a dialog or a field understands itself never comes here. */
export function onWindowKey(app: AppState, event: KeyboardEvent): void {
  if (app.status !== 'ready' || event.defaultPrevented || event.altKey || event.isComposing) return;
  // A dialog covers the page, and can be read at any size too.
  const zoom = event.ctrlKey || event.metaKey ? zoomStepOf(event) : undefined;
  if (zoom !== undefined) {
    event.preventDefault();
    app.zoom(zoom);
    return;
  }
  if (event.key === 'F6') {
    event.preventDefault();
    focusNextPane(event.shiftKey);
    return;
  }
  // A dialog keeps the keys to itself; the sheet is the side pane, so a letter works there as beside it.
  const isInSheet = app.shell.isSidePanelOpen && !app.shell.isVoicePickerOpen && !app.shell.isShortcutsOpen;
  if (!isInSheet && event.target instanceof Element && event.target.closest('dialog')) return;
  const isControl = event.ctrlKey || event.metaKey;
  const isDone = isControl ? control(app, event) : !isTyping(event.target) && single(app, event);
  if (isDone) event.preventDefault();
}
