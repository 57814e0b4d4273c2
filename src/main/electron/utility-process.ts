import { utilityProcess } from 'electron';
import { join } from 'node:path';
import { type SpawnService, withoutSecrets } from '../core/child-process.ts';

/** Starts our entry points as utility processes: they have no window and end with the app. */
export const createSpawnService =
  (entryFolder: string): SpawnService =>
  (entry) => {
    const child = utilityProcess.fork(join(entryFolder, `${entry}.js`), [], {
      serviceName: `Timbre ${entry}`,
      env: withoutSecrets(process.env),
      stdio: 'inherit',
    });
    return {
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.once('exit', listener),
      kill: () => void child.kill(),
    };
  };
