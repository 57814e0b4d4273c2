import { findChromium } from '../host/chromium/find-chromium.mts';

/** Path of a system Chromium, for rendering. Throws a sentence if there is none. */
export function chromiumPath(): string {
  const found = findChromium(process.env);
  if ('problem' in found) throw new Error(found.problem);
  return found.path;
}
