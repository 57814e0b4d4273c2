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
  /** Where the child writes its steps; not in `folder`. */
  readonly journal: string;
}

/** What a child had written down when it ended. */
export interface Steps {
  /** The name that it was taking last. */
  readonly taking: JournalledOutput | undefined;
  readonly done: string | undefined;
  readonly failed: Problem | undefined;
}

/** A disturbance in the words of strace's `inject`, and the path that it is limited to. */
export interface Disturbance {
  /** Such as `fsync:error=EIO`. */
  readonly inject: readonly string[];
  readonly path?: readonly string[];
}

/** The system calls of each kind; those with a question mark do not exist on every processor. */
export const calls = {
  open: '?open,openat',
  write: 'write,pwrite64,writev,pwritev',
  sync: 'fsync,fdatasync',
  link: '?link,linkat',
  unlink: '?unlink,unlinkat',
  rename: '?rename,?renameat,renameat2',
  mkdir: '?mkdir,mkdirat',
} as const;

const traced = `trace=${Object.values(calls).join(',')}`;

/** Whether system calls of a child can be disturbed here. */
export const canDisturb =
  process.platform === 'linux' && spawnSync('strace', ['-o', '/dev/null', '-f', 'true']).status === 0;

/** Runs the child on the real code, with the system calls that it makes disturbed, until it ends or is killed. */
export function publishInChild(
  { folder, jobId, text, journal }: Publishing,
  { inject, path = [] }: Disturbance = { inject: [] },
): Steps {
  const paths = path.flatMap((one) => ['-P', one]);
  const strace = ['-f', '-qq', '-o', '/dev/null', '-e', traced, ...paths];
  const disturbances = inject.flatMap((one) => ['-e', `inject=${one}`]);
  const { stderr } = spawnSync(
    'strace',
    [...strace, ...disturbances, process.execPath, script, folder, jobId, text, journal],
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
