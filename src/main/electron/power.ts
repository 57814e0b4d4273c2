import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { Scheduler } from '../core/jobs/scheduler.ts';

interface Dependencies {
  readonly powerMonitor: Pick<PowerMonitor, 'on' | 'off'>;
  readonly powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
}

/**
 * Keeps the machine awake while a service is working, and reports sleep and wake to the queue. The
 * display may turn off. Returns a function that ends it.
 */
export function connectPower(
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
