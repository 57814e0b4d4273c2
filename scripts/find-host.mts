import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mts';

/** What runs the bundles: Electron, or the Chromium host. */
export interface Host {
  readonly kind: 'electron' | 'chromium';
  readonly executable: string;
  /** A sentence about why this host was selected. */
  readonly why: string;
}

const electron = join(root, 'node_modules/electron');
const chromiumHost = join(root, 'host/electron');
/** A failed download of the binary is retried after a day. */
const retryAfterMs = 24 * 60 * 60 * 1000;
/** A slow line needs longer than one would think; a dead one ends by itself. */
const maxFetchMs = 30 * 60 * 1000;
const failedStamp = join(root, 'node_modules/.cache/electron-not-to-be-had');

/** Path of the downloaded Electron binary, or undefined. */
export function installedElectron(): string | undefined {
  const pathFile = join(electron, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const executable = join(electron, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(executable) ? executable : undefined;
}

/**
 * Downloads the binary, with the progress that its installer shows on a terminal; Ctrl-C ends both. Undefined if that fails
 * or failed within the last day.
 */
export function fetchElectron(): string | undefined {
  const failed = statSync(failedStamp, { throwIfNoEntry: false });
  if (failed && Date.now() - failed.mtimeMs < retryAfterMs) return undefined;
  console.error('Fetching Electron, about 120 MB, once. Press Ctrl-C to stop.');
  // Its output goes to stderr, because stdout may be a pipe.
  const { signal } = spawnSync(process.execPath, [join(electron, 'install.js')], {
    stdio: ['ignore', 2, 2],
    timeout: maxFetchMs,
  });
  if (signal === 'SIGINT') process.exit(130);
  const executable = installedElectron();
  if (!executable) {
    console.error('Electron could not be fetched. Timbre tries again in a day.');
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
    writeFileSync(failedStamp, '');
  }
  return executable;
}

/** Selects Electron if its binary is installed or can be downloaded, otherwise (and for root, where Electron fails) the Chromium host. */
export function findHost(): Host {
  const given = process.env['TIMBRE_ELECTRON'];
  if (given) return { kind: 'electron', executable: given, why: 'TIMBRE_ELECTRON names it' };
  const isRoot = process.getuid?.() === 0;
  const executable = isRoot ? undefined : (installedElectron() ?? fetchElectron());
  if (executable) return { kind: 'electron', executable, why: 'its binary is here' };
  const why = isRoot ? 'Electron does not run as root' : 'the Electron binary cannot be had here';
  return { kind: 'chromium', executable: chromiumHost, why };
}
