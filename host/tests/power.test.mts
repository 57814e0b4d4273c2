// Power and notifications, against fakes of systemd-inhibit, gdbus and notify-send.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUserData, eventually, launch, type Launched } from './launch.mts';

let host: Launched;
const place = createUserData();
const programs = join(place.path, 'programs');
const at = (name: string) => join(programs, name);
const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');
let stderr = '';

function program(name: string, script: string): void {
  writeFileSync(at(name), `#!/bin/sh\ncd '${programs}'\n${script}\n`);
  chmodSync(at(name), 0o755);
}

/** Like systemd-inhibit, it holds the lock while its command runs. */
const inhibits = `echo "$@" > lock; for last; do :; done; "$last"; rm lock`;

beforeAll(async () => {
  mkdirSync(programs);
  program('systemd-inhibit', inhibits);
  program('gdbus', 'exec tail -n +1 -f announced');
  writeFileSync(at('announced'), '');
  const environment = { PATH: `${programs}:${process.env['PATH']}` };
  host = await launch(environment);
  host.app.process().stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
});
afterAll(async () => {
  await host.close();
  await place.remove();
});

const blocker = (call: 'start' | 'stop' | 'isStarted', id = 0) =>
  host.app.evaluate(
    ({ powerSaveBlocker }, [name, given]) =>
      name === 'start' ? powerSaveBlocker.start('prevent-app-suspension') : powerSaveBlocker[name](given),
    [call, id] as const,
  );

test('a power save blocker holds a lock until it is stopped', async () => {
  const id = Number(await blocker('start'));
  await eventually(() => read('lock')).toContain('--what=idle:sleep --mode=block --who=');
  expect(await blocker('isStarted', id)).toBe(true);
  expect(await blocker('stop', id)).toBe(true);
  await eventually(() => existsSync(at('lock'))).toBe(false);
  expect([await blocker('isStarted', id), await blocker('stop', id)]).toEqual([false, false]);
});

test('a refused lock is reported once, and no blocker counts as started', async () => {
  program('systemd-inhibit', 'echo "Failed to connect to bus" >&2; exit 1');
  const id = Number(await blocker('start'));
  await eventually(() => blocker('isStarted', id)).toBe(false);
  await eventually(() => stderr).toContain('host: the machine may fall asleep while the app works: Failed to connect');
  const next = Number(await blocker('start'));
  await eventually(() => blocker('isStarted', next)).toBe(false);
  expect(stderr.match(/may fall asleep/g)).toHaveLength(1);
  program('systemd-inhibit', inhibits);
});

test('the lock is released when the host ends in any way', async () => {
  const other = await launch({ PATH: `${programs}:${process.env['PATH']}` });
  await other.app.evaluate(({ powerSaveBlocker }) => powerSaveBlocker.start('prevent-app-suspension'));
  await eventually(() => existsSync(at('lock'))).toBe(true);
  other.app.process().kill('SIGKILL');
  await eventually(() => existsSync(at('lock'))).toBe(false);
  await other.close();
});

test('suspend, resume and shutdown are emitted when logind announces them', async () => {
  await host.app.evaluate(({ powerMonitor }) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    for (const name of ['suspend', 'resume', 'shutdown'] as const) {
      powerMonitor.on(name as 'suspend', () => seen.push(name));
    }
  });
  const announce = (member: string, begins: boolean) =>
    appendFileSync(at('announced'), `/org/freedesktop/login1: org.freedesktop.login1.Manager.${member} (${begins},)\n`);
  announce('PrepareForSleep', true);
  announce('PrepareForSleep', false);
  announce('PrepareForShutdown', true);
  await eventually(() => host.app.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([
    'suspend',
    'resume',
    'shutdown',
  ]);
});

test('listening to an unsupported power event throws', async () => {
  const refusal = await host.app.evaluate(({ powerMonitor }) => {
    try {
      powerMonitor.on('on-battery', () => undefined);
    } catch (error) {
      return String(error);
    }
    return 'no error';
  });
  expect(refusal).toBe('Error: host: powerMonitor event on-battery is not implemented');
});

const notify = (text: { title: string; body?: string }) =>
  host.app.evaluate(({ Notification }, options) => {
    const emitted: string[] = [];
    Object.assign(globalThis, { emitted });
    const notification = new Notification(options);
    notification.on('show', () => emitted.push('show'));
    notification.on('click', () => emitted.push('click'));
    notification.show();
  }, text);
const emitted = () => host.app.evaluate(() => (globalThis as unknown as { emitted: string[] }).emitted);

test.skipIf(existsSync('/usr/bin/notify-send'))(
  'a notification without notify-send is not supported (skipped where it is installed)',
  async () => {
    expect(await host.app.evaluate(({ Notification }) => Notification.isSupported())).toBe(false);
  },
);

test('a notification is shown as plain text, and emits its click', async () => {
  execFileSync('mkfifo', [at('clicks')]);
  program(
    'notify-send',
    `[ "$1" = --help ] && { echo '  -A, --action=[NAME=]Text...'; exit; }
printf '%s\\n' "$@" > notified; echo 7; exec cat clicks`,
  );
  expect(await host.app.evaluate(({ Notification }) => Notification.isSupported())).toBe(true);
  await notify({ title: '12 recordings are done', body: 'R&B <live>' });
  await eventually(emitted).toEqual(['show']);
  expect(read('notified').split('\n').slice(1, -1)).toEqual([
    '--action=default=Open',
    '--print-id',
    '--',
    '12 recordings are done',
    'R&amp;B &lt;live&gt;',
  ]);
  writeFileSync(at('clicks'), 'default\n');
  await eventually(emitted).toEqual(['show', 'click']);
});

test('a notification that could not be shown does not emit show', async () => {
  rmSync(at('notified'));
  program('notify-send', 'echo "$@" > notified; echo 0; echo "no bus" >&2; exit 1');
  await notify({ title: 'Done' });
  await eventually(() => stderr).toContain('host: notify-send: no bus');
  expect(await emitted()).toEqual([]);
});
