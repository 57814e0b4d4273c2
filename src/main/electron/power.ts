import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { PowerSource } from '../../shared/schemas/app.ts';
import type { Scheduler } from '../core/jobs/scheduler.ts';

interface AwakeDependencies {
  readonly powerMonitor: Pick<PowerMonitor, 'on' | 'off'>;
  readonly powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
}

/**
 * Keeps the machine awake while a service is working, and reports sleep and wake to the queue. The
 * display may turn off. Returns a function that ends it.
 */
export function connectPower(
  { powerMonitor, powerSaveBlocker }: AwakeDependencies,
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

interface SourceDependencies {
  readonly platform: NodeJS.Platform;
  readonly powerMonitor: Pick<PowerMonitor, 'on' | 'off' | 'onBatteryPower'>;
}

const upower = ['--system', '--dest', 'org.freedesktop.UPower', '--object-path', '/org/freedesktop/UPower'];
const property = ['org.freedesktop.DBus.Properties.Get', 'org.freedesktop.UPower', 'OnBattery'];
/** A system bus answers in milliseconds, or in a second if it first starts UPower. */
const busTimeoutMs = 5000;
/** Ends gdbus when its stdin closes, also because Timbre was killed; by itself it would only notice at the next signal. */
const untilStdinCloses = `gdbus monitor ${upower.join(' ')} & cat; kill $!`;

async function askUPower(): Promise<PowerSource> {
  try {
    const call = ['call', ...upower, '--method', ...property];
    const { stdout } = await promisify(execFile)('gdbus', call, { timeout: busTimeoutMs });
    return stdout.includes('true') ? 'battery' : 'mains';
  } catch {
    return 'unknown';
  }
}

/** Where the computer gets its power from now. On Linux Electron does not know, and UPower is asked. */
export async function readPowerSource({ platform, powerMonitor }: SourceDependencies): Promise<PowerSource> {
  if (platform !== 'win32' && platform !== 'darwin') return askUPower();
  return powerMonitor.onBatteryPower ? 'battery' : 'mains';
}

/** Calls `listener` with the source of power as soon as it is known, and after each change. Returns a function that ends it. */
export function followPowerSource(
  dependencies: SourceDependencies,
  listener: (source: PowerSource) => void,
): () => void {
  const { platform, powerMonitor } = dependencies;
  let lastReading = 0;
  let isEnded = false;

  async function update(): Promise<void> {
    lastReading += 1;
    const reading = lastReading;
    const source = await readPowerSource(dependencies);
    if (reading === lastReading && !isEnded) listener(source);
  }
  const onChange = () => void update();
  // A change while the machine slept may not be reported.
  powerMonitor.on('resume', onChange);
  onChange();

  let endEvents: () => void;
  if (platform === 'win32' || platform === 'darwin') {
    powerMonitor.on('on-battery', onChange);
    powerMonitor.on('on-ac', onChange);
    endEvents = () => {
      powerMonitor.off('on-battery', onChange);
      powerMonitor.off('on-ac', onChange);
    };
  } else {
    const monitor = spawn('/bin/sh', ['-c', untilStdinCloses], { stdio: ['pipe', 'pipe', 'ignore'] });
    // Without a shell or a bus, only the first answer counts.
    monitor.once('error', () => undefined);
    monitor.stdin.on('error', () => undefined);
    // A signal is only a hint: what it says is read, as at the start.
    monitor.stdout.on('data', onChange);
    endEvents = () => monitor.stdin.end();
  }
  return () => {
    isEnded = true;
    powerMonitor.off('resume', onChange);
    endEvents();
  };
}
