import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { copyGigabytes, type CopySettings } from '../../../../shared/schemas/settings.ts';
import type { CopyStatus } from '../../../../shared/schemas/copies.ts';
import type { Scene } from '../../../../../tests/fakes/fake-bridge.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { CopiesState } from './copies.svelte.ts';
import CopiesForm from './CopiesForm.svelte';

const t = messages.copies;
const folder = '/data/copies';
const limit = page.getByRole('textbox', { name: t.limit });
const keep = page.getByRole('switch', { name: t.keep });
const removeAll = page.getByRole('button', { name: t.removeAll });
const limitError = page.getByText(t.limitError({ min: copyGigabytes.min, max: copyGigabytes.max }));

async function open(value: Partial<CopySettings> = {}, status: Partial<CopyStatus> = {}, scene: Partial<Scene> = {}) {
  const { api, bridge } = createFakeApi({
    copies: { folder, copies: 3, bytes: 2e9, waiting: 0, problem: null, ...status },
    ...scene,
  });
  const copies = new CopiesState(api.copies);
  await copies.load();
  await renderInApp(CopiesForm, { copies, value: { isOn: true, maxGigabytes: 20, since: 1, ...value } });
  return {
    updates: () => bridge.calls.filter(([channel]) => channel === 'copies:update').map(([, input]) => input),
    count: (channel: string) => bridge.calls.filter(([name]) => name === channel).length,
  };
}

it('saves a limit on Enter, and once', async () => {
  const { updates } = await open();
  await limit.fill(' 30 ');
  expect(updates()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.poll(updates).toEqual([{ isOn: true, maxGigabytes: 30 }]);
  await userEvent.tab();
  expect(updates()).toHaveLength(1);
});

it('saves a limit when the user leaves the field', async () => {
  const { updates } = await open({ isOn: false });
  await limit.fill('30');
  await userEvent.tab();
  await expect.poll(updates).toEqual([{ isOn: false, maxGigabytes: 30 }]);
});

it.each(['', '0', '-1', '1.5', '10001', '1e3', 'much'])(
  'says what is allowed for "%s", and saves nothing',
  async (text) => {
    const { updates } = await open();
    await limit.fill(text);
    await userEvent.keyboard('{Enter}');
    await userEvent.tab();
    await expect.element(limitError).toBeVisible();
    await expect.element(limit).toHaveAttribute('aria-invalid', 'true');
    await expect.element(limit).toHaveValue(text);
    // The switch is no part of it.
    await keep.click();
    await expect.poll(updates).toEqual([{ isOn: false, maxGigabytes: 20 }]);
  },
);

it('is switched by keyboard, with the limit as it was', async () => {
  const { updates } = await open({ isOn: false });
  (keep.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.poll(updates).toEqual([{ isOn: true, maxGigabytes: 20 }]);
});

it('shows the copies that are there while the option is off, and can delete but not make them', async () => {
  await open({ isOn: false });
  await expect.element(page.getByText(t.usage({ n: 3, bytes: 2e9 }))).toBeVisible();
  await expect.element(page.getByText(folder)).toBeVisible();
  await expect.element(removeAll).toBeEnabled();
  await expect.element(page.getByRole('button', { name: t.existing })).not.toBeInTheDocument();
});

it('deletes all copies only once the user has confirmed it', async () => {
  const { count } = await open();
  await removeAll.click();
  await expect.element(page.getByText(t.removing.text({ n: 3, bytes: 2e9 }))).toBeVisible();
  await expect.element(page.getByRole('button', { name: messages.app.cancel })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(count('copies:removeAll')).toBe(0);
  await removeAll.click();
  await page.getByRole('button', { name: t.removing.confirm }).click();
  await expect.element(page.getByText(t.usage({ n: 0, bytes: 0 }))).toBeVisible();
  expect(count('copies:removeAll')).toBe(1);
  await expect.element(removeAll).toBeDisabled();
});

it.each([
  ['output/disk-full', t.notCopied.full({ folder })],
  ['output/not-writable', t.notCopied['not-writable']({ folder })],
  ['system/too-many-files', t.notCopied.other({ folder })],
] as const)('says why the last result was not copied: %s', async (code, text) => {
  await open({}, { problem: { code, facts: {} } });
  await expect.element(page.getByText(text)).toBeVisible();
});

it('shows why a change was not saved, and the limit that counts', async () => {
  await open({}, {}, { failures: { 'copies:update': 'output/not-writable' } });
  await limit.fill('30');
  await userEvent.keyboard('{Enter}');
  const { title } = messages.problems['output/not-writable'];
  await expect.element(page.getByText(`${title}.`, { exact: true })).toBeVisible();
  await expect.element(limit).toHaveValue('20');
});
