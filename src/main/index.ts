import { app, protocol, session, shell } from 'electron';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defaultSettings } from '../shared/schemas/settings.ts';
import { systemClock } from './core/clock.ts';
import { createLog, logLevelOf } from './core/diagnostics/log.ts';
import { ownDataPlace } from './core/data-folder.ts';
import { storedAppearance } from './core/settings.ts';
import { createAppServer } from './core/media/app-server.ts';
import { guardAllContents, refusePermissions, serveAppScheme } from './electron/page-security.ts';
import { configureApp, endWith, type Program, runApp, startsHidden } from './electron/app-lifecycle.ts';
import { createAppWindow } from './electron/app-window.ts';
import type { WindowedProgram } from './compose-app.ts';

const here = import.meta.dirname;
const place = ownDataPlace(here);
const { folder } = place;
const log = createLog({ folder, now: systemClock.now, level: logLevelOf(process.env), echo: console.error });

/** The only way out of the app. */
const openInBrowser = (address: string): Promise<void> => shell.openExternal(address);

const { portable, problem } = configureApp(place);

async function compose(isSafe: boolean): Promise<Program> {
  log.info('app', `Timbre ${app.getVersion()} started${isSafe ? ' safely' : ''}`);
  /** Null until all is composed: a window that is closed before ends the app. */
  let desktop: WindowedProgram['desktop'] | null = null;
  const window = createAppWindow({
    preload: join(here, '../preload/index.cjs'),
    appearance: isSafe ? defaultSettings : storedAppearance(folder),
    placeFile: join(folder, 'window.json'),
    onLoadFailed: (error) => log.error('window', error),
    onClose: (event) => desktop?.onClose(event),
    onContextMenu: (clicked) => desktop?.showTextContextMenu(clicked),
    onSessionEnd: () => desktop?.beginQuit(),
  });
  const isHiddenStart = startsHidden();
  // The window comes first: all else is loaded while Chromium opens it.
  const composed = nextTurn().then(async () => {
    const { composeApp } = await import('./compose-app.ts');
    return composeApp({ window, entryFolder: here, folder, portable, log, isSafe, isHiddenStart, openInBrowser });
  });
  serveAppScheme(
    protocol,
    createAppServer({
      pageFolder: join(here, '../renderer'),
      clock: systemClock,
      sounds: composed.then(({ sounds }) => sounds),
    }),
  );
  refusePermissions(session.defaultSession);
  if (!isHiddenStart) window.show();
  const program = await composed;
  desktop = program.desktop;
  return program;
}

guardAllContents(app, openInBrowser);
if (problem) endWith(problem).catch((error: unknown) => log.error('start', error));
else runApp(folder, compose, log.error);
