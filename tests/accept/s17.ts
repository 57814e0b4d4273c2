// Fails when somebody can end the app through its instance lock, fill its memory, or keep it from starting without a word.
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Scenario, type ScenarioContext } from './scenario.ts';

const module = new URL('../../host/instance-lock.mts', import.meta.url);
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

export const s17: Scenario = {
  id: 'S17',
  title: 'the instance lock outlives whatever is said to it, and a start that loses says why',
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
    const before = process.memoryUsage().rss;
    const messages = context.size(200, 4000);
    for (let k = 0; k < messages; k += 1) {
      const text = wrong[k % wrong.length] ?? '';
      const bytes = k % 5 === 4 ? context.random.bytes(1000 + k) : Buffer.from(text);
      await send(folder, bytes, k % 7 === 3);
    }
    for (let k = 0; k < 3; k += 1) await send(folder, large, false);
    const growth = Math.round((process.memoryUsage().rss - before) / 2 ** 20);
    must(growth <= 16, `${growth} MiB`);
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
      messages: messages + 3,
      'growth MiB': growth,
      'second start ms': Math.round(second.ms),
      'other users': others,
    };
  },
};
