import { loadDesktopMessages } from '../../shared/messages/desktop.ts';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { WhenDoneAction } from '../../shared/schemas/app.ts';
import { type Activity, noActivity } from '../core/activity.ts';
import { createTrayIcon, findBackgroundPlace, statusMenu, statusText } from './tray.ts';

const en = await loadDesktopMessages('en');
const de = await loadDesktopMessages('de');

const noCommands = {
  whenDone: () => 'nothing' as const,
  onCancelWhenDone: () => undefined,
  onOpen: () => undefined,
  onPause: () => undefined,
  onResume: () => undefined,
  onContinueOnBattery: () => undefined,
  onQuit: () => undefined,
};
const status = (activity: Partial<Activity>, t = en.tray) => statusText({ ...noActivity, ...activity }, t);

describe('the status', () => {
  it.each<[string, Partial<Activity>]>([
    ['Idle', {}],
    ['Watching 2 folders', { folders: 2 }],
    ['Processing 1 item', { open: 1, folders: 2 }],
    ['Paused', { open: 1, folders: 2, isPausedByUser: true }],
    ['Paused on battery power', { open: 1, folders: 2, isPausedOnBattery: true }],
    ['Paused', { open: 1, isPausedByUser: true, isPausedOnBattery: true }],
    ['Needs your attention', { open: 1, isPausedByUser: true, attention: 1 }],
  ])('%s', (text, activity) => {
    expect(status(activity)).toBe(text);
  });

  it('is in the language of the settings', () => {
    expect(status({ open: 2 }, de.tray)).toBe('2 Aufträge werden bearbeitet');
  });

  it('is followed by what can be done: open, pause or resume, quit', () => {
    const ids = (activity: Activity) => statusMenu('', activity, en.tray, noCommands).flatMap(({ id }) => id ?? []);
    expect(ids(noActivity)).toEqual(['status', 'open', 'pause', 'quit']);
    expect(ids({ ...noActivity, isPausedByUser: true })).toEqual(['status', 'open', 'resume', 'quit']);
    const waiting = { ...noActivity, open: 1, isPausedOnBattery: true };
    expect(ids(waiting)).toEqual(['status', 'open', 'pause', 'continue-on-battery', 'quit']);
  });

  it('cancels what the computer does when the work is done', () => {
    const cancelled: string[] = [];
    const menu = (action: WhenDoneAction) =>
      statusMenu('', noActivity, en.tray, {
        ...noCommands,
        whenDone: () => action,
        onCancelWhenDone: () => cancelled.push(action),
      }).find(({ id }) => id === 'cancel-when-done');
    expect(menu('shut-down')?.label).toBe('Don’t shut down when done');
    expect(menu('notify')).toBeUndefined();
    menu('sleep')?.click?.(undefined as never, undefined, undefined as never);
    expect(cancelled).toEqual(['sleep']);
  });
});

/** A panel that writes down what it shows. */
function panel() {
  const shown = { image: '', toolTip: '', menu: [] as MenuItemConstructorOptions[], menus: 0, icons: 0 };
  const done: string[] = [];
  let click: () => void = () => undefined;
  const icon = createTrayIcon({
    createTray(image) {
      shown.icons += 1;
      shown.image = image;
      return {
        setImage: (changed) => void (shown.image = changed),
        setToolTip: (text) => void (shown.toolTip = text),
        setMenu(template) {
          shown.menu = template;
          shown.menus += 1;
        },
        onClick: (listener) => void (click = listener),
        destroy: () => void (shown.icons -= 1),
      };
    },
    icon: (state) => `tray-${state}`,
    messages: () => Promise.resolve(en),
    whenDone: () => 'nothing',
    onCancelWhenDone: () => done.push('cancel'),
    onOpen: () => done.push('open'),
    onPause: () => done.push('pause'),
    onResume: () => done.push('resume'),
    onContinueOnBattery: () => done.push('continue'),
    onQuit: () => done.push('quit'),
    onError: (error) => expect.fail(String(error)),
  });
  return { icon, shown, done, click: () => click() };
}
const settled = () => new Promise(setImmediate);

describe('the tray icon', () => {
  it('is there only while it is wanted, once', () => {
    const { icon, shown } = panel();
    icon.update({ ...noActivity, open: 1 });
    expect(shown.icons).toBe(0);
    icon.setVisible(true);
    icon.setVisible(true);
    expect([shown.icons, shown.image]).toEqual([1, 'tray-working']);
    icon.setVisible(false);
    icon.setVisible(false);
    expect(shown.icons).toBe(0);
  });

  it('follows the activity with image, tooltip and menu', async () => {
    const { icon, shown } = panel();
    icon.setVisible(true);
    await settled();
    expect([shown.image, shown.toolTip]).toEqual(['tray-idle', 'Timbre: Idle']);
    icon.update({ ...noActivity, open: 3 });
    await settled();
    expect([shown.image, shown.toolTip]).toEqual(['tray-working', 'Timbre: Processing 3 items']);
    expect(shown.menu[0]).toMatchObject({ label: 'Working', enabled: false });
  });

  it('keeps its menu, which may be open, while nothing that it shows changes', async () => {
    const { icon, shown } = panel();
    icon.setVisible(true);
    await settled();
    icon.update({ ...noActivity, incoming: 3 });
    icon.refresh();
    await settled();
    expect(shown.menus).toBe(1);
    icon.update({ ...noActivity, open: 3, progress: 0.2 });
    await settled();
    icon.update({ ...noActivity, open: 2, progress: 0.4 });
    await settled();
    expect(shown.menus).toBe(2);
    expect(shown.toolTip).toBe('Timbre: Processing 2 items');
    icon.setVisible(false);
    icon.setVisible(true);
    await settled();
    expect(shown.menus).toBe(3);
  });

  it('opens the window on a click, and runs what its menu offers', async () => {
    const { icon, shown, done, click } = panel();
    icon.setVisible(true);
    await settled();
    click();
    for (const { click: choose } of shown.menu) (choose as (() => void) | undefined)?.();
    expect(done).toEqual(['open', 'open', 'pause', 'quit']);
  });

  it('stays away if it is hidden while its texts load', async () => {
    const { icon, shown } = panel();
    icon.setVisible(true);
    icon.setVisible(false);
    await settled();
    expect([shown.icons, shown.toolTip]).toEqual([0, '']);
  });
});

describe('a Timbre without its window is found', () => {
  const path = process.env['PATH'];
  const folder = mkdtempSync(join(tmpdir(), 'timbre-bus-'));
  afterEach(() => void (process.env['PATH'] = path));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A session bus that answers with this text, as `gdbus` prints it. */
  function answer(text: string, code = 0): void {
    const program = join(folder, 'gdbus');
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' '${text}'\nexit ${code}\n`);
    chmodSync(program, 0o755);
    process.env['PATH'] = `${folder}:${path ?? ''}`;
  }

  it('in the dock of macOS and the notification area of Windows', async () => {
    expect([await findBackgroundPlace('darwin'), await findBackgroundPlace('win32')]).toEqual(['dock', 'tray']);
  });

  it('in the tray of a Linux desktop that has one', async () => {
    answer('(<true>,)');
    expect(await findBackgroundPlace('linux')).toBe('tray');
  });

  it('minimized on a desktop without a tray', async () => {
    answer('(<false>,)');
    expect(await findBackgroundPlace('linux')).toBe('taskbar');
    answer('Error: GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown', 1);
    expect(await findBackgroundPlace('linux')).toBe('taskbar');
    process.env['PATH'] = folder.replace('bus', 'nothing');
    expect(await findBackgroundPlace('linux')).toBe('taskbar');
  });
});
