import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { KeyChanges } from '../../../shared/schemas/settings.ts';
import { KeyBindings } from '../lib/key-bindings.svelte.ts';
import { messages, renderInApp } from '../lib/render.fixture.ts';
import ShortcutsDialog from './ShortcutsDialog.svelte';

const k = messages.shortcuts;
let bindings: KeyBindings;
const onclose = vi.fn();
const onchange = vi.fn<(keys: KeyChanges) => void>((keys) => void (bindings.changes = keys));
/** The button with the keys of a shortcut. */
const keysOf = (name: string, keys: string) => page.getByRole('button', { name: `${name}: ${keys}`, exact: true });

beforeEach(async () => {
  bindings = new KeyBindings();
  onchange.mockClear();
  onclose.mockClear();
  await renderInApp(ShortcutsDialog, { bindings, onchange, onclose });
});

it('takes the next keys that are pressed, and returns the focus', async () => {
  await keysOf(k.find, 'Ctrl F').click();
  await userEvent.keyboard('{Control>}g{/Control}');
  expect(onchange.mock.calls).toEqual([[{ find: 'ctrl+g' }]]);
  await expect.element(keysOf(k.find, 'Ctrl G')).toHaveFocus();
});

it('takes the keys of another shortcut that is clicked while it waits for those of the one before', async () => {
  await keysOf(k.palette, 'Ctrl K').click();
  await keysOf(k.find, 'Ctrl F').click();
  await userEvent.keyboard('{Control>}g{/Control}');
  expect(onchange.mock.calls).toEqual([[{ find: 'ctrl+g' }]]);
});

it('keeps the keys on Escape, and stays open', async () => {
  await keysOf(k.find, 'Ctrl F').click();
  await userEvent.keyboard('{Escape}');
  await expect.element(keysOf(k.find, 'Ctrl F')).toHaveFocus();
  expect([onchange.mock.calls, onclose.mock.calls]).toEqual([[], []]);
});

it('turns a shortcut off with Backspace, and resets all', async () => {
  await keysOf(k.changeVoice, 'V').click();
  await userEvent.keyboard('{Backspace}');
  await expect.element(keysOf(k.changeVoice, k.off)).toBeVisible();
  await page.getByRole('button', { name: k.reset }).click();
  await expect.element(keysOf(k.changeVoice, 'V')).toBeVisible();
  expect(onchange.mock.lastCall).toEqual([{}]);
});

it('takes a reset of all back by keyboard, until another shortcut is changed', async () => {
  const undo = page.getByRole('button', { name: messages.history.results.undo });
  const turnOff = async () => {
    await keysOf(k.changeVoice, 'V').click();
    await userEvent.keyboard('{Backspace}');
  };
  await turnOff();
  await page.getByRole('button', { name: k.reset }).click();
  await expect.element(page.getByText(k.wasReset)).toBeVisible();
  await expect.element(undo).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onchange.mock.lastCall).toEqual([{ voice: null }]);
  await expect.element(undo).not.toBeInTheDocument();
  await page.getByRole('button', { name: k.reset }).click();
  await turnOff();
  await expect.element(undo).not.toBeInTheDocument();
});

it('asks before it takes keys from another shortcut', async () => {
  await keysOf(k.palette, 'Ctrl K').click();
  await userEvent.keyboard('{Control>}f{/Control}');
  await expect.element(page.getByText(k.taken({ keys: 'Ctrl F', other: k.find }))).toBeVisible();
  expect(onchange).not.toHaveBeenCalled();
  await page.getByRole('button', { name: k.replace }).click();
  expect(onchange.mock.calls).toEqual([[{ find: null, palette: 'ctrl+f' }]]);
});

it('says so if it cannot take the keys, and waits for others', async () => {
  await keysOf(k.find, 'Ctrl F').click();
  await userEvent.keyboard('{Shift>}{Shift/}{Control>}{Control/}');
  await expect.element(page.getByText(k.hint)).toBeVisible();
  for (const keys of ['{Alt>}g{/Alt}', '{Enter}', '{PageUp}']) {
    await userEvent.keyboard(keys);
    await expect.element(page.getByText(k.unsupported)).toBeVisible();
  }
  await userEvent.keyboard('{Control>}{Shift>}g{/Shift}{/Control}');
  expect(onchange.mock.calls).toEqual([[{ find: 'ctrl+shift+g' }]]);
});

it('refuses keys that have a meaning in every program', async () => {
  await keysOf(k.find, 'Ctrl F').click();
  await userEvent.keyboard('{Control>}c{/Control}');
  await expect.element(page.getByText(k.reserved({ keys: 'Ctrl C' }))).toBeVisible();
  expect(onchange).not.toHaveBeenCalled();
});
