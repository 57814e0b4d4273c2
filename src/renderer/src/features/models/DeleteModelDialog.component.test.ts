import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import DeleteModelDialog from './DeleteModelDialog.svelte';

const t = messages.models;

async function open(change: Record<string, unknown> = {}) {
  const props = {
    name: 'Anna’s voice',
    count: 1,
    service: 'Studio',
    isUsed: false,
    waiting: 0,
    folders: [],
    isDeleting: false,
    failure: null,
    typed: '',
    ondelete: vi.fn(),
    oncancel: vi.fn(),
    ...change,
  };
  await renderInApp(DeleteModelDialog, props);
  return props;
}

const field = page.getByRole('textbox', { name: t.typeName });

it('deletes only once the whole name is typed', async () => {
  const { ondelete } = await open();
  const button = page.getByRole('button', { name: t.deleteIt });
  await expect.element(field).toHaveFocus();
  await field.fill('Anna’s voic');
  await expect.element(button).toBeDisabled();
  await userEvent.keyboard('{Enter}');
  expect(ondelete).not.toHaveBeenCalled();
  await field.fill('Anna’s voice');
  await userEvent.keyboard('{Enter}');
  expect(ondelete).toHaveBeenCalledOnce();
});

it('says that several voices have the name, and on its button how many it deletes', async () => {
  await open({ count: 3 });
  await expect.element(page.getByText(t.severalWithName({ n: 3 }))).toBeVisible();
  await expect.element(page.getByRole('button', { name: t.deleteAll({ n: 3 }) })).toBeDisabled();
});

it('cannot be sent twice while it deletes', async () => {
  const { ondelete } = await open({ isDeleting: true });
  await field.fill('Anna’s voice');
  await userEvent.keyboard('{Enter}');
  expect(ondelete).not.toHaveBeenCalled();
});

it('cancels on Escape', async () => {
  const { oncancel, ondelete } = await open();
  await userEvent.keyboard('{Escape}');
  expect(oncancel).toHaveBeenCalledOnce();
  expect(ondelete).not.toHaveBeenCalled();
});

it('shows why the last attempt failed', async () => {
  await open({ failure: { code: 'network/unreachable', facts: { host: 'studio.example' } } });
  await expect.element(page.getByRole('alert')).toBeVisible();
});
