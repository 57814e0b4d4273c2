import { Menu } from 'electron';

/** macOS takes its editing keys from the menu. Elsewhere the window needs none: every action is in the page. */
export function setAppMenu(platform: NodeJS.Platform): void {
  const roles = ['appMenu', 'editMenu', 'windowMenu'] as const;
  Menu.setApplicationMenu(platform === 'darwin' ? Menu.buildFromTemplate(roles.map((role) => ({ role }))) : null);
}
