// Fails when a real recording that is copied slowly into a watched folder is sent half, not at all or twice.
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { must, type Figures, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { realRecordings, type Recording } from '../support/sounds/real-recordings.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { openWatch, type WatchOptions } from '../support/watch/open-watch.ts';
import { sha256Of } from '../support/watch/recordings.ts';
import { blindScanner, blindSeconds, copySlowly, withoutEnd } from '../support/watch/slow-copies.ts';

const oggs: ReadonlySet<string> = new Set(['.ogg', '.oga', '.opus']);
const longestSeconds = 10;
const atOnce = 10;
const pauseMs = 200;

interface Copy {
  /** In the watched folder. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly hasEnd: boolean;
}

/** No two have one content; three in ten are Oggs whose last page does not say so. */
async function chooseCopies(files: readonly Recording[], count: number): Promise<readonly Copy[]> {
  const known = new Set<string>();
  const copies: Copy[] = [];
  const take = async (wanted: number, from: readonly Recording[], hasEnd: boolean) => {
    const step = Math.max(1, Math.floor(from.length / (2 * wanted)));
    const order = [...from.keys()].sort((a, b) => (a % step) - (b % step) || a - b);
    for (const at of order) {
      const { path } = from[at] ?? { path: '' };
      if (wanted === 0) return;
      const original = await readFile(path);
      const bytes = hasEnd ? original : withoutEnd(original);
      const hash = sha256Of(bytes);
      if (known.has(hash)) continue;
      known.add(hash);
      // `.oga` is none of the endings that a folder takes.
      const ending = extname(path).replace('.oga', '.ogg').toLowerCase();
      copies.push({ name: `${copies.length}${ending}`, bytes, hasEnd });
      wanted -= 1;
    }
  };
  const short = files.filter(({ seconds }) => seconds <= longestSeconds && seconds >= 0.2);
  const isOgg = ({ path }: Recording) => oggs.has(extname(path).toLowerCase());
  await take(Math.round(0.3 * count), short.filter(isOgg), false);
  await take(Math.round(0.2 * count), short.filter(isOgg), true);
  await take(
    count - copies.length,
    short.filter((one) => !isOgg(one)),
    true,
  );
  return copies;
}

async function run(context: ScenarioContext, engine: EngineProcess, copies: readonly Copy[], options: WatchOptions) {
  const watch = await openWatch(context, engine, options);
  await watch.begin();
  const left = [...copies];
  const copySome = async () => {
    for (let copy = left.shift(); copy; copy = left.shift()) {
      await copySlowly(join(watch.root, copy.name), copy.bytes, context.random.integer(3, 12), pauseMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, copySome));
  const closedMs = performance.now();
  await watch.until(
    'all are converted',
    () => copies.every(({ name }) => watch.isDone(name)),
    context.size(120_000, 900_000),
  );
  const waitedMs = performance.now() - closedMs;
  const whole = new Set(copies.map(({ bytes }) => sha256Of(bytes)));
  const sent = await watch.uploads();
  const half = sent.filter((hash) => !whole.has(hash)).length;
  must(half === 0, `${options.name}: ${half} were sent half`);
  must(
    sent.length === copies.length && watch.jobs().length === copies.length,
    `${options.name}: ${sent.length} were sent`,
  );
  must(watch.paid() === copies.length && watch.mostPaid() === 1, `${options.name}: ${watch.paid()} paid calls`);
  await watch.close();
  return waitedMs;
}

export const scenario: Scenario = {
  id: 'R5',
  title: 'recordings copied slowly into a watched folder are converted once, and only when they are complete',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context): Promise<Figures> {
    const real = await realRecordings(context, 600);
    if ('skipped' in real) return real.skipped;
    const engine = await context.startEngine();
    const copies = await chooseCopies(real.files, context.size(30, 100));
    const formats = [...new Set(copies.map(({ name }) => extname(name)))].sort();
    const open = copies.filter(({ hasEnd }) => !hasEnd).length;
    const isFirst = (_: Copy, at: number) => at % 3 !== 0;
    const seen = await run(context, engine, copies.filter(isFirst), { name: 'a writer that can be seen' });
    const blind = await run(
      context,
      engine,
      copies.filter((copy, at) => !isFirst(copy, at)),
      { name: 'a writer that cannot', createScanner: blindScanner },
    );
    return {
      files: copies.length,
      'without the mark': open,
      formats: formats.join(' '),
      'last after s': (seen / 1000).toFixed(1),
      'unseen after s': blindSeconds(blind).toFixed(0),
      half: 0,
      converted: copies.length,
    };
  },
};
