import { Star } from 'lucide';
import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import MenuButton from './MenuButton.svelte';

const onchoose = vi.fn<(label: string) => void>();
const item = (label: string, change = {}) => ({ label, icon: Star, onchoose: () => onchoose(label), ...change });
const button = page.getByRole('button', { name: 'More' });
const focused = () => document.activeElement?.textContent.trim();

beforeEach(async () => {
  onchoose.mockClear();
  const items = [item('Play'), item('Show in folder'), item('Favourite', { isChecked: true })];
  await renderInApp(MenuButton, { label: 'More', icon: Star, items });
});

it('is closed at first, and exposes whether it is open', async () => {
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  await button.click();
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  await expect.element(page.getByRole('menuitemcheckbox', { name: 'Favourite' })).toBeChecked();
});

it('focuses its first item when it opens, and wraps around with the arrow keys', async () => {
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await expect.poll(focused).toBe('Play');
  await userEvent.keyboard('{ArrowDown}');
  expect(focused()).toBe('Show in folder');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(focused()).toBe('Favourite');
});

it('has the focus as soon as it is open, so that no key that follows at once is lost', () => {
  (button.element() as HTMLElement).click();
  expect(focused()).toBe('Play');
});

it('runs the selected action once, closes, and returns the focus to its button', async () => {
  await button.click();
  await page.getByRole('menuitem', { name: 'Show in folder' }).click();
  expect(onchoose.mock.calls).toEqual([['Show in folder']]);
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  await expect.element(button).toHaveFocus();
});

it('closes on Escape without selecting an item', async () => {
  await button.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  expect(onchoose).not.toHaveBeenCalled();
});

it('shows what is checked in one colour: its icon and its mark', async () => {
  await button.click();
  const checked = page.getByRole('menuitemcheckbox', { name: 'Favourite' }).element();
  const colours = [...checked.querySelectorAll('svg')].map((icon) => getComputedStyle(icon).stroke);
  expect(colours).toHaveLength(2);
  expect(new Set(colours).size).toBe(1);
});
