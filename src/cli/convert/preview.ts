import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { findSoundFiles } from '../../main/core/jobs/source-files.ts';
import type { Problem } from '../../shared/errors.ts';
import { inspectSound } from '../../sound/inspect-sound.ts';
import type { Invocation } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { sentence } from '../sentence.ts';

/** A file that would be converted, or why not. `seconds` null: nobody knows before it is decoded. */
export interface PreviewFile {
  readonly path: string;
  readonly seconds: number | null;
  readonly problem: Problem | null;
}

async function lookAt(path: string, signal: AbortSignal): Promise<PreviewFile> {
  const found = await inspectSound(path, { signal });
  if (found.kind !== 'problem') return { path, seconds: found.durationSeconds ?? null, problem: null };
  const facts = { name: basename(path), ending: extname(path).slice(1).toLowerCase(), ...found.facts };
  return { path, seconds: null, problem: { code: found.code, facts } };
}

/** A line each, then all in one. */
export function sayFiles(
  files: readonly PreviewFile[],
  { count, seconds }: { readonly count: number; readonly seconds: number },
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): void {
  const { format, watch, cli } = messages;
  for (const { path, seconds: length, problem } of files) {
    if (problem) output.complain(`${path}: ${sentence(messages, problem)}`);
    else output.say(`${path}  ${length === null ? '?' : format.length(length)}`);
  }
  if (count === 0) output.say(watch.preview.none);
  else output.say(cli.watch.wouldConvert(count, seconds));
}

/** `timbre convert --dry-run`: what would be converted. Nothing is sent, and nothing is written. */
export async function sayPreview(words: readonly string[], invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  const files: PreviewFile[] = [];
  for (const word of words) {
    const path = resolve(word);
    const isFolder = (await stat(path)).isDirectory();
    const inside = isFolder ? (await findSoundFiles(path, signal)).files.map((file) => file.path) : [path];
    for (const each of inside) files.push(await lookAt(each, signal));
  }
  const good = files.filter(({ problem }) => problem === null);
  const seconds = good.reduce((sum, file) => sum + (file.seconds ?? 0), 0);
  sayFiles(files, { count: good.length, seconds }, invocation);
  output.event({ event: 'preview', files, count: good.length, seconds });
  return good.length === files.length ? exitCodes.done : exitCodes.input;
}
