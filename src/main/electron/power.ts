import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { Scheduler } from '../core/jobs/scheduler.ts';

interface Dependencies {
  readonly powerMonitor: Pick<PowerMonitor, 'on' | 'off'>;
  readonly powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
}

/**
 * Keeps the machine awake while something is under way at a service, and tells the queue when it sleeps all the same. The display
 * may go dark. Ends with the function it returns.
 */
export function attendPower(
  { powerMonitor, powerSaveBlocker }: Dependencies,
  scheduler: Pick<Scheduler, 'sleep' | 'wake' | 'onActivity'>,
): () => void {
  let blocker: number | null = null;

  function keepAwake(wanted: boolean): void {
    if (wanted) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== null) {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  }

  const endActivity = scheduler.onActivity(keepAwake);
  powerMonitor.on('suspend', scheduler.sleep);
  powerMonitor.on('resume', scheduler.wake);
  return () => {
    endActivity();
    powerMonitor.off('suspend', scheduler.sleep);
    powerMonitor.off('resume', scheduler.wake);
    keepAwake(false);
  };
}
