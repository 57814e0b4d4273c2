// Fails when an Ogg without the mark of its end is sent half, refused, or waited for longer than it has to be.
import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createEyes } from '../../src/main/core/watch/eyes/create-eyes.ts';
import { systemSteadyClock, type SteadyClock } from '../../src/main/core/watch/eyes/steady-clock.ts';
import { considerAll, logNews, testRoot } from '../../src/main/core/watch/eyes/test-eyes.ts';
import type { FindWriters } from '../../src/main/core/watch/eyes/writers.ts';
import { buzz, encoded } from '../../src/sound/test-sound.ts';
import { must, type Scenario, type ScenarioContext } from './scenario.ts';

const each = 10;
const speed = 10;
/** A minute passes in six seconds; what the wall clock says is worth nothing beside it. */
const quick: SteadyClock = { monotonic: () => performance.now() * speed, wallNow: () => Date.now() };
const unseen: FindWriters = (questions) => Promise.resolve(questions.map(() => ({ kind: 'unseen' })));
const pauseMs = 150;

/** No two numbers have one content. */
async function oggWithoutEnd(number: number): Promise<Buffer> {
  const bytes = Buffer.from(await encoded('ogg', [buzz(100 + 5 * number, 2, 44_100)], 44_100));
  bytes[bytes.lastIndexOf('OggS\0') + 5] = 0;
  return bytes;
}

/** Writes page by page, so that a whole but half recording stands there all the time. */
async function writeSlowly(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf('OggS\0', at + 1);
    const end = next < 0 ? bytes.length : next;
    await file.write(bytes.subarray(at, end));
    at = end;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await file.close();
}

async function watch(
  { folder, note }: ScenarioContext,
  name: string,
  dependencies: Parameters<typeof createEyes>[0],
): Promise<number> {
  note(name);
  const eyes = createEyes(dependencies);
  try {
    const log = logNews(eyes);
    await mkdir(join(folder, name));
    const root = await testRoot(join(folder, name, 'root'), { endings: ['.ogg'] });
    considerAll(eyes);
    eyes.watch(root);
    await log.waitFor('sight', ({ sight }) => sight.mode === 'watching');
    const files = await Promise.all(Array.from({ length: each }, (_, k) => oggWithoutEnd(k)));
    await Promise.all(files.map((bytes, k) => writeSlowly(join(root.path, `${k}.ogg`), bytes)));
    const closedMs = performance.now();
    for (const [k, bytes] of files.entries()) {
      const { file } = await log.waitFor('ready', (news) => news.file.path === `${k}.ogg`);
      const hash = createHash('sha256').update(bytes).digest('hex');
      must(file.sha256 === hash, `${name}: ${file.path} was taken before it was whole`);
    }
    must(log.of('ready').length === each, `${name}: ${log.of('ready').length} were taken for ${each}`);
    must(log.of('refused').length === 0, `${name}: ${log.of('refused').length} were refused`);
    return (performance.now() - closedMs) / 1000;
  } finally {
    await eyes.stop();
  }
}

export const w23: Scenario = {
  id: 'W23',
  title: 'Ogg without the mark of its end: never half, taken when its writer has closed it or after a minute of quiet',
  async run(context) {
    const seen = await watch(context, 'a writer that can be seen', { clock: systemSteadyClock });
    must(seen < 30, `closed ones are taken only after ${seen.toFixed(1)} s`);
    const blind = (await watch(context, 'a writer that cannot', { clock: quick, findWriters: unseen })) * speed;
    must(blind >= 59, `unseen ones are taken after ${blind.toFixed(0)} s of quiet`);
    return { files: 2 * each, 'closed s': seen.toFixed(1), 'unseen s': blind.toFixed(0), half: 0, refused: 0 };
  },
};
