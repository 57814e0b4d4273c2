import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messages, renderInApp } from '../lib/render.fixture.ts';
import TextDialog from './TextDialog.svelte';

const t = messages.diagnostics.report;
/** Everything that HTML would change: a first line break, tags, entities, tabs, runs of spaces, a carriage return. */
const text = '\nTimbre 0.1.0\n\tdata: ok.  Two  spaces &amp; <b>no tag</b>\r\n“Quotes”, 日本語, \u{1f3a7}\n\n';

it('copies exactly the text that it shows', async () => {
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (given: string) => Promise.resolve(copied.push(given)) },
  });
  await renderInApp(TextDialog, { text, labels: t, onclose: () => undefined });
  const shown = page.getByRole('region', { name: t.title });
  await expect.element(shown).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: t.copy }));
  await expect.element(page.getByText(t.copied)).toBeVisible();
  expect(copied).toEqual([text]);
  expect(shown.element().textContent).toBe(text);
  // Nothing of it is hidden, cut or collapsed by a style.
  const { whiteSpace, overflowY, textOverflow } = getComputedStyle(shown.element());
  expect([whiteSpace, overflowY, textOverflow]).toEqual(['pre-wrap', 'auto', 'clip']);
});

it('says so if the text cannot be copied', async () => {
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: () => Promise.reject(new Error('no')) },
  });
  await renderInApp(TextDialog, { text, labels: t, onclose: () => undefined });
  await userEvent.click(page.getByRole('button', { name: t.copy }));
  await expect.element(page.getByText(t.notCopied)).toBeVisible();
});
