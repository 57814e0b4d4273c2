// Electron's Notification through notify-send.
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import type Electron from 'electron';
import { findProgram } from '../chromium/find-chromium.mts';
import { createEvent } from './event.mts';
import { runProgram } from '../launch/program.mts';
import { notImplemented, strict } from '../strict.mts';
import { surroundings } from '../launch/surroundings.mts';

const knownOptions: ReadonlySet<string> = new Set<keyof Electron.NotificationConstructorOptions>(['title', 'body']);
const shown = new Set<ChildProcess>();
let canClick: Promise<boolean> | undefined;

/** notify-send can wait for a click since 0.8. */
const askClicks = (): Promise<boolean> =>
  (canClick ??= runProgram('Notification', 'notify-send', ['--help']).then(({ output }) =>
    output.includes('--action'),
  ));

/** The desktop interprets the body as markup. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Stops waiting for clicks, for the exit of the host. Visible notifications stay. */
export function forgetNotifications(): void {
  for (const child of shown) child.kill();
}

/** A desktop notification. Emits `show`, and `click` if notify-send supports it. */
export class Notification extends EventEmitter {
  title: string;
  body: string;

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    if (!surroundings().isReady()) throw new Error('Cannot create Notification before app is ready');
    for (const [name, value] of Object.entries(options)) {
      if (value !== undefined && !knownOptions.has(name)) throw notImplemented(`Notification option ${name}`);
    }
    this.title = options.title ?? '';
    this.body = options.body ?? '';
    return strict('Notification', this);
  }

  static isSupported(): boolean {
    return findProgram('notify-send') !== undefined;
  }

  show(): void {
    this.run().catch((error: unknown) => console.error(error));
  }

  private async run(): Promise<void> {
    const path = findProgram('notify-send');
    if (path === undefined) throw new Error('host: Notification needs notify-send');
    const waits = await askClicks();
    const args = [
      `--app-name=${surroundings().appName()}`,
      // `default` is the action for a click on the notification itself; the id is printed once it is visible.
      ...(waits ? ['--action=default=Open', '--print-id'] : []),
      '--',
      this.title,
      escaped(this.body),
    ];
    // In its own group, so that it is shown even if the host ends in the meantime.
    const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    child.unref();
    let problem = '';
    child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'default') this.emit('click', createEvent());
      // 0 means that the desktop could not be reached.
      else if (Number(line) > 0) {
        shown.add(child);
        this.emit('show', createEvent());
      }
    });
    child.once('error', (error) => console.error(error));
    child.once('close', (code) => {
      if (code !== null && code !== 0) console.error(`host: notify-send: ${problem.trim() || `exit code ${code}`}`);
      else if (!waits) this.emit('show', createEvent());
      shown.delete(child);
    });
  }
}
