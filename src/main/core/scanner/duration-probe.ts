import { basename } from 'node:path';
import type { Problem } from '../../../shared/errors.ts';
import { isTextPath } from '../../../shared/schemas/watch.ts';
import { fileSource } from '../../../sound/container-check.ts';
import { inspectSource } from '../../../sound/inspect-sound.ts';
import type { FileDuration } from './scanner.ts';
import { openNoFollow } from '../files/content.ts';
import { isNotFound, isOutOfHandles } from '../files/errno.ts';
import { readSpokenText, textSizeProblem } from '../speech/text-file.ts';

/** Reads the durations of recordings from their headers, and estimates those of texts. */
export interface DurationProbe {
  add(id: string, root: string, paths: readonly string[]): void;
  /** Drops the requests for that root. */
  cancel(id: string): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly platform: NodeJS.Platform;
  readonly onDurations: (id: string, files: readonly FileDuration[]) => void;
}

interface ProbeRequest {
  readonly id: string;
  readonly root: string;
  readonly paths: readonly string[];
}

/** Per root. Low, because the gate reads from the same disk. */
const maxConcurrent = 2;
const batchSize = 50;
const outOfHandlesMs = 500;

export function createDurationProbe({ platform, onDurations }: Dependencies): DurationProbe {
  let queue: ProbeRequest[] = [];
  /** By path of the root, because a disk may hang. */
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  /** Retries while too many files are open. Returns null if cancelled. */
  async function probeOne(request: ProbeRequest, path: string): Promise<FileDuration | null> {
    while (!stopped && queue.includes(request)) {
      try {
        return await probeFile(request.root, path, platform);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, outOfHandlesMs));
      }
    }
    return null;
  }

  async function probeBatch(request: ProbeRequest, paths: readonly string[]): Promise<void> {
    const remaining = paths.values();
    const found: FileDuration[] = [];
    const worker = async () => {
      for (const path of remaining) {
        const file = await probeOne(request, path);
        if (file) found.push(file);
      }
    };
    await Promise.all(Array.from({ length: maxConcurrent }, worker));
    if (!stopped && queue.includes(request)) onDurations(request.id, found);
  }

  async function drain(root: string): Promise<void> {
    const next = () => queue.find((request) => request.root === root);
    for (let request = next(); request; request = next()) {
      for (let at = 0; at < request.paths.length && queue.includes(request); at += batchSize) {
        await probeBatch(request, request.paths.slice(at, at + batchSize));
      }
      const done = request;
      queue = queue.filter((other) => other !== done);
    }
    running.delete(root);
  }

  return {
    add(id, root, paths) {
      if (stopped || paths.length === 0) return;
      queue.push({ id, root, paths });
      if (!running.has(root)) running.set(root, drain(root));
    },
    cancel: (id) => void (queue = queue.filter((request) => request.id !== id)),
    async stop() {
      stopped = true;
      queue = [];
      await Promise.all(running.values());
    },
  };
}

/** Rejects only if too many files are open. */
async function probeFile(root: string, path: string, platform: NodeJS.Platform): Promise<FileDuration> {
  const refused = (problem: Problem): FileDuration => ({ path, seconds: null, problem });
  const problem = (code: Problem['code'], facts = {}) => refused({ code, facts: { name: basename(path), ...facts } });
  try {
    const file = await openNoFollow(root, path, platform);
    if (!file) return problem('input/not-a-file');
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return problem('input/not-a-file');
      if (isTextPath(path)) {
        const tooLarge = textSizeProblem(path, stats.size);
        if (tooLarge) return refused(tooLarge);
        const spoken = await readSpokenText(path, await file.readFile());
        if (spoken.kind === 'refused') return refused(spoken.problem);
        return { path, seconds: spoken.seconds, problem: null };
      }
      const found = await inspectSource(fileSource(file, stats.size));
      if (found.kind === 'problem') return problem(found.code, found.facts);
      return { path, seconds: found.durationSeconds ?? null, problem: null };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isOutOfHandles(error)) throw error;
    return problem(isNotFound(error) ? 'input/missing' : 'input/unreadable');
  }
}
