import { AppError, type Problem, toAppError } from '../../../shared/errors.ts';
import { isTextPath, type WatchPreview, type WatchSettings } from '../../../shared/schemas/watch.ts';
import type { CompareNames } from '../name-order.ts';
import type { Scanner, ScannerEvent, FileDuration, RootIdentity, DiscoveredFile } from '../scanner/scanner.ts';
import { lengthOf } from './decisions.ts';
import { rootOf } from './folder-store.ts';
import type { SubfolderVoices } from './subfolder-voices.ts';

const maxShownFiles = 500;

interface PreviewRequest {
  readonly scanner: Scanner;
  /** An id that no watched folder has. */
  readonly id: string;
  readonly settings: WatchSettings;
  readonly identity: RootIdentity;
  readonly voices: SubfolderVoices;
  /** False for a file that was converted before or is in the answered baseline. */
  isNew(file: DiscoveredFile): boolean;
  readonly compareNames: CompareNames;
  readonly signal: AbortSignal;
}

const missing = (path: string): FileDuration => ({
  path,
  seconds: null,
  problem: { code: 'input/missing' },
});

/** Why there is no voice for a file; null if there is one. */
async function voiceProblem(
  voices: SubfolderVoices,
  { connectionId, hasSubfolderVoices }: WatchSettings,
  path: string,
): Promise<Problem | null> {
  if (!hasSubfolderVoices) return null;
  try {
    await voices.find(connectionId, path);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.problem;
    throw error;
  }
}

/**
 * Scans a folder once and measures what would be converted then; files that arrive later are not part of it. Saves nothing and
 * writes nothing into the folder. Rejects with the signal's reason, and with what is wrong with a folder that goes offline.
 */
export async function previewFolder({
  scanner,
  id,
  settings,
  identity,
  voices,
  isNew,
  compareNames,
  signal,
}: PreviewRequest): Promise<WatchPreview> {
  /** By path. */
  const results = new Map<string, FileDuration>();
  const unmeasured = new Set<string>();
  let links = 0;
  let ignored = 0;
  let isScanned = false;

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  function onEvent(event: ScannerEvent): void {
    if (event.id !== id) return;
    if (event.kind === 'status' && event.status.mode === 'offline') {
      const [problem = { code: 'watch/missing' } as const] = event.status.problems;
      reject(toAppError({ ...problem, message: `${settings.path} went offline` }));
    } else if (event.kind === 'discovered' && !isScanned) {
      for (const file of event.files) {
        if (file.kind === 'link') links += 1;
        else if (file.kind === 'file' && isNew(file)) unmeasured.add(file.path);
      }
    } else if (event.kind === 'scanned' && !isScanned) {
      ({ ignored } = event);
      isScanned = true;
      if (unmeasured.size > 0) scanner.probeDurations(id, [...unmeasured]);
    } else if (event.kind === 'durations') {
      for (const file of event.files) if (unmeasured.delete(file.path)) results.set(file.path, file);
    } else if (event.kind === 'deleted') {
      for (const path of event.paths)
        if (unmeasured.delete(path) || results.has(path)) results.set(path, missing(path));
    }
    if (isScanned && unmeasured.size === 0) resolve();
  }
  const unsubscribe = scanner.onEvent(onEvent);
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    scanner.watch({ ...rootOf({ id, settings, identity }), isExclusive: false });
    await promise;
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', abort);
    scanner.unwatch(id);
  }
  const measured: WatchPreview['files'][number][] = [];
  for (const file of results.values()) {
    const { path } = file;
    const problem = file.problem ?? (await voiceProblem(voices, settings, path));
    measured.push({ path, seconds: lengthOf(path, file.seconds, settings), problem });
    signal.throwIfAborted();
  }
  const whole = measured.filter(({ problem }) => problem === null);
  const texts = whole.filter(({ path }) => isTextPath(path)).length;
  return {
    files: measured.sort((a, b) => compareNames(a.path, b.path)).slice(0, maxShownFiles),
    count: whole.length - texts,
    texts,
    seconds: whole.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
    unmeasured: whole.filter(({ seconds }) => seconds === null).length,
    refused: measured.length - whole.length,
    ignored,
    links,
  };
}
