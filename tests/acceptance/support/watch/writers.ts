import { once } from 'node:events';
import { join } from 'node:path';
import { must, type ScenarioContext } from '../scenario.ts';
import { recording, sha256Of } from './recordings.ts';
import type { Writing } from './writer.ts';

const entry = new URL('./writer-process.ts', import.meta.url);
const perProcess = 5;
const ways = ['growing', 'preallocated', 'reopening'] as const;

export interface Writers {
  /** Names of what they write, relative to the root. */
  readonly names: readonly string[];
  readonly hashes: readonly string[];
  /** Resolves when all files are there; nearly all are far from finished then. */
  readonly started: Promise<void>;
  readonly finished: Promise<void>;
}

/**
 * Programs that write into a folder, each file with its own speed and stall. A writer that closes its file between pieces is only
 * visible by its rhythm, so it stalls at most three times its usual pause.
 */
export function startWriters(
  { fork, random }: Pick<ScenarioContext, 'fork' | 'random'>,
  root: string,
  count: number,
  stallsMs: readonly number[],
  from = 0,
): Writers {
  const writings = Array.from({ length: count }, (_, k): Writing => {
    const way = ways[k % ways.length] ?? 'growing';
    const name = join(root, `take ${from + k}.wav`);
    const stallMs = stallsMs[k % stallsMs.length] ?? 0;
    const isReopening = way === 'reopening';
    const isRenamed = k % 5 === 4;
    return {
      path: isRenamed ? `${name}.part` : name,
      finalPath: isRenamed ? name : null,
      bytes: recording(from + k, 0.5 + random.integer(0, 5) / 10),
      pieces: random.integer(6, 12),
      pauseMs: isReopening ? random.integer(300, 500) : random.integer(20, 500),
      stallMs: isReopening ? Math.min(stallMs, 850) : stallMs,
      way,
      keepsTimes: k % 7 === 3,
    };
  });
  const children = Array.from({ length: Math.ceil(count / perProcess) }, (_, k) => {
    const some = writings.slice(k * perProcess, (k + 1) * perProcess);
    const order = some.map(({ bytes, ...writing }) => ({ ...writing, sound: bytes.toString('base64') }));
    return fork(entry, [JSON.stringify(order)], { execArgv: [] });
  });
  let startedFiles = 0;
  const started = Promise.withResolvers<void>();
  for (const child of children) {
    child.on('message', () => {
      startedFiles += 1;
      if (startedFiles === count) started.resolve();
    });
  }
  const ends = children.map(async (child) => {
    const [code] = (await once(child, 'exit')) as [number | null];
    must(code === 0, `a writer ended with ${code ?? 'a signal'}`);
  });
  return {
    names: writings.map((_, k) => `take ${from + k}.wav`),
    hashes: writings.map(({ bytes }) => sha256Of(bytes)),
    started: started.promise,
    finished: Promise.all(ends).then(() => undefined),
  };
}
