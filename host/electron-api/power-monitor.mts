// Electron's powerMonitor through what logind announces on the system's bus.
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import type Electron from 'electron';
import { findProgram } from '../chromium/find-chromium.mts';
import { notImplemented, strict } from '../strict.mts';

export interface PowerMonitorHost {
  readonly powerMonitor: Electron.PowerMonitor;
  /** For the moment the host itself goes. */
  stop(): void;
}

const events: readonly (string | symbol)[] = ['suspend', 'resume', 'shutdown', 'newListener', 'removeListener'];
const monitor = 'monitor --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1';

/** Ends gdbus when the host's end of stdin closes: it would not notice before the next time that the machine sleeps. */
const untilStdinCloses = `"$0" ${monitor} & cat; kill $!`;

/** The event that a line of `gdbus monitor` announces, or null. */
export function powerEvent(line: string): 'suspend' | 'resume' | 'shutdown' | null {
  const [, what, begins] = /\.PrepareFor(Sleep|Shutdown) \((true|false),\)/.exec(line) ?? [];
  if (what === 'Sleep') return begins === 'true' ? 'suspend' : 'resume';
  return what === 'Shutdown' && begins === 'true' ? 'shutdown' : null;
}

/** Listens from the first listener on. Without gdbus, a system's bus or a logind there are no events; other events throw. */
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
