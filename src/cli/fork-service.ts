import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ServiceLineListener, type SpawnService, withoutSecrets } from '../main/core/child-process.ts';

/** Starts our entries as forked processes. Their output goes to `onLine`; the user only sees what the command prints. */
export const createForkService =
  (entryFolder: string, onLine: ServiceLineListener | null): SpawnService =>
  (entry) => {
    const stream = onLine ? 'pipe' : 'ignore';
    const child = fork(join(entryFolder, `${entry}.js`), [], {
      env: withoutSecrets(process.env),
      stdio: ['ignore', stream, stream, 'ipc'],
      execArgv: [],
    });
    for (const input of [child.stdout, child.stderr]) {
      if (input) createInterface({ input }).on('line', (line) => onLine?.(entry, line));
    }
    let ended = false;
    const end = new Promise<void>((resolve) => {
      child.once('exit', resolve);
      child.once('error', () => resolve());
    }).then(() => void (ended = true));
    return {
      send: (message) => {
        // The channel may close between the check and the call; the exit event reports a dead process.
        if (!ended && child.connected) child.send(message as object, () => undefined);
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void end.then(listener),
      kill: () => void child.kill(),
    };
  };
