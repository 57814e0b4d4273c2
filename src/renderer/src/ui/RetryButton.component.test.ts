import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import RetryButton from './RetryButton.svelte';

it('a retry is under way until it has ended, and the button that keeps the focus starts no other meanwhile', async () => {
  const attempt = Promise.withResolvers<void>();
  const onretry = vi.fn(() => attempt.promise);
  await renderInApp(RetryButton, { onretry });
  const button = page.getByRole('button', { name: 'Try again' });
  await userEvent.tab();
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(button).toHaveFocus();
  expect(onretry).toHaveBeenCalledOnce();
  attempt.resolve();
  await expect.element(button).toHaveAttribute('aria-busy', 'false');
  await userEvent.keyboard('{Enter}');
  expect(onretry).toHaveBeenCalledTimes(2);
});
