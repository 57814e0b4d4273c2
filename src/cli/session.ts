import type { JobProgress } from '../shared/schemas/job.ts';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../main/core/clock.ts';
import { readFileConnection } from '../main/core/connections/connection-file.ts';
import { tokenIn } from '../main/core/connections/connection-registry.ts';
import { localConnectionName } from '../main/core/connections/local-engine.ts';
import { type Core, createCore } from '../main/core/core.ts';
import type { Connection } from '../main/core/voice-service/connection.ts';
import { AppError } from '../shared/errors.ts';
import type { CliMessages } from '../shared/messages/cli.ts';
import {
  type Preset,
  type PresetKind,
  presetKinds,
  type PresetOf,
  type PresetSettings,
} from '../shared/schemas/preset.ts';
import { isToken, localConnectionId } from '../shared/schemas/connection.ts';
import { fitSettings } from '../shared/schemas/settings.ts';
import { comparableName } from '../shared/text/comparable-name.ts';
import { type Flags, type Invocation, isDebugging, nearest, textFlag } from './args.ts';
import { currentSettings } from './command-settings.ts';
import { sentence, UserError, usageError } from './errors.ts';

/** The core and the connection of a command that calls a service. */
export interface Session {
  readonly core: Core;
  readonly connectionId: string;
  /** Display name of the connection. */
  readonly name: string;
}

type SessionContext = Pick<
  Invocation,
  | 'flags'
  | 'messages'
  | 'output'
  | 'settings'
  | 'dataFolder'
  | 'portable'
  | 'entryFolder'
  | 'createSpawnService'
  | 'signal'
  | 'log'
  | 'onDefect'
>;

interface CoreOptions {
  /** True for a command that only reads: it can do so in data of a newer Timbre. False by default. */
  readonly readsNewer?: boolean;
  onSpoken?(message: string | null): void;
  onProgress?(progress: JobProgress): void;
}

/** What `--connection` names: a document file, this computer, or a stored connection. */
type ConnectionChoice =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'local' }
  | { readonly kind: 'stored'; readonly name: string };

/** True for the name of this computer, ignoring case, and for its id. */
export const isLocal = (name: string): boolean =>
  [localConnectionId, localConnectionName].map(comparableName).includes(comparableName(name));

export function connectionChoice(flags: Flags): ConnectionChoice {
  const given = textFlag(flags, 'connection');
  if (given === undefined || isLocal(given)) return { kind: 'local' };
  return given.endsWith('.json') ? { kind: 'file', path: given } : { kind: 'stored', name: given };
}

function environmentToken({ cli }: CliMessages): string | null {
  const token = process.env['TIMBRE_TOKEN'] || null;
  if (token !== null && !isToken(token)) throw usageError(cli.token.characters);
  return token;
}

/** The sentence for a document that could not be read. */
export function documentError(error: unknown, path: string, { cli }: CliMessages): unknown {
  const isUnread = error instanceof AppError && error.code.startsWith('input/');
  return isUnread ? new UserError('connection/not-found', cli.connections.noFile({ path })) : error;
}

async function fileConnection(
  path: string,
  { messages, signal }: Pick<SessionContext, 'messages' | 'signal'>,
): Promise<Connection> {
  try {
    return await readFileConnection(path, environmentToken(messages), signal);
  } catch (error) {
    throw documentError(error, path, messages);
  }
}

/** Creates the core for one command. The engine starts and the database opens only when a call needs them. */
export function openCore(
  {
    flags,
    messages,
    output,
    settings,
    dataFolder,
    portable,
    entryFolder,
    createSpawnService,
    log,
    onDefect,
  }: SessionContext,
  remotes: readonly Connection[] = [],
  options: CoreOptions = {},
): Core {
  return createCore({
    clock: systemClock,
    random: Math.random,
    role: 'command',
    askedAt: performance.timeOrigin,
    settings() {
      const { isOfflineMode, hook } = currentSettings(dataFolder);
      const isOn = settings.hook.isOn && hook.isOn && flags['hook'] !== false;
      return { ...settings, isOfflineMode, hook: { ...settings.hook, isOn } };
    },
    // A command never moves an original by itself.
    trash: () => Promise.reject(new Error('a command has no trash')),
    dataFolder,
    portable,
    spawnService: createSpawnService(isDebugging() ? log.debug : null),
    remotes,
    onProgress: () => undefined,
    threadUrl: (name) => pathToFileURL(join(entryFolder, `${name}.js`)),
    onDamage: (problem) => output.error(sentence(messages, problem)),
    onDefect,
    log,
    ...options,
  });
}

/** The stored connection with this name, ignoring case, or id. A token from the environment takes precedence over the stored one. */
export async function storedConnection(core: Core, name: string, messages: CliMessages): Promise<Connection> {
  const { cli, format } = messages;
  const { connectionStore } = await core.data();
  const all = connectionStore.list();
  // Before names were compared without case, two could differ in nothing else.
  const found =
    all.find(({ id, document }) => document.name === name || id === name) ??
    all.find(({ document }) => comparableName(document.name) === comparableName(name));
  if (!found) {
    const names = [localConnectionName, ...all.map(({ document }) => document.name)];
    throw new UserError('connection/not-found', cli.connections.unknown({ name, names: format.list(names) }));
  }
  const token = environmentToken(messages);
  if (token === null) return found;
  const access = { hosts: found.document.hosts, token: tokenIn(token, found.document) };
  const connection: Connection = { ...found, access: () => Promise.resolve(access) };
  core.connections.upsert(connection);
  return connection;
}

const hasKind = <Kind extends PresetKind>(preset: Preset, kind: Kind): preset is Preset & PresetOf<Kind> =>
  preset.kind === kind;

/** The preset of this name, ignoring case. Throws `preset/not-found` with a similar name. */
async function namedPreset<Kind extends PresetKind>(
  core: Core,
  kind: Kind,
  name: string,
  { cli, format }: CliMessages,
): Promise<PresetOf<Kind>> {
  const { presets } = await core.data();
  const found = presets.findByName(kind, name);
  if (found && hasKind(found, kind)) return found;
  const names = presets.list().flatMap((preset) => (preset.kind === kind ? preset.name : []));
  const isOtherKind = presetKinds.some((other) => other !== kind && presets.findByName(other, name));
  const near = nearest(name, names);
  const text = format.sentences(
    (isOtherKind ? cli.presets.otherKind : cli.presets.unknown)[kind]({ name }),
    near === null ? '' : cli.presets.didYouMean({ near }),
    cli.presets.listThem,
  );
  throw new UserError('preset/not-found', text);
}

/** The connection of a preset. Throws `connection/not-found` if it was removed. */
async function connectionOf(
  core: Core,
  { connectionId, connectionName, name }: Pick<Preset, 'connectionId' | 'connectionName' | 'name'>,
  messages: CliMessages,
): Promise<Pick<Session, 'connectionId' | 'name'>> {
  if (connectionId === localConnectionId) return { connectionId, name: messages.connection.thisComputer };
  const { connectionStore } = await core.data();
  if (!connectionStore.list().some(({ id }) => id === connectionId)) {
    throw new UserError(
      'connection/not-found',
      messages.cli.presets.noConnection({ name, connection: connectionName }),
    );
  }
  const { document } = await storedConnection(core, connectionId, messages);
  return { connectionId, name: document.name };
}

/** Opens the core with the connection that `--connection` names. Throws `connection/…`, listing the known names. */
export async function openSession(context: SessionContext, options: CoreOptions = {}): Promise<Session> {
  const { flags, messages } = context;
  const choice = connectionChoice(flags);
  const remote = choice.kind === 'file' ? await fileConnection(choice.path, context) : undefined;
  const core = openCore(context, remote ? [remote] : [], options);
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

/** A session with the preset that `--preset` names, fitted to the connection; undefined without the flag. */
export interface PresetSession<Kind extends PresetKind> extends Session {
  readonly preset: PresetSettings[Kind] | undefined;
}

/**
 * Like `openSession`, with the connection of the preset that `--preset` names unless `--connection` names another.
 * Throws `preset/not-found`, and `connection/not-found` if the preset's connection was removed.
 */
export async function openPresetSession<Kind extends PresetKind>(
  context: SessionContext,
  kind: Kind,
  options: CoreOptions = {},
): Promise<PresetSession<Kind>> {
  const { flags, messages } = context;
  const given = textFlag(flags, 'preset');
  const session = await openSession(context, options);
  if (given === undefined) return { ...session, preset: undefined };
  const { core } = session;
  try {
    const preset = await namedPreset(core, kind, given, messages);
    const chosen = textFlag(flags, 'connection') === undefined ? await connectionOf(core, preset, messages) : session;
    const settings = fitSettings(preset.settings, core.connections.getInfo(chosen.connectionId));
    return { ...session, ...chosen, preset: settings };
  } catch (error) {
    await core.stop();
    throw error;
  }
}
