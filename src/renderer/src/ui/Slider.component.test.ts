import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import Slider from './Slider.svelte';

const onchange = vi.fn<(value: number) => void>();
const props = {
  label: 'Pitch',
  min: -12,
  max: 12,
  step: 0.5,
  value: 3,
  origin: 0,
  text: '+3',
  resetHint: 'Reset',
  onchange,
};

it('exposes its value as text', async () => {
  await renderInApp(Slider, props);
  const slider = page.getByRole('slider', { name: 'Pitch' });
  await expect.element(slider).toHaveValue('3');
  await expect.element(slider).toHaveAttribute('aria-valuetext', '+3');
});

it('moves by one step with an arrow key', async () => {
  onchange.mockClear();
  await renderInApp(Slider, props);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}');
  expect(onchange.mock.calls).toEqual([[3.5]]);
});

it('returns to its origin on a double click', async () => {
  onchange.mockClear();
  await renderInApp(Slider, props);
  await userEvent.dblClick(page.getByRole('slider'));
  expect(onchange).toHaveBeenLastCalledWith(0);
});
