import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Failed, type ScenarioContext } from '../scenario.ts';
import type { QueueFigures, QueueMessage, QueueOrder } from './queue-order.ts';

const entry = fileURLToPath(new URL('./queue-process.ts', import.meta.url));

/** A queue process that runs under another program: a tracer, or a shell in a name space of its own. */
export interface SpawnedQueue {
  readonly pid: number;
  /** Resolves when its data folder is open. Rejects as `ended`. */
  readonly ready: Promise<void>;
  /** Resolves when all of its jobs have ended. Rejects with `Failed` when the process ends before, or met a defect. */
  readonly ended: Promise<void>;
  /** What it measured, where it was asked to. */
  readonly figures: Promise<QueueFigures>;
  /** Lets go of one that stays, and resolves when it is gone. */
  leave(): Promise<void>;
}

/** `prefix` is the program before, with its arguments; it must hand on what it inherits. */
export function spawnQueue(
  { spawn }: Pick<ScenarioContext, 'spawn'>,
  order: QueueOrder,
  prefix: readonly string[],
  env: NodeJS.ProcessEnv = {},
): SpawnedQueue {
  const line = [...prefix, process.execPath, entry, JSON.stringify(order)];
  const [command = process.execPath, ...args] = line;
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: { ...process.env, ...env } });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const told = <T>(take: (message: QueueMessage) => T | null): Promise<T> => {
    const coming = new Promise<T>((resolve, reject) => {
      child.on('message', (message: QueueMessage) => {
        const wanted = take(message);
        if (wanted !== null) resolve(wanted);
        if (message.type === 'defect') reject(new Failed(`a defect: ${message.message}`));
      });
      void exited.then(([code, signal]) =>
        reject(new Failed(`${command} ended with ${code ?? signal}: ${stderr.slice(-1000)}`)),
      );
    });
    coming.catch(() => undefined);
    return coming;
  };
  const heard = (type: QueueMessage['type']) => told((message) => (message.type === type ? undefined : null));
  return {
    pid: child.pid ?? 0,
    ready: heard('ready'),
    ended: heard('ended'),
    figures: told((message) => (message.type === 'figures' ? message.figures : null)),
    async leave() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
