import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import OutputFolderField from './OutputFolderField.svelte';

const t = messages.settings;
const radio = (name: string) => page.getByRole('radio', { name });
const button = (name: string) => page.getByRole('button', { name });

async function open(folder: string | null) {
  const props = { folder, onbeside: vi.fn(), onfolder: vi.fn() };
  await renderInApp(OutputFolderField, props);
  return props;
}

it('opens no dialog while an arrow key selects one folder, but by the button beside it', async () => {
  const { onfolder, onbeside } = await open(null);
  radio(t.besideOriginalLong).element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(radio(t.oneFolderLong)).toBeChecked();
  await expect.element(radio(t.oneFolderLong)).toHaveFocus();
  await expect.element(page.getByText(t.noFolderYet)).toBeVisible();
  expect(onfolder).not.toHaveBeenCalled();
  await userEvent.keyboard('{Tab}{Enter}');
  expect(onfolder).toHaveBeenCalledOnce();
  await radio(t.besideOriginalLong).click();
  await expect.element(button(messages.convert.chooseFolder)).not.toBeInTheDocument();
  expect(onbeside).not.toHaveBeenCalled();
});

it('changes the folder, and goes back to the originals', async () => {
  const { onfolder, onbeside } = await open('/results');
  await expect.element(radio(t.oneFolderLong)).toBeChecked();
  await button(t.changeFolder).click();
  expect(onfolder).toHaveBeenCalledOnce();
  await radio(t.besideOriginalLong).click();
  expect(onbeside).toHaveBeenCalledOnce();
});
