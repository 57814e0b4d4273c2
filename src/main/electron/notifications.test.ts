import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadDesktopMessages } from '../../shared/messages/desktop.ts';
import { createNotifications, identifyApp } from './notifications.ts';

const en = await loadDesktopMessages('en');
const de = await loadDesktopMessages('de');

/** A desktop that writes down what it is asked to show. */
function desktop(language = 'en') {
  const state = { isSupported: true, hasFocus: false, shows: 0, incoming: 0 };
  const later: (() => void)[] = [];
  const lists: string[] = [];
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
    showList: (list) => lists.push(list),
    connectionName: (id) => (id === 'other' ? 'Other' : 'Studio'),
    isExpectingMore: () => state.incoming > 0,
    after: (_ms, run) => later.push(run),
    messages: () =>
      language === '' ? Promise.reject(new Error('no settings')) : Promise.resolve(language === 'de' ? de : en),
    onError: (error) => errors.push(error),
  });
  return {
    ...notifications,
    state,
    shown,
    lists,
    errors,
    /** Lets the next three seconds pass. */
    wait: () => later.splice(0).forEach((run) => run()),
  };
}

describe('a pause that needs the user', () => {
  const pause = (changes = {}) => ({
    waiting: 0,
    connectionId: 'studio',
    reason: 'token' as const,
    since: 1,
    problem: { code: 'auth/refused' as const },
    ...changes,
  });

  it.each([
    [pause({ waiting: 3 }), 'en', ['Studio rejected the token', '3 items are waiting.']],
    [pause(), 'en', ['Studio rejected the token']],
    [
      pause({ waiting: 1, connectionId: null, reason: 'disk', problem: { code: 'output/disk-full' } }),
      'de',
      ['Das Laufwerk ist voll', '1 Auftrag wartet.'],
    ],
  ])('is announced once with what waits for it, and a click shows the queue', async (one, language, text) => {
    const { activityChanged, wait, whenShown, shown, lists } = desktop(language);
    activityChanged({ pauses: [one] });
    activityChanged({ pauses: [one] });
    wait();
    activityChanged({ pauses: [{ ...one, waiting: one.waiting + 1 }] });
    wait();
    await whenShown();
    expect(shown.map((notification) => notification.text)).toEqual([text]);
    shown[0]?.click();
    expect(lists).toEqual(['queue']);
  });

  it('is not announced if it ends within seconds, or while the window is focused', async () => {
    const { activityChanged, wait, whenShown, shown, state } = desktop();
    activityChanged({ pauses: [pause()] });
    activityChanged({ pauses: [] });
    wait();
    state.hasFocus = true;
    activityChanged({ pauses: [pause({ since: 2 })] });
    wait();
    state.hasFocus = false;
    activityChanged({ pauses: [pause({ since: 2 })] });
    wait();
    await whenShown();
    expect(shown).toEqual([]);
  });

  it('is announced again if it began again, and beside another that goes on', async () => {
    const { activityChanged, wait, whenShown, shown } = desktop();
    const other = pause({ connectionId: null, reason: 'disk', problem: { code: 'output/disk-full' } });
    activityChanged({ pauses: [other] });
    wait();
    activityChanged({ pauses: [other, pause()] });
    activityChanged({ pauses: [other] });
    activityChanged({ pauses: [other, pause({ since: 2 })] });
    wait();
    await whenShown();
    expect(shown.map(({ text }) => text)).toEqual([['The disk is full'], ['Studio rejected the token']]);
  });

  it('is announced beside another that began with it, each with what waits for it', async () => {
    const { activityChanged, wait, whenShown, shown, lists } = desktop();
    activityChanged({ pauses: [pause({ waiting: 2 }), pause({ connectionId: 'other', waiting: 1 })] });
    wait();
    await whenShown();
    expect(shown.map(({ text }) => text)).toEqual([
      ['Studio rejected the token', '2 items are waiting.'],
      ['Other rejected the token', '1 item is waiting.'],
    ]);
    for (const { click } of shown) click();
    expect(lists).toEqual(['queue', 'queue']);
  });
});

describe('a batch', () => {
  it.each([
    [12, 0, 'en', '12 items done'],
    [12, 1, 'en', '12 items done, 1 needs attention'],
    [1, 2, 'en', '1 item done, 2 need attention'],
    [0, 1, 'en', '1 needs attention'],
    [12, 1, 'de', '12 Aufträge fertig, 1 wartet auf Sie'],
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

  it('shows its results when its notification is clicked, or the jobs that failed if there are none', async () => {
    const { batchEnded, whenShown, shown, lists } = desktop();
    batchEnded({ done: 1, needAttention: 1 });
    await whenShown();
    expect(lists).toEqual([]);
    shown[0]?.click();
    batchEnded({ done: 0, needAttention: 2 });
    await whenShown();
    shown[1]?.click();
    expect(lists).toEqual(['done', 'queue']);
  });

  it('is announced together with those that end shortly after it, and while a folder has more', async () => {
    const { batchEnded, wait, whenShown, shown, state } = desktop();
    batchEnded({ done: 1, needAttention: 0 });
    batchEnded({ done: 1, needAttention: 1 });
    state.incoming = 1;
    wait();
    batchEnded({ done: 1, needAttention: 0 });
    state.incoming = 0;
    wait();
    wait();
    await whenShown();
    expect(shown.map(({ text }) => text)).toEqual([['3 items done, 1 needs attention']]);
  });

  it('is announced after half a minute at the latest, whatever a folder still waits for', async () => {
    const { batchEnded, wait, shown, state } = desktop();
    state.incoming = 1;
    batchEnded({ done: 1, needAttention: 0 });
    for (let seconds = 0; seconds <= 30; seconds += 3) wait();
    await expect.poll(() => shown.length).toBe(1);
  });

  it('that the user has seen is not announced with the next one', async () => {
    const { batchEnded, whenShown, shown, state } = desktop();
    batchEnded({ done: 1, needAttention: 0 });
    state.hasFocus = true;
    batchEnded({ done: 1, needAttention: 0 });
    state.hasFocus = false;
    batchEnded({ done: 2, needAttention: 0 });
    await whenShown();
    expect(shown.map(({ text }) => text)).toEqual([['2 items done']]);
  });

  it('whose text fails is reported, and the next one is announced', async () => {
    const { batchEnded, whenShown, errors } = desktop('');
    batchEnded({ done: 1, needAttention: 0 });
    await whenShown();
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
    '7 items aren’t finished. They resume the next time you open Timbre.',
  ]);
});

describe('what the user asked for', () => {
  it('is reported to a window with the focus, which learns nothing else', async () => {
    const { workEnded, batchEnded, state, shown, lists, whenShown } = desktop();
    state.hasFocus = true;
    workEnded({ done: 2, needAttention: 1 });
    workEnded({ done: 0, needAttention: 0 });
    await whenShown();
    expect(shown.map(({ text }) => text)).toEqual([['2 items done, 1 needs attention']]);
    shown[0]?.click();
    expect(lists).toEqual(['done']);
    // Without the focus, the end of the batch is reported anyway.
    state.hasFocus = false;
    workEnded({ done: 2, needAttention: 0 });
    batchEnded({ done: 2, needAttention: 0 });
    await whenShown();
    expect(shown).toHaveLength(2);
  });

  it('is announced before it happens, and a click shows where it can be cancelled', async () => {
    const { countsDown, state, shown, whenShown } = desktop();
    countsDown('shut-down', 30);
    await whenShown();
    expect(shown[0]?.text).toEqual([en.queue.whenDone.titles['shut-down']({ seconds: 30 }), 'Open Timbre to cancel.']);
    shown[0]?.click();
    expect(state.shows).toBe(1);
    state.hasFocus = true;
    countsDown('sleep', 30);
    await whenShown();
    expect(shown).toHaveLength(1);
  });
});

describe('the id under which notifications are shown', () => {
  const idOn = (platform: NodeJS.Platform) => {
    const ids: string[] = [];
    identifyApp({ setAppUserModelId: (id) => ids.push(id) }, platform);
    return ids;
  };

  it('is that of the shortcut which the setup makes on Windows', () => {
    const packaging = readFileSync(new URL('../../../build/electron-builder.js', import.meta.url), 'utf8');
    expect(idOn('win32').map((id) => `appId: '${id}'`)).toEqual([/appId: '[^']+'/.exec(packaging)?.[0]]);
  });

  it('is not set elsewhere', () => {
    expect([idOn('linux'), idOn('darwin')]).toEqual([[], []]);
  });
});
