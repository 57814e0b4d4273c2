import { notImplemented } from '../strict.mts';

export interface CommandLine {
  appendSwitch(name: string, value?: string): void;
  hasSwitch(name: string): boolean;
  /** Value of the switch, or '' if it is missing or has none. */
  getSwitchValue(name: string): string;
}

/**
 * `app.commandLine` with the arguments of the app. Only `remote-debugging-port` can be appended, before `ready`; the host
 * does not pass other switches to Chromium.
 */
export function createCommandLine(args: readonly string[], isReady: () => boolean): CommandLine {
  const appended = new Map<string, string>();
  const given = (name: string): string | undefined => {
    const found = args.find((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`));
    return found?.slice(name.length + 3);
  };
  const find = (name: string): string | undefined => appended.get(name) ?? given(name);

  return {
    appendSwitch(name, value = '') {
      if (name !== 'remote-debugging-port') throw notImplemented(`app.commandLine.appendSwitch('${name}')`);
      if (isReady()) throw new Error('host: remote-debugging-port was appended after ready, which has no effect');
      appended.set(name, value);
    },
    hasSwitch: (name) => find(name) !== undefined,
    getSwitchValue: (name) => find(name) ?? '',
  };
}
