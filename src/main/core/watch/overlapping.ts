import { realpath } from 'node:fs/promises';
import type { WatchSettings } from '../../../shared/wire/watch.ts';
import { isInside } from './source-end.ts';

type Place = Pick<WatchSettings, 'path' | 'isRecursive'>;

const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

/** The first of some folders that would see files of this one, or the other way round: each file would be paid for twice. */
export async function overlapping<T extends Place>(place: Place, others: readonly T[]): Promise<T | undefined> {
  const own = await realPath(place.path);
  for (const other of others) {
    const path = await realPath(other.path);
    if (path === own) return other;
    if (place.isRecursive && isInside(own, path)) return other;
    if (other.isRecursive && isInside(path, own)) return other;
  }
  return undefined;
}
