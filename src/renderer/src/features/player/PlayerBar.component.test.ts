import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { jobOf } from '../jobs/job.fixture.ts';
import { Player } from './player.svelte.ts';
import PlayerBar from './PlayerBar.svelte';

beforeEach(() => (document.documentElement.dir = 'rtl'));
afterEach(() => document.documentElement.removeAttribute('dir'));

async function renderPlayer() {
  const player = new Player();
  await renderInApp(PlayerBar, { player, source: null, result: null });
  player.track = jobOf('take', { resultMedia: 'take-result' });
  player.durations = { source: 100, result: 100 };
  const seek = vi.spyOn(player, 'seek');
  const slider = page.getByRole('slider', { name: messages.player.position });
  await expect.element(slider).toBeVisible();
  return { player, seek, slider };
}

it('runs from left to right in every language: the pointer at the left of the waveform leads to the start', async () => {
  const { seek, slider } = await renderPlayer();
  const { width, height } = slider.element().getBoundingClientRect();
  await userEvent.click(slider, { position: { x: width / 4, y: height / 2 } });
  expect(seek.mock.lastCall?.[0]).toBeCloseTo(25, 0);
});

it('seeks forward with the right arrow key in every language', async () => {
  const { player, slider } = await renderPlayer();
  const seekBy = vi.spyOn(player, 'seekBy');
  (slider.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}');
  expect(seekBy.mock.calls).toEqual([[5], [-5]]);
});

it('clips the words of a text at their end, and keeps the end of a file’s name', async () => {
  const { player } = await renderPlayer();
  const shown = (): readonly (string | null)[] =>
    [...document.querySelectorAll('.track b bdi > span')].map(({ textContent }) => textContent);
  const name = 'The ferry had left without him again.';
  player.track = jobOf('text', { name, kind: 'speech' });
  await expect.element(page.getByTitle(name)).toBeVisible();
  expect(shown()).toEqual([name, '']);
  const file = 'The ferry had left, chapter 12.txt';
  player.track = jobOf('file', { name: file, kind: 'speech' });
  await expect.poll(shown).toEqual([file, 'er 12.txt']);
});

it('says in full why a sound cannot be played, however narrow the window is', async () => {
  await page.viewport(600, 400);
  const { player } = await renderPlayer();
  player.hasFailed = true;
  const alert = page.getByRole('alert');
  await expect.element(alert).toHaveTextContent(messages.player.failed);
  const { scrollHeight, clientHeight } = alert.element();
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight);
  await page.viewport(1000, 700);
});

it('opens its menus over the window, not beyond its edge', async () => {
  await renderPlayer();
  await userEvent.click(page.getByRole('button', { name: messages.player.volume }));
  const volume = page.getByRole('slider', { name: messages.player.volume });
  await expect.element(volume).toBeVisible();
  const { left, right } = volume.element().getBoundingClientRect();
  expect([left >= 0, right <= innerWidth]).toEqual([true, true]);
});
