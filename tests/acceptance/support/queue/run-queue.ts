import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failed, type ScenarioContext } from '../scenario.ts';
import type { QueueMessage, QueueOrder } from './queue-order.ts';

const entry = new URL('./queue-process.ts', import.meta.url);

/** `killed`: it was, by us or by itself. */
export type RunEnd = 'ended' | 'killed';

/**
 * Runs one queue process to its end, or kills it, and what it started: so long after it was ready, or when `killAt` resolves. Throws
 * `Failed` when it reports a defect or ends in any other way.
 */
export async function runQueue(
  { fork }: Pick<ScenarioContext, 'fork'>,
  order: QueueOrder,
  killAt: number | (() => Promise<unknown>) | null = null,
): Promise<RunEnd> {
  // A session of its own: the kill takes its engine along.
  const child = fork(entry, [JSON.stringify(order)], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const defects: string[] = [];
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: QueueMessage) => {
      if (message.type === 'ready') resolve();
      else if (message.type === 'defect') defects.push(message.message);
    });
  });
  if (killAt !== null) {
    await Promise.race([ready, exited]);
    await Promise.race([typeof killAt === 'number' ? sleep(killAt) : killAt(), exited]);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // It was faster than we: it has ended.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
  const [code, signal] = await exited;
  if (defects.length > 0) throw new Failed(`a defect: ${defects[0] ?? ''}`);
  if (signal === 'SIGKILL') return 'killed';
  if (code === 0) return 'ended';
  throw new Failed(`the queue ended with ${code ?? signal}: ${stderr.slice(-2000)}`);
}
