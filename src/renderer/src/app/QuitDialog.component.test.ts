import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { messages, renderInApp } from '../lib/render.fixture.ts';
import QuitDialog from './QuitDialog.svelte';

const nothing = () => undefined;
const show = (open: number, pending: number) =>
  renderInApp(QuitDialog, {
    request: { open, adding: 0, atService: 0, question: 1 },
    pending,
    isWaiting: false,
    onquit: nothing,
    oncancel: nothing,
  });
const t = messages.queue.quitting;

test('counts what resumes, or else what is being added, and says what becomes of each', async () => {
  await show(2, 3);
  await expect.element(page.getByRole('heading', { name: t.title({ n: 2 }) })).toBeVisible();
  await expect.element(page.getByText(t.lead({ n: 2 }))).toBeVisible();
  await expect.element(page.getByText(t.adding)).toBeVisible();
  await show(0, 3);
  await expect.element(page.getByRole('heading', { name: t.title({ n: 3 }) })).toBeVisible();
});

test.each([
  [2, 0],
  [0, 3],
])('says nothing of what there is none of: %i open, %i being added', async (open, pending) => {
  await show(open, pending);
  expect(page.getByText(t.lead({ n: 2 })).elements()).toHaveLength(open > 0 ? 1 : 0);
  expect(page.getByText(t.adding).elements()).toHaveLength(pending > 0 ? 1 : 0);
});
