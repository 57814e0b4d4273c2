import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PowerSource } from '../../shared/schemas/app.ts';
import { createListeners } from '../core/events.ts';
import { connectPower, followPowerSource, readPowerSource } from './power.ts';

/** A machine with a queue: the calls of the queue, and what keeps the machine awake. */
function machine() {
  const events = new EventEmitter();
  const activity = createListeners<boolean>();
  const queueCalls: string[] = [];
  const held = new Set<number>();
  const kinds: string[] = [];
  const powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'> = {
    start(kind) {
      const id = kinds.push(kind);
      held.add(id);
      return id;
    },
    stop: (id) => held.delete(id),
  };
  const scheduler = {
    sleep: () => void queueCalls.push('sleep'),
    wake: () => void queueCalls.push('wake'),
    onActivity: activity.add,
  };
  const stop = connectPower({ powerMonitor: events as PowerMonitor, powerSaveBlocker }, scheduler);
  return { events, setActive: activity.emit, queueCalls, held, kinds, stop };
}

describe('the machine', () => {
  it('is kept awake exactly while a service call runs, by one blocker', () => {
    const { setActive, held, kinds } = machine();
    expect(held.size).toBe(0);
    setActive(true);
    setActive(true);
    expect(held.size).toBe(1);
    setActive(false);
    setActive(false);
    expect(held.size).toBe(0);
    setActive(true);
    expect(held.size).toBe(1);
    expect(kinds).toEqual(['prevent-app-suspension', 'prevent-app-suspension']);
  });

  it('notifies the queue before it sleeps and after', () => {
    const { events, queueCalls } = machine();
    events.emit('suspend');
    events.emit('resume');
    expect(queueCalls).toEqual(['sleep', 'wake']);
  });

  it('may sleep once Timbre has stopped, and is no longer observed', () => {
    const { events, setActive, queueCalls, held, stop } = machine();
    setActive(true);
    stop();
    stop();
    setActive(true);
    events.emit('suspend');
    expect([held.size, queueCalls, events.eventNames()]).toEqual([0, [], []]);
  });
});

type Monitor = Pick<PowerMonitor, 'on' | 'off' | 'onBatteryPower'>;
const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** Electron's powerMonitor on macOS and Windows. */
function systemMonitor() {
  const events = new EventEmitter();
  const monitor = Object.assign(events, { onBatteryPower: false }) as unknown as Monitor & EventEmitter;
  return {
    monitor,
    change(isOnBattery: boolean, event: string | null = isOnBattery ? 'on-battery' : 'on-ac') {
      Object.assign(monitor, { onBatteryPower: isOnBattery });
      if (event) events.emit(event);
    },
  };
}

function follow(platform: NodeJS.Platform, powerMonitor: Monitor) {
  const seen: PowerSource[] = [];
  const end = followPowerSource({ platform, powerMonitor }, (source) => seen.push(source));
  ends.push(end);
  return { seen, end };
}

describe.each(['darwin', 'win32'] as const)('the source of power on %s', (platform) => {
  it('is read at first, and after each change that the system reports', async () => {
    const { monitor, change } = systemMonitor();
    change(true, null);
    expect(await readPowerSource({ platform, powerMonitor: monitor })).toBe('battery');
    const { seen } = follow(platform, monitor);
    await expect.poll(() => seen).toEqual(['battery']);
    change(false);
    await expect.poll(() => seen).toEqual(['battery', 'mains']);
    change(true);
    await expect.poll(() => seen).toEqual(['battery', 'mains', 'battery']);
  });

  it('is read again when the machine wakes up', async () => {
    const { monitor, change } = systemMonitor();
    const { seen } = follow(platform, monitor);
    await expect.poll(() => seen).toEqual(['mains']);
    change(true, 'resume');
    await expect.poll(() => seen).toEqual(['mains', 'battery']);
  });

  it('is no longer followed at the end', async () => {
    const { monitor, change } = systemMonitor();
    const { seen, end } = follow(platform, monitor);
    end();
    change(true);
    await new Promise(setImmediate);
    expect([seen, monitor.eventNames()]).toEqual([[], []]);
  });
});

describe.skipIf(process.platform !== 'linux')('the source of power on Linux', () => {
  const path = process.env['PATH'];
  let folder: string;
  const file = (name: string) => join(folder, name);
  const monitor = () => new EventEmitter() as unknown as Monitor & EventEmitter;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'timbre-upower-'))));
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  /** A system bus with UPower: `answer` is what it says, a line in `signals` is a signal. */
  function bus(answer: string): void {
    writeFileSync(file('answer'), answer);
    writeFileSync(file('signals'), '');
    writeFileSync(
      file('gdbus'),
      `#!/bin/sh
[ "$1" = call ] && { cat '${file('answer')}'; exit; }
echo $$ >'${file('pid')}'
exec tail -n +1 -f '${file('signals')}'
`,
    );
    chmodSync(file('gdbus'), 0o755);
    process.env['PATH'] = `${folder}:${path}`;
  }
  function signal(answer: string): void {
    writeFileSync(file('answer'), answer);
    appendFileSync(file('signals'), '/org/freedesktop/UPower: org.freedesktop.DBus.Properties.PropertiesChanged (…)\n');
  }
  const isRunning = () => {
    try {
      return process.kill(Number(readFileSync(file('pid'), 'utf8')), 0);
    } catch {
      return false;
    }
  };

  it('is what UPower says, after each of its signals', async () => {
    bus('(<true>,)');
    const { seen } = follow('linux', monitor());
    await expect.poll(() => seen.at(-1)).toBe('battery');
    signal('(<false>,)');
    await expect.poll(() => seen.at(-1)).toBe('mains');
    signal('(<true>,)');
    await expect.poll(() => seen.at(-1)).toBe('battery');
  });

  it('is asked for again when the machine wakes up', async () => {
    bus('(<false>,)');
    const powerMonitor = monitor();
    const { seen } = follow('linux', powerMonitor);
    await expect.poll(() => seen.at(-1)).toBe('mains');
    writeFileSync(file('answer'), '(<true>,)');
    powerMonitor.emit('resume');
    await expect.poll(() => seen.at(-1)).toBe('battery');
  });

  it('leaves no process behind', async () => {
    bus('(<false>,)');
    const { end } = follow('linux', monitor());
    await expect.poll(() => existsSync(file('pid')) && isRunning()).toBe(true);
    end();
    await expect.poll(isRunning).toBe(false);
  });

  it.each(['without UPower', 'without gdbus'])('is unknown %s', async (which) => {
    if (which === 'without UPower') {
      writeFileSync(
        file('gdbus'),
        '#!/bin/sh\necho GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown >&2; exit 1\n',
      );
      chmodSync(file('gdbus'), 0o755);
    }
    process.env['PATH'] = folder;
    expect(await readPowerSource({ platform: 'linux', powerMonitor: monitor() })).toBe('unknown');
    const { seen } = follow('linux', monitor());
    await expect.poll(() => seen).toEqual(['unknown']);
  });
});
