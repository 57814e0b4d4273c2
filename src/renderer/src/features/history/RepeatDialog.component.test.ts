import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { HistoryDetail } from '../../../../shared/schemas/history.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { localInfo } from '../connections/connections.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { detailOf } from './history.fixture.ts';
import { RepeatForm } from './repeat.svelte.ts';
import RepeatDialog from './RepeatDialog.svelte';
import { createSilentPlayer } from '../voices/preview-player.fixture.ts';

const t = messages.history.repeat;

async function renderDialog(change: Partial<HistoryDetail> = {}) {
  const { api } = createFakeApi();
  const connections = new Connections(api.connections, () => undefined);
  connections.list = [localInfo];
  const form = new RepeatForm(api, connections, detailOf('a', change));
  const { previews } = createSilentPlayer();
  const props = {
    previews,
    form,
    fileStatus: undefined,
    task: null,
    onsend: vi.fn(),
    onstop: vi.fn(),
    onclose: vi.fn(),
  };
  await renderInApp(RepeatDialog, props);
  return props;
}

const submit = page.getByRole('button', { name: messages.problemActions['convert-again'], exact: true });

it('lists what a key changes, and resets it by its button', async () => {
  const { form } = await renderDialog();
  const speed = page.getByRole('slider', { name: messages.settings.speed });
  (speed.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => Object.keys(form.changes)).toEqual(['speed']);
  const reset = page.getByRole('button', { name: t.reset({ word: messages.settings.speed }) });
  await expect.element(reset).toBeVisible();
  (reset.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(form.changes).toEqual({});
  await expect.element(page.getByText(t.unchanged)).toBeVisible();
  await expect.element(submit).toHaveFocus();
});

it('sends with Enter and closes with Escape', async () => {
  const { onsend, onclose } = await renderDialog();
  (submit.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(onsend).toHaveBeenCalledOnce();
  expect(onclose).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(onclose).toHaveBeenCalledOnce();
});

it('cannot be sent without a connection, and says which one is missing', async () => {
  await renderDialog({ connectionId: 'removed', connectionName: 'Attic' });
  await expect.element(page.getByText(t.connectionMissing({ name: 'Attic' }))).toBeVisible();
  await expect.element(submit).toBeDisabled();
});

it('speaks a text again, and converts a recording again', async () => {
  const { row } = detailOf('a');
  await renderDialog({ row: { ...row, kind: 'speech' } });
  await expect.element(page.getByRole('heading', { name: 'Speak again with changes' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Speak again', exact: true })).toBeVisible();
});
