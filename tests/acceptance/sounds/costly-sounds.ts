// Fails when a file that was built to cost takes much time or memory, wherever it comes from.
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesSource } from '../../../src/sound/container-check.ts';
import { inspectSound, inspectSource } from '../../../src/sound/inspect-sound.ts';
import { outputFormats } from '../../../src/sound/sound-format.ts';
import { createSoundInspector } from '../../../src/sound/sound-inspector.ts';
import { buzz, encoded } from '../../../src/sound/sound.fixture.ts';
import { hasTrace, leftOf, runLine } from '../support/command-line/run-line.ts';
import { Failed, must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { hostileSounds } from '../support/sounds/hostile-sounds.ts';

const mebibyte = 1024 ** 2;
const mostLookMs = 200;
const mostLookBytes = 64 * mebibyte;
const mostDecodeBytes = 512 * mebibyte;
const mutantMs = 100;
const mostCtrlCMs = 2000;
/** A command has begun by then. */
const firstMs = 800;
/** The best of some looks counts: the first ones compile code. */
const looks = 3;

interface Told {
  readonly path: string;
  readonly bytes: number;
}

/** Looks at them, or decodes them, in a process of its own; the most memory that one of them took. */
async function costOf(
  { fork, size }: ScenarioContext,
  what: 'look' | 'decode',
  paths: readonly string[],
  mostBytes: number,
) {
  const module = new URL('../support/sounds/decode-process.ts', import.meta.url);
  const child = fork(module, [what, String(size(2000, 8000)), ...paths], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const told: Told[] = [];
  child.on('message', (message) => told.push(message as Told));
  await once(child, 'exit');
  const dead = paths[told.length];
  if (dead !== undefined) throw new Failed(`${dead} ends the process that is to ${what} it`);
  for (const { path, bytes } of told) {
    must(bytes <= mostBytes, `to ${what} ${path} takes ${Math.round(bytes / mebibyte)} MiB`);
  }
  return Math.max(...told.map(({ bytes }) => bytes));
}

/** CPU time in milliseconds, which does not depend on other programs. */
function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function lookAt(path: string): Promise<{ readonly ms: number; readonly kind: string }> {
  let best = Infinity;
  let kind = '';
  for (let k = 0; k < looks && best > mostLookMs / 4; k++) {
    const since = process.cpuUsage();
    ({ kind } = await inspectSound(path));
    best = Math.min(best, spentMs(since));
  }
  return { ms: best, kind };
}

/** Real files of ours with some bytes changed, half of them where the sizes are. */
async function mutate({ random, note }: ScenarioContext, count: number): Promise<number> {
  const files = await Promise.all(outputFormats.map((format) => encoded(format, [buzz(140, 1, 22_050)], 22_050)));
  files.push(Uint8Array.from(await readFile(new URL('../support/watch/short.m4a', import.meta.url))));
  let longest = 0;
  for (let k = 0; k < count; k++) {
    if (k % 1000 === 0) note(`${k} mutated files`);
    const bytes = Uint8Array.from(files[k % files.length] ?? []);
    for (let change = 0; change < 1 + (k % 8); change++) {
      bytes[random.integer(0, (change % 2 ? bytes.length : 200) - 1)] = random.integer(0, 255);
    }
    const since = process.cpuUsage();
    await inspectSource(bytesSource(k % 3 ? bytes : bytes.subarray(0, random.integer(0, bytes.length))));
    longest = Math.max(longest, spentMs(since));
  }
  return longest;
}

/** Sends them to the real engine, which has to answer each of them, and others meanwhile. */
async function upload(context: ScenarioContext, paths: readonly string[]): Promise<number> {
  const engine = await context.startEngine();
  const authorization = `Bearer ${engine.token}`;
  let slowest = 0;
  for (const path of paths) {
    context.note(`uploading ${path}`);
    const headers = { authorization, 'content-type': 'application/json' };
    const created = await fetch(`${engine.origin}/api/createaudiofilechanger`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ voice: 'low-bronze' }),
    });
    const { taskId, changerType } = (await created.json()) as {
      readonly taskId: string;
      readonly changerType?: string;
    };
    const form = new FormData();
    form.set('audioFile', new Blob([await readFile(path)]), 'a');
    const sent = fetch(`${engine.origin}/api/uploadaudiofile/${taskId}`, {
      method: 'POST',
      headers: { authorization, 'changer-type': changerType ?? 'FVC' },
      body: form,
    });
    const startedMs = performance.now();
    must(
      (await fetch(`${engine.origin}/api/pagevoices`, { headers: { authorization } })).ok,
      'voices are not answered',
    );
    slowest = Math.max(slowest, performance.now() - startedMs);
    const { status } = await sent;
    must(status === 200 || status === 400, `${path} is answered ${status}`);
  }
  return slowest;
}

/** Ctrl-C while a command looks at all of them, and while each that is sound is decoded by its engine. The longest that one took to end. */
async function interrupt(context: ScenarioContext, paths: readonly string[], accepted: readonly string[]) {
  let longest = 0;
  const orders = [paths, paths, ...accepted.map((path) => [path])];
  for (const [at, files] of orders.entries()) {
    const what = files.length > 1 ? 'all of them' : (files[0] ?? '');
    context.note(`Ctrl-C at ${what}`);
    // The first is struck soon after its start, while it looks; the others once they have said something, which the decoding follows.
    const isSoon = at % 2 === 0 && files.length > 1;
    let session = 0;
    // With --json a command says when the job begins; else it says nothing before its end.
    const args = ['convert', ...files, '--json', '--voice', 'low-bronze', '--out', join(context.folder, `out ${at}`)];
    const ran = await runLine(context, args, {
      env: { TIMBRE_DATA_DIR: join(context.folder, `data ${at}`) },
      signal: {
        name: 'SIGINT',
        async when(child) {
          session = child.pid ?? 0;
          if (!isSoon) await Promise.race([once(child.stdout ?? child, 'data'), once(child.stderr ?? child, 'data')]);
          await sleep(isSoon ? firstMs : context.random.integer(0, 2 * firstMs));
        },
      },
    });
    longest = Math.max(longest, ran.ms);
    must(ran.ms <= mostCtrlCMs, `Ctrl-C at ${what} takes ${Math.round(ran.ms)} ms: ${ran.stderr.slice(-300)}`);
    must(!hasTrace(ran), `Ctrl-C at ${what}: ${ran.stderr}`);
    must((await leftOf(session)).length === 0, `Ctrl-C at ${what} leaves processes`);
  }
  return longest;
}

export const scenario: Scenario = {
  id: 'S18',
  title: 'audio built to be expensive is inspected and decoded in bounded time and memory, or rejected',
  alone: true,
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const folder = join(context.folder, 'hostile');
    await mkdir(folder);
    const sounds = await hostileSounds();
    const paths: string[] = [];
    for (const { name, write } of sounds) {
      paths.push(join(folder, name));
      await write(join(folder, name));
    }
    let slowest = 0;
    const accepted: string[] = [];
    for (const path of paths) {
      context.note(`looking at ${path}`);
      const { ms, kind } = await lookAt(path);
      must(ms <= mostLookMs, `${path} is looked at for ${Math.round(ms)} ms`);
      slowest = Math.max(slowest, ms);
      if (kind === 'sound') accepted.push(path);
    }
    const threads = createSoundInspector({
      workerUrl: new URL('../../../src/sound/inspection-worker.ts', import.meta.url),
    });
    context.onEnd(threads.stop);
    await Promise.all(paths.map((path) => threads.inspect(path)));
    const largest = await costOf(context, 'look', paths, mostLookBytes);
    let decoded = 0;
    for (const path of context.full ? accepted : accepted.filter((_, at) => at % 5 === 0)) {
      context.note(`decoding ${path}`);
      decoded = Math.max(decoded, await costOf(context, 'decode', [path], mostDecodeBytes));
    }
    const ctrlC = await interrupt(
      context,
      paths,
      accepted.filter((_, at) => context.full || at % 20 === 0),
    );
    const meanwhile = await upload(context, context.full ? paths : paths.filter((_, at) => at % 8 === 0));
    const mutants = context.size(1500, 100_000);
    const longest = await mutate(context, mutants);
    must(longest <= mutantMs, `a mutated file is looked at for ${Math.round(longest)} ms`);
    return {
      files: paths.length,
      'look ms': Math.round(slowest),
      'look MiB': Math.round(largest / mebibyte),
      'decode MiB': Math.round(decoded / mebibyte),
      'Ctrl-C ms': Math.round(ctrlC),
      'engine meanwhile ms': Math.round(meanwhile),
      mutants,
      'mutant ms': Math.round(longest),
    };
  },
};
