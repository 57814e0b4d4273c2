import { fork, type ChildProcess, type IOType, type StdioOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type Electron from 'electron';
import { notImplemented, strict } from '../strict.mts';

const childSetup = new URL('../launch/utility-child.mts', import.meta.url).href;

export interface Utility {
  readonly utilityProcess: typeof Electron.utilityProcess;
  /** Kills every child at once, for the exit of the host. */
  killAll(): void;
}

/** Electron's `utilityProcess` based on Node's fork. A child ends with the host, even if the host was killed. */
export function createUtility(isReady: () => boolean): Utility {
  const children = new Set<ChildProcess>();

  const forkChild = (
    path: string,
    args: string[] = [],
    options: Electron.ForkOptions = {},
  ): Electron.UtilityProcess => {
    if (!isReady()) throw new Error('utilityProcess cannot be created before app is ready.');
    const events = new EventEmitter();
    const { execArgv = [], env, cwd, serviceName } = options;
    const child = fork(path, args, {
      execArgv: [...(serviceName ? [`--title=${serviceName}`] : []), '--import', childSetup, ...execArgv],
      env: (env as NodeJS.ProcessEnv | undefined) ?? process.env,
      cwd,
      serialization: 'advanced',
      stdio: stdioOptions(options.stdio),
    });
    children.add(child);
    let isOver = false;
    const end = (code: number): void => {
      children.delete(child);
      if (isOver) return;
      isOver = true;
      events.emit('exit', code);
    };
    child.on('spawn', () => events.emit('spawn'));
    child.on('message', (message) => events.emit('message', message));
    // The child could not be started, or a write to it failed, which is followed by its exit.
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      console.error(error);
      end(1);
    });
    child.on('exit', (code, signal) => end(code ?? (signal ? constants.signals[signal] : 1)));

    const members = {
      postMessage(message: unknown, transfer?: readonly unknown[]) {
        if (transfer?.length) throw notImplemented('UtilityProcess.postMessage with ports');
        if (child.connected) child.send(structuredClone(message) as object);
      },
      kill: () => child.kill('SIGTERM'),
      get pid() {
        return isOver ? undefined : child.pid;
      },
      get stdout(): Readable | null {
        return child.stdout;
      },
      get stderr(): Readable | null {
        return child.stderr;
      },
    } satisfies Partial<Electron.UtilityProcess>;
    const described = Object.defineProperties(events, Object.getOwnPropertyDescriptors(members));
    return strict('UtilityProcess', described) as unknown as Electron.UtilityProcess;
  };

  return {
    utilityProcess: strict('utilityProcess', { fork: forkChild }) as unknown as typeof Electron.utilityProcess,
    killAll() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** stdin is always ignored, as in Electron; the message channel is last. */
function stdioOptions(stdio: Electron.ForkOptions['stdio'] = 'inherit'): StdioOptions {
  const [, output, errors] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  const end = (name: string | undefined): IOType => (name === 'pipe' || name === 'ignore' ? name : 'inherit');
  return ['ignore', end(output), end(errors), 'ipc'];
}
