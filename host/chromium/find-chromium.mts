import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Debian's own binary first: its wrapper on PATH adds API keys and extensions. */
const debianChromium = '/usr/lib/chromium/chromium';
const namesOnPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Finds a program on PATH; its full path, or undefined. */
export function findProgram(name: string, env: Environment = process.env): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

/** The Chromium to run, or a sentence that says what to install. HOST_CHROMIUM, where set, is the only candidate. */
export function findChromium(env: Environment, debian = debianChromium): { path: string } | { problem: string } {
  const chosen = env['HOST_CHROMIUM'];
  if (chosen) {
    return isExecutable(chosen) ? { path: chosen } : { problem: `HOST_CHROMIUM names ${chosen}, which is no program.` };
  }
  const path = isExecutable(debian) ? debian : namesOnPath.map((name) => findProgram(name, env)).find(Boolean);
  if (path) return { path };
  return {
    problem:
      'no Chromium was found. Install one (Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium), ' +
      'or let HOST_CHROMIUM name its program.',
  };
}

/**
 * Without a UTF-8 locale that is installed Chromium leaves out files whose names are not ASCII: a drop of them would come up short.
 * The one that every glibc has costs nothing here, because the page learns its languages from main.
 */
export const chromiumEnvironment = (env: Environment): Environment => ({ ...env, LC_ALL: 'C.UTF-8' });

export interface ChromiumOptions {
  /** Chromium's user data directory. */
  readonly profile: string;
  /** Port of the loopback server that answers for the app's own schemes. */
  readonly schemePort: number;
  /** Opens DevTools on 127.0.0.1 at this port (0: any) beside the pipe: any local process may then drive the app. */
  readonly debuggingPort: number | undefined;
  readonly hasDisplay: boolean;
  /** Chromium refuses root unless it goes without its sandbox. */
  readonly isRoot: boolean;
}

/** Keeps Chromium running without a window as well. */
const noStartupWindow = '--no-startup-window';

/** What no window of ours shows. The pages of the address bar alone take as long to load as Timbre does. */
const needlessFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'GlobalMediaControls',
  'DialMediaRouteProvider',
];

/** Chromium's arguments: a window without first-run talk, without the network, and never throttled in the background. */
export function chromiumArguments(options: ChromiumOptions): string[] {
  const { profile, schemePort, debuggingPort, hasDisplay, isRoot } = options;
  return [
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
    ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
    // Origins that do not carry a port, so that localStorage outlives a restart; and no way out to the network.
    `--host-resolver-rules=MAP *.localhost 127.0.0.1:${schemePort},MAP * ~NOTFOUND,EXCLUDE 127.0.0.1`,
    noStartupWindow,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-search-engine-choice-screen',
    '--disable-breakpad',
    '--hide-crash-restore-bubble',
    '--noerrdialogs',
    '--password-store=basic',
    '--disable-dev-shm-usage',
    '--test-type',
    '--disable-blink-features=AutomationControlled',
    '--autoplay-policy=no-user-gesture-required',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--disable-background-timer-throttling',
    `--disable-features=${needlessFeatures.join(',')}`,
    '--force-color-profile=srgb',
    ...(hasDisplay ? [] : ['--headless']),
    ...(isRoot ? ['--no-sandbox'] : []),
  ];
}

/** What a second start would say to get an app window, which has neither tabs nor an address bar. */
export function appWindowArguments(args: readonly string[], url: string): string[] {
  // All of them once more: Chromium looks here, too, for whether to warn of them.
  return [...args.filter((argument) => argument !== noStartupWindow), `--app=${url}`];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
