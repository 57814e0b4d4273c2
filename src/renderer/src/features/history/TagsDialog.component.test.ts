import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Problem } from '../../../../shared/errors.ts';
import { problemText } from '../../../../shared/messages/problem-text.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import TagsDialog from './TagsDialog.svelte';

const t = messages.history.details;

it('shows a tag that was added to entries that are not loaded, and removes it from all of them', async () => {
  const done = () => Promise.resolve(true);
  const [onadd, onremove] = [vi.fn(done), vi.fn(done)];
  await renderInApp(TagsDialog, { count: 5000, tags: [], known: [], problem: null, onadd, onremove, onclose: vi.fn() });
  await page.getByRole('combobox', { name: t.addTag }).fill('drfat');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('button', { name: t.removeTag({ tag: 'drfat' }) }).click();
  expect([onadd.mock.calls, onremove.mock.calls]).toEqual([[['drfat']], [['drfat']]]);
  await expect.element(page.getByRole('button', { name: t.removeTag({ tag: 'drfat' }) })).not.toBeInTheDocument();
});

it('takes a tag away again that could not be added, keeps one that could not be removed, and says why', async () => {
  const problem: Problem = { code: 'data/not-writable' };
  let answer = false;
  const change = () => Promise.resolve(answer);
  await renderInApp(TagsDialog, {
    ...{ count: 5000, tags: [], known: [], onadd: change, onremove: change, onclose: vi.fn() },
    problem,
  });
  const tag = page.getByRole('button', { name: t.removeTag({ tag: 'draft' }) });
  const add = async () => {
    await page.getByRole('combobox', { name: t.addTag }).fill('draft');
    await userEvent.keyboard('{Enter}');
  };
  await add();
  await expect.element(tag).not.toBeInTheDocument();
  const { title } = problemText(messages, problem);
  await expect.poll(() => document.querySelector('dialog')?.textContent).toContain(title);
  answer = true;
  await add();
  answer = false;
  await tag.click();
  await expect.element(tag).toBeVisible();
});
