import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Failed, type ScenarioContext } from '../scenario.ts';
import type { WatchMessage, WatchOrder, WatchShown } from './watch-order.ts';

const entry = fileURLToPath(new URL('./watch-process.ts', import.meta.url));
const timeoutMs = 150_000;

/** A watch process. `untilTold` and `killed` throw `Failed` when something else happens first. */
export interface WatchRun {
  readonly child: ChildProcess;
  untilTold(type: 'watching' | 'ended', longestMs?: number): Promise<void>;
  /** What its window would show now. */
  shown(): Promise<WatchShown>;
  /** Resolves when it killed itself. */
  killed(): Promise<void>;
  /** Kills it; its watcher ends with it. */
  kill(): Promise<void>;
}

/** `prefix` is a program before it, with its arguments; it must hand on what it inherits. */
export function runWatch(
  { spawn }: Pick<ScenarioContext, 'spawn'>,
  order: WatchOrder,
  what: string,
  prefix: readonly string[] = [],
): WatchRun {
  const line: readonly string[] = [...prefix, process.execPath, entry, JSON.stringify(order)];
  const [command = process.execPath, ...args] = line;
  // A session of its own: a signal reaches its watcher too.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
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

  async function within<T>(waited: Promise<T>, why: string, longestMs = timeoutMs): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Failed(`${what}: waited in vain until ${why}; ${stderr.slice(-500)}`)),
        longestMs,
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
    untilTold: (type, longestMs) =>
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
        longestMs,
      ),
    shown() {
      const answer = new Promise<WatchShown>((resolve) => {
        const hear = (message: WatchMessage) => {
          if (message.type !== 'shown') return;
          child.off('message', hear);
          resolve(message.shown);
        };
        child.on('message', hear);
      });
      child.send('show');
      return within(answer, 'it says what it shows');
    },
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
