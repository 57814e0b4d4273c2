import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  replyJson,
  startScriptedService,
  type ScriptedService,
  type SeenRequest,
} from '../../../../src/main/core/voice-service/scripted-service.fixture.ts';
import type { ScenarioContext } from '../scenario.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
export const commandLine = join(root, 'out/main/cli.js');
export const launcher = join(root, 'timbre');
export const sample = join(root, 'samples/harbour.wav');

export interface RanLine {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From the start, or from the signal that was sent. */
  readonly ms: number;
  /** The last line of stdout as JSON; empty where it is none. */
  readonly last: Readonly<Record<string, unknown>>;
}

export interface LineOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly input?: string | null;
  /** What runs the command, in place of this Node. */
  readonly through?: readonly string[];
  /** Sent once `when` resolves. */
  readonly signal?: { readonly name: NodeJS.Signals; when(child: ChildProcess): Promise<unknown> };
}

/** In English, without a keychain, a proxy or a token unless `env` says otherwise; an undefined one is not set. */
const usual: Readonly<Record<string, string | undefined>> = {
  ...process.env,
  LANG: 'en_GB.UTF-8',
  LC_ALL: undefined,
  LC_MESSAGES: undefined,
  TIMBRE_TOKEN: 'token-of-tests',
  TIMBRE_DEBUG: undefined,
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
  https_proxy: undefined,
  HTTPS_PROXY: undefined,
  http_proxy: undefined,
  HTTP_PROXY: undefined,
};

/** Runs a line to its end, in a session of its own. */
export async function runLine(
  context: ScenarioContext,
  args: readonly string[],
  options: LineOptions = {},
): Promise<RanLine> {
  const { env = {}, cwd = context.folder, input = '', through = [process.execPath, commandLine], signal } = options;
  const [file = '', ...before] = through;
  const data = join(context.folder, 'data');
  const surroundings: LineOptions['env'] = { ...usual, TIMBRE_DATA_DIR: data, ...env };
  const child = context.spawn(file, [...before, ...args], {
    cwd,
    detached: true,
    stdio: 'pipe',
    env: Object.fromEntries(Object.entries(surroundings).filter(([, value]) => value !== undefined)),
  });
  let begun = performance.now();
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text: Buffer) => (said.stdout += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (said.stderr += text.toString()));
  child.stdin?.on('error', () => undefined);
  if (input !== null) child.stdin?.end(input);
  const ended = once(child, 'close') as Promise<[number | null]>;
  if (signal) {
    await Promise.race([signal.when(child), ended]);
    begun = performance.now();
    child.kill(signal.name);
  }
  const [code] = await ended;
  const last = said.stdout.trim().split('\n').at(-1) ?? '';
  return {
    code,
    ...said,
    ms: performance.now() - begun,
    last: last.startsWith('{') ? (JSON.parse(last) as RanLine['last']) : {},
  };
}

/** Child processes end themselves when their parent has, which takes a busy machine a moment. */
const followMs = 20_000;

/** Processes of the session that a line began which still run some time after it. */
export async function leftOf(session: number): Promise<readonly string[]> {
  let left = runningIn(session);
  for (const untilMs = performance.now() + followMs; left.length > 0 && performance.now() < untilMs;) {
    await sleep(50);
    left = runningIn(session);
  }
  return left;
}

const runningIn = (session: number): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[3]) === session && fields[0] !== 'Z';
    } catch {
      return false;
    }
  });

export const hasTrace = ({ stderr, stdout }: Pick<RanLine, 'stderr' | 'stdout'>): boolean =>
  /\n\s+at .+[:(]|node:internal/.test(stderr + stdout);

export const sentencesOf = ({ stderr }: Pick<RanLine, 'stderr'>): readonly string[] =>
  stderr.split('\n').filter((line) => line !== '');

/** Some at once: each waits for itself most of the time. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
    }),
  );
}

type Answer = (request: SeenRequest, response: Parameters<typeof replyJson>[0]) => void;

const voice = (id: string) => ({ id, name: `Voice ${id}`, language: 'en-GB', gender: 'female', category: 'natural' });

/** A service with so many voices, and its document, with these fields, in a file. */
export async function startVoices(
  context: ScenarioContext,
  count: number,
  answer?: Answer,
  document: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly service: ScriptedService; readonly file: string }> {
  const all = Array.from({ length: count }, (_, k) => voice(`v${k}`));
  const service = await startScriptedService((request, response) => {
    if (answer) return answer(request, response);
    const query = new URL(request.url, 'http://x').searchParams;
    const page = Number(query.get('page'));
    const limit = Number(query.get('limit'));
    if (request.url.includes('pagevoices')) {
      const voices = all.slice(page * limit, (page + 1) * limit);
      return replyJson(response, { page, limit, total: count, voices });
    }
    if (request.url.includes('models/list')) {
      const models = all.slice((page - 1) * limit, page * limit).map(({ id, name }) => ({
        modelId: id,
        name,
        languageCode: 'en-GB',
        gender: 'female',
        creationDate: '2026-01-02',
      }));
      const pagination = { currentPage: page, totalPages: Math.max(1, Math.ceil(count / limit)), totalItems: count };
      return replyJson(response, { status: 'success', models, pagination });
    }
    return replyJson(response, { error: 'Not found.' }, 404);
  });
  context.onEnd(service.stop);
  const file = join(context.folder, `service-${service.origin.split(':').at(-1) ?? ''}.json`);
  const hosts = { voice: service.origin, upload: service.origin, converter: service.origin, models: service.origin };
  await writeFile(file, JSON.stringify({ name: 'Studio', hosts, ...document }));
  return { service, file };
}

export async function storeSettings(context: ScenarioContext, settings: unknown, folder = 'data'): Promise<void> {
  await mkdir(join(context.folder, folder), { recursive: true });
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  await writeFile(join(context.folder, folder, 'settings.json'), text);
}
