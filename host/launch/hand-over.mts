import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * Hands a command line to the Chromium that runs on `profile`, as a second start of it would do, without the 100 ms of
 * a start. Whether it was taken; never rejects. The message is that of Chromium's process_singleton_posix.cc: `START`,
 * the working directory and the arguments, a NUL between them, answered with `ACK` or `SHUTDOWN`.
 */
export async function handOver(profile: string, commandLine: readonly string[]): Promise<boolean> {
  try {
    // The link leads to a short path: the address of a socket may not have more than 107 bytes.
    const path = await realpath(join(profile, 'SingletonSocket'));
    return await new Promise<boolean>((resolve, reject) => {
      let answer = '';
      const socket = connect({ path, allowHalfOpen: true });
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.once('end', () => resolve(answer.startsWith('ACK')));
      socket.once('error', reject);
      socket.end(['START', '/', ...commandLine].join('\0'));
    });
  } catch {
    return false;
  }
}
