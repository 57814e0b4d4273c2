import { notImplemented } from '../strict.mts';

export interface CommandLine {
  appendSwitch(name: string, value?: string): void;
  hasSwitch(name: string): boolean;
  /** The switch's value, '' where it has none or isn't there. */
  getSwitchValue(name: string): string;
}

/**
 * `app.commandLine` over the arguments the app was started with. `remote-debugging-port` is the one switch that may be
 * added, before `ready`: the others would have to reach parts of Chromium that the host does not pass on.
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
