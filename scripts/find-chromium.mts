import { existsSync } from 'node:fs';

const places = [
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/opt/google/chrome/chrome',
  '/usr/bin/google-chrome',
];

/** A system Chromium, for drawing. Throws a sentence where there is none. */
export function findChromium(): string {
  const found = places.find((path) => existsSync(path));
  if (!found) throw new Error('There is no Chromium here. On Debian: apt-get install chromium');
  return found;
}
