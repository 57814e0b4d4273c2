import { findChromium } from '../host/chromium/find-chromium.mts';

/** A system Chromium, for drawing. Throws a sentence where there is none. */
export function chromiumPath(): string {
  const found = findChromium(process.env);
  if ('problem' in found) throw new Error(found.problem);
  return found.path;
}
