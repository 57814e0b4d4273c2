import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../lib/render.fixture.ts';
import CountdownDialog from './CountdownDialog.svelte';

const t = messages.queue.whenDone;

it.each(['sleep', 'shut-down'] as const)(
  'says when %s happens, and Escape or its only button cancels it',
  async (action) => {
    const oncancel = vi.fn();
    await renderInApp(CountdownDialog, { action, seconds: 24, oncancel });
    await expect.element(page.getByRole('dialog', { name: t.titles[action]({ seconds: 24 }) })).toBeVisible();
    await expect.element(page.getByRole('button')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(oncancel).toHaveBeenCalledTimes(1);
    await page.getByRole('button', { name: messages.app.cancel }).click();
    expect(oncancel).toHaveBeenCalledTimes(2);
  },
);
