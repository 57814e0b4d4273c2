import { basename } from 'node:path';
import { fileSource } from '../../../sound/container-check.ts';
import { inspectSource } from '../../../sound/inspect-sound.ts';
import type { FileDuration } from './scanner.ts';
import { openNoFollow } from '../files/content.ts';
import { isNotFound, isOutOfHandles } from '../files/errno.ts';

/** Tells how long recordings are, from their heads. */
export interface DurationProbe {
  measure(id: string, root: string, paths: readonly string[]): void;
  /** Forgets what was asked about that root. */
  cancel(id: string): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly platform: NodeJS.Platform;
  readonly onMeasured: (id: string, files: readonly FileDuration[]) => void;
}

interface Asked {
  readonly id: string;
  readonly root: string;
  readonly paths: readonly string[];
}

/** Whoever waits at the gate has to get at the disk too. */
const atOnce = 2;
const batchSize = 50;
const outOfHandlesMs = 500;

async function measureFile(root: string, path: string, platform: NodeJS.Platform): Promise<FileDuration> {
  const problem = (code: NonNullable<FileDuration['problem']>['code'], facts = {}): FileDuration => ({
    path,
    seconds: null,
    problem: { code, facts: { name: basename(path), ...facts } },
  });
  try {
    const file = await openNoFollow(root, path, platform);
    if (!file) return problem('input/not-a-file');
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return problem('input/not-a-file');
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

export function createDurationProbe({ platform, onMeasured }: Dependencies): DurationProbe {
  let line: Asked[] = [];
  let running: Promise<void> | null = null;
  let stopped = false;

  /** Resolves when it could be looked at, however often that has to be tried. */
  async function measureOne(asked: Asked, path: string): Promise<FileDuration | null> {
    while (!stopped && line.includes(asked)) {
      try {
        return await measureFile(asked.root, path, platform);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, outOfHandlesMs));
      }
    }
    return null;
  }

  async function measureSome(asked: Asked, paths: readonly string[]): Promise<void> {
    const left = paths.values();
    const found: FileDuration[] = [];
    const worker = async () => {
      for (const path of left) {
        const measured = await measureOne(asked, path);
        if (measured) found.push(measured);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    if (!stopped && line.includes(asked)) onMeasured(asked.id, found);
  }

  async function goOn(): Promise<void> {
    for (let asked = line[0]; asked; asked = line[0]) {
      for (let at = 0; at < asked.paths.length && line.includes(asked); at += batchSize) {
        await measureSome(asked, asked.paths.slice(at, at + batchSize));
      }
      const done = asked;
      line = line.filter((other) => other !== done);
    }
    running = null;
  }

  return {
    measure(id, root, paths) {
      if (stopped || paths.length === 0) return;
      line.push({ id, root, paths });
      running ??= goOn();
    },
    cancel: (id) => void (line = line.filter((asked) => asked.id !== id)),
    async stop() {
      stopped = true;
      line = [];
      await running;
    },
  };
}
