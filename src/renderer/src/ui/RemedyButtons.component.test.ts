import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import Banner from './Banner.svelte';
import ErrorState from './ErrorState.svelte';

it.each([
  ['auth/refused', 'Enter token', 'enter-token'],
  ['network/timeout', 'Test connection', 'test-connection'],
  ['network/proxy', 'Change proxy', 'change-proxy'],
  ['network/offline-mode', 'Go online', 'go-online'],
  ['connection/invalid', 'Edit connection', 'edit-connection'],
  ['output/disk-full', 'Show largest results', 'free-space'],
] as const)('a notice of %s has the button that mends it', async (code, name, remedy) => {
  const runRemedy = vi.fn();
  await renderInApp(Banner, { problem: { code } }, runRemedy);
  await page.getByRole('button', { name }).click();
  expect(runRemedy.mock.calls).toEqual([[remedy, null]]);
});

it('a notice of what no other place mends has none', async () => {
  await renderInApp(Banner, { problem: { code: 'input/not-audio' as const }, onclose: () => undefined });
  expect(page.getByRole('button').elements()).toHaveLength(1);
});

it('a list that could not be loaded has them too', async () => {
  const runRemedy = vi.fn();
  await renderInApp(ErrorState, { problem: { code: 'auth/missing' as const }, onretry: () => undefined }, runRemedy);
  await page.getByRole('button', { name: 'Enter token' }).click();
  expect(runRemedy).toHaveBeenCalledOnce();
});
