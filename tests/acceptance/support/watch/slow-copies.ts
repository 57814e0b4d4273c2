import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalScanner } from '../../../../src/main/core/scanner/local-scanner.ts';
import type { MonotonicClock } from '../../../../src/main/core/clock.ts';
import type { FindWriters } from '../../../../src/main/core/scanner/open-writers.ts';

const blindSpeed = 10;
/** What the wall clock says is worth nothing beside it. */
const quick: MonotonicClock = { monotonic: () => performance.now() * blindSpeed, wallNow: () => Date.now() };
const unseen: FindWriters = (questions) => Promise.resolve(questions.map(() => ({ kind: 'unseen' })));

/** Eyes that see no writer, for which a minute passes in six seconds. */
export const blindScanner = () => createLocalScanner({ clock: quick, findWriters: unseen });

/** Seconds of theirs in so many milliseconds. */
export const blindSeconds = (ms: number): number => (ms * blindSpeed) / 1000;

/** Where an Ogg page begins, or so many bytes later. */
function nextBorder(bytes: Buffer, at: number, least: number): number {
  const border = Math.min(bytes.length, at + least);
  if (bytes.toString('latin1', 0, 4) !== 'OggS') return border;
  const page = bytes.indexOf('OggS\0', border);
  return page < 0 ? bytes.length : page;
}

/**
 * Writes at most `pieces` pieces with a pause after each, and keeps the file open until the end. An Ogg is split between pages, so
 * that every partial file is valid.
 */
export async function copySlowly(path: string, bytes: Buffer, pieces: number, pauseMs: number): Promise<void> {
  const file = await open(path, 'wx');
  for (let at = 0; at < bytes.length;) {
    const end = nextBorder(bytes, at, Math.max(1, Math.ceil(bytes.length / pieces)));
    await file.write(bytes.subarray(at, end));
    at = end;
    await sleep(pauseMs);
  }
  await file.close();
}

/** An Ogg whose last page does not say that it is the last one. */
export function withoutEnd(ogg: Buffer): Buffer {
  const bytes = Buffer.from(ogg);
  bytes[bytes.lastIndexOf('OggS\0') + 5] = 0;
  return bytes;
}
