import type { App, PowerMonitor } from 'electron';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { QuitRequest } from '../../shared/schemas/app.ts';
import type { JobEvent } from '../core/jobs/job-store.ts';
import { createListeners } from '../core/events.ts';
import { createQuitGuard } from './quit.ts';

/** An app with a queue, whose quit asks `before-quit` as Electron does. */
function running(open = 3, platform: NodeJS.Platform = 'linux') {
  const state = {
    open,
    adding: 0,
    atService: 1,
    canAsk: true,
    canOpen: false,
    shows: 0,
    quits: 0,
    lastActs: 0,
    goneOn: 0,
    isClosed: false,
  };
  const appEvents = new EventEmitter();
  const powerMonitor = new EventEmitter();
  const signals = new EventEmitter();
  const events = createListeners<JobEvent>();
  const additions = createListeners<void>();
  const requests: QuitRequest[] = [];
  const unasked: number[] = [];
  const later: (() => void)[] = [];
  const whenLoaded: (() => void)[] = [];
  let finished = Promise.withResolvers<undefined>();

  const prevented = (emit: (event: { preventDefault(): void }) => void) => {
    let isPrevented = false;
    emit({ preventDefault: () => void (isPrevented = true) });
    return isPrevented;
  };
  const requestQuit = () => {
    const isHeld = prevented((event) => appEvents.emit('before-quit', event));
    if (!isHeld) {
      state.quits += 1;
      appEvents.emit('quit');
    }
    return isHeld ? 'held' : 'gone';
  };
  const guard = createQuitGuard({
    app: Object.assign(appEvents, { quit: requestQuit }) as unknown as App,
    powerMonitor: powerMonitor as PowerMonitor,
    signals,
    platform,
    canAsk: () => state.canAsk,
    canOpen: () => state.canOpen,
    show: () => void (state.shows += 1),
    showAndRun: (run) => {
      state.shows += 1;
      whenLoaded.push(run);
    },
    emitRequest: (request) => requests.push(request),
    after: (_ms, run) => later.push(run),
    onUnasked: (left) => unasked.push(left),
    onError: (error) => expect.fail(String(error)),
  });
  const count = () => {
    if (state.isClosed) throw new Error('the database is closed');
    return state.open;
  };
  const connect = () =>
    guard.watchQueue({
      store: { countUnfinished: count, onEvent: events.add },
      submitJobs: { countAdding: () => state.adding, onAdded: additions.add },
      scheduler: {
        unansweredPaidCalls: () => state.atService,
        drain: () => finished.promise,
        cancelDrain: () => {
          state.goneOn += 1;
          finished = Promise.withResolvers();
        },
      },
    });
  connect();
  return {
    ...guard,
    state,
    requests,
    unasked,
    load() {
      state.canAsk = true;
      whenLoaded.splice(0).forEach((run) => run());
    },
    /** Ends the wait that began first. */
    waitOnce: () => later.shift()?.(),
    wait: () => later.splice(0).forEach((run) => run()),
    powerMonitor,
    signals,
    requestQuit,
    close: () => (prevented(guard.onClose) ? 'held' : 'gone'),
    change(change: Partial<typeof state>) {
      Object.assign(state, change);
      events.emit({ kind: 'upserted', jobs: [] });
    },
    endAdding() {
      state.adding = 0;
      additions.emit();
    },
    async finish() {
      finished.resolve(undefined);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const ways = ['close', 'requestQuit'] as const;

describe.each(ways)('quitting by %s', (way) => {
  it('with open work is held, and the focused window asks', () => {
    const app = running();
    expect(app[way]()).toBe('held');
    expect([app.requests, app.state.shows]).toEqual([[{ open: 3, adding: 0, atService: 1, question: 1 }], 1]);
  });

  it('without open work waits only for the page to send what it holds (U2)', () => {
    const app = running(0);
    expect([app[way](), app.requests, app.state.shows]).toEqual([
      'held',
      [{ open: 0, adding: 0, atService: 1, question: 1 }],
      0,
    ]);
    expect(app.state.quits).toBe(0);
    app.quit('now');
    expect([app.state.quits, app.requestQuit(), app.unasked]).toEqual([1, 'gone', []]);
    app.wait();
    expect(app.state.quits).toBe(2);
  });

  it('without open work does not wait for a page that does not respond', () => {
    const app = running(0);
    app[way]();
    app.wait();
    expect(app.state.quits).toBe(1);
  });

  it('asks if work was added meanwhile', () => {
    const app = running(0);
    app[way]();
    app.change({ open: 2 });
    app.wait();
    expect([app.state.quits, app.requests.at(-1)?.open]).toEqual([0, 2]);
  });

  it('and cancelling changes nothing, and asks again next time', () => {
    const app = running();
    app[way]();
    app.cancelQuit(app.requests.at(-1)?.question ?? 0);
    expect(app.state.quits).toBe(0);
    app.change({ open: 2 });
    expect(app.requests).toHaveLength(1);
    expect(app[way]()).toBe('held');
    expect(app.requests.at(-1)).toEqual({ open: 2, adding: 0, atService: 1, question: 2 });
  });

  it('and a late answer does not count for the next question', () => {
    const app = running();
    app[way]();
    app[way]();
    app.cancelQuit(1);
    app.quit('now');
    expect(app.state.quits).toBe(1);
  });

  it('and confirming quits without another question', () => {
    const app = running();
    app[way]();
    app.quit('now');
    expect([app.state.quits, app.requests.length, app.close(), app.requestQuit()]).toEqual([1, 1, 'gone', 'gone']);
  });

  it('and waiting for all replies quits then, not before', async () => {
    const app = running();
    app[way]();
    app.quit('answered');
    expect(app.state.quits).toBe(0);
    await app.finish();
    expect(app.state.quits).toBe(1);
  });
});

describe('what is done last', () => {
  it('is done when the app has quit, and not before', () => {
    const app = running();
    app.quitThen(() => (app.state.lastActs += 1));
    expect([app.requests.length, app.state.lastActs]).toEqual([1, 0]);
    app.quit('now');
    expect([app.state.quits, app.state.lastActs]).toEqual([1, 1]);
  });

  it('is not done if the user cancels, and quits later', () => {
    const app = running();
    app.quitThen(() => (app.state.lastActs += 1));
    app.cancelQuit(1);
    app.requestQuit();
    app.quit('now');
    expect([app.state.quits, app.state.lastActs]).toEqual([1, 0]);
  });

  it('is done once, however often it was asked for', () => {
    const app = running();
    app.quitThen(() => (app.state.lastActs += 1));
    app.quitThen(() => (app.state.lastActs += 1));
    app.quit('now');
    expect(app.state.lastActs).toBe(1);
  });
});

describe('what quits in place of the app', () => {
  it('does so once the user has confirmed, and not before', () => {
    const app = running();
    let calls = 0;
    app.quitBy(() => (calls += 1));
    expect([app.requests.length, calls]).toEqual([1, 0]);
    app.quit('now');
    expect([calls, app.state.quits, app.requestQuit()]).toEqual([1, 0, 'gone']);
  });

  it('does not after the user has cancelled, and does when asked again', () => {
    const app = running();
    let calls = 0;
    app.quitBy(() => (calls += 1));
    app.cancelQuit(1);
    expect(app.close()).toBe('held');
    app.cancelQuit(2);
    app.quitBy(() => (calls += 1));
    app.quit('now');
    expect([calls, app.state.quits]).toEqual([1, 0]);
    const other = running();
    other.quitBy(() => expect.unreachable());
    other.cancelQuit(1);
    other.requestQuit();
    other.quit('now');
    expect(other.state.quits).toBe(1);
  });
});

describe('while services have not replied', () => {
  it('confirming quits at once', async () => {
    const app = running();
    app.requestQuit();
    app.quit('answered');
    app.quit('now');
    expect(app.state.quits).toBe(1);
    await app.finish();
    expect(app.state.quits).toBe(1);
  });

  it('cancelling resumes the queue', async () => {
    const app = running();
    app.requestQuit();
    app.quit('answered');
    app.cancelQuit(app.requests.at(-1)?.question ?? 0);
    await app.finish();
    expect([app.state.goneOn, app.state.quits]).toEqual([1, 0]);
  });

  it('the counts are sent again only when they change', () => {
    const app = running();
    app.requestQuit();
    app.quit('answered');
    app.change({ atService: 0, open: 2 });
    app.change({});
    expect(app.requests).toEqual([
      { open: 3, adding: 0, atService: 1, question: 1 },
      { open: 2, adding: 0, atService: 0, question: 1 },
    ]);
  });

  it('quitting again asks again', () => {
    const app = running();
    app.close();
    app.quit('answered');
    expect([app.close(), app.requests.length]).toEqual(['held', 2]);
  });
});

it('waits for the answer while recordings are being added, and says how many', () => {
  const app = running(0);
  app.change({ adding: 2 });
  expect([app.requestQuit(), app.state.shows, app.requests.at(-1)?.adding]).toEqual(['held', 1, 2]);
  app.wait();
  expect(app.state.quits).toBe(0);
  app.quit('now');
  expect(app.state.quits).toBe(1);
});

it('says when recordings were added, also if that made no job', () => {
  const app = running(0);
  app.change({ adding: 2 });
  app.requestQuit();
  app.endAdding();
  expect(app.requests.at(-1)).toMatchObject({ open: 0, adding: 0 });
});

describe('without a window', () => {
  const hidden = (open = 3) => {
    const app = running(open);
    Object.assign(app.state, { canAsk: false, canOpen: true });
    return app;
  };

  it('quitting opens one, which asks about open work', () => {
    const app = hidden();
    expect([app.requestQuit(), app.requestQuit(), app.state.shows, app.requests]).toEqual(['held', 'held', 1, []]);
    app.load();
    app.wait();
    expect([app.requests.map(({ open }) => open), app.state.quits, app.unasked]).toEqual([[3], 0, []]);
    app.quit('now');
    expect(app.state.quits).toBe(1);
  });

  it('quitting opens one while recordings are being added', () => {
    const app = hidden(0);
    app.change({ adding: 1 });
    expect([app.requestQuit(), app.state.shows]).toEqual(['held', 1]);
  });

  it('quitting needs none if no work is open', () => {
    const app = hidden(0);
    expect([app.requestQuit(), app.state.shows, app.unasked]).toEqual(['gone', 0, []]);
  });

  it('quitting waits ten seconds at most for one that does not load, and reports what is open', () => {
    const app = hidden();
    app.requestQuit();
    app.wait();
    expect([app.state.quits, app.unasked]).toEqual([1, [3]]);
  });
});

it('the wait of an earlier quit does not end a later one', () => {
  const app = running();
  for (const answers of [true, false]) {
    Object.assign(app.state, { canAsk: false, canOpen: true });
    app.requestQuit();
    if (!answers) continue;
    app.load();
    app.cancelQuit(app.requests.at(-1)?.question ?? 0);
  }
  app.waitOnce();
  expect([app.state.quits, app.unasked]).toEqual([0, []]);
  app.waitOnce();
  expect([app.state.quits, app.unasked]).toEqual([1, [3]]);
});

describe('no question is asked', () => {
  it('without a page: the program exits and reports what is open, once', () => {
    const app = running();
    app.state.canAsk = false;
    expect([app.close(), app.requestQuit(), app.requestQuit()]).toEqual(['gone', 'gone', 'gone']);
    expect([app.requests, app.unasked]).toEqual([[], [3]]);
  });

  it('when the page is gone while it asks', () => {
    const app = running();
    app.requestQuit();
    app.state.canAsk = false;
    expect([app.requestQuit(), app.unasked]).toEqual(['gone', [3]]);
  });

  it('when the system shuts down', () => {
    const app = running();
    app.powerMonitor.emit('shutdown');
    expect([app.requestQuit(), app.requests, app.unasked]).toEqual(['gone', [], []]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('when %s ends the program', (signal) => {
    const app = running();
    app.signals.emit(signal);
    expect([app.state.quits, app.requests, app.unasked]).toEqual([1, [], []]);
  });

  it('when macOS closes a window, which does not end the program', () => {
    const app = running(3, 'darwin');
    expect([app.close(), app.requests]).toEqual(['gone', []]);
    expect([app.requestQuit(), app.requests.length]).toEqual(['held', 1]);
  });

  it('once the queue was closed while quitting', () => {
    const app = running();
    app.beginQuit();
    app.state.isClosed = true;
    expect([app.requestQuit(), app.close()]).toEqual(['gone', 'gone']);
  });
});

it('an answer to no question is ignored', () => {
  const app = running();
  app.quit('now');
  app.quit('answered');
  app.cancelQuit(app.requests.at(-1)?.question ?? 0);
  expect([app.state.quits, app.state.goneOn]).toEqual([0, 0]);
});
