import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { HostEvent } from './event.mts';
import { createLifeCycle, type LifeCycle } from './app-lifecycle.mts';

/** A life cycle whose windows close at once on request. */
function create(windowCount: number) {
  const log: string[] = [];
  const events = new EventEmitter();
  for (const name of ['before-quit', 'will-quit', 'quit']) events.on(name, () => log.push(name));
  const windows = new Set<{ close(): void; destroy(): void }>();
  const gone = (window: { close(): void; destroy(): void }) => {
    windows.delete(window);
    if (windows.size === 0) lifeCycle.lastWindowClosed();
  };
  const lifeCycle: LifeCycle = createLifeCycle({
    events,
    windows: () => [...windows],
    stop: () => Promise.resolve(void log.push('stop')),
    exit: (code) => void log.push(`exit ${code}`),
  });
  for (let i = 0; i < windowCount; i += 1) {
    const window = {
      close: () => {
        log.push('close');
        gone(window);
      },
      destroy: () => {
        log.push('destroy');
        gone(window);
      },
    };
    windows.add(window);
  }
  return { lifeCycle, events, log };
}

const ended = () => new Promise((resolve) => setImmediate(resolve));
const prevent = (event: HostEvent) => event.preventDefault();

test('quit emits before-quit, closes the windows, emits will-quit, stops Chromium and exits with 0', async () => {
  const { lifeCycle, log } = create(2);
  lifeCycle.quit();
  await ended();
  expect(log).toEqual(['before-quit', 'close', 'close', 'will-quit', 'quit', 'stop', 'exit 0']);
});

test('quit without a window continues at once', async () => {
  const { lifeCycle, log } = create(0);
  lifeCycle.quit();
  await ended();
  expect(log).toEqual(['before-quit', 'will-quit', 'quit', 'stop', 'exit 0']);
});

for (const name of ['before-quit', 'will-quit']) {
  test(`a prevented ${name} leaves the app running, and a later quit works`, async () => {
    const { lifeCycle, events, log } = create(0);
    events.once(name, prevent);
    lifeCycle.quit();
    await ended();
    expect(log).not.toContain('quit');
    expect(lifeCycle.isQuitting()).toBe(false);
    lifeCycle.quit();
    await ended();
    expect(log.at(-1)).toBe('exit 0');
  });
}

test('a second quit during the first emits nothing', async () => {
  const { lifeCycle, events, log } = create(1);
  events.on('before-quit', () => lifeCycle.quit());
  lifeCycle.quit();
  await ended();
  expect(log.filter((event) => event === 'before-quit')).toHaveLength(1);
});

test('exit destroys the windows without events that can prevent it', async () => {
  const { lifeCycle, log } = create(1);
  lifeCycle.exit(7);
  lifeCycle.exit(8);
  await ended();
  expect(log).toEqual(['destroy', 'quit', 'stop', 'exit 7']);
});

test('exit overrides a quit that waits for its windows', async () => {
  const { lifeCycle, events, log } = create(1);
  events.on('before-quit', () => lifeCycle.exit(3));
  lifeCycle.quit();
  await ended();
  expect(log.filter((event) => event.startsWith('exit'))).toEqual(['exit 3']);
});

test('the last window quits the app unless it listens to window-all-closed, which a quit never emits', async () => {
  const { lifeCycle, events, log } = create(0);
  events.on('window-all-closed', () => log.push('window-all-closed'));
  lifeCycle.lastWindowClosed();
  lifeCycle.quit();
  await ended();
  expect(log).toEqual(['window-all-closed', 'before-quit', 'will-quit', 'quit', 'stop', 'exit 0']);
});
