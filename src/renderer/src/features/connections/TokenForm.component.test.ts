import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { Connections } from './connections.svelte.ts';
import TokenForm from './TokenForm.svelte';

const t = messages.connections;

it.each([
  ['offers a file if the computer has no keychain', true],
  ['offers no file with portable data, even without a keychain', false],
] as const)('%s', async (_rule, canBeInFile) => {
  const state = { place: null, keychainProblem: 'no bus', canBeInFile, otherOrigins: [], isRemovalPending: false };
  const { api } = createFakeApi({ token: state });
  const connections = new Connections(api.connections, () => undefined);
  await connections.load();
  await renderInApp(TokenForm, { id: 'north', name: 'Studio North', connections });
  await expect.element(page.getByText(t.noKeychain)).toBeVisible();
  await expect.element(page.getByRole('button', { name: t.keepForSession })).toBeVisible();
  expect(page.getByRole('button', { name: t.storeInFile }).elements()).toHaveLength(canBeInFile ? 1 : 0);
});

it('keeps a token that is entered while another one is saved', async () => {
  const state = { place: null, keychainProblem: null, canBeInFile: true, otherOrigins: [], isRemovalPending: false };
  const { api } = createFakeApi({ token: state });
  const saved = Promise.withResolvers<typeof state>();
  const connections = new Connections({ ...api.connections, setToken: () => saved.promise }, () => undefined);
  await connections.load();
  await renderInApp(TokenForm, { id: 'north', name: 'Studio North', connections });
  const field = page.getByLabelText(t.tokenOf({ name: 'Studio North' }));
  await field.fill('wrong');
  await page.getByRole('button', { name: t.saveToken }).click();
  await field.fill('right');
  saved.resolve(state);
  await expect.element(page.getByRole('button', { name: t.saveToken })).toBeEnabled();
  await expect.element(field).toHaveValue('right');
  await page.getByRole('button', { name: t.saveToken }).click();
  await expect.element(field).toHaveValue('');
});
