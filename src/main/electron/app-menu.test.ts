import type { MenuItemConstructorOptions } from 'electron';
import { expect, it } from 'vitest';
import { type DesktopMessages, loadDesktopMessages } from '../../shared/messages/desktop.ts';
import type { MenuCommand } from '../../shared/schemas/app.ts';
import { createAppMenu } from './app-menu.ts';

const en = await loadDesktopMessages('en');
const de = await loadDesktopMessages('de');

type Item = MenuItemConstructorOptions;

const command = (change: Partial<MenuCommand> & Pick<MenuCommand, 'id' | 'section'>): MenuCommand => ({
  label: change.id,
  press: null,
  isEnabled: true,
  isSelected: null,
  ...change,
});

/** The menus that the system was given, the latest last; null for none. */
function open(platform: NodeJS.Platform, { messages = (): Promise<DesktopMessages> => Promise.resolve(en) } = {}) {
  const menus: (readonly Item[] | null)[] = [];
  const ran: string[] = [];
  const menu = createAppMenu({
    Menu: {
      buildFromTemplate: (template) => template as never,
      setApplicationMenu: (given) => void menus.push(given as unknown as readonly Item[] | null),
    },
    platform,
    messages,
    onCommand: (id) => void ran.push(id),
    onError: (error) => {
      throw error;
    },
  });
  const shown = (): readonly Item[] => menus.at(-1) ?? [];
  const whenShown = (count: number) => expect.poll(() => menus.length).toBe(count);
  const items = (label: string): readonly Item[] =>
    (shown().find((item) => item.label === label)?.submenu ?? []) as readonly Item[];
  return { menu, menus, ran, shown, items, whenShown };
}

const labels = (items: readonly Item[]) => items.map(({ type, label }) => (type === 'separator' ? '-' : label));

it('Electron’s own menu, with commands for developers, is never shown', () => {
  for (const platform of ['darwin', 'win32', 'linux'] as const) expect(open(platform).menus).toEqual([null]);
});

it('macOS has its own commands in the app’s language before the page tells any; other systems have no menu until then', async () => {
  const mac = open('darwin', { messages: () => Promise.resolve(de) });
  mac.menu.refresh();
  await mac.whenShown(2);
  expect(labels(mac.shown())).toEqual(['Timbre', 'Datei', 'Bearbeiten', 'Ansicht', 'Fenster']);
  expect(labels(mac.items('Timbre'))).toEqual(
    'Über Timbre|-|Einstellungen\u00a0…|-|Dienste|-|Timbre ausblenden|Andere ausblenden|Alle einblenden|-|Timbre beenden'.split(
      '|',
    ),
  );
  expect(mac.items('Timbre').find(({ id }) => id === 'settings')?.enabled).toBe(false);

  const linux = open('linux');
  linux.menu.refresh();
  linux.menu.setCommands([command({ id: 'add-files', section: 'add' })]);
  await linux.whenShown(2);
  expect(labels(linux.items('File'))).toEqual(['add-files', '-', 'Close window', '-', 'Quit Timbre']);
});

it('a section without commands leaves neither a menu nor a separator', async () => {
  const { menu, whenShown, shown, items } = open('win32');
  menu.setCommands([command({ id: 'loop', section: 'passage' }), command({ id: 'online', section: 'network' })]);
  await whenShown(2);
  expect(labels(shown())).toEqual(['File', 'Edit', 'Queue', 'Playback', 'View']);
  expect([labels(items('Queue')), labels(items('Playback')), labels(items('View'))]).toEqual([
    ['online'],
    ['loop'],
    ['Full screen'],
  ]);
});

it('keys are shown as the system writes them, and stay with the page; letters alone would be taken from text fields', async () => {
  const { menu, whenShown, items } = open('linux');
  const presses = [
    'ctrl+shift+f',
    'ctrl++',
    'ctrl+-',
    'ctrl+0',
    'F7',
    'shift+F6',
    'v',
    'shift+left',
    'ctrl+ö',
    'F25',
    null,
  ];
  menu.setCommands(presses.map((press, k) => command({ id: `c${k}`, section: 'zoom', press })));
  await whenShown(2);
  const zoom = items('View').filter(({ id }) => id?.startsWith('c'));
  expect(zoom.map(({ accelerator }) => accelerator)).toEqual([
    'CmdOrCtrl+Shift+F',
    'CmdOrCtrl+Plus',
    'CmdOrCtrl+-',
    'CmdOrCtrl+0',
    'F7',
    'Shift+F6',
    ...Array<undefined>(5).fill(undefined),
  ]);
  expect(zoom.filter(({ accelerator }) => accelerator).every(({ registerAccelerator }) => !registerAccelerator)).toBe(
    true,
  );
});

it('a name with an ampersand is shown as it is, and a choice shows what the page says, also after a click', async () => {
  const { menu, whenShown, items, ran } = open('linux');
  menu.setCommands([
    command({ id: 'p', section: 'presets', label: 'Rock & Roll' }),
    command({ id: 'a', section: 'connections', isSelected: true }),
    command({ id: 'b', section: 'connections', isSelected: false, isEnabled: false }),
  ]);
  await whenShown(2);
  const submenu = (label: string) =>
    (items('Queue').find((item) => item.label === label)?.submenu ?? []) as readonly Item[];
  expect(labels(submenu('Preset'))).toEqual(['Rock && Roll']);
  expect(submenu('Connection').map(({ type, checked, enabled }) => [type, checked, enabled])).toEqual([
    ['radio', true, true],
    ['radio', false, false],
  ]);
  submenu('Connection')[1]?.click?.({} as never, undefined, {});
  await whenShown(3);
  expect(ran).toEqual(['b']);
  expect(submenu('Connection').map(({ checked }) => checked)).toEqual([true, false]);
});

it('the latest language wins, however long an earlier one takes to load', async () => {
  const german = Promise.withResolvers<DesktopMessages>();
  const answers = [german.promise, Promise.resolve(en)];
  const { menu, whenShown, shown, menus } = open('darwin', { messages: () => answers.shift() ?? german.promise });
  menu.refresh();
  menu.refresh();
  await whenShown(2);
  german.resolve(de);
  await german.promise;
  expect([menus.length, labels(shown())[1]]).toEqual([2, 'File']);
});

/** What the system's own items do: a command of the page that does the same, or why it has none. */
const systemItems: Readonly<Record<string, 'quit' | 'settings-about' | 'edits a text' | 'belongs to the window'>> = {
  quit: 'quit',
  about: 'settings-about',
  undo: 'edits a text',
  redo: 'edits a text',
  cut: 'edits a text',
  copy: 'edits a text',
  paste: 'edits a text',
  selectAll: 'edits a text',
  close: 'belongs to the window',
  services: 'belongs to the window',
  hide: 'belongs to the window',
  hideOthers: 'belongs to the window',
  unhide: 'belongs to the window',
  togglefullscreen: 'belongs to the window',
  minimize: 'belongs to the window',
  zoom: 'belongs to the window',
  front: 'belongs to the window',
};

it('does by itself only what the palette can do as well, or what a reason is listed for', async () => {
  const used = new Set<string>();
  for (const platform of ['darwin', 'win32', 'linux'] as const) {
    const { menu, menus, shown } = open(platform);
    const before = menus.length;
    menu.setCommands([]);
    await expect.poll(() => menus.length).toBeGreaterThan(before);
    const flat = (items: readonly Item[]): readonly Item[] =>
      items.flatMap((item) => (item.submenu ? flat(item.submenu as readonly Item[]) : [item]));
    for (const { role } of flat(shown())) if (role !== undefined) used.add(role);
  }
  expect([...used].sort()).toEqual(Object.keys(systemItems).sort());
});
