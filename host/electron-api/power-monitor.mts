// Electron's powerMonitor, based on logind's signals on the system bus.
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import type Electron from 'electron';
import { findProgram } from '../chromium/find-chromium.mts';
import { notImplemented, strict } from '../strict.mts';

export interface PowerMonitorHost {
  readonly powerMonitor: Electron.PowerMonitor;
  /** Stops monitoring, for the exit of the host. */
  stop(): void;
}

const events: readonly (string | symbol)[] = ['suspend', 'resume', 'shutdown', 'newListener', 'removeListener'];
const monitor = 'monitor --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1';

/** Ends gdbus when its stdin closes; by itself it would only notice at the next signal. */
const untilStdinCloses = `"$0" ${monitor} & cat; kill $!`;

/** The event in a line of `gdbus monitor`, or null. */
export function powerEvent(line: string): 'suspend' | 'resume' | 'shutdown' | null {
  const [, what, begins] = /\.PrepareFor(Sleep|Shutdown) \((true|false),\)/.exec(line) ?? [];
  if (what === 'Sleep') return begins === 'true' ? 'suspend' : 'resume';
  return what === 'Shutdown' && begins === 'true' ? 'shutdown' : null;
}

/** Starts gdbus with the first listener. Without gdbus, a system bus or logind there are no events; unsupported events throw. */
export function createPowerMonitor(): PowerMonitorHost {
  const emitter = new EventEmitter();
  let child: ChildProcess | undefined;

  const watch = (): void => {
    const path = findProgram('gdbus');
    if (child || path === undefined) return;
    const started = spawn('/bin/sh', ['-c', untilStdinCloses, path], { stdio: ['pipe', 'pipe', 'ignore'] });
    child = started;
    started.once('error', () => undefined);
    started.stdin.on('error', () => undefined);
    createInterface(started.stdout).on('line', (line) => {
      const event = powerEvent(line);
      if (event) emitter.emit(event);
    });
  };

  emitter.on('newListener', (name: string | symbol) => {
    if (!events.includes(name)) throw notImplemented(`powerMonitor event ${String(name)}`);
    watch();
  });
  return {
    powerMonitor: strict('powerMonitor', emitter) as unknown as Electron.PowerMonitor,
    stop: () => void child?.stdin?.end(),
  };
}
