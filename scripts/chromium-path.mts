import { existsSync } from 'node:fs';
import { findChromium } from '../host/chromium/find-chromium.mts';

const debianShell = '/usr/lib/chromium/chromium-headless-shell';

/** Chromium's engine without a browser around it, where it is installed: a start takes a sixth of the processor time. */
export const headlessShell = existsSync(debianShell) ? debianShell : undefined;

/** Path of a system Chromium, for pages without a display. Throws a sentence if there is none. */
export function chromiumPath(): string {
  if (!process.env['HOST_CHROMIUM'] && headlessShell) return headlessShell;
  const found = findChromium(process.env);
  if ('problem' in found) throw new Error(found.problem);
  return found.path;
}
