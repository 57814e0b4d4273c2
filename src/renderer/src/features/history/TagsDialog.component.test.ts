import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import TagsDialog from './TagsDialog.svelte';

const t = messages.history.details;

it('shows a tag that was added to entries that are not loaded, and removes it from all of them', async () => {
  const [onadd, onremove] = [vi.fn(), vi.fn()];
  await renderInApp(TagsDialog, { count: 5000, tags: [], known: [], onadd, onremove, onclose: vi.fn() });
  await page.getByRole('combobox', { name: t.addTag }).fill('drfat');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('button', { name: t.removeTag({ tag: 'drfat' }) }).click();
  expect([onadd.mock.calls, onremove.mock.calls]).toEqual([[['drfat']], [['drfat']]]);
  await expect.element(page.getByRole('button', { name: t.removeTag({ tag: 'drfat' }) })).not.toBeInTheDocument();
});
