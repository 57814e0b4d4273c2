import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { createEvent } from './event.mts';
import { notImplemented, strict } from '../strict.mts';
import { BrowserWindow } from './browser-window.mts';

type Template = (Electron.MenuItemConstructorOptions | MenuItem)[];

/** An invisible menu item; `click()` has the effect of selecting it. Roles have no action. */
export class MenuItem {
  readonly id: string;
  readonly label: string;
  readonly type: NonNullable<Electron.MenuItemConstructorOptions['type']>;
  readonly role: Electron.MenuItemConstructorOptions['role'];
  readonly accelerator: string | null;
  readonly submenu: Menu | undefined;
  readonly click: () => void;
  enabled: boolean;
  visible: boolean;
  checked: boolean;

  constructor(options: Electron.MenuItemConstructorOptions) {
    const { id = '', role, label = role ?? '', submenu, accelerator = null, click } = options;
    const { enabled = true, visible = true, checked = false } = options;
    this.id = id;
    this.label = label;
    this.role = role;
    this.accelerator = accelerator;
    this.enabled = enabled;
    this.visible = visible;
    this.checked = checked;
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as Menu | undefined);
    this.type = options.type ?? (this.submenu ? 'submenu' : 'normal');
    this.click = () => {
      if (!click && role) throw notImplemented(`MenuItem role ${role}`);
      if (this.type === 'checkbox') this.checked = !this.checked;
      const window = BrowserWindow.getFocusedWindow() ?? undefined;
      const clicked = facade as unknown as Electron.MenuItem;
      click?.(clicked, window as Electron.BaseWindow | undefined, createEvent());
    };
    const facade: this = strict('MenuItem', this);
    return facade;
  }
}

let applicationMenu: Menu | null = null;

/** Menus are recorded but not shown, since Chromium has no place for them. */
export class Menu extends EventEmitter {
  readonly items: MenuItem[] = [];

  constructor() {
    super();
    return strict('Menu', this);
  }

  append(item: MenuItem): void {
    this.items.push(item);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }

  static buildFromTemplate(template: Template): Menu {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }
}
