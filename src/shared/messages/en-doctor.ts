import { formatFor } from './format.ts';

const format = formatFor('en');

/** What `timbre doctor` says: what is right, or what to do. */
export const enDoctor = {
  good: 'ok',
  bad: 'problem',
  warning: 'warning',
  proxy: (address: string, from: 'settings' | 'environment') =>
    `Services are reached through ${address}, ${from === 'settings' ? 'as Settings say' : 'as the environment says'}.`,
  noProxy: 'Services are reached without a proxy.',
  answers: (name: string) => `${name} answers.`,
  opens: 'History and queue can be read and written.',
  keychain: 'Tokens can be kept in this system’s password store.',
  noKeychain: (why: string) =>
    'This computer has no password store that Timbre can use. Set up a keyring, or keep tokens with ' +
    `"timbre token set --store-in-file". (${why})`,
  writable: (path: string) => `Files can be written in ${path}.`,
  notWritable: (path: string) => `Nothing can be written in ${path}. Allow it, or choose another folder.`,
  free: (bytes: number, path: string) => `${format.bytes(bytes)} are free in ${path}.`,
  full: (bytes: number, path: string) => `Only ${format.bytes(bytes)} are free in ${path}. Free some space.`,
  clock: (name: string, seconds: number) => `The clock is within ${format.span(seconds)} of that of ${name}.`,
  clockOff: (name: string, seconds: number) =>
    `The clock is ${format.span(seconds)} off that of ${name}. Set it in the system’s settings.`,
  noClock: 'Skipped: no connection told its time.',
  watching: (path: string) => `New files in ${path} are seen at once.`,
  polling: (path: string) => `New files in ${path} are not told of: polling would be used.`,
};
