import { basename, dirname } from 'node:path';
import { descriptorPath, namedPaths, parseTrace, type TracedCall } from './parse-trace.ts';

interface Options {
  /** Absolute; folders in it count too. Any name in it that is not temporary is a final one. */
  readonly outputFolder: string;
  /** By file name. Default: `.timbre-….part`. */
  readonly isTemporary?: (name: string) => boolean;
}

export interface OrderReport {
  /** How often a file was given a final name. */
  readonly publishes: number;
  /** One sentence each, with the line of the trace. */
  readonly violations: readonly string[];
  /** What a kill left between a name and the sync of its folder: no violation, the next start has to make it good. */
  readonly unfinished: readonly string[];
}

const ownTemporary = (name: string) => name.startsWith('.timbre-') && name.endsWith('.part');
const gives = (call: TracedCall) => /^(?:link|linkat|rename|renameat|renameat2)$/.test(call.name);
const opensForWriting = ({ name, args }: TracedCall) => name === 'openat' && /\bO_(?:WRONLY|RDWR)\b/.test(args);
const creates = ({ args }: TracedCall) => /\bO_CREAT\b/.test(args);

/**
 * Checks with a trace of strace that results survive a power cut: each final name was given to a synced file, could not replace an
 * existing file, and the folder was synced afterwards.
 */
export function checkOrder(text: string, { outputFolder, isTemporary = ownTemporary }: Options): OrderReport {
  const { calls, wasKilled } = parseTrace(text);
  const violations: string[] = [];
  const unfinished: string[] = [];
  /** Files that were written to, and whether all of it is on disk. */
  const synced = new Map<string, boolean>();
  /** Empty files that hold a final name until the result is renamed over them. */
  const placeholders = new Map<string, number>();
  /** Final names that a power cut could still take back, with the line that gave them. */
  const unsyncedNames = new Map<string, number>();
  let publishes = 0;

  const isFinal = (path: string) => path.startsWith(`${outputFolder}/`) && !isTemporary(basename(path));

  function beginPublish(call: TracedCall, from: string, to: string): void {
    if (!isFinal(to)) return;
    if (call.end === null) unfinished.push(`line ${call.begin}: giving ${to} was cut off`);
    if (!call.succeeded) return;
    publishes += 1;
    if (synced.get(from) !== true) violations.push(`line ${call.begin}: ${to} was given to ${from} before its fsync`);
    const mayReplace = call.name.startsWith('rename') && !call.args.includes('RENAME_NOREPLACE');
    if (mayReplace && !placeholders.has(to)) {
      violations.push(`line ${call.begin}: ${to} could have been somebody's file, and was renamed over`);
    }
  }

  function endPublish(call: TracedCall, from: string, to: string): void {
    if (call.name.startsWith('rename')) {
      synced.set(to, synced.get(from) ?? false);
      synced.delete(from);
    }
    if (!isFinal(to) || call.end === null) return;
    placeholders.delete(to);
    unsyncedNames.set(to, call.end);
  }

  function endSync(call: TracedCall): void {
    const path = descriptorPath(call);
    if (path === null) return;
    if (synced.has(path)) synced.set(path, true);
    if (call.name !== 'fsync') return;
    for (const [name, line] of unsyncedNames) {
      if (dirname(name) === path && line < call.begin) unsyncedNames.delete(name);
    }
  }

  function endOpen(call: TracedCall, path: string): void {
    synced.set(path, false);
    if (!isFinal(path)) return;
    if (creates(call) && call.args.includes('O_EXCL')) placeholders.set(path, call.begin);
    else violations.push(`line ${call.begin}: ${path} is written to under its final name`);
  }

  function finish(call: TracedCall): void {
    const [first, second] = namedPaths(call);
    if (!call.succeeded) return;
    if (gives(call) && first !== undefined && second !== undefined) endPublish(call, first, second);
    else if (call.name === 'fsync' || call.name === 'fdatasync') endSync(call);
    else if (opensForWriting(call) && first !== undefined) endOpen(call, first);
    else if (call.name.startsWith('unlink') && first !== undefined) {
      for (const known of [synced, placeholders, unsyncedNames]) known.delete(first);
    }
  }

  const moments = calls.flatMap((call) => [
    { line: call.begin, call, isEnd: false },
    ...(call.end === null ? [] : [{ line: call.end, call, isEnd: true }]),
  ]);
  // The sort is stable, so a call on one line starts before it ends.
  for (const { call, isEnd } of moments.sort((a, b) => a.line - b.line)) {
    const [from, to] = namedPaths(call);
    if (isEnd) finish(call);
    else if (gives(call) && from !== undefined && to !== undefined) beginPublish(call, from, to);
  }

  const rest = [
    ...[...unsyncedNames].map(([name, line]) => `line ${line}: the folder of ${name} was not synced after it`),
    ...[...placeholders].map(([name, line]) => `line ${line}: ${name} was left as an empty file`),
  ];
  (wasKilled ? unfinished : violations).push(...rest);
  return { publishes, violations, unfinished };
}
