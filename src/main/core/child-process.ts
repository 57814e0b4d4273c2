import { win32 } from 'node:path';

/** A child process of Timbre that exchanges plain messages. Its creator stops it. */
export interface ServiceProcess {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, however the process ended. */
  onExit(listener: () => void): void;
  kill(): void;
}

type ServiceEntry = 'engine' | 'keychain' | 'scanner';

/** Starts a service entry: a utility process in Electron, a forked process in Node. */
export type SpawnService = (entry: ServiceEntry) => ServiceProcess;

/** Receives what a service prints, line by line. */
export type ServiceLineListener = (entry: string, line: string) => void;

/** Null: nothing that a service prints is heard. */
export type CreateSpawnService = (onLine: ServiceLineListener | null) => SpawnService;

/** Path of a program of Windows: of a bare name, Windows would run a file in the current folder, such as Downloads. */
export const windowsProgram = (name: string): string =>
  win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for a child process, without the token, as other processes may read it. */
export function withoutSecrets(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).filter(([key, value]) => key !== 'TIMBRE_TOKEN' && value !== undefined);
  return Object.fromEntries(kept) as Record<string, string>;
}

/** Set in the environment of the hook. A command that it starts runs no program: each result would start the next one, without end. */
export const hookVariable = 'TIMBRE_HOOK';
