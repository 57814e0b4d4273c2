import { spawn } from 'node:child_process';

/** A virtual display, for machines without a screen. */
export interface Display {
  /** Value for DISPLAY. */
  readonly name: string;
  stop(): void;
}

/** Starts Xvfb on a free display. Rejects with a sentence if Xvfb is missing. */
export function startDisplay(size = '1280x900x24'): Promise<Display> {
  return new Promise((resolve, reject) => {
    const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    xvfb.once('error', () => {
      reject(new Error('There is no display here and no Xvfb. On Debian: apt-get install xvfb'));
    });
    xvfb.once('exit', () => reject(new Error('Xvfb ended before it had a display.')));
    xvfb.stdio[3]?.once('data', (line: Buffer) => {
      resolve({ name: `:${line.toString().trim()}`, stop: () => void xvfb.kill() });
    });
  });
}
