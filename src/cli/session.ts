import { homedir } from 'node:os';
import { systemClock } from '../main/core/clock.ts';
import { readFileConnection } from '../main/core/connections/file-connection.ts';
import { localConnectionId, localConnectionName } from '../main/core/connections/local-connection.ts';
import { createCore, type Core } from '../main/core/core.ts';
import { dataFolder } from '../main/core/data-folder.ts';
import type { Connection } from '../main/core/voice-service/connection.ts';
import { AppError } from '../shared/app-error.ts';
import { createForkService } from './fork-service.ts';

/** What every command that speaks to a service has at hand. */
export interface Session {
  readonly core: Core;
  readonly connectionId: string;
}

interface Options {
  /** Name of a connection or path of its document; undefined is this computer. */
  readonly connection: string | undefined;
  readonly dataFolder: string | undefined;
  /** Where the built entries lie. */
  readonly entryFolder: string;
}

async function remoteOf(choice: string | undefined): Promise<Connection | undefined> {
  if (choice === undefined || choice === localConnectionId || choice === localConnectionName) return undefined;
  if (!choice.endsWith('.json')) {
    throw new AppError('connection/not-found', `no connection ${choice}`, { facts: { name: choice } });
  }
  return readFileConnection(choice, process.env['TIMBRE_TOKEN'] ?? null);
}

/** Builds the core for one command. The engine starts only when a call needs it. */
export async function openSession(options: Options): Promise<Session> {
  const remote = await remoteOf(options.connection);
  const core = createCore({
    clock: systemClock,
    random: Math.random,
    role: 'command',
    // A command takes its surroundings from the environment, and the proxy with them.
    proxy: () => '',
    dataFolder: options.dataFolder ?? dataFolder({ platform: process.platform, env: process.env, home: homedir() }),
    spawnService: createForkService(options.entryFolder),
    remotes: remote ? [remote] : [],
    onProgress: () => undefined,
    onDefect: (error) => console.error(error),
  });
  return { core, connectionId: remote?.id ?? localConnectionId };
}
