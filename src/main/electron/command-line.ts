import type { App } from 'electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateSpawnService } from '../core/child-process.ts';

interface Host {
  readonly app: Pick<App, 'whenReady' | 'exit' | 'setPath' | 'setActivationPolicy'>;
  readonly platform: NodeJS.Platform;
  readonly process: Pick<
    NodeJS.Process,
    'rawListeners' | 'removeAllListeners' | 'on' | 'once' | 'stdout' | 'stderr' | 'exitCode'
  >;
  /** Needs an app that is ready. */
  readonly createSpawnService: CreateSpawnService;
}

/** Chromium replaces handlers of signals that were installed before it started. */
function reinstallSignalHandlers(process: Host['process']): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const listeners = process.rawListeners(signal) as NodeJS.SignalsListener[];
    process.removeAllListeners(signal);
    for (const listener of listeners) process.on(signal, listener);
  }
}

/** Resolves when all that was written has left the process, or its reader is gone. */
const flush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

/**
 * Runs a command in Electron's main process and ends it with the exit code. Electron starts Chromium once the app's code has been
 * evaluated, so the promise, which that code awaits, resolves only when the command needs a process of its own: most never do.
 */
export async function runInElectron(
  { app, platform, process, createSpawnService }: Host,
  run: (createSpawnService: CreateSpawnService) => Promise<number>,
): Promise<void> {
  // Otherwise macOS shows an icon in the Dock for as long as the command runs.
  if (platform === 'darwin') app.setActivationPolicy('prohibited');
  const chromium = Promise.withResolvers<void>();
  let ready: Promise<void> | undefined;

  function startChromium(): Promise<void> {
    // The files of Chromium's session: nothing of a command is in them, and those of a Timbre that runs are in use.
    const folder = mkdtempSync(join(tmpdir(), 'timbre-session-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    app.setPath('userData', folder);
    chromium.resolve();
    return app.whenReady().then(() => reinstallSignalHandlers(process));
  }

  const ended = run((onLine) => (entry) => {
    const child = (ready ??= startChromium()).then(() => createSpawnService(onLine)(entry));
    return {
      send: (message) => void child.then(({ send }) => send(message)),
      onMessage: (listener) => void child.then(({ onMessage }) => onMessage(listener)),
      onExit: (listener) => void child.then(({ onExit }) => onExit(listener)),
      kill: () => void child.then(({ kill }) => kill()),
    };
  }).then(async (code) => {
    process.exitCode = code;
    await Promise.all([flush(process.stdout), flush(process.stderr)]);
    app.exit(code);
  });
  await Promise.race([ended, chromium.promise]);
}
