import type { App, NativeImage } from 'electron';
import { describe, expect, it } from 'vitest';
import { type Activity, noActivity } from '../core/activity.ts';
import { createTaskbar } from './taskbar.ts';

/** A taskbar that writes down what it is told. */
function setUp(platform: NodeJS.Platform, hasWindow = true) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): boolean => {
      calls.push([name, ...args]);
      return true;
    };
  const state = {
    window: hasWindow ? { setProgressBar: note('progress'), setOverlayIcon: note('overlay') } : undefined,
  };
  const show = createTaskbar({
    app: { setBadgeCount: note('count'), dock: { setBadge: note('badge') } } as unknown as App,
    platform,
    window: () => state.window,
    attentionIcon: () => 'icon' as unknown as NativeImage,
  });
  const showActivity = (activity: Partial<Activity>) => show({ ...noActivity, ...activity }, 'Needs attention');
  return { show: showActivity, state, take: () => calls.splice(0) };
}

describe('the taskbar', () => {
  it('shows the progress of the batch, and nothing between batches', () => {
    const { show, take } = setUp('win32');
    show({ progress: 0.25 });
    show({ progress: 0.25 });
    show({ progress: null });
    expect(take()).toEqual([
      ['progress', 0.25, { mode: 'normal' }],
      ['overlay', null, ''],
      ['progress', -1, { mode: 'none' }],
      ['overlay', null, ''],
    ]);
  });

  it('shows a pause, and that the user is needed', () => {
    const { show, take } = setUp('win32');
    show({ progress: 0.5, isPausedByUser: true });
    show({ progress: 0.5, isPausedByUser: true, attention: 2 });
    expect(take()).toEqual([
      ['progress', 0.5, { mode: 'paused' }],
      ['overlay', null, ''],
      ['progress', 0.5, { mode: 'error' }],
      ['overlay', 'icon', 'Needs attention'],
    ]);
  });

  it.each<[NodeJS.Platform, unknown[], unknown[]]>([
    ['darwin', ['badge', '3'], ['badge', '']],
    ['linux', ['count', 3], ['count', 0]],
  ])('has a badge on %s with how much needs the user, also without a window', (platform, needed, not) => {
    const { show, take } = setUp(platform, false);
    show({ attention: 3 });
    show({});
    expect(take()).toEqual([needed, not]);
  });

  it('is filled again for another window', () => {
    const { show, state, take } = setUp('linux');
    show({ progress: 0.5 });
    state.window = { ...(state.window ?? setUp('linux').state.window) } as typeof state.window;
    take();
    show({ progress: 0.5 });
    expect(take()[0]).toEqual(['progress', 0.5, { mode: 'normal' }]);
  });
});
