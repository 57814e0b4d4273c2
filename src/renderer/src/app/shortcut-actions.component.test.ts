import { createRawSnippet } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ViewId } from '../../../shared/schemas/app.ts';
import type { KeyChanges } from '../../../shared/schemas/settings.ts';
import { KeyBindings } from '../lib/key-bindings.svelte.ts';
import { messages, renderInApp } from '../lib/render.fixture.ts';
import Dialog from '../ui/Dialog.svelte';
import { openAppState, voice } from './app-state.fixture.ts';
import CommandPalette from './CommandPalette.svelte';
import { runMenuCommand } from './commands.ts';
import { onWindowKey } from './shortcut-actions.ts';
import QuitDialog from './QuitDialog.svelte';
import ShortcutsDialog from './ShortcutsDialog.svelte';

const nothing = () => undefined;
const html = (text: string) => createRawSnippet(() => ({ render: () => text }));
const sheet = (children: string) =>
  renderInApp(Dialog, { label: 'Side', placement: 'sheet' as const, onclose: nothing, children: html(children) });

let app: ReturnType<typeof openAppState>['app'];
const onkeydown = (event: KeyboardEvent) => onWindowKey(app, event);
beforeEach(async () => {
  ({ app } = openAppState());
  await app.start();
  window.addEventListener('keydown', onkeydown);
});
afterEach(() => window.removeEventListener('keydown', onkeydown));

/** Presses the key of a view, and tells whether it opened. */
async function opensView(): Promise<boolean> {
  app.shell.view = 'convert';
  await userEvent.keyboard('{Control>}2{/Control}');
  return (app.shell.view as ViewId) === 'watch';
}

describe('a key of the view', () => {
  it('acts while no dialog is open', async () => expect(await opensView()).toBe(true));

  it('does nothing under a dialog, wherever the focus is', async () => {
    await renderInApp(QuitDialog, {
      request: { open: 1, adding: 0, atService: 0, question: 1 },
      pending: 0,
      isWaiting: false,
      onquit: nothing,
      oncancel: nothing,
    });
    expect(await opensView()).toBe(false);
    (document.activeElement as HTMLElement).blur();
    expect(document.activeElement).toBe(document.body);
    expect(await opensView()).toBe(false);
  });

  it('acts in the side panel of a narrow window, but not under a dialog over it', async () => {
    app.shell.isSidePanelOpen = true;
    await sheet('<button>a control</button>');
    expect(await opensView()).toBe(true);
    await renderInApp(QuitDialog, {
      request: { open: 1, adding: 0, atService: 0, question: 1 },
      pending: 0,
      isWaiting: false,
      onquit: nothing,
      oncancel: nothing,
    });
    expect(await opensView()).toBe(false);
  });
});

describe('a key that is held', () => {
  const press = (key: string, code: string, repeat: boolean) =>
    window.dispatchEvent(new KeyboardEvent('keydown', { key, code, repeat, cancelable: true }));
  const hold = (key: string, code: string) => [false, true, true].forEach((repeat) => press(key, code, repeat));

  it('switches once', () => {
    const toggle = vi.spyOn(app.player, 'toggleLoop').mockReturnValue();
    hold('l', 'KeyL');
    expect(toggle).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['is kept from the browser if it acted', { name: 'a', sourceMedia: 's', resultMedia: 'r' }, [false, false, false]],
    ['is left to the browser if it did nothing', null, [true, true, true]],
  ])('%s', (_, track, left) => {
    app.player.track = track && { id: 'a', kind: 'conversion', voice, durationSeconds: 60, ...track };
    vi.spyOn(app.player, 'toggle').mockResolvedValue();
    expect([false, true, true].map((repeat) => press(' ', 'Space', repeat))).toEqual(left);
  });

  it('moves on through the sound', () => {
    app.player.track = {
      id: 'a',
      kind: 'conversion',
      name: 'a',
      voice,
      durationSeconds: 60,
      sourceMedia: 's',
      resultMedia: 'r',
    };
    const seek = vi.spyOn(app.player, 'seekBy').mockReturnValue();
    hold('ArrowRight', 'ArrowRight');
    expect(seek).toHaveBeenCalledTimes(3);
  });
});

describe('F6', () => {
  const panels = document.createElement('div');
  beforeEach(() => {
    panels.innerHTML = `
      <nav data-panel><button>a view</button></nav>
      <main data-panel><button>Choose files</button><div role="grid"><div role="row" tabindex="0">a row</div></div></main>
      <aside data-panel></aside>
      <section data-panel tabindex="0">checks</section>
      <footer data-panel><button disabled>Play</button></footer>`;
    document.body.append(panels);
    panels.querySelector('button')?.focus();
  });
  afterEach(() => panels.remove());
  const visited = async (keys: readonly string[]) => {
    const texts: (string | null | undefined)[] = [];
    for (const key of keys) {
      await userEvent.keyboard(key);
      texts.push(document.activeElement?.textContent);
    }
    return texts;
  };

  it('goes through the panels that have something to focus, to what each is for', async () => {
    expect(await visited(['{F6}', '{F6}', '{F6}'])).toEqual(['a row', 'checks', 'a view']);
  });

  it('returns to what had the focus in a panel', async () => {
    await visited(['{F6}']);
    panels.querySelector<HTMLElement>('main button')?.focus();
    expect(await visited(['{F6}', '{Shift>}{F6}{/Shift}'])).toEqual(['checks', 'Choose files']);
  });

  it('begins at the first panel, or backwards at the last, if nothing has the focus', async () => {
    (document.activeElement as HTMLElement).blur();
    expect(await visited(['{Shift>}{F6}{/Shift}'])).toEqual(['checks']);
    (document.activeElement as HTMLElement).blur();
    expect(await visited(['{F6}'])).toEqual(['a view']);
  });
});

describe('a command of the application menu', () => {
  it('acts, unless it cannot be run any more', () => {
    const toggle = vi.spyOn(app.player, 'toggle');
    runMenuCommand(app, 'view-watch');
    runMenuCommand(app, 'listen');
    runMenuCommand(app, 'preset-removed');
    expect([app.shell.view, toggle.mock.calls]).toEqual(['watch', []]);
  });

  it('does nothing under a dialog, except what acts there by key', async () => {
    const zoom = vi.spyOn(app, 'zoom');
    await renderInApp(CommandPalette, { app, onclose: nothing });
    runMenuCommand(app, 'view-watch');
    runMenuCommand(app, 'zoom-in');
    expect([app.shell.view, zoom.mock.calls]).toEqual(['convert', [[1]]]);
  });
});

describe('a dialog', () => {
  it('takes the focus back when the button that had it goes away', async () => {
    await renderInApp(CommandPalette, { app, onclose: nothing });
    await userEvent.fill(page.getByRole('combobox'), 'nothing like it');
    await userEvent.click(page.getByRole('button', { name: messages.app.clearSearch }));
    await expect.element(page.getByRole('combobox')).toHaveFocus();
  });

  it('keeps the focus when what had it goes away by a key', async () => {
    const bindings = new KeyBindings();
    bindings.changes = { find: 'ctrl+g' };
    await renderInApp(ShortcutsDialog, {
      bindings,
      onchange: (keys: KeyChanges) => void (bindings.changes = keys),
      onclose: vi.fn(),
    });
    (page.getByRole('button', { name: messages.shortcuts.reset }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('button', { name: messages.shortcuts.reset })).not.toBeInTheDocument();
    expect(document.activeElement?.closest('dialog')).not.toBeNull();
  });
});

describe('a letter that the user chose for a key of every place', () => {
  beforeEach(() => void (app.keyBindings.changes = { zoomIn: 'g', panels: 'space', zoomOut: 'F4' }));

  it('is typed in fields', async () => {
    const zoom = vi.spyOn(app, 'zoom');
    await sheet('<input aria-label="field">');
    await userEvent.type(page.getByRole('textbox'), 'g {F4}');
    await expect.element(page.getByRole('textbox')).toHaveValue('g ');
    expect(zoom.mock.calls).toEqual([[-1]]);
  });

  it('acts in a dialog', async () => {
    const zoom = vi.spyOn(app, 'zoom');
    await sheet('<button>a control</button>');
    await userEvent.keyboard('g');
    expect(zoom.mock.calls).toEqual([[1]]);
  });
});
