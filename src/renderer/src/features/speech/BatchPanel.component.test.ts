import { expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { BatchPage, BatchRow, OpenedTexts, SpeechSettings } from '../../../../shared/schemas/speech.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import BatchPanel from './BatchPanel.svelte';
import { SpeechBatch } from './speech-batch.svelte.ts';

const settings: SpeechSettings = { voiceId: 'a', language: '', speed: 1, pitch: 1, engine: 'v7', platform: 'web' };
const rowOf = (row: number, change: Partial<BatchRow> = {}): BatchRow => ({
  ...{ file: 'list.csv', row, title: `list ${row}`, text: `Text ${row}.`, subtitles: null },
  ...{ voice: 'Low bronze', language: 'en', characters: 7, calls: 1, problem: null },
  ...change,
});
const opened: OpenedTexts = { kind: 'batch', name: 'list.csv', files: 1, divisions: ['whole'], isEditable: false };

async function render(pages: readonly BatchPage[], change: Partial<typeof opened> = {}, isLate = false) {
  const speakBatch = vi.fn(({ count }: { readonly count: number }) => Promise.resolve({ added: count, known: 0 }));
  const batch = new SpeechBatch({
    openFiles: () => Promise.resolve({ ...opened, ...change } as OpenedTexts),
    openDraft: () => Promise.reject(new Error('not asked for here')),
    listBatch: ({ from }) => Promise.resolve(pages.find((_, k) => k === from / 2) as BatchPage),
    speakBatch,
  });
  await batch.open(['/list.csv']);
  const follow = () => batch.follow(settings);
  if (!isLate) await follow();
  const common = { batch, service: 'Studio', canSpeak: true, onspeak: () => void batch.speak(), onedit: vi.fn() };
  const props = { ...common, takesFocus: isLate };
  await renderInApp(BatchPanel, props);
  return { batch, speakBatch, props, follow };
}

const figures = { texts: 3, bad: 1, characters: 7, calls: 1 };
const bad = rowOf(4, { text: '', calls: 0, characters: 0, problem: { code: 'table/no-text' } });
const table: readonly BatchPage[] = [
  { rows: [bad, rowOf(2)], next: 2, ...figures },
  { rows: [rowOf(3, { calls: 0, characters: 0 })], next: null, ...figures },
];

it('takes the focus once its list is loaded, wherever the focus went meanwhile', async () => {
  const { follow } = await render(table, {}, true);
  const back = page.getByRole('button', { name: messages.batch.back });
  (back.element() as HTMLElement).focus();
  await expect.element(back).toHaveFocus();
  await follow();
  await expect.element(page.getByRole('row').nth(1)).toHaveFocus();
});

it('lists all pages, with the problem of a row, what is free, and what the rest costs', async () => {
  await render(table);
  const rows = page.getByRole('row');
  await expect.element(rows.nth(3)).toBeVisible();
  const reason = messages.problems['table/no-text'].title;
  await expect.element(rows.nth(1).getByText(reason, { exact: false })).toBeVisible();
  await expect.element(rows.nth(2).getByText(messages.speech.characters({ n: 7 }))).toBeVisible();
  await expect.element(rows.nth(3).getByText(messages.batch.spoken)).toBeVisible();
  await expect.element(page.getByText(messages.batch.left({ n: 2, characters: 7 }), { exact: false })).toBeVisible();
  await expect.element(page.getByText(messages.batch.bad({ n: 1 }))).toBeVisible();
  await expect.element(page.getByText(messages.speech.calls({ n: 1, name: 'Studio' }))).toBeVisible();
});

it('names the table of a row with a problem if there are several tables', async () => {
  await render(table, { name: null, files: 2 });
  await expect
    .element(
      page
        .getByRole('row')
        .nth(1)
        .getByText(/list\.csv/),
    )
    .toBeVisible();
});

it('clips a title at its end', async () => {
  const title = 'The ferry had left without him again, and the harbour was empty';
  await render([{ rows: [rowOf(1, { title })], next: null, ...figures }]);
  await expect.element(page.getByText(title)).toBeVisible();
  const whole = page.getByText(title).element();
  expect([whole.textContent, whole.nextSibling?.textContent]).toEqual([title, '']);
});

it('adds the good rows with one press, and says so', async () => {
  const { speakBatch } = await render(table);
  await page.getByRole('button', { name: messages.batch.speak({ n: 2 }) }).click();
  await expect.element(page.getByRole('status')).toHaveTextContent(messages.batch.added({ n: 2 }));
  expect(speakBatch.mock.calls[0]).toEqual([{ settings, division: 'whole', count: 2 }]);
});

it('speaks by key, but not beneath a dialog', async () => {
  const { speakBatch } = await render(table);
  const dialog = document.body.appendChild(document.createElement('dialog'));
  onTestFinished(() => dialog.remove());
  dialog.showModal();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  dialog.close();
  expect(speakBatch).not.toHaveBeenCalled();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('status')).toHaveTextContent(messages.batch.added({ n: 2 }));
});

it('offers nothing to speak if no row can be', async () => {
  await render([{ rows: [bad], next: null, texts: 1, bad: 1, characters: 0, calls: 0 }]);
  await expect.element(page.getByRole('button', { name: messages.batch.speak({ n: 0 }) })).toBeDisabled();
  // Not that all of them are spoken.
  await expect.element(page.getByText(messages.batch.left({ n: 0, characters: 0 }), { exact: false })).toBeVisible();
});

it('of the draft leads back to the text', async () => {
  const { batch } = await render(table, { name: null, files: 0, divisions: ['paragraphs'] });
  expect(batch.division).toBe('paragraphs');
  await expect.element(page.getByRole('heading')).toHaveTextContent(messages.batch.divisions.paragraphs);
  await page.getByRole('button', { name: messages.batch.back }).click();
  expect(batch.opened).toBeNull();
});

it('divides Markdown into chapters or not, as the user says', async () => {
  const { batch, props } = await render(table, { divisions: ['chapters', 'whole'], isEditable: true });
  expect(batch.division).toBe('chapters');
  await page.getByRole('radio', { name: messages.batch.divisions.whole }).click();
  expect(batch.division).toBe('whole');
  await page.getByRole('button', { name: messages.batch.edit }).click();
  expect(props.onedit).toHaveBeenCalledOnce();
});
