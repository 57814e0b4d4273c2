import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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
  /** Called in the first instance. The second waits up to 5 s until the promise settles. */
  readonly onSecond: (second: SecondInstance) => Promise<void>;
  /** Reports why the lock can't be used, or why the first instance could not be notified. */
  readonly reportError: (why: string) => void;
}

interface Held {
  readonly server: Server;
  readonly database: DatabaseSync;
  readonly folder: number;
}

/** Linux starts a program with 2 MiB of arguments at most, which the app can send once more as its data. */
const maxMessageLength = 6 * 1024 ** 2;
/** Messages arrive at once; a connection that stays open longer is not a second instance. */
const messageMs = 5000;
const sqliteBusy = 5;

/** Addressed via an open folder, because a socket address is limited to 107 bytes. */
const socketIn = (folder: number): string => `/proc/self/fd/${folder}/instance.sock`;

function parseMessage(text: string): SecondInstance | undefined {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null) return undefined;
    const { argv, cwd, data } = message as Record<string, unknown>;
    if (!Array.isArray(argv) || typeof cwd !== 'string') return undefined;
    return { argv: argv.filter((one): one is string => typeof one === 'string'), cwd, data };
  } catch {
    return undefined;
  }
}

/**
 * The single-instance lock (Linux only): a database that stays locked while its process lives, and a socket for messages.
 * Both are in the user data folder, which other users can't enter, so they can neither take, see nor contact the lock.
 */
export function createInstanceLock({ userData, onSecond, reportError }: InstanceLockDeps): InstanceLock {
  let held: Held | undefined;

  function hear(socket: Socket): void {
    let text = '';
    socket.setTimeout(messageMs, () => socket.destroy());
    socket.on('error', () => undefined);
    // A long message comes in pieces, which may end within a character.
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
      if (text.length > maxMessageLength) socket.destroy();
    });
    socket.on('end', () => {
      const message = parseMessage(text);
      if (!message) {
        socket.destroy();
        return;
      }
      socket.setTimeout(0);
      onSecond(message)
        .catch(() => undefined)
        .finally(() => socket.end());
    });
  }

  function take(path: string): Held | undefined {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
    const database = new DatabaseSync(join(path, 'instance.lock'), { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (error instanceof Error && Reflect.get(error, 'errcode') === sqliteBusy) return undefined;
      throw error;
    }
    const folder = openSync(path, 'r');
    // The lock holder owns the name: an existing socket was left by a killed process.
    rmSync(socketIn(folder), { force: true });
    const server = createServer({ allowHalfOpen: true }, hear);
    server.on('error', (error) => reportError(`no second start can be heard: ${error.message}`));
    server.listen(socketIn(folder));
    server.unref();
    return { server, database, folder };
  }

  return {
    request(data) {
      if (held) return true;
      const path = userData();
      try {
        held = take(path);
      } catch (error) {
        reportError(`${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
        return false;
      }
      if (held) return true;
      const why = notifyFirst(path, { argv: process.argv, cwd: process.cwd(), data: data ?? null });
      if (why !== null) reportError(`it runs already, and does not answer: ${why}`);
      return false;
    },
    isHeld: () => held !== undefined,
    release() {
      if (!held) return;
      held.server.close();
      rmSync(socketIn(held.folder), { force: true });
      closeSync(held.folder);
      held.database.close();
      held = undefined;
    },
  };
}

/**
 * Sends the message from a short-lived child process, because `requestSingleInstanceLock` is synchronous.
 * Returns null on success, otherwise the reason.
 */
function notifyFirst(path: string, message: SecondInstance): string | null {
  const script = `
    const folder = require('node:fs').openSync(${JSON.stringify(path)}, 'r');
    const socket = require('node:net').connect('/proc/self/fd/' + folder + '/instance.sock');
    socket.on('error', (error) => { console.error(error.message); process.exit(1); }).on('close', () => process.exit(0)).resume();
    process.stdin.pipe(socket);
  `;
  // As an argument, a thousand paths would be too long for Linux.
  const input = JSON.stringify(message);
  const options = { timeout: 5000, env: {}, encoding: 'utf8', input } as const;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], options);
  return status === 0 ? null : stderr.trim() || 'no answer within 5 s';
}
