import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Scene } from '../../../../../tests/fakes/fake-bridge.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import TakesForm from './TakesForm.svelte';
import { TakesState } from './takes.svelte.ts';

const t = messages.speech.kept;
const removeAll = page.getByRole('button', { name: t.removeAll });
const confirm = page.getByRole('button', { name: t.removing.confirm });

async function open(scene: Partial<Scene> = {}) {
  const { api, bridge } = createFakeApi({ takes: { takes: 12, bytes: 3e6 }, ...scene });
  const takes = new TakesState(api.speech);
  await takes.load();
  await renderInApp(TakesForm, { takes });
  return { removals: () => bridge.calls.filter(([channel]) => channel === 'speech:removeTakes').length };
}

it('removes the sounds of sentences once the user has confirmed', async () => {
  const { removals } = await open();
  await expect.element(page.getByText(t.usage({ n: 12, bytes: 3e6 }))).toBeVisible();
  await removeAll.click();
  await page.getByRole('button', { name: messages.app.cancel }).click();
  expect(removals()).toBe(0);
  await removeAll.click();
  await confirm.click();
  await expect.poll(removals).toBe(1);
});

it('says that none was removed while a text is being spoken', async () => {
  await open({ canRemoveTakes: false });
  await removeAll.click();
  await confirm.click();
  await expect.element(page.getByText(t.inUse)).toBeVisible();
});

it('has nothing to remove if there is none', async () => {
  await open({ takes: { takes: 0, bytes: 0 } });
  await expect.element(removeAll).toBeDisabled();
});
