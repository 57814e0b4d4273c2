import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mts';

/** What shows the window: Electron itself, or a system Chromium around the same bundles. */
export interface Host {
  readonly kind: 'electron' | 'chromium';
  readonly executable: string;
  /** Why it is this one, as a sentence. */
  readonly why: string;
}

const electron = join(root, 'node_modules/electron');
const chromiumHost = join(root, 'host/electron');
/** A machine that could not fetch the binary is asked again after a day. */
const retryAfterMs = 24 * 60 * 60 * 1000;
const failedStamp = join(root, 'node_modules/.cache/electron-not-to-be-had');

/** The Electron binary that the package has fetched before. */
export function installedElectron(): string | undefined {
  const pathFile = join(electron, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const executable = join(electron, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(executable) ? executable : undefined;
}

/** Fetches the binary; undefined where that fails, and without another try for a day. */
export function fetchElectron(): string | undefined {
  const failed = statSync(failedStamp, { throwIfNoEntry: false });
  if (failed && Date.now() - failed.mtimeMs < retryAfterMs) return undefined;
  spawnSync(process.execPath, [join(electron, 'install.js')], { stdio: 'ignore', timeout: 300_000 });
  const executable = installedElectron();
  if (!executable) {
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
    writeFileSync(failedStamp, '');
  }
  return executable;
}

/** Electron where its binary is, or can be had; else the Chromium host. Electron does not run as root, so root gets the other. */
export function findHost(): Host {
  const given = process.env['TIMBRE_ELECTRON'];
  if (given) return { kind: 'electron', executable: given, why: 'TIMBRE_ELECTRON names it' };
  const isRoot = process.getuid?.() === 0;
  const executable = isRoot ? undefined : (installedElectron() ?? fetchElectron());
  if (executable) return { kind: 'electron', executable, why: 'its binary is here' };
  const why = isRoot ? 'Electron does not run as root' : 'the Electron binary cannot be had here';
  return { kind: 'chromium', executable: chromiumHost, why };
}
