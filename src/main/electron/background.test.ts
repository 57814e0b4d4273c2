import { describe, expect, it } from 'vitest';
import type { BackgroundPlace, CloseRequest } from '../../shared/schemas/app.ts';
import type { CloseAction } from '../../shared/schemas/settings.ts';
import { noActivity } from '../core/activity.ts';
import { createBackground } from './background.ts';

interface Situation {
  readonly platform?: NodeJS.Platform;
  readonly place?: BackgroundPlace;
  readonly closeAction?: CloseAction;
  readonly open?: number;
  readonly folders?: number;
  readonly canAsk?: boolean;
  readonly isMinimized?: boolean;
  readonly isUnknown?: boolean;
  readonly isQuitting?: boolean;
}

/** A window in a situation. */
function setUp(situation: Situation) {
  const { platform = 'linux', place = 'tray', closeAction = 'ask', open = 0, folders = 0 } = situation;
  const done: string[] = [];
  const requests: CloseRequest[] = [];
  const note = (what: string) => () => void done.push(what);
  const shown = { times: 0 };
  const waits: (() => void)[] = [];
  let found = place;
  const { onClose, enter, enterAtSignIn } = createBackground({
    platform,
    window: {
      hide: note('hidden'),
      minimize: note('minimized'),
      isMinimized: () => situation.isMinimized ?? false,
      shows: () => shown.times,
      isListening: () => situation.canAsk ?? true,
    },
    closeAction: () => closeAction,
    activity: () => (situation.isUnknown ? undefined : { ...noActivity, open, folders }),
    isQuitting: () => situation.isQuitting ?? false,
    place: () => Promise.resolve(found),
    sleep: () => new Promise((resolve) => waits.push(resolve)),
    emitCloseRequest: (request) => requests.push(request),
    onEntered: note('told'),
    closeAndQuit: note('quit'),
    onError: (error) => expect.fail(String(error)),
  });
  return {
    enter,
    enterAtSignIn,
    /** The panel with the tray starts. */
    startPanel: () => void (found = 'tray'),
    /** A second passes. */
    async tick() {
      await new Promise(setImmediate);
      waits.splice(0).forEach((end) => end());
      await new Promise(setImmediate);
    },
    done,
    requests,
    show: () => void (shown.times += 1),
    async close() {
      onClose({ preventDefault: note('kept open') });
      await new Promise(setImmediate);
    },
  };
}

/** Closes a window in a situation, and returns what happened. */
async function close(situation: Situation) {
  const window = setUp(situation);
  await window.close();
  return { done: window.done, requests: window.requests };
}

describe('closing the window', () => {
  it('asks the first time, while a folder is watched or jobs are open', async () => {
    expect(await close({ folders: 2 })).toEqual({
      done: ['kept open'],
      requests: [{ open: 0, folders: 2, place: 'tray' }],
    });
    expect((await close({ open: 3, place: 'taskbar' })).requests).toEqual([{ open: 3, folders: 0, place: 'taskbar' }]);
  });

  it('hides the window once the user has decided to keep Timbre running, and minimizes it without a tray', async () => {
    const action = { closeAction: 'background', folders: 1 } as const;
    expect((await close(action)).done).toEqual(['kept open', 'hidden', 'told']);
    expect((await close({ ...action, place: 'taskbar' })).done).toEqual(['kept open', 'minimized', 'told']);
  });

  it.each<[string, Situation]>([
    ['nothing is left to do', { closeAction: 'background' }],
    ['nothing is left to do and the user has not decided', {}],
    ['the user has decided so', { closeAction: 'quit', folders: 1, open: 1 }],
    ['the page cannot ask and only jobs are open, which resume later', { canAsk: false, open: 1 }],
  ])('quits if %s', async (_why, situation) => {
    expect(await close(situation)).toEqual({ done: ['quit'], requests: [] });
  });

  it('keeps a watching Timbre running if its page cannot ask', async () => {
    expect((await close({ canAsk: false, folders: 1 })).done).toEqual(['kept open', 'hidden', 'told']);
  });

  it('only closes it on macOS, and while Timbre quits', async () => {
    expect((await close({ platform: 'darwin', folders: 1 })).done).toEqual([]);
    expect((await close({ isQuitting: true, folders: 1 })).done).toEqual([]);
  });

  it('follows the choice while it is not known yet whether there is something to do', async () => {
    expect((await close({ isUnknown: true, closeAction: 'background' })).done).toEqual(['kept open', 'hidden', 'told']);
    expect((await close({ isUnknown: true })).done).toEqual(['quit']);
  });

  it('quits where Timbre minimized it because there is no tray, but not where the user did', async () => {
    const window = setUp({ closeAction: 'background', folders: 1, isMinimized: true, place: 'taskbar' });
    await window.close();
    await window.close();
    expect(window.done).toEqual(['kept open', 'minimized', 'told', 'quit']);
    const other = setUp({ closeAction: 'background', folders: 1, isMinimized: true });
    await other.close();
    await other.close();
    expect(other.done).not.toContain('quit');
  });
});

it('a window that the user opens while the bus is asked stays open', async () => {
  const { enter, show, done } = setUp({ folders: 1 });
  const entering = enter();
  show();
  await entering;
  expect(done).toEqual([]);
});

describe('opened at sign-in', () => {
  it('Timbre waits for a panel that starts after it', async () => {
    const { enterAtSignIn, startPanel, tick, done } = setUp({ folders: 1, place: 'taskbar' });
    const entering = enterAtSignIn();
    await tick();
    expect(done).toEqual([]);
    startPanel();
    await tick();
    await entering;
    expect(done).toEqual(['hidden', 'told']);
  });

  it('Timbre is minimized if no panel shows it within 20 seconds', async () => {
    const { enterAtSignIn, tick, done } = setUp({ folders: 1, place: 'taskbar' });
    const entering = enterAtSignIn();
    for (let seconds = 0; seconds < 20; seconds += 1) await tick();
    await entering;
    expect(done).toEqual(['minimized', 'told']);
  });

  it('a window that the user opens meanwhile stays open', async () => {
    const { enterAtSignIn, show, tick, done } = setUp({ folders: 1, place: 'taskbar' });
    const entering = enterAtSignIn();
    show();
    for (let seconds = 0; seconds < 20; seconds += 1) await tick();
    await entering;
    expect(done).toEqual([]);
  });
});
