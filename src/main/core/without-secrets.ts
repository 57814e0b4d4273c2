type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for a child: whoever can read a process's environment must not find a token there. */
export function withoutSecrets(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).filter(([key, value]) => key !== 'TIMBRE_TOKEN' && value !== undefined);
  return Object.fromEntries(kept) as Record<string, string>;
}
