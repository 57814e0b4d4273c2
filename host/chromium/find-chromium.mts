import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Debian's binary is preferred, because the wrapper on PATH adds API keys and extensions. */
const debianChromium = '/usr/lib/chromium/chromium';
const namesOnPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Returns the full path of a program on PATH, or undefined. */
export function findProgram(name: string, env: Environment = process.env): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

/** Finds the Chromium to run, or a sentence about what to install. HOST_CHROMIUM, if set, is the only candidate. */
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
 * Without an installed UTF-8 locale Chromium drops files with non-ASCII names, for example from a drag and drop.
 * C.UTF-8 exists in every glibc, and the page gets its languages from main.
 */
export const chromiumEnvironment = (env: Environment): Environment => ({ ...env, LC_ALL: 'C.UTF-8' });

export interface ChromiumOptions {
  /** Chromium's user data directory. */
  readonly profile: string;
  /** Port of the loopback server for the app's own schemes. */
  readonly schemePort: number;
  /** Also opens DevTools on 127.0.0.1 at this port (0: any). Any local process can then control the app. */
  readonly debuggingPort: number | undefined;
  readonly hasDisplay: boolean;
  /** Chromium runs as root only without its sandbox. */
  readonly isRoot: boolean;
}

/** Keeps Chromium running without a window. */
const noStartupWindow = '--no-startup-window';

/** Features that the app's windows do not show. The address bar's pages alone take as long to load as Timbre. */
const needlessFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'GlobalMediaControls',
  'DialMediaRouteProvider',
];

/** Chromium's arguments: no first-run pages, no network, no background throttling. */
export function chromiumArguments(options: ChromiumOptions): string[] {
  const { profile, schemePort, debuggingPort, hasDisplay, isRoot } = options;
  return [
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
    ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
    // Origins without a port, so that localStorage persists across restarts, and no network access.
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

/** Arguments of a second start that opens an app window, without tabs and address bar. */
export function appWindowArguments(args: readonly string[], url: string): string[] {
  // All arguments are repeated, because Chromium checks these too for unsupported flags to warn about.
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
