// The command line in a process of Node. An installed Timbre runs it in its own program: src/processes/program.ts.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type CreateSpawnService, withoutSecrets } from '../main/core/child-process.ts';
import { runCommandLine } from './command-line.ts';

const entryFolder = import.meta.dirname;

// As in program.ts.
process.env['UV_THREADPOOL_SIZE'] ??= '32';

/** Starts our entries as forked processes. The user only sees what the command prints. */
const createForkService: CreateSpawnService = (onLine) => (entry) => {
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

process.exitCode = await runCommandLine(process.argv.slice(2), { entryFolder, createSpawnService: createForkService });
