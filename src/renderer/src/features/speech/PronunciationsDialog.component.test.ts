import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { localInfo } from '../connections/connections.fixture.ts';
import { createSilentPlayer } from '../voices/preview-player.fixture.ts';
import { Voices } from '../voices/voices.svelte.ts';
import { Pronunciations } from './pronunciations.svelte.ts';
import PronunciationsDialog from './PronunciationsDialog.svelte';

const t = messages.speech.pronunciations;
const nginx = { language: '', word: 'nginx', spoken: 'engine x' };

async function open() {
  const { api, bridge } = createFakeApi();
  const voices = new Voices(api);
  await voices.load('local');
  let answered: Promise<void> = Promise.resolve();
  const pronunciations = new Pronunciations({
    ...api.pronunciations,
    save: async (input) => {
      await answered;
      return api.pronunciations.save(input);
    },
  });
  await pronunciations.open();
  await pronunciations.save(nginx, null);
  const silent = createSilentPlayer();
  await renderInApp(PronunciationsDialog, {
    pronunciations,
    connection: localInfo,
    voice: voices.all[0],
    voices: voices.all,
    previews: silent.previews,
  });
  const calls = (name: string) => bridge.calls.filter(([channel]) => channel === name).map(([, input]) => input);
  /** Keeps what is saved from now on from being answered until the returned function is called. */
  function hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    return resolve;
  }
  return { pronunciations, calls, voices, hold };
}
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

it('adds a word by keyboard alone, and is ready for the next', async () => {
  const { pronunciations } = await open();
  await field(t.word).fill('SQL');
  await userEvent.keyboard('{Tab}sequel{Enter}');
  await expect.poll(() => pronunciations.list).toEqual([nginx, { language: '', word: 'SQL', spoken: 'sequel' }]);
  await expect.element(field(t.word)).toHaveFocus();
  await expect.element(field(t.word)).toHaveValue('');
});

it('keeps what is typed while a word is being saved', async () => {
  const { pronunciations, hold } = await open();
  await field(t.word).fill('SQL');
  await userEvent.keyboard('{Tab}sequel');
  const release = hold();
  await userEvent.keyboard('{Enter}');
  await field(t.word).fill('PNG');
  release();
  await expect.poll(() => pronunciations.list).toHaveLength(2);
  await expect.element(field(t.word)).toHaveFocus();
  await expect.element(field(t.word)).toHaveValue('PNG');
});

it('keeps the focus and what is typed in the next field of a word that was changed', async () => {
  const { pronunciations, hold } = await open();
  const release = hold();
  await field(t.wordOf({ word: 'nginx' })).fill('NGINX-2');
  await userEvent.keyboard('{Tab}n g x');
  release();
  await expect.poll(() => pronunciations.list).toEqual([{ ...nginx, word: 'NGINX-2' }]);
  await expect.element(field(t.spokenOf({ word: 'NGINX-2' }))).toHaveFocus();
  await expect.element(field(t.spokenOf({ word: 'NGINX-2' }))).toHaveValue('n g x');
});

it('goes from a word to what it is spoken as on Enter, and back to a word that is missing', async () => {
  const { pronunciations } = await open();
  await field(t.word).fill('SQL');
  await userEvent.keyboard('{Enter}');
  await expect.element(field(t.spoken)).toHaveFocus();
  await field(t.word).fill('');
  await field(t.spoken).fill('sequel');
  await userEvent.keyboard('{Enter}');
  await expect.element(field(t.word)).toHaveFocus();
  expect(pronunciations.list).toEqual([nginx]);
});

it('says what a word is spoken as before it is replaced, and shows what was added although it is not searched for', async () => {
  const { pronunciations } = await open();
  await expect.element(field(t.word)).toHaveFocus();
  await page.getByRole('searchbox', { name: t.find }).fill('apache');
  await field(t.word).fill('Nginx ');
  await expect.element(page.getByText(t.known({ word: 'nginx', spoken: 'engine x' }))).toBeVisible();
  await field(t.spoken).fill('n g x');
  await expect.element(button(t.add)).not.toBeInTheDocument();
  await button(t.replace).click();
  await expect.poll(() => pronunciations.list).toEqual([{ ...nginx, word: 'Nginx', spoken: 'n g x' }]);
  await expect.element(field(t.spokenOf({ word: 'Nginx' }))).toHaveValue('n g x');
});

it('changes a word in its place, keeps it if the field is emptied, and removes it', async () => {
  const { pronunciations } = await open();
  const spoken = field(t.spokenOf({ word: 'nginx' }));
  await spoken.fill('n g x');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => pronunciations.list).toEqual([{ ...nginx, spoken: 'n g x' }]);
  await spoken.fill('');
  await userEvent.keyboard('{Enter}');
  await expect.element(spoken).toHaveValue('n g x');
  await button(t.remove({ word: 'nginx' })).click();
  await expect.poll(() => pronunciations.list).toEqual([]);
  await expect.element(page.getByText(t.removed({ word: 'nginx' }))).toBeVisible();
});

it('brings a removed word back, unless the list has changed since', async () => {
  const { pronunciations } = await open();
  await button(t.remove({ word: 'nginx' })).click();
  await expect.element(page.getByText(t.removed({ word: 'nginx' }))).toBeVisible();
  await button(messages.history.results.undo).click();
  await expect.poll(() => pronunciations.list).toEqual([nginx]);
  await expect.element(button(messages.history.results.undo)).not.toBeInTheDocument();
  await button(t.remove({ word: 'nginx' })).click();
  await pronunciations.save({ ...nginx, spoken: 'n g x' }, null);
  await expect.element(button(messages.history.results.undo)).not.toBeInTheDocument();
});

it('shows the words of one language, and those that are searched for', async () => {
  await open();
  await page.getByRole('searchbox', { name: t.find }).fill('apache');
  await expect.element(page.getByText(t.noMatch)).toBeVisible();
  await page.getByRole('searchbox', { name: t.find }).fill('ENGINE');
  await expect.element(field(t.wordOf({ word: 'nginx' }))).toBeVisible();
});

it('exports the words of the language that is shown', async () => {
  const { calls } = await open();
  await button(t.exportFile).click();
  await expect.poll(() => calls('pronunciations:exportFile')).toEqual([{ language: '' }]);
});
