import { utilityProcess } from 'electron';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ServiceLineListener, type SpawnService, withoutSecrets } from '../core/child-process.ts';

/**
 * Starts our entry points as utility processes: they have no window and end with the app. What they print goes where Timbre's own
 * output goes, or line by line to `onLine`, if that is given; nowhere if it is null.
 */
export const createSpawnService =
  (entryFolder: string, onLine?: ServiceLineListener | null): SpawnService =>
  (entry) => {
    const child = utilityProcess.fork(join(entryFolder, `${entry}.js`), [], {
      serviceName: `Timbre ${entry}`,
      env: withoutSecrets(process.env),
      stdio: onLine === undefined ? 'inherit' : onLine === null ? 'ignore' : 'pipe',
    });
    if (onLine) {
      for (const input of [child.stdout, child.stderr]) {
        if (input) createInterface({ input }).on('line', (line) => onLine(entry, line));
      }
    }
    return {
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.once('exit', listener),
      kill: () => void child.kill(),
    };
  };
