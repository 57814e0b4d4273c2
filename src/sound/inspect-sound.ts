import { stat } from 'node:fs/promises';
import { checkAdts } from './check-adts.ts';
import { checkAiff } from './check-aiff.ts';
import { checkAmr } from './check-amr.ts';
import { checkAsf } from './check-asf.ts';
import { checkCaf } from './check-caf.ts';
import { checkFlac } from './check-flac.ts';
import { checkMatroska } from './check-matroska.ts';
import { checkMp3 } from './check-mp3.ts';
import { checkMp4 } from './check-mp4.ts';
import { checkOgg } from './check-ogg.ts';
import { checkRiff } from './check-riff.ts';
import {
  limitedSource,
  TooCostlyError,
  withFileSource,
  type ByteSource,
  type ContainerCheck,
  type CutFacts,
  type OpenEnd,
} from './container-check.ts';
import { detectSource } from './detect-format.ts';
import type { InputFormat } from '../shared/input-formats.ts';

export type SoundProblemCode =
  'input/missing' | 'input/unreadable' | 'input/not-a-file' | 'input/empty' | 'input/not-audio' | 'input/cut';

/** What the container says about a file. */
export type SoundInspection =
  | {
      readonly kind: 'sound';
      readonly format: InputFormat;
      readonly durationSeconds?: number;
      /** Set if the file may still be growing: a watcher must wait for its writer. */
      readonly open?: OpenEnd;
      /** Set if no decoder of ours reads its audio: the name of the coding, as the container states it. */
      readonly unsupportedCodec?: string;
    }
  | { readonly kind: 'problem'; readonly code: SoundProblemCode; readonly facts: CutFacts };

const checks: Readonly<Record<InputFormat, (source: ByteSource) => Promise<ContainerCheck>>> = {
  wav: checkRiff,
  mp3: checkMp3,
  flac: checkFlac,
  ogg: checkOgg,
  opus: checkOgg,
  m4a: checkMp4,
  aac: checkAdts,
  aiff: checkAiff,
  caf: checkCaf,
  webm: checkMatroska,
  amr: checkAmr,
  wma: checkAsf,
  spx: checkOgg,
};

/** A year. The header of a file that states more is wrong, and its length counts as unknown. */
const maxDurationSeconds = 366 * 24 * 3600;

const problem = (code: SoundProblemCode, facts: CutFacts = {}): SoundInspection => ({ kind: 'problem', code, facts });

async function inspectBytes(whole: ByteSource): Promise<SoundInspection> {
  if (whole.size === 0) return problem('input/empty');
  const source = limitedSource(whole);
  let detected: Awaited<ReturnType<typeof detectSource>>;
  let found: ContainerCheck;
  try {
    detected = await detectSource(source);
    if (!detected) return problem('input/not-audio');
    found = await (detected.isOgg ? checkOgg : checks[detected.format])(source);
  } catch (error) {
    if (error instanceof TooCostlyError) return problem('input/not-audio');
    throw error;
  }
  const { format } = detected;
  switch (found.kind) {
    case 'cut':
      return problem('input/cut', found.facts);
    case 'empty':
      return problem('input/empty');
    case 'foreign':
      return problem('input/not-audio');
    case 'complete': {
      const { durationSeconds, open, unsupportedCodec } = found;
      return {
        kind: 'sound',
        format,
        ...(durationSeconds !== undefined && durationSeconds <= maxDurationSeconds && { durationSeconds }),
        ...(open && { open }),
        ...(unsupportedCodec !== undefined && { unsupportedCodec }),
      };
    }
  }
}

/** Inspects bytes in memory like `inspectSound`. Never rejects for invalid bytes. */
export const inspectSource = inspectBytes;

/**
 * Checks from the head, sizes and tail of a file whether it is audio and complete. Decodes nothing
 * and reads at most a few hundred kB, so it can scan thousands of files. Invalid bytes and missing
 * files are results; rejects only with the signal's reason and with system errors (EMFILE, EIO).
 */
export async function inspectSound(
  path: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<SoundInspection> {
  signal?.throwIfAborted();
  try {
    if (!(await stat(path)).isFile()) return problem('input/not-a-file');
    return await withFileSource(path, (source) =>
      inspectBytes({
        size: source.size,
        read(position, length) {
          signal?.throwIfAborted();
          return source.read(position, length);
        },
      }),
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return problem('input/missing');
    if (code === 'EACCES' || code === 'EPERM') return problem('input/unreadable');
    throw error;
  }
}
