import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../../../shared/errors.ts';
import type { JournalledOutput } from './recover-output.ts';

const script = fileURLToPath(new URL('./publish-child.fixture.ts', import.meta.url));

export interface Publishing {
  readonly folder: string;
  readonly jobId: string;
  readonly text: string;
  /** File for the child's steps; not in `folder`. */
  readonly journal: string;
  /** A result that failed is not discarded, as audio that came with a reply. */
  readonly isKept?: boolean;
}

/** The steps that a child had recorded when it ended. */
export interface Steps {
  /** The last name that it tried. */
  readonly taking: JournalledOutput | undefined;
  readonly done: string | undefined;
  readonly failed: Problem | undefined;
}

/** A disturbance in the syntax of strace's `inject`, and the paths that it is limited to. */
export interface Disturbance {
  /** For example `fsync:error=EIO`. */
  readonly inject: readonly string[];
  readonly path?: readonly string[];
}

/** System calls by kind. Those with a question mark do not exist on every processor. */
export const calls = {
  open: '?open,openat',
  write: 'write,pwrite64,writev,pwritev',
  sync: 'fsync,fdatasync',
  link: '?link,linkat',
  unlink: '?unlink,unlinkat',
  rename: '?rename,?renameat,renameat2',
  mkdir: '?mkdir,mkdirat',
} as const;

const traceOption = `trace=${Object.values(calls).join(',')}`;

/** True if this machine can inject errors into a child's system calls. */
export const canDisturb =
  process.platform === 'linux' && spawnSync('strace', ['-o', '/dev/null', '-f', 'true']).status === 0;

/** Runs the real code in a child with disturbed system calls, until it ends or is killed. */
export function publishInChild(
  { folder, jobId, text, journal, isKept = false }: Publishing,
  { inject, path = [] }: Disturbance = { inject: [] },
): Steps {
  const paths = path.flatMap((one) => ['-P', one]);
  const strace = ['-f', '-qq', '-o', '/dev/null', '-e', traceOption, ...paths];
  const disturbances = inject.flatMap((one) => ['-e', `inject=${one}`]);
  const { stderr } = spawnSync(
    'strace',
    [...strace, ...disturbances, process.execPath, script, folder, jobId, text, journal, isKept ? 'keep' : 'discard'],
    // One thread for files: strace counts each thread's calls for itself.
    { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' } },
  );
  if (stderr) throw new Error(stderr);
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : [];
  const steps = lines.filter(Boolean).map((line) => JSON.parse(line) as Partial<Steps & JournalledOutput>);
  return {
    taking: steps.findLast((step): step is JournalledOutput => step.path !== undefined),
    done: steps.find(({ done }) => done !== undefined)?.done,
    failed: steps.find(({ failed }) => failed !== undefined)?.failed,
  };
}
