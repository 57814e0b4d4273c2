import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';

export interface SecondInstance {
  readonly argv: string[];
  readonly cwd: string;
  readonly data: unknown;
}

export interface InstanceLock {
  /** True for the first process with this user data; later ones send it their arguments and get false. */
  request(data: unknown): boolean;
  isHeld(): boolean;
  release(): void;
}

export interface InstanceLockDeps {
  readonly userData: () => string;
  /** Called in the first instance. The second waits, up to 5 s, until the promise is done. */
  readonly onSecond: (second: SecondInstance) => Promise<void>;
}

/**
 * The single-instance lock as an abstract Unix socket (Linux only). It is gone with its process, so it is never stale,
 * and listening on it is synchronous, so the answer is right at once.
 */
export function createInstanceLock({ userData, onSecond }: InstanceLockDeps): InstanceLock {
  let held: Server | undefined;
  const address = (): string => `\0electron-host-${createHash('sha256').update(userData()).digest('hex').slice(0, 24)}`;

  const listen = (): Server | undefined => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('end', () => void onSecond(JSON.parse(text) as SecondInstance).then(() => socket.end()));
    });
    // The address in use shows in `listening`.
    server.on('error', () => undefined);
    server.listen(address());
    server.unref();
    return server.listening ? server : undefined;
  };

  return {
    request(data) {
      held ??= listen();
      if (held) return true;
      notifyFirst(address(), { argv: process.argv, cwd: process.cwd(), data: data ?? null });
      return false;
    },
    isHeld: () => held !== undefined,
    release() {
      held?.close();
      held = undefined;
    },
  };
}

/** `requestSingleInstanceLock` answers at once, so the message goes through a short-lived process that can be waited for. */
function notifyFirst(address: string, message: SecondInstance): void {
  const script = `
    const socket = require('node:net').connect(${JSON.stringify(address)});
    socket.on('error', () => process.exit(1)).on('close', () => process.exit(0)).resume();
    socket.end(${JSON.stringify(JSON.stringify(message))});
  `;
  spawnSync(process.execPath, ['-e', script], { timeout: 5000, env: {} });
}
