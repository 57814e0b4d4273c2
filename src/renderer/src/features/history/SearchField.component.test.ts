import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { entriesOf } from '../../../../../tests/fakes/fake-history.ts';
import type { QueryError } from '../../../../shared/schemas/history.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { HistoryQuery } from './query.svelte.ts';
import SearchField from './SearchField.svelte';

const t = messages.history.search;
const field = page.getByRole('combobox', { name: t.label });

async function renderField(suggestions: readonly string[] = [], error?: QueryError) {
  const { api } = createFakeApi({ history: { entries: entriesOf([]), suggestions } });
  const query: HistoryQuery = new HistoryQuery(api.history.suggest, () => undefined);
  const onleave = vi.fn();
  await renderInApp(SearchField, { query, error, onleave });
  await field.click();
  return { query, onleave };
}

it('turns a filter into a chip after a space, and back into text with Backspace', async () => {
  const { query } = await renderField();
  await userEvent.keyboard('status:failed lamp');
  const chip = page.getByRole('button', {
    name: t.removeFilter({ filter: t.filter({ name: t.names.status, value: t.values['failed'], isNot: false }) }),
  });
  await expect.element(chip).toBeVisible();
  await expect.element(field).toHaveValue('lamp');
  await userEvent.keyboard('{Home}{Backspace}');
  await expect.element(field).toHaveValue('status:failed lamp');
  expect(query.filters).toEqual([]);
});

it('accepts the suggestion that the arrow keys select, and none before', async () => {
  const { query } = await renderField(['voice:anna', 'voice:bert']);
  await userEvent.keyboard('vo');
  await expect.element(page.getByRole('listbox', { name: t.suggestions })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await expect.poll(() => query.filters.map(({ text }) => text)).toEqual(['voice:bert']);
  await expect.element(field).toHaveFocus();
});

it('closes the suggestions with Escape, then clears the field, then leaves it', async () => {
  const { query, onleave } = await renderField(['voice:anna']);
  await userEvent.keyboard('vo');
  await expect.element(field).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toHaveAttribute('aria-expanded', 'false');
  await expect.element(field).toHaveValue('vo');
  await userEvent.keyboard('{Escape}');
  expect(query.text).toBe('');
  expect(onleave).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(onleave).toHaveBeenCalledOnce();
});

it('leaves for the list with the down arrow', async () => {
  const { onleave } = await renderField();
  await userEvent.keyboard('{ArrowDown}');
  expect(onleave).toHaveBeenCalledOnce();
});

it('starts a filter from the menu and returns the focus to the field', async () => {
  await renderField();
  await page.getByRole('button', { name: t.filters }).click();
  await page.getByRole('menuitem', { name: t.byVoice }).click();
  await expect.element(field).toHaveValue('voice:');
  await expect.element(field).toHaveFocus();
});

it('describes an invalid query', async () => {
  await renderField([], { from: 0, to: 6, kind: 'empty', word: 'voice:' });
  await expect.element(field).toHaveAccessibleDescription('Enter a word after “voice:”.');
});
