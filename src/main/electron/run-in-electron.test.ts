import type { App } from 'electron';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CreateSpawnService } from '../core/child-process.ts';
import { runInElectron } from './run-in-electron.ts';

/** Electron before its app's code has been evaluated: `becomeReady` is what Chromium's start leads to. */
function electron() {
  const ready = Promise.withResolvers<void>();
  const log: string[] = [];
  const signals = Object.assign(new EventEmitter(), { stdout: new PassThrough(), stderr: new PassThrough() });
  const folders: string[] = [];
  const exited = Promise.withResolvers<number>();
  const services: EventEmitter[] = [];
  const createSpawnService: CreateSpawnService = () => (entry) => {
    log.push(`starts ${entry}`);
    const service = new EventEmitter();
    services.push(service);
    return {
      send: (message) => void log.push(`sends ${String(message)}`),
      onMessage: (listener) => void service.on('message', listener),
      onExit: (listener) => void service.on('exit', listener),
      kill: () => void log.push('kills'),
    };
  };
  const appEvents = new EventEmitter();
  const host = {
    app: {
      on: appEvents.on.bind(appEvents) as unknown as App['on'],
      getPath: () => tmpdir(),
      whenReady: () => ready.promise,
      exit: (code?: number) => exited.resolve(code ?? 0),
      setPath: (_name: string, folder: string) => void folders.push(folder),
      setActivationPolicy: (policy: string) => void log.push(`is ${policy}`),
    },
    platform: 'linux' as NodeJS.Platform,
    process: signals as unknown as NodeJS.Process,
    createSpawnService,
  };
  return { host, log, signals, appEvents, folders, services, exited: exited.promise, becomeReady: ready.resolve };
}

describe('a command in Electron', () => {
  it('that needs no process of its own ends before Chromium starts, with its exit code', async () => {
    const { host, exited, folders } = electron();
    // Electron starts Chromium when this has resolved, and `exit` ends it before.
    await runInElectron(host, () => Promise.resolve(5));
    expect(await exited).toBe(5);
    expect(folders).toEqual([]);
  });

  it('lets Chromium start when it needs a process, and keeps what it has said to that until then', async () => {
    const { host, log, signals, services, exited, becomeReady } = electron();
    const heard: unknown[] = [];
    const end = Promise.withResolvers<number>();
    await runInElectron(host, (createSpawnService) => {
      const service = createSpawnService(null)('engine');
      service.send('first');
      service.onMessage((message) => heard.push(message));
      service.send('second');
      return end.promise;
    });
    expect(log).toEqual([]);
    becomeReady();
    await expect.poll(() => log).toEqual(['starts engine', 'sends first', 'sends second']);
    services[0]?.emit('message', 'answer');
    expect(heard).toEqual(['answer']);
    end.resolve(0);
    expect(await exited).toBe(0);
    signals.emit('exit');
  });

  it('keeps Chromium’s files in a folder of its own, which is gone in the end', async () => {
    const { host, folders, signals } = electron();
    await runInElectron(host, (createSpawnService) => {
      createSpawnService(null)('engine');
      createSpawnService(null)('keychain');
      return new Promise(() => undefined);
    });
    expect(folders.map((folder) => existsSync(folder))).toEqual([true]);
    signals.emit('exit');
    expect(folders.map((folder) => existsSync(folder))).toEqual([false]);
  });

  it('hears signals that Chromium took over when it started', async () => {
    const { host, log, signals, becomeReady } = electron();
    const heard: string[] = [];
    await runInElectron(host, (createSpawnService) => {
      signals.on('SIGINT', () => heard.push('SIGINT'));
      signals.once('SIGTERM', () => heard.push('SIGTERM'));
      createSpawnService(null)('engine');
      return new Promise(() => undefined);
    });
    const installed: string[] = [];
    signals.on('newListener', (name: string) => installed.push(name));
    becomeReady();
    await expect.poll(() => log).toEqual(['starts engine']);
    expect(new Set(installed)).toEqual(new Set(['SIGINT', 'SIGTERM', 'SIGHUP']));
    for (const name of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGTERM']) signals.emit(name);
    expect(heard).toEqual(['SIGINT', 'SIGINT', 'SIGTERM']);
    signals.emit('exit');
  });

  it('ends in order at a signal that Chromium takes for a request to quit', async () => {
    const { host, signals, appEvents } = electron();
    const heard: string[] = [];
    await runInElectron(host, (createSpawnService) => {
      signals.on('SIGTERM', () => heard.push('SIGTERM'));
      createSpawnService(null)('engine');
      return new Promise(() => undefined);
    });
    let isPrevented = false;
    appEvents.emit('before-quit', { preventDefault: () => (isPrevented = true) });
    expect([isPrevented, heard]).toEqual([true, ['SIGTERM']]);
    signals.emit('exit');
  });

  it('ends with the code of an exit that was forced, though it ends by itself afterwards', async () => {
    const { host, signals, exited } = electron();
    await runInElectron(host, () => {
      (signals as unknown as NodeJS.Process).exitCode = 7;
      return Promise.resolve(0);
    });
    expect(await exited).toBe(7);
  });

  it('treats a rejection that nothing handles as Node does', async () => {
    const { host, signals } = electron();
    await runInElectron(host, () => Promise.resolve(0));
    expect(() => signals.emit('unhandledRejection', new Error('nobody'))).toThrow('nobody');
  });

  it('ends only when a slow reader has taken all that it has printed', async () => {
    const { host, signals, exited } = electron();
    let code: number | undefined;
    void exited.then((ended) => (code = ended));
    const running = runInElectron(host, () => {
      signals.stdout.write('x'.repeat(1_000_000));
      return Promise.resolve(0);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(code).toBeUndefined();
    signals.stdout.resume();
    await running;
    expect(await exited).toBe(0);
  });

  it('shows no icon in the Dock of macOS', async () => {
    const { host, log } = electron();
    await runInElectron({ ...host, platform: 'darwin' }, () => Promise.resolve(0));
    expect(log).toEqual(['is prohibited']);
  });
});
