import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Failed, type ScenarioContext } from '../scenario.ts';
import type { WatchMessage, WatchOrder } from './watch-order.ts';

const entry = new URL('./watch-process.ts', import.meta.url);
const patienceMs = 60_000;

/** A watch process. `untilTold` and `killed` throw `Failed` when something else happens first. */
export interface WatchRun {
  readonly child: ChildProcess;
  untilTold(type: 'watching' | 'ended'): Promise<void>;
  /** Resolves when it killed itself. */
  killed(): Promise<void>;
  /** Kills it; its watcher ends with it. */
  kill(): Promise<void>;
}

export function runWatch({ fork }: Pick<ScenarioContext, 'fork'>, order: WatchOrder, what: string): WatchRun {
  // A session of its own: a signal reaches its watcher too.
  const child = fork(entry, [JSON.stringify(order)], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const told = new Set<string>();
  const news = Promise.withResolvers<never>();
  news.promise.catch(() => undefined);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.on('message', (message: WatchMessage) => {
    told.add(message.type);
    if (message.type === 'defect') news.reject(new Failed(`${what}: a defect: ${message.message}`));
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;

  async function within<T>(waited: Promise<T>, why: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Failed(`${what}: waited in vain until ${why}; ${stderr.slice(-500)}`)),
        patienceMs,
      );
    });
    try {
      return await Promise.race([waited, news.promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    child,
    untilTold: (type) =>
      within(
        new Promise<void>((resolve, reject) => {
          const look = () => {
            if (told.has(type)) resolve();
          };
          child.on('message', look);
          look();
          void exited.then(([code, signal]) => {
            reject(
              new Failed(`${what}: it is gone (${code ?? signal}) before it told ${type}; ${stderr.slice(-1000)}`),
            );
          });
        }),
        `it tells ${type}`,
      ),
    async killed() {
      const [code, signal] = await within(exited, 'it kills itself');
      if (signal !== 'SIGKILL') throw new Failed(`${what}: it ended with ${code ?? signal}; ${stderr.slice(-1000)}`);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
