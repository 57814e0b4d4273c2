/** A process of ours that is spoken to in plain messages. Whoever spawned it stops it. */
export interface ServiceProcess {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, however the process ended. */
  onExit(listener: () => void): void;
  kill(): void;
}

export type ServiceEntry = 'engine' | 'keychain' | 'scanner';

/** Starts one of our entries as a process: a utility process in the app, a forked one in the command line. */
export type SpawnService = (entry: ServiceEntry) => ServiceProcess;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for a child: whoever can read a process's environment must not find a token there. */
export function withoutSecrets(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).filter(([key, value]) => key !== 'TIMBRE_TOKEN' && value !== undefined);
  return Object.fromEntries(kept) as Record<string, string>;
}
