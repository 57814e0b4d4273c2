import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { defaultSettings, type Settings } from '../../../../shared/schemas/settings.ts';
import { SettingsState } from './settings.svelte.ts';

const start: Settings = {
  ...defaultSettings,
  conversion: { ...defaultSettings.conversion, autoF0: false },
};

function setUp() {
  let saved = start;
  let announce: (settings: Settings) => void = () => undefined;
  const sent: Partial<Settings>[] = [];
  const errors: AppError[] = [];
  const api = {
    get: () => Promise.resolve(saved),
    update: (change: Partial<Settings>) => {
      const error = errors.shift();
      if (error) return Promise.reject(error);
      sent.push(change);
      saved = { ...saved, ...change };
      return Promise.resolve(saved);
    },
    onChanged: (listener: (settings: Settings) => void) => {
      announce = listener;
      return () => undefined;
    },
  };
  return { state: new SettingsState(api), sent, errors, announce: (settings: Settings) => announce(settings) };
}

describe('settings', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test('show a change at once, and send it when no other follows', async () => {
    const { state, sent } = setUp();
    await state.load();
    state.updateConversion({ pitch: 1.1 });
    state.updateConversion({ pitch: 1.2 });
    state.update({ theme: 'dark' });
    expect(state.value).toMatchObject({ theme: 'dark', conversion: { pitch: 1.2 } });
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    expect(sent).toEqual([{ theme: 'dark', conversion: { ...start.conversion, pitch: 1.2 } }]);
  });

  test('send the offline mode at once, with what is unsent', async () => {
    const { state, sent } = setUp();
    await state.load();
    state.update({ theme: 'dark' });
    state.setOfflineMode(true);
    expect(sent).toEqual([{ theme: 'dark', isOfflineMode: true }]);
  });

  test('send a change within a second while the user keeps dragging a slider (U2)', async () => {
    const { state, sent } = setUp();
    await state.load();
    for (let k = 0; k < 30; k += 1) {
      state.updateConversion({ pitch: 1 + k / 100 });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(sent.length).toBeGreaterThanOrEqual(3);
    await vi.advanceTimersByTimeAsync(250);
    expect(sent.at(-1)?.conversion?.pitch).toBe(1.29);
  });

  test('show unsent changes on top of what main announces', async () => {
    const { state, announce } = setUp();
    state.subscribe();
    await state.load();
    state.update({ theme: 'dark' });
    announce({ ...start, theme: 'light', language: 'de' });
    expect(state.value).toMatchObject({ theme: 'dark', language: 'de' });
  });

  test('are restored when a change is rejected, and report it', async () => {
    const { state, errors } = setUp();
    await state.load();
    errors.push(new AppError('output/not-writable', 'no'));
    state.update({ outputFolder: '/nowhere' });
    await state.flush();
    expect(state.value?.outputFolder).toBeNull();
    expect(state.problem).toEqual({ code: 'output/not-writable' });
    state.update({ theme: 'light' });
    await state.flush();
    expect(state.problem).toBeNull();
  });

  test('send a change again that could not be written (U2)', async () => {
    const { state, sent, errors } = setUp();
    await state.load();
    errors.push(new AppError('data/not-writable', 'full'));
    state.update({ theme: 'dark' });
    await state.flush();
    expect([state.value?.theme, state.problem?.code]).toEqual(['dark', 'data/not-writable']);
    await state.flush();
    expect(sent).toEqual([{ theme: 'dark' }]);
    expect(state.problem).toBeNull();
  });

  test('keep a change that is made while another one is sent', async () => {
    const { state, sent } = setUp();
    await state.load();
    state.update({ theme: 'dark' });
    const first = state.flush();
    state.update({ theme: 'light' });
    await first;
    expect(state.value?.theme).toBe('light');
    await vi.advanceTimersByTimeAsync(250);
    expect(sent).toEqual([{ theme: 'dark' }, { theme: 'light' }]);
  });
});
