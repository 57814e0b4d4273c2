import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from 'electron';
import * as v from 'valibot';
import { type OpenTarget, viewIds } from '../../shared/schemas/app.ts';
import { hiddenSwitch } from './login-item.ts';

/** What a start of the program was given: files to convert, links to open, and whether to show a window. */
export interface StartArguments {
  readonly paths: readonly string[];
  readonly links: readonly string[];
  readonly isHidden: boolean;
}

const startArguments = v.object({
  paths: v.array(v.string()),
  links: v.array(v.string()),
  isHidden: v.boolean(),
});

/** Reads what another start sent to this one. Undefined if it was no Timbre. */
export function readStartArguments(data: unknown): StartArguments | undefined {
  const parsed = v.safeParse(startArguments, data);
  return parsed.success ? parsed.output : undefined;
}

function toPath(argument: string, folder: string): string {
  // Linux desktops pass addresses of files.
  if (!/^file:\/\//i.test(argument) || !URL.canParse(argument)) return resolve(folder, argument);
  try {
    return fileURLToPath(argument);
  } catch {
    // A file of another computer: kept as it is, so that the user is told that it is missing.
    return resolve(folder, argument);
  }
}

/** Marks a start that runs a command and opens no window. Its arguments follow `--`. */
export const commandSwitch = '--command-line';

/** The arguments of the command that a start is for, among all of its process; null if it opens the app. */
export function readCommand(argv: readonly string[]): readonly string[] | null {
  const end = argv.indexOf('--');
  return end >= 0 && argv.slice(0, end).includes(commandSwitch) ? argv.slice(end + 1) : null;
}

/** Arguments before `--` that are no files or links. */
export function readSwitches(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).filter((argument) => argument.startsWith('-'));
}

/**
 * Parses the arguments of a start without its program, in its working folder. Switches are Chromium's or
 * ours; after `--`, everything is a file. `ignoredPath` is the app itself, which a development start names.
 */
export function parseArguments(args: readonly string[], folder: string, ignoredPath: string): StartArguments {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const named = before.filter((argument) => argument !== '' && !argument.startsWith('-'));
  const isLink = (argument: string) => /^timbre:/i.test(argument);
  const files = [...named.filter((argument) => !isLink(argument)), ...(end < 0 ? [] : args.slice(end + 1))];
  return {
    paths: files.map((file) => toPath(file, folder)).filter((path) => path !== ignoredPath),
    links: named.filter(isLink),
    isHidden: readSwitches(args).includes(hiddenSwitch),
  };
}

/**
 * Parses a link: `timbre://VIEW`, where VIEW is one of `viewIds`, or `timbre://history?search=TEXT`, where TEXT may be the
 * id of an entry. Undefined for anything else: links come from anywhere, so they show something and change nothing.
 */
export function parseLink(link: string): OpenTarget | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, host, pathname, searchParams } = new URL(link);
  // Browsers write a slash behind the host.
  const view = viewIds.find((id) => id === host.toLowerCase());
  if (protocol !== 'timbre:' || view === undefined || !['', '/'].includes(pathname)) return undefined;
  return { kind: 'view', view, search: view === 'history' ? searchParams.get('search') : null };
}

/** The link that is opened if there are several: the last one that is understood. */
const lastLink = (links: readonly string[]): readonly string[] =>
  links.filter((link) => parseLink(link) !== undefined).slice(-1);

/**
 * Formats arguments that open all of these together. There is one link at most: only the last one is opened, and on Windows
 * Electron does not start with two, or with anything but `--` behind one.
 */
export const formatArguments = (given: readonly StartArguments[]): string[] => [
  ...lastLink(given.flatMap(({ links }) => links)),
  '--',
  ...given.flatMap(({ paths }) => paths),
];

type PackagedApp = Pick<App, 'isPackaged' | 'setAsDefaultProtocolClient'>;

/** Registers `timbre://` on Windows, where no installer does, with the file that the user starts; elsewhere the package does. */
export function registerLinks(app: PackagedApp, platform: NodeJS.Platform, file: string): void {
  if (app.isPackaged && platform === 'win32') app.setAsDefaultProtocolClient('timbre', file);
}

interface Dependencies {
  /** Lets the page use this path. */
  allow(path: string): void;
  /** Shows the window and opens a target in it. */
  open(target: OpenTarget): void;
  show(): void;
  after(ms: number, run: () => void): void;
}

export interface OpenRequests {
  /** Opens what a start was given. A link only shows something; what it would do needs a press of the user. */
  add(given: StartArguments): void;
}

/** A file manager starts a program once for each selected file. */
const collectMs = 300;

/** Collects files that are opened at almost the same time, so that they are added as one batch. */
export function createOpenRequests({ allow, open, show, after }: Dependencies): OpenRequests {
  const paths = new Set<string>();
  let additions = 0;

  function collect(added: readonly string[]): void {
    for (const path of added) {
      allow(path);
      paths.add(path);
    }
    additions += 1;
    const latest = additions;
    after(collectMs, () => {
      if (latest !== additions) return;
      const collected = [...paths];
      paths.clear();
      open({ kind: 'files', paths: collected });
    });
  }

  return {
    add(given) {
      if (given.paths.length > 0) collect(given.paths);
      const [target] = lastLink(given.links).map(parseLink);
      if (target) open(target);
      else if (given.paths.length === 0 && !given.isHidden) show();
    },
  };
}
