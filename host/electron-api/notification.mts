// Electron's Notification through notify-send, which hands it to the desktop.
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

/** notify-send 0.8 and later wait for a click; an earlier one only shows. */
const askClicks = (): Promise<boolean> =>
  (canClick ??= runProgram('Notification', 'notify-send', ['--help']).then(({ output }) =>
    output.includes('--action'),
  ));

/** The desktop reads a body as markup. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Stops to wait for clicks: for the moment the host itself goes. What is on the screen stays there. */
export function forgetNotifications(): void {
  for (const child of shown) child.kill();
}

/** One message of the desktop's own. Events: `show`, and `click` where the program can wait for one. */
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
      // The name is the desktop's own for a click on the message itself; the number is printed once it is on the screen.
      ...(waits ? ['--action=default=Open', '--print-id'] : []),
      '--',
      this.title,
      escaped(this.body),
    ];
    // A group of its own: what is about to be shown is shown, even if the host ends meanwhile.
    const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    child.unref();
    let problem = '';
    child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'default') this.emit('click', createEvent());
      // 0 stands for a desktop that could not be reached.
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
