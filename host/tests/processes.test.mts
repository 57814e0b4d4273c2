// How processes end after failures, and how the wrapper script behaves.
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  commandLineOf,
  createUserData,
  descendants,
  eventually,
  fixtureDirectory,
  hostProgram,
  isAlive,
  spawnHost,
} from './launch.mts';

const chromiumOf = (pid: number): number[] =>
  descendants(pid).filter(
    (each) => commandLineOf(each).includes('--remote-debugging-pipe') && !commandLineOf(each).includes('--type='),
  );

async function started(options: Parameters<typeof spawnHost>[0] = {}) {
  const host = spawnHost(options);
  await eventually(() => host.trace()).toContain('main show');
  return { ...host, pid: host.child.pid ?? 0 };
}

test('SIGKILL of the host ends Chromium and the utility processes too', async () => {
  const host = await started({ env: { FIXTURE_CHILD: '1' } });
  await eventually(() => descendants(host.pid).map(commandLineOf).join()).toContain('child.mts');
  const processes = descendants(host.pid);
  expect(chromiumOf(host.pid)).toHaveLength(1);
  host.child.kill('SIGKILL');
  expect(await host.exited).toBe('SIGKILL');
  await eventually(() => processes.filter(isAlive)).toEqual([]);
});

test('if Chromium is killed, the host exits with 70 and leaves no process', async () => {
  const host = await started();
  const processes = descendants(host.pid);
  for (const pid of chromiumOf(host.pid)) process.kill(pid, 'SIGKILL');
  expect(await host.exited).toBe(70);
  expect(host.output()).toContain('host: Chromium ended unexpectedly');
  expect(host.trace().at(-1)).toBe('app quit 70');
  await eventually(() => processes.filter(isAlive)).toEqual([]);
});

test('if Chromium cannot run, the host prints its output', async () => {
  const host = spawnHost({ env: { DISPLAY: ':4711', WAYLAND_DISPLAY: '' } });
  expect(await host.exited).toBe(70);
  expect(host.output()).toMatch(/host: Chromium ended unexpectedly\n[^]*(display|X server)/i);
});

test('the line with the DevTools address is repeated, however much Chromium prints at once', async () => {
  const { path, remove } = createUserData();
  const talkative = join(path, 'chromium');
  const words = `process.stderr.write('DevTools listening on ws://here/\\n' + 'x'.repeat(8000), () => process.exit(1));`;
  writeFileSync(talkative, `#!/bin/sh\nexec '${process.execPath}' -e "${words}"\n`);
  chmodSync(talkative, 0o755);
  const host = spawnHost({ env: { HOST_CHROMIUM: talkative, HOST_TEST: '1' } });
  expect(await host.exited).toBe(70);
  expect(host.output().split('\n')).toContain('DevTools listening on ws://here/');
  await remove();
});

test('without Chromium the host says what to install, and exits with 69', async () => {
  const host = spawnHost({ env: { HOST_CHROMIUM: '/nonexistent/chromium' } });
  expect(await host.exited).toBe(69);
  expect(host.output().trim()).toBe('host: HOST_CHROMIUM names /nonexistent/chromium, which is no program.');
});

test('a missing app is named, without a stack trace', async () => {
  const host = spawnHost({ args: ['/nonexistent/app'] });
  expect(await host.exited).toBe(64);
  expect(host.output().trim()).toBe('host: there is no app at /nonexistent/app.');
});

test('the wrapper runs from any directory, through a symbolic link, with switches before the app', async () => {
  const { path, remove } = createUserData();
  symlinkSync(hostProgram, join(path, 'electron'));
  const host = await started({
    program: join(path, 'electron'),
    args: [`--user-data-dir=${path}/data`, join(fixtureDirectory, 'main.mts')],
    cwd: '/',
  });
  host.child.kill('SIGTERM');
  expect(await host.exited).toBe(0);
  await remove();
});

test('remote-debugging-port, appended before ready, opens DevTools at 127.0.0.1 on that port', async () => {
  const port = await freePort();
  await started({ env: { FIXTURE_PORT: String(port) } });
  const list = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { url: string }[];
  expect(list.map(({ url }) => url)).toContain('http://timbre.app.localhost/');
});

test('without that switch no DevTools port is open', async () => {
  const host = await started();
  const [chromium = 0] = chromiumOf(host.pid);
  expect(commandLineOf(chromium)).not.toContain('--remote-debugging-port');
});

test('an uncaught error ends the host with 1, and Chromium with it', async () => {
  const host = await started({ env: { FIXTURE_FAILS: '1' } });
  const processes = descendants(host.pid);
  host.child.kill('SIGUSR2');
  expect(await host.exited).toBe(1);
  expect(host.output()).toContain('nobody caught this');
  await eventually(() => processes.filter(isAlive)).toEqual([]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
