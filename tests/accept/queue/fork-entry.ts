import { fork } from 'node:child_process';
import type { SpawnService } from '../../../src/main/core/child-process.ts';

const entries = {
  engine: new URL('../../../src/engine/index.ts', import.meta.url),
  keychain: new URL('../../../src/keychain/index.ts', import.meta.url),
  watcher: new URL('../../../src/watcher/index.ts', import.meta.url),
};

/** Starts our entries from source, as children that end with whoever started them. */
export const forkEntry: SpawnService = (entry) => {
  const child = fork(entries[entry], [], { execArgv: [] });
  return {
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill('SIGKILL'),
  };
};
