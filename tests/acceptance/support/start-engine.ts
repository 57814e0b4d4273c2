import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { EngineCommand, EngineEvent } from '../../../src/engine/engine-messages.ts';

export interface EngineOptions {
  readonly dataDirectory: string;
  /** Default: a free one. Give that of an earlier engine to start it again at its address. */
  readonly port?: number;
}

/** The engine as the app runs it: a process of its own. */
export interface EngineProcess {
  readonly origin: string;
  readonly token: string;
  readonly dataDirectory: string;
  readonly pid: number;
  /** Asks it to end, and waits. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

const entry = new URL('../../../src/processes/engine.ts', import.meta.url);

/** `start` makes the process: a scenario passes its own way of it, which knows what to end. */
export async function startEngine(
  { dataDirectory, port = 0 }: EngineOptions,
  start: (module: URL) => ChildProcess = (module) => fork(module, { execArgv: [] }),
): Promise<EngineProcess> {
  const child = start(entry);
  const ended = once(child, 'exit');
  const send = (command: EngineCommand) => child.send(command);
  send({ type: 'start', dataDirectory, port });
  const answer = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('the engine ended before it listened'))),
  ])) as [EngineEvent];
  const [event] = answer;
  if (event.type === 'failed') throw new Error(`the engine did not start: ${event.message}`);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    origin: event.origin,
    token: event.token,
    dataDirectory,
    pid: child.pid ?? 0,
    async stop() {
      if (!hasEnded() && child.connected) send({ type: 'stop' });
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
