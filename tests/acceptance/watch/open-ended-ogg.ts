// Fails when an Ogg without the mark of its end is sent half, refused, or waited for longer than it has to be.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalScanner } from '../../../src/main/core/scanner/local-scanner.ts';
import type { Scanner } from '../../../src/main/core/scanner/scanner.ts';
import { awaitAllStable, logEvents, testRoot } from '../../../src/main/core/scanner/scanner.fixture.ts';
import { buzz, encoded } from '../../../src/sound/sound.fixture.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { blindScanner, blindSeconds, copySlowly, withoutEnd } from '../support/watch/slow-copies.ts';

const each = 10;
const pauseMs = 150;

/** No two numbers have one content. */
async function oggWithoutEnd(number: number): Promise<Buffer> {
  return withoutEnd(Buffer.from(await encoded('ogg', [buzz(100 + 5 * number, 2, 44_100)], 44_100)));
}

/** Milliseconds between the end of the writers and the last file that was taken. */
async function watch({ folder, note }: ScenarioContext, name: string, scanner: Scanner): Promise<number> {
  note(name);
  try {
    const log = logEvents(scanner);
    await mkdir(join(folder, name));
    const root = await testRoot(join(folder, name, 'root'), { endings: ['.ogg'] });
    awaitAllStable(scanner);
    scanner.watch(root);
    await log.waitFor('status', ({ status }) => status.mode === 'watching');
    const files = await Promise.all(Array.from({ length: each }, (_, k) => oggWithoutEnd(k)));
    await Promise.all(files.map((bytes, k) => copySlowly(join(root.path, `${k}.ogg`), bytes, Infinity, pauseMs)));
    const closedMs = performance.now();
    for (const [k, bytes] of files.entries()) {
      const { file } = await log.waitFor('stable', (event) => event.file.path === `${k}.ogg`);
      const hash = createHash('sha256').update(bytes).digest('hex');
      must(file.sha256 === hash, `${name}: ${file.path} was taken before it was whole`);
    }
    must(log.of('stable').length === each, `${name}: ${log.of('stable').length} were taken for ${each}`);
    must(log.of('rejected').length === 0, `${name}: ${log.of('rejected').length} were refused`);
    return performance.now() - closedMs;
  } finally {
    await scanner.stop();
  }
}

export const scenario: Scenario = {
  id: 'W23',
  title:
    'an Ogg without its end flag is never converted half, but once its writer has closed it or after a minute of quiet',
  async run(context) {
    const seen = (await watch(context, 'a writer that can be seen', createLocalScanner())) / 1000;
    must(seen < 30, `closed ones are taken only after ${seen.toFixed(1)} s`);
    // Quiet begins with the last write, a pause before the file is closed.
    const blind = blindSeconds((await watch(context, 'a writer that cannot', blindScanner())) + pauseMs);
    must(blind >= 59, `unseen ones are taken after ${blind.toFixed(0)} s of quiet`);
    return { files: 2 * each, 'closed s': seen.toFixed(1), 'unseen s': blind.toFixed(0), half: 0, refused: 0 };
  },
};
