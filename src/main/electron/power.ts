import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { Runner } from '../core/jobs/scheduler.ts';

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
  runner: Pick<Runner, 'sleep' | 'wake' | 'onActivity'>,
): () => void {
  let blocker: number | null = null;

  function keepAwake(wanted: boolean): void {
    if (wanted) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== null) {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  }

  const endActivity = runner.onActivity(keepAwake);
  powerMonitor.on('suspend', runner.sleep);
  powerMonitor.on('resume', runner.wake);
  return () => {
    endActivity();
    powerMonitor.off('suspend', runner.sleep);
    powerMonitor.off('resume', runner.wake);
    keepAwake(false);
  };
}
