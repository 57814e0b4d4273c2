import { basename } from 'node:path';
import type { Problem } from '../../../../shared/problem.ts';
import type { ByteSource } from '../../../../sound/container-check.ts';
import { inspectSource } from '../../../../sound/inspect-sound.ts';

export type Completeness =
  | { readonly kind: 'complete'; readonly durationSeconds: number | null }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Is it sound, and all of it? A length that is left open plays everywhere and is refused here all the same: a recorder that is still
 * writing leaves the same head.
 */
export async function checkComplete(source: ByteSource, path: string): Promise<Completeness> {
  const name = basename(path);
  const found = await inspectSource(source);
  if (found.kind === 'problem') {
    return { kind: 'refused', problem: { code: found.code, facts: { name, ...found.facts } } };
  }
  if (found.open) return { kind: 'refused', problem: { code: 'watch/length-open', facts: { name } } };
  return { kind: 'complete', durationSeconds: found.durationSeconds ?? null };
}
