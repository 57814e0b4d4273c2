// Electron's powerSaveBlocker through an inhibitor lock of systemd.
import { spawn, type ChildProcess } from 'node:child_process';
import type Electron from 'electron';
import { findProgram } from '../chromium/find-chromium.mts';
import { notImplemented, strict } from '../strict.mts';

export interface PowerSaveBlockerHost {
  readonly powerSaveBlocker: Electron.PowerSaveBlocker;
  /** Releases all locks, for the exit of the host. */
  stopAll(): void;
}

/**
 * Each lock is held by a child process that ends with its stdin, so none outlives the host. If systemd-inhibit is missing
 * or gets no lock, that is reported once on stderr and `isStarted` returns false.
 */
export function createPowerSaveBlocker(appName: () => string): PowerSaveBlockerHost {
  const locks = new Map<number, ChildProcess>();
  let lastId = 0;
  let hasWarned = false;

  const warnOnce = (problem: string): void => {
    if (!hasWarned) process.stderr.write(`host: the machine may fall asleep while the app works: ${problem}\n`);
    hasWarned = true;
  };

  const lock = (id: number): void => {
    const path = findProgram('systemd-inhibit');
    if (path === undefined) {
      warnOnce('powerSaveBlocker needs systemd-inhibit');
      return;
    }
    const args = ['--what=idle:sleep', '--mode=block', `--who=${appName()}`, '--why=Work is under way', 'cat'];
    const child = spawn(path, args, { stdio: ['pipe', 'ignore', 'pipe'] });
    locks.set(id, child);
    let problem = '';
    const onEnd = (): void => {
      if (locks.get(id) !== child) return;
      locks.delete(id);
      warnOnce(problem.trim() || 'systemd-inhibit ended');
    };
    child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => {
      problem = error.message;
      onEnd();
    });
    child.once('close', onEnd);
  };

  const stop = (id: number): boolean => {
    const child = locks.get(id);
    locks.delete(id);
    child?.stdin?.end();
    return child !== undefined;
  };

  return {
    powerSaveBlocker: strict('powerSaveBlocker', {
      start(type) {
        if (type !== 'prevent-app-suspension') throw notImplemented(`powerSaveBlocker.start('${type}')`);
        const id = lastId++;
        lock(id);
        return id;
      },
      stop,
      isStarted: (id) => locks.has(id),
    } satisfies Electron.PowerSaveBlocker),
    stopAll: () => [...locks.keys()].forEach(stop),
  };
}
