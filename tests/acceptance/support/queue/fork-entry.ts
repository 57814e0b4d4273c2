import { fork } from 'node:child_process';
import type { SpawnService } from '../../../../src/main/core/child-process.ts';

const entries = {
  engine: new URL('../../../../src/processes/engine.ts', import.meta.url),
  keychain: new URL('../../../../src/processes/keychain.ts', import.meta.url),
  scanner: new URL('../../../../src/processes/scanner.ts', import.meta.url),
};

/** Starts our process entries from source, as children that end with their parent. */
export const forkEntry: SpawnService = (entry) => {
  const child = fork(entries[entry], [], { execArgv: [] });
  return {
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill('SIGKILL'),
  };
};
