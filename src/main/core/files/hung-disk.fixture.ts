import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, closeSync, openSync } from 'node:fs';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

function canMount(): boolean {
  try {
    for (const program of ['/usr/sbin/mkntfs', '/usr/bin/ntfs-3g']) accessSync(program);
    closeSync(openSync('/dev/fuse', 'r+'));
    return true;
  } catch {
    return false;
  }
}

/** True if this machine can mount a disk whose program a test can stop. */
export const canHang = process.platform === 'linux' && process.getuid?.() === 0 && canMount();

/** A mounted disk that answers only while its program runs. */
export interface HangingDisk {
  hang(): void;
  /** Drops what the system holds of a file in memory, so that it is read from the disk. */
  uncache(path: string): Promise<void>;
  answer(): void;
  remove(): Promise<void>;
}

const pollMs = 20;

/** Makes a disk of NTFS in the file `image` and mounts it at the folder `at`. */
export async function mountHangingDisk(image: string, at: string): Promise<HangingDisk> {
  await mkdir(at, { recursive: true });
  await writeFile(image, '');
  await truncate(image, 64 * 1024 ** 2);
  await run('mkntfs', ['-F', '-Q', image]);
  const program: ChildProcess = spawn('ntfs-3g', ['-o', 'no_detach', image, at], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => void program.once('exit', () => resolve()));
  while (program.exitCode === null && !(await readFile('/proc/self/mountinfo', 'utf8')).includes(` ${at} `))
    await new Promise((resolve) => void setTimeout(resolve, pollMs));
  const send = (signal: NodeJS.Signals) => void program.kill(signal);
  return {
    hang: () => send('SIGSTOP'),
    uncache: async (path) => void (await run('dd', [`if=${path}`, 'iflag=nocache', 'count=0'])),
    answer: () => send('SIGCONT'),
    async remove() {
      send('SIGCONT');
      await run('umount', ['-l', at]);
      await ended;
    },
  };
}
