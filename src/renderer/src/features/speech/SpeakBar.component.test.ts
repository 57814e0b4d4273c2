import { createRawSnippet } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { renderInApp } from '../../lib/render.fixture.ts';
import SpeakBar from './SpeakBar.svelte';

const status = createRawSnippet(() => ({ render: () => '<span>7 characters</span>' }));

async function render(disabled = false) {
  const onspeak = vi.fn();
  await renderInApp(SpeakBar, { label: 'Speak', isSubmitted: false, disabled, onspeak, status });
  return onspeak;
}

function focusField(): HTMLElement {
  const field = document.body.appendChild(document.createElement('textarea'));
  onTestFinished(() => field.remove());
  field.focus();
  return field;
}

const press = () => userEvent.keyboard('{Control>}{Enter}{/Control}');

it('speaks once for each press of its key, wherever the focus is', async () => {
  const onspeak = await render();
  await press();
  focusField();
  await userEvent.keyboard('{Control>}{Enter>3/}{/Control}');
  document.querySelector('button')?.focus();
  await press();
  expect(onspeak).toHaveBeenCalledTimes(3);
});

it('leaves the key to a field that handles it', async () => {
  const onspeak = await render();
  focusField().addEventListener('keydown', (event) => event.preventDefault());
  await press();
  expect(onspeak).not.toHaveBeenCalled();
});

it('does nothing while there is nothing to speak', async () => {
  const onspeak = await render(true);
  await press();
  expect(onspeak).not.toHaveBeenCalled();
});
