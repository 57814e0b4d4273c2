import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { type SpawnService, withoutSecrets } from '../main/core/child-process.ts';
import { systemClock } from '../main/core/clock.ts';
import { readFileConnection } from '../main/core/connections/connection-file.ts';
import { localConnectionId, localConnectionName } from '../main/core/connections/local-engine.ts';
import { type Core, createCore } from '../main/core/core.ts';
import type { Connection } from '../main/core/voice-service/connection.ts';
import { AppError } from '../shared/errors.ts';
import type { Messages } from '../shared/messages/index.ts';
import { isToken } from '../shared/schemas/connection.ts';
import { type Flags, type Invocation, isDebugging, text } from './args.ts';
import { sentence, UserError, usageError } from './errors.ts';

/** Starts our entries as forked processes. What they print is for whoever looks for a defect: a person is told by the command. */
const createForkService =
  (entryFolder: string, onSaid: ((entry: string, line: string) => void) | null): SpawnService =>
  (entry) => {
    const said = onSaid ? 'pipe' : 'ignore';
    const child = fork(join(entryFolder, `${entry}.js`), [], {
      env: withoutSecrets(process.env),
      stdio: ['ignore', said, said, 'ipc'],
      execArgv: [],
    });
    for (const input of [child.stdout, child.stderr]) {
      if (input) createInterface({ input }).on('line', (line) => onSaid?.(entry, line));
    }
    let ended = false;
    const end = new Promise<void>((resolve) => {
      child.once('exit', resolve);
      child.once('error', () => resolve());
    }).then(() => void (ended = true));
    return {
      send: (message) => {
        // The channel may close between a check and the call; an engine that is gone says so by its exit.
        if (!ended && child.connected) child.send(message as object, () => undefined);
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void end.then(listener),
      kill: () => void child.kill(),
    };
  };

interface Process {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  once(signal: NodeJS.Signals, listener: () => void): unknown;
}

interface Ending {
  /** Ends the process at once, which `signal` told to. */
  end(signal: NodeJS.Signals): void;
  /** Says that the end takes longer, unless it must be made now. False where a command waits on purpose. */
  onSlow(mustEnd: boolean): boolean;
  after(ms: number, work: () => void): void;
}

interface Signals extends Pick<Invocation, 'signal' | 'leaving'> {
  /** Does what SIGTERM does. */
  leave(why: string): void;
}

/** A person sees nothing happen for longer than this only if something says why. */
const slowMs = 1500;
const endMs = 4500;

/**
 * Ctrl-C takes back what was asked for, and a second one waits for nothing. SIGTERM and SIGHUP end the process only; a second one
 * does what it does to any process. An end that hangs is said, and then made, unless the command waits on purpose.
 */
export function listenToSignals(process: Process, { end, onSlow, after }: Ending): Signals {
  const interrupted = new AbortController();
  const leaving = new AbortController();
  const reason = (signal: string) => new AppError('job/cancelled', `stopped by ${signal}`);

  function begin(controller: AbortController, why: string, signal: NodeJS.Signals): void {
    if (controller.signal.aborted) return;
    controller.abort(reason(why));
    after(slowMs, () => void onSlow(false));
    after(endMs, () => {
      if (onSlow(true)) end(signal);
    });
  }

  process.on('SIGINT', () => {
    if (interrupted.signal.aborted) end('SIGINT');
    else begin(interrupted, 'SIGINT', 'SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => begin(leaving, signal, signal));
  return {
    signal: AbortSignal.any([interrupted.signal, leaving.signal]),
    leaving: leaving.signal,
    leave: (why) => begin(leaving, why, 'SIGTERM'),
  };
}

/** What every command that speaks to a service has at hand. */
export interface Session {
  readonly core: Core;
  readonly connectionId: string;
  /** The connection as people call it. */
  readonly name: string;
}

type Asked = Pick<
  Invocation,
  'flags' | 'messages' | 'output' | 'settings' | 'dataFolder' | 'entryFolder' | 'log' | 'onDefect'
>;

interface Hooks {
  onSpoken?(message: string | null): void;
}

/** Where `--connection` leads: a document, this computer, or one of those that are connectionStore. */
type Choice =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'local' }
  | { readonly kind: 'stored'; readonly name: string };

export function chosenConnection(flags: Flags): Choice {
  const given = text(flags, 'connection');
  if (given === undefined || given === localConnectionId || given === localConnectionName) return { kind: 'local' };
  return given.endsWith('.json') ? { kind: 'file', path: given } : { kind: 'stored', name: given };
}

function tokenOfEnvironment({ cli }: Messages): string | null {
  const token = process.env['TIMBRE_TOKEN'] || null;
  if (token !== null && !isToken(token)) throw usageError(cli.token.characters);
  return token;
}

async function fileConnection(path: string, messages: Messages): Promise<Connection> {
  try {
    return await readFileConnection(path, tokenOfEnvironment(messages));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'connection/not-found') throw error;
    throw new UserError(error.code, messages.cli.connections.noFile(path));
  }
}

/** The core for one command. Neither the engine nor the database is touched before a call needs it. */
export function openCore(
  { messages, output, settings, dataFolder, entryFolder, log, onDefect }: Asked,
  remotes: readonly Connection[] = [],
  hooks: Hooks = {},
): Core {
  return createCore({
    clock: systemClock,
    random: Math.random,
    role: 'command',
    settings: () => settings,
    // A command moves no original by itself.
    trash: () => Promise.reject(new Error('a command has no trash')),
    dataFolder,
    spawnService: createForkService(entryFolder, isDebugging() ? log.write : null),
    remotes,
    onProgress: () => undefined,
    threadUrl: (name) => pathToFileURL(join(entryFolder, `${name}.js`)),
    onDamage: (problem) => output.complain(sentence(messages, problem)),
    onDefect,
    onToken: log.addToken,
    ...hooks,
  });
}

/** The connectionStore connection of this name. The token in the environment goes before the one that is kept. */
export async function storedConnection(core: Core, name: string, messages: Messages): Promise<Connection> {
  const { cli, format } = messages;
  const { connectionStore } = await core.data();
  const all = connectionStore.list();
  const found = all.find(({ id, document }) => document.name === name || id === name);
  if (!found) {
    const names = [localConnectionName, ...all.map(({ document }) => document.name)];
    throw new UserError('connection/not-found', cli.connections.unknown(name, format.list(names)));
  }
  const token = tokenOfEnvironment(messages);
  if (token === null) return found;
  const { hosts } = found.document;
  const connection: Connection = { ...found, access: () => Promise.resolve({ hosts, token }) };
  core.connections.upsert(connection);
  return connection;
}

/** Finds the connection that `--connection` names. Throws `connection/…` with what there is. */
export async function openSession(asked: Asked, hooks: Hooks = {}): Promise<Session> {
  const { flags, messages } = asked;
  const choice = chosenConnection(flags);
  const remote = choice.kind === 'file' ? await fileConnection(choice.path, messages) : undefined;
  const core = openCore(asked, remote ? [remote] : [], hooks);
  if (remote) return { core, connectionId: remote.id, name: remote.document.name };
  if (choice.kind !== 'stored') {
    return { core, connectionId: localConnectionId, name: messages.connection.thisComputer };
  }
  try {
    const { id, document } = await storedConnection(core, choice.name, messages);
    return { core, connectionId: id, name: document.name };
  } catch (error) {
    await core.stop();
    throw error;
  }
}
