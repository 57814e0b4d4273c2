import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type SpawnService, withoutSecrets } from '../main/core/child-process.ts';

/** Starts our entries as forked processes. What they print is for whoever looks for a defect: a person is told by the command. */
export const createForkService =
  (entryFolder: string, onSaid: ((entry: string, line: string) => void) | null): SpawnService =>
  (entry) => {
    const said = onSaid ? 'pipe' : 'ignore';
    const child = fork(join(entryFolder, `${entry}.js`), [], {
      env: withoutSecrets(process.env),
      stdio: ['ignore', said, said, 'ipc'],
      execArgv: [],
    });
    for (const input of [child.stdout, child.stderr]) {
      if (input) createInterface({ input }).on('line', (line) => onSaid?.(entry, line));
    }
    let ended = false;
    const end = new Promise<void>((resolve) => {
      child.once('exit', resolve);
      child.once('error', () => resolve());
    }).then(() => void (ended = true));
    return {
      send: (message) => {
        // The channel may close between a check and the call; an engine that is gone says so by its exit.
        if (!ended && child.connected) child.send(message as object, () => undefined);
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void end.then(listener),
      kill: () => void child.kill(),
    };
  };
