import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { de } from '../../shared/messages/de.ts';
import { en } from '../../shared/messages/en.ts';
import { createNotifications } from './notifications.ts';

/** A desktop that writes down what it is asked to show. */
function desktop(language = 'en') {
  const state = { isSupported: true, hasFocus: false, shows: 0 };
  const shown: { readonly text: readonly (string | undefined)[]; click(): void }[] = [];
  const errors: unknown[] = [];
  class Notification extends EventEmitter {
    private readonly options: { readonly title: string; readonly body?: string };
    constructor(options: { readonly title: string; readonly body?: string }) {
      super();
      this.options = options;
    }
    show() {
      const { title, body } = this.options;
      shown.push({ text: body === undefined ? [title] : [title, body], click: () => this.emit('click') });
    }
    static isSupported = () => state.isSupported;
  }
  const notifications = createNotifications({
    Notification,
    hasFocus: () => state.hasFocus,
    show: () => void (state.shows += 1),
    messages: () =>
      language === '' ? Promise.reject(new Error('no settings')) : Promise.resolve(language === 'de' ? de : en),
    onError: (error) => errors.push(error),
  });
  return { ...notifications, state, shown, errors };
}

describe('a batch', () => {
  it.each([
    [12, 0, 'en', '12 recordings done'],
    [12, 1, 'en', '12 recordings done, 1 needs you'],
    [1, 2, 'en', '1 recording done, 2 need you'],
    [0, 1, 'en', '1 needs you'],
    [12, 1, 'de', '12 Aufnahmen fertig, 1 wartet auf Sie'],
  ])('of %i done and %i that need the user is announced: %s', async (done, needAttention, language, title) => {
    const { batchEnded, whenShown, shown } = desktop(language);
    batchEnded({ done, needAttention });
    await whenShown();
    expect(shown.map(({ text }) => text)).toEqual([[title]]);
  });

  it('is not announced while the window is focused, or if the system shows no notifications', async () => {
    const { batchEnded, whenShown, shown, state } = desktop();
    state.hasFocus = true;
    batchEnded({ done: 1, needAttention: 0 });
    await whenShown();
    Object.assign(state, { hasFocus: false, isSupported: false });
    batchEnded({ done: 1, needAttention: 0 });
    await whenShown();
    expect(shown).toEqual([]);
  });

  it('is not announced if the window is focused while the text is prepared', async () => {
    const { batchEnded, whenShown, shown, state } = desktop();
    batchEnded({ done: 1, needAttention: 0 });
    state.hasFocus = true;
    await whenShown();
    expect(shown).toEqual([]);
  });

  it('brings the window to the front when its notification is clicked', async () => {
    const { batchEnded, whenShown, shown, state } = desktop();
    batchEnded({ done: 1, needAttention: 0 });
    await whenShown();
    expect(state.shows).toBe(0);
    shown[0]?.click();
    expect(state.shows).toBe(1);
  });

  it('whose text fails is reported, and the next one is announced', async () => {
    const { batchEnded, whenShown, errors } = desktop('');
    batchEnded({ done: 1, needAttention: 0 });
    batchEnded({ done: 2, needAttention: 0 });
    await whenShown();
    expect(errors).toHaveLength(2);
  });
});

it('the last notification says what happens to open work if the user could not be asked', async () => {
  const { leftOpen, whenShown, shown } = desktop();
  leftOpen(7);
  await whenShown();
  expect(shown[0]?.text).toEqual([
    'Timbre has closed',
    '7 recordings aren’t finished. They resume the next time you open Timbre.',
  ]);
});
