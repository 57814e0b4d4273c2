import type { Menu, MenuItemConstructorOptions } from 'electron';
import type { DesktopMessages } from '../../shared/messages/desktop.ts';
import type { MenuCommand, MenuSection } from '../../shared/schemas/app.ts';

export interface AppMenu {
  /** Shows the commands of the page from now on. */
  setCommands(commands: readonly MenuCommand[]): void;
  /** Call once the window is shown, and after the language was changed. */
  refresh(): void;
}

interface Dependencies {
  readonly Menu: Pick<typeof Menu, 'setApplicationMenu' | 'buildFromTemplate'>;
  readonly platform: NodeJS.Platform;
  messages(): Promise<DesktopMessages>;
  /** The user selected a command of the page. */
  onCommand(id: string): void;
  onError(error: unknown): void;
}

type Item = MenuItemConstructorOptions;

const separator: Item = { type: 'separator' };

/** A press as Electron writes keys. Those without Ctrl would be taken from text fields, except F1 to F24. */
function acceleratorOf(press: string | null): string | undefined {
  const [, ctrl, shift, key] = /^(ctrl\+)?(shift\+)?([a-z\d+-]|F(?:[1-9]|1\d|2[0-4]))$/.exec(press ?? '') ?? [];
  if (key === undefined || (ctrl === undefined && key.length === 1)) return undefined;
  return [ctrl && 'CmdOrCtrl', shift && 'Shift', key === '+' ? 'Plus' : key.toUpperCase()].filter(Boolean).join('+');
}

/** The groups that have items, with a separator between each two. */
const join = (groups: readonly (readonly Item[])[]): Item[] =>
  groups.filter((group) => group.length > 0).flatMap((group, k) => (k === 0 ? group : [separator, ...group]));

/** A menu; none if it has no items. */
const menuOf = (label: string, submenu: Item[], role?: 'window' | 'help'): Item[] =>
  submenu.length > 0 ? [{ label, submenu, ...(role && { role }) }] : [];

/** The labels of the system's own commands (roles) are ours because Electron has them in English only. */
function templateOf(
  commands: readonly MenuCommand[],
  { appMenu: t, textContextMenu: edit, tray, app, queue }: DesktopMessages,
  isMac: boolean,
  run: (id: string) => void,
): Item[] {
  const itemOf = ({ id, label, press, isEnabled, isSelected }: MenuCommand): Item => {
    const accelerator = acceleratorOf(press);
    return {
      id,
      // A menu underlines the letter after an ampersand, unless there are two.
      label: label.replaceAll('&', '&&'),
      enabled: isEnabled,
      // The page handles its keys itself, where it knows what has the focus. macOS passes on only those it leaves.
      ...(accelerator !== undefined && { accelerator, registerAccelerator: false }),
      ...(isSelected !== null && { type: 'radio', checked: isSelected }),
      click: () => run(id),
    };
  };
  const section = (name: MenuSection): Item[] => commands.filter((command) => command.section === name).map(itemOf);

  const settings: Item = {
    id: 'settings',
    label: t.settings,
    accelerator: 'Cmd+,',
    enabled: commands.some(({ id }) => id === 'view-settings'),
    click: () => run('view-settings'),
  };
  const appItems = [
    [{ role: 'about', label: t.about }],
    [settings],
    [{ role: 'services', label: t.services }],
    [
      { role: 'hide', label: t.hide },
      { role: 'hideOthers', label: t.hideOthers },
      { role: 'unhide', label: t.showAll },
    ],
    [{ role: 'quit', label: tray.quit }],
  ] satisfies Item[][];
  const fileItems = [
    section('add'),
    section('exchange'),
    [{ role: 'close', label: t.close }],
    isMac ? [] : [{ role: 'quit', label: tray.quit }],
  ] satisfies Item[][];
  const editItems = [
    [
      { role: 'undo', label: edit.undo },
      { role: 'redo', label: edit.redo },
    ],
    section('undo'),
    [
      { role: 'cut', label: edit.cut },
      { role: 'copy', label: edit.copy },
      { role: 'paste', label: edit.paste },
      { role: 'selectAll', label: edit.selectAll },
    ],
    section('find'),
  ] satisfies Item[][];
  const queueItems = [
    section('queue'),
    menuOf(queue.whenDone.label, section('whenDone')),
    [
      ...menuOf(t.connection, join([section('connections'), section('tokens')])),
      ...menuOf(t.preset, section('presets')),
    ],
    section('network'),
  ];
  const viewItems = [
    section('views'),
    menuOf(commands.find(({ id }) => id === 'view-settings')?.label ?? t.settings, section('settings')),
    section('zoom'),
    menuOf(t.theme, section('themes')),
    [{ role: 'togglefullscreen', label: t.fullScreen }],
  ] satisfies Item[][];
  const windowItems = [
    [
      { role: 'minimize', label: t.minimize },
      { role: 'zoom', label: t.zoom },
    ],
    [{ role: 'front', label: t.front }],
  ] satisfies Item[][];

  return [
    ...(isMac ? menuOf(app.name, join(appItems)) : []),
    ...menuOf(t.file, join(fileItems)),
    ...menuOf(t.edit, join(editItems)),
    ...menuOf(t.queue, join(queueItems)),
    ...menuOf(t.playback, join([section('playback'), section('passage')])),
    ...menuOf(t.view, join(viewItems)),
    ...(isMac ? menuOf(t.window, join(windowItems), 'window') : []),
    ...menuOf(t.help, section('help'), isMac ? 'help' : undefined),
  ];
}

/**
 * The application menu: the page's commands and the system's own. macOS always has it, in the menu bar; Windows and
 * Linux show it while Alt is pressed, once the page has told its commands.
 */
export function createAppMenu({ Menu, platform, messages, onCommand, onError }: Dependencies): AppMenu {
  const isMac = platform === 'darwin';
  let commands: readonly MenuCommand[] | null = isMac ? [] : null;
  let updates = 0;

  async function update(): Promise<void> {
    if (commands === null) return;
    updates += 1;
    const latest = updates;
    const texts = await messages();
    if (latest !== updates) return;
    Menu.setApplicationMenu(Menu.buildFromTemplate(templateOf(commands, texts, isMac, run)));
  }
  const refresh = (): void => void update().catch(onError);

  function run(id: string): void {
    onCommand(id);
    // The system selects what was clicked; whether it is selected now, the page says.
    refresh();
  }

  // Without this, Electron shows a menu of its own, with commands for developers.
  Menu.setApplicationMenu(null);

  return {
    setCommands(changed) {
      commands = changed;
      refresh();
    },
    refresh,
  };
}
