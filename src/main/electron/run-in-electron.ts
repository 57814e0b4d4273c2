import type { App } from 'electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CreateSpawnService } from '../core/child-process.ts';

interface Host {
  readonly app: Pick<App, 'whenReady' | 'exit' | 'getPath' | 'setPath' | 'setActivationPolicy' | 'on'>;
  readonly platform: NodeJS.Platform;
  readonly process: Pick<
    NodeJS.Process,
    'rawListeners' | 'removeAllListeners' | 'on' | 'off' | 'once' | 'emit' | 'stdout' | 'stderr' | 'exitCode'
  >;
  /** Needs an app that is ready. */
  readonly createSpawnService: CreateSpawnService;
}

/** Chromium replaces the handlers that were installed before it started, also those of signals that nothing listens to any more. */
function reinstallSignalHandlers(process: Host['process']): void {
  const installHandler = () => undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const listeners = process.rawListeners(signal) as NodeJS.SignalsListener[];
    process.removeAllListeners(signal);
    process.on(signal, installHandler);
    for (const listener of listeners) process.on(signal, listener);
    process.off(signal, installHandler);
  }
}

/** Creates an empty folder for Chromium, which is deleted when the process exits. */
function createSessionFolder({ app, process }: Pick<Host, 'app' | 'process'>): string {
  const create = (parent: string) => mkdtempSync(join(parent, 'timbre-session-'));
  let folder: string;
  try {
    folder = create(tmpdir());
  } catch {
    folder = create(app.getPath('home'));
  }
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Chromium may still have files open. The exit code must not depend on it.
    }
  });
  return folder;
}

/** Resolves when all that was written has left the process, or its reader is gone. */
const flush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

const longMs = 1 << 30;

/**
 * Runs a command in Electron's main process and ends the process with the command's exit code. Electron starts Chromium once the
 * app's code has been evaluated, so the promise, which that code awaits, resolves only when the command needs a process of its own:
 * most never do.
 */
export async function runInElectron(
  { app, platform, process, createSpawnService }: Host,
  run: (createSpawnService: CreateSpawnService) => Promise<number>,
): Promise<void> {
  // Otherwise macOS shows an icon in the Dock for as long as the command runs.
  if (platform === 'darwin') app.setActivationPolicy('prohibited');
  // In Node a rejection that nothing handles is such an exception; Electron would only print it.
  process.on('unhandledRejection', (error) => {
    throw error;
  });
  const chromium = Promise.withResolvers<void>();
  let ready: Promise<void> | undefined;

  async function startChromium(): Promise<void> {
    app.setPath('userData', createSessionFolder({ app, process }));
    // Until the handlers are ours again, Chromium takes each signal for a request to quit.
    app.on('before-quit', (event) => {
      event.preventDefault();
      process.emit('SIGTERM');
    });
    chromium.resolve();
    await app.whenReady();
    // Signals that have arrived are dispatched first.
    await nextTurn();
    reinstallSignalHandlers(process);
  }

  // Electron would also go on if nothing else kept the event loop running.
  const keepAlive = setInterval(() => undefined, longMs);
  async function runToEnd(): Promise<void> {
    const code = await run((onLine) => (entry) => {
      const child = (ready ??= startChromium()).then(() => createSpawnService(onLine)(entry));
      return {
        send: (message) => void child.then(({ send }) => send(message)),
        onMessage: (listener) => void child.then(({ onMessage }) => onMessage(listener)),
        onExit: (listener) => void child.then(({ onExit }) => onExit(listener)),
        kill: () => void child.then(({ kill }) => kill()),
      };
    });
    // `process.exit` returns in Electron; its code is the first, and counts.
    process.exitCode ??= code;
    await Promise.all([flush(process.stdout), flush(process.stderr)]);
    clearInterval(keepAlive);
    app.exit(Number(process.exitCode));
  }
  await Promise.race([runToEnd(), chromium.promise]);
}
