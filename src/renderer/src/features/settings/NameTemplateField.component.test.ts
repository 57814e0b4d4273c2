import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import NameTemplateField from './NameTemplateField.svelte';

const t = messages.settings;
const onchange = vi.fn<(template: string) => void>();
const field = page.getByRole('textbox', { name: t.name });

beforeEach(async () => {
  onchange.mockClear();
  const voice = { name: 'Low bronze', language: 'en-US' };
  await renderInApp(NameTemplateField, {
    template: '{name}, {voice}',
    voice,
    connection: 'Studio',
    format: '.mp3',
    onchange,
  });
});

it('shows an example of a file name', async () => {
  await expect.element(page.getByText('harbour, Low bronze.mp3')).toBeVisible();
});

it('saves each valid template, and no other', async () => {
  await field.fill('{voice}/{name}');
  expect(onchange.mock.calls.at(-1)).toEqual(['{voice}/{name}']);
  onchange.mockClear();
  await field.fill('../{name}');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(page.getByText(t.nameKept({ template: '{name}, {voice}' }))).toBeVisible();
  expect(onchange).not.toHaveBeenCalled();
});

it('inserts a field at the caret and moves the caret behind it', async () => {
  const input = field.element() as HTMLInputElement;
  await field.fill('a  b');
  input.setSelectionRange(2, 2);
  await page.getByRole('button', { name: t.insert({ field: '{name}' }) }).click();
  await expect.element(field).toHaveValue('a {name} b');
  await expect.element(field).toHaveFocus();
  expect(input.selectionStart).toBe('a {name}'.length);
});
