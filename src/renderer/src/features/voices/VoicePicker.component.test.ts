import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import VoicePicker from './VoicePicker.svelte';
import { Voices } from './voices.svelte.ts';
import { createSilentPlayer, studio } from './preview-player.fixture.ts';

const list: readonly Voice[] = Array.from({ length: 200 }, (_, k) => ({
  id: `v${k}`,
  name: k === 150 ? 'Zoë “Low” Bronze' : `Voice ${k}`,
  language: k % 2 ? 'de-DE' : 'en-GB',
  gender: 'female',
  category: 'natural',
}));
let recent: readonly string[] = [];
let favourites: readonly string[] = [];
let silent: ReturnType<typeof createSilentPlayer>;
const onchoose = vi.fn<(voice: Voice) => void>();
const onclose = vi.fn();
const field = page.getByRole('combobox');
const active = () => document.getElementById(field.element().getAttribute('aria-activedescendant') ?? '')?.textContent;

const open = async () => {
  onchoose.mockClear();
  onclose.mockClear();
  silent = createSilentPlayer();
  const { previews } = silent;
  const voices = new Voices({
    voices: {
      list: ({ page, limit }) =>
        Promise.resolve({
          page,
          limit,
          total: list.length,
          voices: list.slice(page * limit, (page + 1) * limit),
          readAt: 0,
          problem: null,
        }),
      findLastUsed: () => Promise.resolve(null),
      listRecent: () => Promise.resolve(recent),
      listNotes: () => Promise.resolve({}),
      setNote: () => Promise.resolve(),
      listFavourites: () => Promise.resolve(favourites),
    },
    models: { list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }) },
  });
  await voices.load('studio');
  await renderInApp(VoicePicker, { voices, connection: studio, previews, selectedId: 'v3', onchoose, onclose });
};
describe('a voice picker', () => {
  beforeEach(async () => {
    recent = favourites = [];
    await open();
  });

  it('opens with the focus in its field and the selected voice active', async () => {
    await expect.element(field).toHaveFocus();
    expect(active()).toContain('Voice 3');
  });

  it('finds a voice without its accents, and selects the first match on Enter', async () => {
    await field.fill('zoe low');
    await expect.element(page.getByRole('option')).toHaveLength(1);
    await userEvent.keyboard('{Enter}');
    expect(onchoose.mock.calls.map(([voice]) => voice.id)).toEqual(['v150']);
    expect(onclose).toHaveBeenCalledOnce();
  });

  it('moves the active option with the arrow keys within its ends', async () => {
    await userEvent.keyboard('{ArrowDown}');
    expect(active()).toContain('Voice 4');
    await userEvent.keyboard('{PageUp}{ArrowUp}');
    expect(active()).toContain('Voice 0');
  });

  it('shows how many voices are hidden, and offers to clear a search without matches', async () => {
    await expect.element(page.getByText(messages.voice.more({ n: 80 }))).toBeVisible();
    await field.fill('no such voice');
    await expect.element(page.getByRole('option')).toHaveLength(0);
    await page.getByRole('button', { name: messages.app.clearSearch }).click();
    await expect.element(field).toHaveValue('');
  });

  it('selects a voice on click', async () => {
    await page.getByRole('option', { name: 'Voice 7', exact: false }).first().click();
    expect(onchoose.mock.calls.map(([voice]) => voice.id)).toEqual(['v7']);
  });

  it('plays the active voice on Shift+Enter without selecting it, and then those that the arrow keys move to', async () => {
    await userEvent.keyboard('{ArrowDown}');
    expect(silent.heard()).toEqual([]);
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
    expect(silent.heard()).toEqual(['media/preview/v4.mp3']);
    await userEvent.keyboard('{ArrowDown}');
    expect(silent.heard()).toEqual(['media/preview/v5.mp3']);
    expect(silent.requests.map(({ spending }) => spending)).toEqual(['as-agreed', 'nothing']);
    expect(onchoose).not.toHaveBeenCalled();
  });

  it('plays a voice on a press of its button without selecting it', async () => {
    await page
      .getByTitle(messages.preview.listenTo({ name: 'Voice 3' }))
      .first()
      .click();
    expect(silent.heard()).toEqual(['media/preview/v3.mp3']);
    expect(onchoose).not.toHaveBeenCalled();
  });
});

describe('with voices that were used or marked', () => {
  beforeEach(async () => {
    [recent, favourites] = [
      ['v90', 'gone'],
      ['v70', 'v90'],
    ];
    await open();
  });

  it('has them at its top, those that were used last first', async () => {
    const names = () =>
      page
        .getByRole('option')
        .elements()
        .map((option) => option.textContent.trim().slice(0, 8).trim());
    await expect.poll(() => names().slice(0, 3)).toEqual(['Voice 90', 'Voice 70', 'Voice 0']);
    await expect.element(page.getByTitle(messages.voice.recent)).toHaveLength(1);
    await expect.element(page.getByTitle(messages.voices.favourite, { exact: true })).toHaveLength(2);
  });
});
