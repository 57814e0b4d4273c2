import { basename } from 'node:path';
import type { Problem } from '../../../../shared/problem.ts';
import type { ByteSource, OpenEnd } from '../../../../sound/container-check.ts';
import { inspectSource } from '../../../../sound/inspect-sound.ts';

export type Completeness =
  | { readonly kind: 'complete'; readonly durationSeconds: number | null; readonly open: OpenEnd | null }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Is it sound, and all of it, as far as its container tells? */
export async function checkComplete(source: ByteSource, path: string): Promise<Completeness> {
  const name = basename(path);
  const found = await inspectSource(source);
  if (found.kind === 'problem') {
    return { kind: 'refused', problem: { code: found.code, facts: { name, ...found.facts } } };
  }
  return { kind: 'complete', durationSeconds: found.durationSeconds ?? null, open: found.open ?? null };
}
