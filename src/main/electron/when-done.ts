import type { PowerMonitor, Shell } from 'electron';
import { countdownSeconds, type WhenDone } from '../../shared/schemas/app.ts';
import { createWhenDone, type WhenDoneControl } from '../core/when-done.ts';
import type { Notifications } from './notifications.ts';
import { changePower, type RunProgram, runProgram } from './change-power.ts';

type Core = Parameters<typeof createWhenDone>[0];

interface Dependencies extends Omit<Core, 'perform'> {
  readonly platform: NodeJS.Platform;
  readonly shell: Pick<Shell, 'showItemInFolder'>;
  readonly powerMonitor: Pick<PowerMonitor, 'once' | 'off'>;
  readonly notifications: Pick<Notifications, 'workEnded' | 'countsDown' | 'batchEnded'>;
  readonly run?: RunProgram;
}

/** What happens on this desktop when the work is done. */
export function createDesktopWhenDone(dependencies: Dependencies): WhenDoneControl {
  const { platform, shell, powerMonitor, notifications, run = runProgram, onChanged } = dependencies;

  async function change(action: 'sleep' | 'shut-down', report: () => void): Promise<void> {
    powerMonitor.once('resume', report);
    try {
      await changePower(action, platform, run);
    } catch (error) {
      powerMonitor.off('resume', report);
      throw error;
    }
  }

  return createWhenDone({
    ...dependencies,
    async perform(action, work) {
      if (action === 'notify') notifications.workEnded(work);
      else if (action === 'open-folder') {
        if (work.result !== null) shell.showItemInFolder(work.result);
      } else {
        // The user learns what failed once they wake the computer up.
        await change(action, () => {
          if (work.needAttention > 0) notifications.batchEnded(work);
        });
      }
    },
    onChanged(state: WhenDone) {
      const { action, secondsLeft } = state;
      if (secondsLeft === countdownSeconds && (action === 'sleep' || action === 'shut-down')) {
        notifications.countsDown(action, secondsLeft);
      }
      onChanged(state);
    },
  });
}
