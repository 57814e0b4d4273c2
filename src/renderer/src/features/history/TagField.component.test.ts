import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import TagField from './TagField.svelte';

const t = messages.history.details;
const onadd = vi.fn<(tag: string) => Promise<boolean>>();
const onremove = vi.fn<(tag: string) => void>();
const field = page.getByRole('combobox', { name: t.addTag });

beforeEach(async () => {
  onadd.mockReset().mockResolvedValue(true);
  onremove.mockClear();
  await renderInApp(TagField, { tags: ['client', 'draft'], known: ['client', 'final'], onadd, onremove });
});

it('adds a tag with Enter, without the spaces around it, and empties the field', async () => {
  await field.fill('  final mix ');
  await userEvent.keyboard('{Enter}');
  expect(onadd.mock.calls).toEqual([['final mix']]);
  await expect.element(field).toHaveValue('');
});

it('adds no empty tag and none that the entry has', async () => {
  await field.fill('draft');
  await userEvent.keyboard('{Enter}');
  await field.fill('   ');
  await userEvent.keyboard('{Enter}');
  expect(onadd).not.toHaveBeenCalled();
});

it('offers the tags of other entries that this one does not have', () => {
  const list = document.getElementById(field.element().getAttribute('list') ?? '');
  expect([...(list?.querySelectorAll('option') ?? [])].map(({ value }) => value)).toEqual(['final']);
});

it('removes a tag by its button', async () => {
  await page.getByRole('button', { name: t.removeTag({ tag: 'client' }) }).click();
  expect(onremove.mock.calls).toEqual([['client']]);
});

it('has a tag that could not be added in the field again, unless another was typed meanwhile', async () => {
  onadd.mockResolvedValue(false);
  await field.fill('final mix');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('final mix');
  const late = Promise.withResolvers<boolean>();
  onadd.mockReturnValue(late.promise);
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('next');
  late.resolve(false);
  await late.promise;
  await expect.element(field).toHaveValue('next');
});
