import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createUserData, descendants, eventually, fixtureDirectory, isAlive, launch, spawnHost } from './launch.mts';

const quitOrder = [
  'app before-quit',
  'main close',
  'main contents destroyed',
  'main closed',
  'app will-quit',
  'app quit 0',
];

test('the app starts in the order of Electron: main module, will-finish-launching, ready, whenReady', async () => {
  const host = spawnHost();
  await eventually(() => host.trace()).toContain('main ready-to-show');
  expect(host.trace().slice(0, 6)).toEqual([
    'main module done',
    'app will-finish-launching',
    'app ready',
    'app whenReady',
    'app browser-window-created',
    'app web-contents-created',
  ]);
});

test('a page loads in the order of Electron, and nothing of the blank page before it shows', async () => {
  const host = await launch();
  await eventually(() => host.events()).toContain('main contents did-stop-loading');
  const order = (await host.events()).filter((event) => event.startsWith('main contents'));
  expect(order).toEqual([
    'main contents did-start-loading',
    'main contents did-navigate',
    'main contents dom-ready',
    'main contents did-finish-load',
    'main contents did-stop-loading',
  ]);
  await host.close();
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} quits in order, with code 0 and no process left`, async () => {
    const host = spawnHost();
    await eventually(() => host.trace()).toContain('main show');
    const started = descendants(host.child.pid ?? 0);
    expect(started.length).toBeGreaterThan(2);
    host.child.kill(signal);
    expect(await host.exited).toBe(0);
    expect(host.trace().slice(-6)).toEqual(quitOrder);
    await eventually(() => started.filter(isAlive)).toEqual([]);
  });
}

test('an app that listens to a signal decides itself what it does, once', async () => {
  const host = spawnHost({ env: { FIXTURE_LISTENS: '1' } });
  await eventually(() => host.trace()).toContain('main show');
  host.child.kill('SIGTERM');
  await eventually(() => host.trace()).toContain('app SIGTERM');
  expect(host.trace()).not.toContain('app before-quit');
  host.child.kill('SIGTERM');
  expect(await host.exited).toBe(0);
  expect(host.trace().slice(-6)).toEqual(quitOrder);
});

test('SIGTERM while Chromium is starting quits as well', async () => {
  const host = spawnHost();
  await eventually(() => host.trace()).toContain('app whenReady');
  host.child.kill('SIGTERM');
  expect(await host.exited).toBe(0);
  expect(host.trace()).toContain('app quit 0');
});

test('quitting completes unless it is prevented, and stops at each of the three events that may prevent it', async () => {
  const host = await launch({ FIXTURE_STAYS: '1' });
  const quitWithout = (event: 'before-quit' | 'will-quit' | 'close') =>
    host.app.evaluate(({ app }, name) => {
      const prevent = (event: Electron.Event) => event.preventDefault();
      if (name === 'close') fixture.windows['main']?.once(name, prevent);
      else app.once(name as 'will-quit', prevent);
      app.quit();
    }, event);

  await eventually(() => host.events()).toContain('main focus');
  let seen = (await host.events()).length;
  await quitWithout('before-quit');
  expect(await host.events(seen)).toEqual(['app before-quit']);

  seen = (await host.events()).length;
  await quitWithout('close');
  expect(await host.events(seen)).toEqual(['app before-quit', 'main close']);

  seen = (await host.events()).length;
  await quitWithout('will-quit');
  await eventually(() => host.events(seen)).toEqual(quitOrder.slice(0, -1));
  await host.close();
});

test('closing the last window quits unless the app listens to window-all-closed', async () => {
  const host = await launch();
  const ended = new Promise((resolve) => host.app.process().once('exit', resolve));
  await host.app.evaluate(() => fixture.windows['main']?.close());
  expect(await ended).toBe(0);
  await host.close();
});

test('an app that listens to window-all-closed keeps running, and can open a window again', async () => {
  const host = await launch({ FIXTURE_STAYS: '1' });
  await host.app.evaluate(() => fixture.windows['main']?.close());
  await eventually(() => host.events()).toContain('app window-all-closed');
  const next = host.app.waitForEvent('window');
  await host.app.evaluate(() => void fixture.make('next'));
  await (await next).waitForURL(/localhost/);
  await eventually(() => host.events()).toContain('next ready-to-show');
  const before = (await host.events()).length;
  await host.app.evaluate(({ app }) => {
    app.once('will-quit', (event) => event.preventDefault());
    app.quit();
  });
  await eventually(() => host.events(before)).toContain('app will-quit');
  expect(await host.events(before)).not.toContain('app window-all-closed');
  await host.close();
});

test('app.exit exits with its code, without before-quit or will-quit', async () => {
  const trace = createUserData();
  const host = await launch({ FIXTURE_TRACE: `${trace.path}/trace` });
  const ended = new Promise((resolve) => host.app.process().once('exit', resolve));
  await host.app.evaluate(({ app }) => void setImmediate(() => app.exit(7)));
  expect(await ended).toBe(7);
  const events = readFileSync(`${trace.path}/trace`, 'utf8');
  expect(events).toContain('app quit 7');
  expect(events).not.toMatch(/before-quit|will-quit/);
  await trace.remove();
  await host.close();
});

test('a second instance passes its arguments to the first and exits with 0, without a Chromium', async () => {
  const first = spawnHost();
  await eventually(() => first.trace()).toContain('app ready');
  const second = spawnHost({
    args: [fixtureDirectory, `--user-data-dir=${first.userData}`, '/music/a b.flac'],
    cwd: '/',
    env: { HOST_CHROMIUM: '/bin/false' },
  });
  expect(await second.exited).toBe(0);
  expect(second.output()).toContain('refused');
  const handedOver = JSON.stringify({ last: '/music/a b.flac', cwd: '/', data: { from: 'fixture' } });
  await eventually(() => first.trace()).toContain(`app second-instance ${handedOver}`);
});

test('a second instance passes on as many arguments as the system takes', async () => {
  const first = spawnHost();
  await eventually(() => first.trace()).toContain('app ready');
  const paths = Array.from({ length: 1500 }, (_, k) => `/music/${'a long name of a folder '.repeat(4)}${k}.flac`);
  const second = spawnHost({ args: [fixtureDirectory, `--user-data-dir=${first.userData}`, ...paths], cwd: '/' });
  expect(await second.exited).toBe(0);
  const handedOver = JSON.stringify({ last: paths.at(-1), cwd: '/', data: { from: 'fixture' } });
  await eventually(() => first.trace()).toContain(`app second-instance ${handedOver}`);
});

test('the lock is free again once its holder has ended in any way', async () => {
  const first = spawnHost();
  await eventually(() => first.trace()).toContain('app ready');
  first.child.kill('SIGKILL');
  await first.exited;
  const second = spawnHost({ userData: first.userData });
  await eventually(() => second.trace()).toContain('app ready');
  expect(second.output()).not.toContain('refused');
});

test('paths follow --user-data-dir, and the app can move them', async () => {
  const host = await launch();
  const paths = await host.app.evaluate(({ app }) => {
    app.setPath('downloads', '/elsewhere');
    return {
      userData: app.getPath('userData'),
      logs: app.getPath('logs'),
      downloads: app.getPath('downloads'),
      exe: app.getPath('exe'),
      app: app.getAppPath(),
      isPackaged: app.isPackaged,
    };
  });
  expect(paths).toMatchObject({ userData: host.userData, logs: `${host.userData}/logs`, downloads: '/elsewhere' });
  expect(paths).toMatchObject({ app: fixtureDirectory, isPackaged: false });
  expect(existsSync(paths.exe)).toBe(true);
  expect(existsSync(paths.logs)).toBe(true);
  await host.close();
});
