import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import LargeAdditionDialog from './LargeAdditionDialog.svelte';

const t = messages.convert.large;
const answer = vi.fn();
const preview = { recordings: 100, seconds: 6000, longestSeconds: 6000, unmeasured: 0, tooLong: 0 };
/** Before and after the dialog appeared, on the clock of events. */
let openedAt: readonly [number, number];

beforeEach(async () => {
  answer.mockClear();
  const before = performance.now();
  await renderInApp(LargeAdditionDialog, { question: { preview, kind: 'add' as const, service: 'Studio', answer } });
  openedAt = [before, performance.now()];
});

/** True if the focused button gets the key. */
function isPressed(key: string, { at, ...init }: KeyboardEventInit & { readonly at: number }): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  Object.defineProperty(event, 'timeStamp', { value: at });
  return document.activeElement?.dispatchEvent(event) ?? false;
}

it('focuses the button that sends nothing', async () => {
  await expect.element(page.getByRole('button', { name: messages.app.cancel })).toHaveFocus();
});

it.each(['Enter', ' '])('ignores %j of a user who was typing when it appeared', (key) => {
  expect(isPressed(key, { at: openedAt[0] + 400 })).toBe(false);
  expect(isPressed(key, { at: openedAt[1] + 500 })).toBe(true);
  // The key has been held since before.
  expect(isPressed(key, { at: openedAt[1] + 500, repeat: true })).toBe(false);
});

it('obeys other keys and clicks at once', async () => {
  expect(isPressed('Tab', { at: openedAt[0] + 400 })).toBe(true);
  await page.getByRole('button', { name: t.confirm }).click();
  expect(answer.mock.calls).toEqual([[true]]);
});

it('names entries of history, which may also be texts', async () => {
  await renderInApp(LargeAdditionDialog, { question: { preview, kind: 'repeat' as const, service: 'Studio', answer } });
  await expect.element(page.getByRole('heading', { name: t.repeatTitle({ n: 100 }) })).toBeVisible();
});
