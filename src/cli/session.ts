import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../main/core/clock.ts';
import { readFileConnection } from '../main/core/connections/connection-file.ts';
import { localConnectionId, localConnectionName } from '../main/core/connections/local-engine.ts';
import { createCore, type Core } from '../main/core/core.ts';
import type { Connection } from '../main/core/voice-service/connection.ts';
import { AppError } from '../shared/errors.ts';
import { isToken } from '../shared/schemas/connection.ts';
import type { Messages } from '../shared/messages/index.ts';
import { isDebugging, text, type Flags, type Invocation } from './command.ts';
import { createForkService } from './fork-service.ts';
import { sentence } from './sentence.ts';
import { ToldError, usageError } from './usage-error.ts';

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

/** Where `--connection` leads: a document, this computer, or one of those that are stored. */
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
    throw new ToldError(error.code, messages.cli.connections.noFile(path));
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
    onToken: log.learn,
    ...hooks,
  });
}

/** The stored connection of this name. The token in the environment goes before the one that is kept. */
export async function storedConnection(core: Core, name: string, messages: Messages): Promise<Connection> {
  const { cli, format } = messages;
  const { stored } = await core.data();
  const all = stored.list();
  const found = all.find(({ id, document }) => document.name === name || id === name);
  if (!found) {
    const names = [localConnectionName, ...all.map(({ document }) => document.name)];
    throw new ToldError('connection/not-found', cli.connections.unknown(name, format.list(names)));
  }
  const token = tokenOfEnvironment(messages);
  if (token === null) return found;
  const { hosts } = found.document;
  const connection: Connection = { ...found, access: () => Promise.resolve({ hosts, token }) };
  core.connections.put(connection);
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
