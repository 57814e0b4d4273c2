import { formatFor } from './locale-format.ts';

const format = formatFor('en');

/** The output of `timbre doctor`: what works, or what to do. */
export const enDoctor = {
  good: 'ok',
  bad: 'problem',
  warning: 'warning',
  proxy: (address: string, from: 'settings' | 'environment') =>
    from === 'settings'
      ? `Timbre connects to services through ${address}, set in Settings.`
      : `Timbre connects to services through ${address}, set in the environment.`,
  noProxy: 'Timbre connects to services without a proxy.',
  answers: (name: string) => `${name} responds.`,
  opens: 'History and queue are readable and writable.',
  keychain: 'Tokens can be stored in this system’s password store.',
  noKeychain: (why: string) =>
    'This computer has no password store that Timbre can use. Set up a keyring, or store tokens with ' +
    `"timbre token set --store-in-file". (${why})`,
  writable: (path: string) => `${path} is writable.`,
  notWritable: (path: string) => `${path} isn’t writable. Allow writing to it, or choose another folder.`,
  free: (bytes: number, path: string) => `${path} has ${format.bytes(bytes)} free.`,
  full: (bytes: number, path: string) => `${path} has only ${format.bytes(bytes)} free. Free up some space.`,
  clock: (name: string, seconds: number) => `The clock is within ${format.span(seconds)} of the one at ${name}.`,
  clockOff: (name: string, seconds: number) =>
    `The clock differs from the one at ${name} by ${format.span(seconds)}. Set it in the system’s settings.`,
  noClock: 'Skipped: no connection reported its time.',
  watching: (path: string) => `New files in ${path} are found at once.`,
  polling: (path: string) =>
    `The system doesn’t report new files in ${path}. Timbre would check the folder regularly instead.`,
};
