import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * Sends a command line to the Chromium running with `profile`, as a second start would, but without its 100 ms. Resolves
 * with whether it was accepted; never rejects. Format, from Chromium's process_singleton_posix.cc: `START`, working
 * directory and arguments, separated by NUL; the reply is `ACK` or `SHUTDOWN`.
 */
export async function handOver(profile: string, commandLine: readonly string[]): Promise<boolean> {
  try {
    // The link resolves to a short path; a socket address is limited to 107 bytes.
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
