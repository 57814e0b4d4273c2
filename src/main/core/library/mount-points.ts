import { readFile } from 'node:fs/promises';
import { parse, sep } from 'node:path';

/** Where systems put disks and shares that come and go: the folder that stands for one of them. */
const removable: readonly RegExp[] = [
  /^\/media\/[^/]+\/[^/]+/,
  /^\/run\/media\/[^/]+\/[^/]+/,
  /^\/run\/user\/\d+\/gvfs\/[^/]+/,
  /^\/mnt\/[^/]+/,
  /^\/net\/[^/]+/,
  /^\/Volumes\/[^/]+/,
];

/** The folder that a disk or a share with this path hangs on, where its place says so; null for a path of the system's own disk. */
export function removableRoot(path: string, platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return parse(path).root || null;
  return removable.map((pattern) => pattern.exec(path)?.[0]).find((found) => found !== undefined) ?? null;
}

/** The kernel writes spaces, tabs, line ends and backslashes of a path in octal. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));

/** Where something is mounted (Linux), longest first. Asks the kernel's own list, which no disk can hold up. */
export async function mountPoints(): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const points = text.split('\n').flatMap((line) => unescaped(line.split(' ')[4] ?? '') || []);
  return points.sort((a, b) => b.length - a.length);
}

/** The disk or share that a path stands on, as far as can be told without asking it. */
export function placeOf(path: string, points: readonly string[], platform: NodeJS.Platform): string {
  const mounted = points.find((point) => path === point || path.startsWith(point.endsWith(sep) ? point : point + sep));
  return mounted ?? removableRoot(path, platform) ?? parse(path).root;
}
