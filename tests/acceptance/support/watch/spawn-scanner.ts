import { fileURLToPath } from 'node:url';
import type { SpawnService } from '../../../../src/main/core/child-process.ts';
import type { ScenarioContext } from '../scenario.ts';

const entry = fileURLToPath(new URL('../../../../src/processes/scanner.ts', import.meta.url));

/** The watcher's processes of a scenario, as the app starts them. */
export interface ScannerProcesses {
  readonly spawnService: SpawnService;
  /** Of the process that was started last: the watcher, or the program before it. */
  readonly pid: () => number;
  readonly started: () => number;
}

/** `prefix` is a program before the watcher, with its arguments: a tracer, or a shell with other limits. It must hand on what it inherits. */
export function scannersBy(
  { spawn }: Pick<ScenarioContext, 'spawn'>,
  prefix: readonly string[] = [],
): ScannerProcesses {
  let pid = 0;
  let started = 0;
  return {
    pid: () => pid,
    started: () => started,
    spawnService(service) {
      if (service !== 'scanner') throw new Error(`no ${service} is needed here`);
      const line: readonly string[] = [...prefix, process.execPath, entry];
      const [command = process.execPath, ...args] = line;
      const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      pid = child.pid ?? 0;
      started += 1;
      return {
        send: (message) => void (child.connected && child.send(message as object, () => undefined)),
        onMessage: (listener) => void child.on('message', listener),
        onExit: (listener) => void child.once('exit', listener),
        kill: () => void child.kill('SIGKILL'),
      };
    },
  };
}
