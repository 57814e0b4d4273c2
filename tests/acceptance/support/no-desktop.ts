import type { AppDependencies } from '../../../src/main/handlers/app.ts';
import { whenNothingIsDone } from '../../../src/shared/schemas/app.ts';

const info = { place: 'tray', loginItem: 'off', powerSource: 'mains', terminalCommand: null } as const;

/** A desktop without a window to close. */
export const noDesktop: AppDependencies['desktop'] = {
  quit: () => undefined,
  cancelQuit: () => undefined,
  close: () => Promise.resolve(),
  allowUnload: () => undefined,
  setMenu: () => undefined,
  info: () => Promise.resolve(info),
  setLoginItem: () => Promise.resolve(info),
  setTerminalCommand: () => Promise.resolve(info),
  whenDone: () => whenNothingIsDone,
  chooseWhenDone: () => Promise.resolve(),
  postponeWhenDone: () => undefined,
};
