// Runs the fixture for the integration tests: under Playwright, or directly if Playwright would interfere.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { expect, onTestFinished, vi } from 'vitest';
import type {} from './app/main.mts';

export const hostProgram = join(import.meta.dirname, '../electron');
export const fixtureDirectory = join(import.meta.dirname, 'app');

/** Long, for busy machines; a passing test never waits for the timeout. */
export const waitOptions = { timeout: 120_000, interval: 20 };

/** Polls `read` until the expectation holds. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, waitOptions);
}

/** The API that the fixture's preload exposes. */
interface Api {
  readonly beforePage: boolean;
  readonly nested: { readonly deep: { readonly date: Date } };
  first(): Promise<unknown>;
  invoke<T = unknown>(channel: string, ...args: unknown[]): Promise<T>;
  send(channel: string, ...args: unknown[]): void;
  on(channel: string, listener: (...args: never[]) => unknown): () => void;
  once(channel: string, listener: (...args: never[]) => unknown): void;
  pathOf(file: File): string;
  give<T>(value: T): T;
  callBack(listener: (value: number) => number): number;
  sendSync(): void;
}

declare global {
  var api: Api;
}

type Variables = Readonly<Record<string, string>>;

const environment = (extra: Variables = {}): Record<string, string> => {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Without vitest's environment variables, Node runs as it does for the user.
  const rest = own.filter(([name]) => name !== 'NODE_OPTIONS' && name !== 'NODE_ENV');
  return { ...Object.fromEntries(rest), ...extra };
};

/** A temporary directory. `remove` waits for its last user, because Chromium ends after its host and writes to its profile until then. */
export function createUserData(): { path: string; remove(): Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'host-test-'));
  return {
    path,
    async remove() {
      await vi.waitUntil(() => !isUsed(path), waitOptions);
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

export interface Launched {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly userData: string;
  /** Events of the fixture since `from`. */
  events(from?: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Runs the fixture under Playwright and waits for its first page. */
export async function launch(env: Variables = {}, userDataPath?: string): Promise<Launched> {
  const userData =
    userDataPath === undefined ? createUserData() : { path: userDataPath, remove: () => Promise.resolve() };
  const app = await _electron.launch({
    executablePath: hostProgram,
    args: [fixtureDirectory, `--user-data-dir=${userData.path}`],
    env: environment(env),
    colorScheme: null,
  });
  // Playwright drops the process once it has ended.
  const { pid = 0 } = app.process();
  // By itself Playwright would wait for 30 seconds.
  app.context().setDefaultTimeout(waitOptions.timeout);
  const page = await app.firstWindow({ timeout: waitOptions.timeout });
  await page.waitForURL(/localhost/);
  return {
    app,
    page,
    userData: userData.path,
    events: (from = 0) => app.evaluate((_electron, start) => fixture.events.slice(start), from),
    async close() {
      const processes = descendants(pid);
      await app.close();
      await vi.waitUntil(() => !processes.some(isAlive), waitOptions);
      await userData.remove();
    },
  };
}

export interface Spawned {
  readonly child: ChildProcess;
  readonly userData: string;
  /** Events of the fixture, also after its end. */
  trace(): string[];
  output(): string;
  /** The exit code, or the name of the signal. */
  readonly exited: Promise<number | string>;
}

/** Runs the fixture without Playwright, and ends it after the test at the latest. */
export function spawnHost(
  options: { args?: string[]; env?: Variables; userData?: string; cwd?: string; program?: string } = {},
): Spawned {
  const own = createUserData();
  const userData = options.userData ?? own.path;
  const traceFile = join(own.path, 'trace');
  const args = options.args ?? [fixtureDirectory, `--user-data-dir=${userData}`];
  const child = spawn(options.program ?? hostProgram, args, {
    cwd: options.cwd,
    env: environment({ FIXTURE_TRACE: traceFile, ...options.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  onTestFinished(async () => {
    const processes = child.exitCode === null ? descendants(child.pid ?? 0) : [];
    child.kill('SIGKILL');
    await exited;
    await vi.waitUntil(() => !processes.some(isAlive), waitOptions);
    await own.remove();
  });
  const trace = () => (existsSync(traceFile) ? readFileSync(traceFile, 'utf8').trim().split('\n') : []);
  return { child, userData, trace, output: () => output, exited };
}

/** Ids of all running descendants of this process. Zombies count as ended. */
export function descendants(pid: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), ...processState(Number(name)) }));
  const found: number[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    parents = all.filter((each) => each.parent !== undefined && parents.includes(each.parent)).map((each) => each.pid);
    found.push(...parents);
  }
  return found.filter(isAlive);
}

export function isAlive(pid: number): boolean {
  const { state } = processState(pid);
  return state !== undefined && state !== 'Z';
}

/** True if a running program has this path in its command line. */
function isUsed(path: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && commandLineOf(Number(name)).includes(path);
    } catch {
      return false;
    }
  });
}

export function commandLineOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
}

function processState(pid: number): { state?: string; parent?: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: state ?? '', parent: Number(parent) };
  } catch {
    return {};
  }
}
