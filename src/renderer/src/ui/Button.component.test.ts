import { createRawSnippet } from 'svelte';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import Button from './Button.svelte';

const children = createRawSnippet(() => ({ render: () => '<span>Speak</span>' }));

it('a button that is disabled by its own action keeps the focus, does nothing meanwhile, and works again after', async () => {
  const onclick = vi.fn();
  const { rerender } = await renderInApp(Button, { children, onclick, disabled: false });
  const setDisabled = (disabled: boolean) => rerender({ props: { props: { children, onclick, disabled } } });
  const button = page.getByRole('button', { name: 'Speak' });
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await setDisabled(true);
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter} ');
  await setDisabled(false);
  await expect.element(button).not.toHaveAttribute('aria-disabled');
  expect(onclick).toHaveBeenCalledTimes(1);
  await userEvent.keyboard('{Enter}');
  expect(onclick).toHaveBeenCalledTimes(2);
});

it('a disabled button that loses the focus is not reached again', async () => {
  await renderInApp(Button, { children, disabled: true });
  await userEvent.tab();
  expect(document.activeElement).toBe(document.body);
  await expect.element(page.getByRole('button', { name: 'Speak' })).toBeDisabled();
});
