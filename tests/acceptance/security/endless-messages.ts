// Fails when another program can end the app through its instance lock or the local engine, fill its memory, or silently keep it
// from starting.
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineProcess } from '../support/start-engine.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const module = new URL('../../../host/launch/instance-lock.mts', import.meta.url);
const stranger = 65_534;

/** The host is a program of its own, with types of its own. */
interface LockModule {
  createInstanceLock(deps: {
    userData(): string;
    onSecond(second: unknown): Promise<void>;
    complain(why: string): void;
  }): { request(data: unknown): boolean; release(): void };
}

/** Ends once the lock closed the connection, or with `isLeft` as soon as the bytes are gone. */
async function send(folder: string, bytes: Buffer, isLeft: boolean): Promise<void> {
  const opened = openSync(folder, 'r');
  const socket = connect(`/proc/self/fd/${opened}/instance.sock`);
  try {
    await new Promise<void>((resolve) => {
      socket.on('error', () => resolve()).on('close', () => resolve());
      socket.resume();
      if (isLeft) socket.write(bytes, () => resolve());
      else socket.end(bytes);
    });
    if (isLeft) socket.destroy();
  } finally {
    closeSync(opened);
  }
}

/** A second start, as this user or another one. */
async function start(context: ScenarioContext, folder: string, isStranger: boolean) {
  const program = `
    ${isStranger ? `process.setgid(${stranger}); process.setuid(${stranger});` : ''}
    const { createInstanceLock } = await import(${JSON.stringify(module.href)});
    const deps = { userData: () => ${JSON.stringify(folder)}, onSecond: async () => {}, complain: (why) => console.error(why) };
    const begun = performance.now();
    console.log(createInstanceLock(deps).request({ from: 'second' }), performance.now() - begun);
    process.exit(0);
  `;
  const child = context.spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  const [isFirst = '', ms = '0'] = out.trim().split(' ');
  return { isFirst: isFirst === 'true', said, ms: Number(ms) };
}

const mebibyte = 2 ** 20;
const mostGrowth = 16;
const mostAnswerMs = 100;
const headMs = 60_000;

const residentMiB = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** MiB by which the engine is larger after `work`, once it has given back to the system what it freed. */
async function growthOfEngine(pid: number, work: () => Promise<void>): Promise<number> {
  const before = await residentMiB(pid);
  await work();
  let growth = Infinity;
  for (let look = 0; look < 50 && growth > mostGrowth / 2; look += 1) {
    if (look > 0) await sleep(100);
    growth = Math.min(growth, Math.round((await residentMiB(pid)) - before));
  }
  return growth;
}

/** Says it to the engine and goes at its first word, or at once where `isLeft`. Resolves with that word. */
function say({ origin }: EngineProcess, pieces: Iterable<Buffer | string>, isLeft = false): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  return new Promise((resolve) => {
    let word = '';
    socket.on('error', () => undefined).on('close', () => resolve(word));
    socket.on('data', (chunk: Buffer) => {
      word = chunk.toString('latin1').split('\r\n')[0] ?? '';
      socket.destroy();
    });
    void (async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
      if (isLeft) socket.destroy();
    })().catch(() => socket.destroy());
  });
}

/** Whether a half head is still listened to, and for how long. */
async function untilClosed({ origin }: EngineProcess, head: string): Promise<number> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const begunMs = performance.now();
  socket.on('error', () => undefined).write(head);
  socket.resume();
  await once(socket, 'close');
  return performance.now() - begunMs;
}

/** The engine receives garbage, partial and oversized requests, with its token and without; other callers are not affected. */
async function pesterEngine(context: ScenarioContext) {
  const engine = await context.startEngine();
  const { origin, token, pid } = engine;
  const authorization = `Bearer ${token}`;
  const created = await fetch(`${origin}/api/createaudiofilechanger`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ voice: 'low-bronze' }),
  });
  const { taskId } = (await created.json()) as { readonly taskId: string };
  const head = (path: string, type: string, bytes: number, as = authorization) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${as}\r\nchanger-type: FVC\r\n` +
    `content-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`;
  const form = 'multipart/form-data; boundary=line';
  const part = (name: string) => `--line\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n`;
  const upload = `/api/uploadaudiofile/${taskId}`;
  const cut = (name: string) => [head(upload, form, part(name).length + 100), part(name), 'x'.repeat(100)];
  const { random } = context;
  const kinds: readonly (() => Promise<string>)[] = [
    () => say(engine, [random.bytes(500), '\r\n\r\n']),
    () => say(engine, ['GET /api/pagevoices HTTP/1.1\r\nhost: x\r\nx'], true),
    () => say(engine, [head('/api/createaudiofilechanger', 'application/json', 100), '{'], true),
    () => say(engine, cut('audioFile')),
    () => say(engine, cut('cover')),
    () => say(engine, cut('audioFile').slice(0, 2), true),
    () => say(engine, [head(upload, 'multipart/form-data', 4), 'none']),
    () => say(engine, [head('/api/changeaudiofile', 'application/json', 3, 'Bearer nonsense'), '{"a']),
    () => say(engine, [`POST /plants HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`]),
  ];
  const largeBytes = context.size(30, 300) * 1_000_000;
  function* large(start: string): Generator<Buffer | string> {
    yield start;
    const piece = Buffer.alloc(64 * 1024, 'x');
    for (let sent = 0; sent < largeBytes; sent += piece.length) yield piece;
  }
  const tooMuch = [
    () => say(engine, large(head('/api/createaudiofilechanger', 'application/json', largeBytes))),
    () => say(engine, large(head(upload, form, largeBytes) + part('audioFile'))),
    () => say(engine, large(head(upload, form, largeBytes) + part('cover'))),
    () => say(engine, large(head(upload, form, largeBytes, 'Bearer nonsense') + part('audioFile'))),
  ];
  const messages = context.size(100, 4000);
  async function sayAll(): Promise<void> {
    for (let k = 0; k < messages; k += 1) await kinds[k % kinds.length]?.();
    for (const one of tooMuch) await one();
  }
  // What its first calls load is no growth, nor what an allocator keeps for the next ones.
  await sayAll();
  const heads = context.full ? [untilClosed(engine, ''), untilClosed(engine, 'GET / HTTP/1.1\r\nx')] : [];
  const meanwhile = { isOver: false };
  const answers: number[] = [];
  const rightful = (async () => {
    while (!meanwhile.isOver) {
      const begunMs = performance.now();
      const { ok } = await fetch(`${origin}/api/pagevoices`, { headers: { authorization } });
      answers.push(performance.now() - begunMs);
      must(ok, 'a rightful call is refused');
    }
  })();
  let growth = Infinity;
  try {
    // A leak grows each time; an allocator's reserve, which a busy machine needs more of, once or twice.
    for (let round = 0; round < 3 && growth > mostGrowth; round += 1) growth = await growthOfEngine(pid, sayAll);
  } finally {
    meanwhile.isOver = true;
    await rightful;
  }
  must(growth <= mostGrowth, `the engine grows by ${growth} MiB`);
  const answerMs = answers.sort((one, other) => one - other)[Math.floor(answers.length / 2)] ?? Infinity;
  must(answerMs <= mostAnswerMs, `a rightful call takes ${Math.round(answerMs)} ms`);
  const gone = await Promise.all(heads);
  must(
    gone.every((ms) => ms <= headMs),
    `half a head is listened to for ${Math.round(Math.max(...gone) / 1000)} s`,
  );
  return {
    'to the engine': messages + tooMuch.length,
    'engine growth MiB': growth,
    'rightful calls': answers.length,
    'rightful ms': Math.round(answerMs),
    ...(context.full && { 'half heads s': Math.round(Math.max(...gone) / 1000) }),
  };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is held. What an allocator keeps of what it was given back does not count. */
function keptBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export const scenario: Scenario = {
  id: 'S17',
  title: 'instance lock and engine survive any message, and a start that cannot get the lock says why',
  alone: true,
  async run(context) {
    const folder = join(context.folder, 'data');
    await mkdir(folder, { mode: 0o755 });
    const { createInstanceLock } = (await import(module.href)) as LockModule;
    const seconds: unknown[] = [];
    const heard = () => seconds.length;
    const lock = createInstanceLock({
      userData: () => folder,
      onSecond: (second) => Promise.resolve(void seconds.push(second)),
      complain: (why) => must(false, why),
    });
    must(lock.request(null), 'the first start does not get the lock');
    must(((await stat(folder)).mode & 0o777) === 0o700, 'others may enter the folder');
    const wrong = [
      '',
      'null',
      '5',
      '"x"',
      '[]',
      '{',
      '{"argv":5}',
      '{"argv":[],"cwd":1}',
      '\0\xff',
      '{"argv":[],"cwd":',
    ];
    const large = Buffer.alloc(context.size(30, 300) * 1_000_000, 'x');
    const before = keptBytes();
    const messages = context.size(200, 4000);
    const growths: number[] = [];
    const grown = () => growths.push(Math.round((keptBytes() - before) / mebibyte));
    // After as many messages, and twice and four times as many: what leaks grows with them.
    for (let k = 0; k < 4 * messages; k += 1) {
      const text = wrong[k % wrong.length] ?? '';
      const bytes = k % 5 === 4 ? context.random.bytes(1000 + k) : Buffer.from(text);
      await send(folder, bytes, k % 7 === 3);
      if (k + 1 === messages || k + 1 === 2 * messages) grown();
    }
    for (let k = 0; k < 3; k += 1) await send(folder, large, false);
    grown();
    const growth = Math.max(...growths);
    must(growth <= mostGrowth, `${growth} MiB`);
    must(heard() === 0, `${heard()} messages that were none were heard`);
    const second = await start(context, folder, false);
    must(!second.isFirst && second.said === '', `a second start: ${JSON.stringify(second)}`);
    must(heard() === 1, 'a second start was not heard');
    let others = 0;
    if (process.getuid?.() === 0) {
      const foreign = await start(context, folder, true);
      must(!foreign.isFirst && foreign.said !== '', `another user: ${JSON.stringify(foreign)}`);
      must(heard() === 1, 'another user was heard');
      others = 1;
    }
    lock.release();
    return {
      messages: 4 * messages + 3,
      'growth MiB': growths.join(' '),
      'second start ms': Math.round(second.ms),
      'other users': others,
      ...(await pesterEngine(context)),
    };
  },
};
