import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { textParts } from '../../../../shared/text/text-parts.ts';
import type { Api } from '../../lib/api.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import { createPassageEdits } from './passage-edits.ts';
import { isTooLargeForField, Speech } from './speech.svelte.ts';
import TextEditor from './TextEditor.svelte';

const sentence = 'The ferry had left without him again, and the harbour was empty. ';
const book = `${sentence.repeat(8).trim()}\n\n`.repeat(300);
const chapter = book.slice(0, 60_000);

/** The editor with the text as Speech keeps it, and the draft of an earlier run. */
async function render(draft = '') {
  let saved = draft;
  const api: Pick<Api['speech'], 'readText' | 'saveDraft'> = {
    readText: ({ part }) => {
      const parts = textParts(saved);
      return Promise.resolve({ part, parts: parts.length, text: parts[part] ?? '' });
    },
    saveDraft({ part, text }) {
      saved = (part === 0 ? '' : saved) + text;
      return Promise.resolve();
    },
  };
  const speech = new Speech(api as Api['speech']);
  await speech.load();
  const passages = { text: '', list: [], refresh: () => Promise.resolve(), indexAt: () => 0 };
  const edits = createPassageEdits({ speech, passages });
  const onundo = vi.fn(() => {
    const canUndo = edits.canUndo();
    if (canUndo) void edits.undo();
    return canUndo;
  });
  await renderInApp(TextEditor, {
    get text() {
      return speech.text;
    },
    get isLarge() {
      return speech.isLarge;
    },
    ...{ isLoaded: true, describedby: '', onundo },
    oninput: (text: string) => speech.write(text, { isTyped: true }),
    onreplace: (text: string) => edits.replaceAll(text),
  });
  const field = page.getByRole('textbox').element() as HTMLTextAreaElement;
  field.focus();
  return { speech, field, saved: () => saved };
}

/** Copies and pastes as the user does: only then does the browser tell what it inserts. */
async function paste(text: string): Promise<void> {
  const field = document.activeElement as HTMLTextAreaElement;
  const copied = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', copied, { capture: true, once: true });
  await userEvent.keyboard('{Control>}c{/Control}');
  document.removeEventListener('copy', copied, { capture: true });
  field.focus();
  await userEvent.keyboard('{Control>}v{/Control}');
}
const press = (key: string) => userEvent.keyboard(`{Control>}${key}{/Control}`);

it('lets in a chapter, and shows only a part of a book, all of which is kept and saved', async () => {
  const { speech, field, saved } = await render();
  await paste(chapter);
  await expect.poll(() => field.value).toBe(chapter);
  await press('a');
  await paste(book);
  await expect.poll(() => speech.text === book).toBe(true);
  expect(field.value.length).toBeLessThanOrEqual(10_000);
  expect(field.readOnly).toBe(true);
  await speech.flush();
  expect(saved() === book).toBe(true);
});

it('shows only a part of one very long line', async () => {
  const { speech, field } = await render();
  const line = 'word '.repeat(10_000);
  await paste(line);
  await expect.poll(() => speech.text === line).toBe(true);
  expect(field.value.length).toBeLessThanOrEqual(10_000);
});

it('puts what makes a text too large in the middle of it, and one undo brings back what was there', async () => {
  const { speech, field } = await render();
  await userEvent.keyboard('Before, between, after.');
  field.setSelectionRange(8, 15);
  await paste(book);
  await expect.poll(() => speech.text === `Before, ${book}, after.`).toBe(true);
  expect(field.value).toContain(', after.');
  expect(field.readOnly).toBe(true);
  await press('z');
  await expect.poll(() => field.value).toBe('Before, between, after.');
  expect([speech.text, field.readOnly]).toEqual(['Before, between, after.', false]);
});

it('keeps texts that are pasted one after the other, in that order', async () => {
  const { speech, field } = await render();
  const all = ['1', '2', '3', '4'].map((k) => `${k} ${chapter}`);
  for (const [k, text] of all.entries()) {
    await paste(text);
    await expect.poll(() => speech.text === all.slice(0, k + 1).join('')).toBe(true);
  }
  expect(field.value.length).toBeLessThanOrEqual(10_000);
});

it('shows a part of a draft of an earlier version, which can be copied and deleted as a whole', async () => {
  const { speech, field } = await render(book);
  expect(book.startsWith(field.value)).toBe(true);
  expect(field.value.length).toBe(10_000);
  await press('a');
  let copied = '';
  document.addEventListener('copy', ({ clipboardData }) => (copied = clipboardData?.getData('text/plain') ?? ''), {
    once: true,
  });
  await press('c');
  await expect.poll(() => copied === book).toBe(true);
  await userEvent.keyboard('{Delete}');
  await expect.poll(() => field.value).toBe('');
  await userEvent.keyboard('New');
  expect([speech.text, field.value]).toEqual(['New', 'New']);
});

it('takes what the user types, however long the text is by then', async () => {
  const almost = book.slice(0, 99_999);
  const { speech, field } = await render(almost);
  field.setSelectionRange(0, 0);
  await userEvent.keyboard('abc');
  await expect.poll(() => speech.text === `abc${almost}`).toBe(true);
  expect([isTooLargeForField(speech.text), field.readOnly]).toEqual([true, false]);
});

it('keeps a book whatever the browser could undo or redo of what was typed before it', async () => {
  const { speech, field } = await render();
  await userEvent.keyboard('abc');
  await press('z');
  await expect.poll(() => speech.text).toBe('');
  await paste(book);
  await expect.poll(() => speech.text === book).toBe(true);
  const { value } = field;
  let inputs = 0;
  field.addEventListener('input', () => (inputs += 1));
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  await expect.poll(() => inputs).toBe(1);
  expect([speech.text === book, field.value === value]).toEqual([true, true]);
});

it('cuts no character in two where the shown part begins or ends', async () => {
  const faces = '\u{1f600}'.repeat(60_000);
  const { speech, field } = await render(`x${faces}`);
  expect(field.value.isWellFormed()).toBe(true);
  await paste('y');
  await expect.poll(() => speech.text === `x${faces}y`).toBe(true);
  expect([field.value.isWellFormed(), field.value.endsWith('y')]).toEqual([true, true]);
  field.setSelectionRange(0, 0);
  await paste('z');
  expect(speech.text.isWellFormed()).toBe(true);
});
