import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import { createSilentPlayer } from './preview-player.fixture.ts';
import { VoiceComparison } from './voice-comparison.svelte.ts';
import VoiceGrid from './VoiceGrid.svelte';

afterEach(() => document.documentElement.removeAttribute('dir'));

const voiceOf = (name: string): Voice => ({
  id: name,
  name,
  language: 'en-GB',
  gender: 'female',
  category: 'natural',
});
const voices = ['Ada', 'Berta', 'Cem'].map(voiceOf);

async function renderGrid(selected: Voice | undefined, all: readonly Voice[] = voices) {
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
    ...{ voices: all, selected, usedId: '', favourites: [], notes: {}, previews, comparison, connection: undefined },
    ...{ isBusy: false, question: 0, onselect, onuse: vi.fn(), onopen: vi.fn() },
  };
  const { container } = await renderInApp(VoiceGrid, props);
  return { onselect, container };
}

it('begins on the right where text does, and the left arrow key leads to the next voice', async () => {
  document.documentElement.dir = 'rtl';
  const { onselect } = await renderGrid(voices[1]);
  const cells = page.getByRole('gridcell');
  await expect.element(cells.nth(2)).toBeVisible();
  const [first, second] = cells.elements().map((cell) => cell.getBoundingClientRect());
  expect(first?.left).toBeGreaterThan(second?.left ?? Infinity);
  (cells.nth(1).element() as HTMLElement).focus();
  onselect.mockClear();
  await userEvent.keyboard('{ArrowLeft}{ArrowRight}');
  expect(onselect.mock.calls.map(([{ name }]) => name)).toEqual(['Cem', 'Ada']);
});

it('the selected voice stays in view when the grid gets narrower, unless the user has scrolled', async () => {
  const all = Array.from({ length: 60 }, (_, k) => voiceOf(`Voice ${k + 1}`));
  const { container } = await renderGrid(all.at(-1), all);
  Object.assign(container.style, { inlineSize: '900px', blockSize: '400px', display: 'grid' });
  const scroller = container.querySelector<HTMLElement>('.scroll');
  const isInView = (): boolean => {
    const cell = page.getByRole('gridcell', { selected: true }).element().getBoundingClientRect();
    const { top, bottom } = scroller?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    return cell.top >= top && cell.bottom <= bottom;
  };
  const columns = () => page.getByRole('row').first().getByRole('gridcell').elements().length;
  await expect.poll(columns).toBe(5);
  await expect.poll(isInView).toBe(true);
  container.style.inlineSize = '500px';
  await expect.poll(columns).toBe(3);
  await expect.poll(isInView).toBe(true);
  scroller?.scrollTo({ top: 0 });
  await expect.poll(isInView).toBe(false);
  container.style.inlineSize = '900px';
  await expect.poll(() => scroller?.scrollTop).toBe(0);
});
