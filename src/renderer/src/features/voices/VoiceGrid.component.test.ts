import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import { createSilentPlayer } from './preview-player.fixture.ts';
import { VoiceComparison } from './voice-comparison.svelte.ts';
import VoiceGrid from './VoiceGrid.svelte';

beforeEach(() => (document.documentElement.dir = 'rtl'));
afterEach(() => document.documentElement.removeAttribute('dir'));

const voices = ['Ada', 'Berta', 'Cem'].map((name): Voice => ({
  id: name,
  name,
  language: 'en-GB',
  gender: 'female',
  category: 'natural',
}));

async function renderGrid(selected: Voice | undefined) {
  const { previews } = createSilentPlayer();
  const unused = () => Promise.reject(new Error('not requested'));
  const comparison = new VoiceComparison({ preview: unused, cancelPreviews: () => Promise.resolve() }, {
    createSound: unused,
    createMeter: unused,
    volume: () => 1,
    source: previews,
    onFeatures: unused,
  } as never);
  const onselect = vi.fn<(voice: Voice) => void>();
  const props = {
    ...{ voices, selected, usedId: '', favourites: [], notes: {}, previews, comparison, connection: undefined },
    ...{ isBusy: false, question: 0, onselect, onuse: vi.fn(), onopen: vi.fn() },
  };
  await renderInApp(VoiceGrid, props);
  return onselect;
}

it('begins on the right where text does, and the left arrow key leads to the next voice', async () => {
  const onselect = await renderGrid(voices[1]);
  const cells = page.getByRole('gridcell');
  await expect.element(cells.nth(2)).toBeVisible();
  const [first, second] = cells.elements().map((cell) => cell.getBoundingClientRect());
  expect(first?.left).toBeGreaterThan(second?.left ?? Infinity);
  (cells.nth(1).element() as HTMLElement).focus();
  onselect.mockClear();
  await userEvent.keyboard('{ArrowLeft}{ArrowRight}');
  expect(onselect.mock.calls.map(([{ name }]) => name)).toEqual(['Cem', 'Ada']);
});
