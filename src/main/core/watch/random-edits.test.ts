import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRandom } from '../random.fixture.ts';
import { hasEnded, type SpeechJob } from '../jobs/job.ts';
import { folderSpeech, useWatchFixture, type WatchFixture } from './watch.fixture.ts';

const allRows = Array.from({ length: 6 }, (_, k) => `This is row ${k}.`);
const names = ['list.csv', 'renamed.csv', join('folder', 'list.csv')];
const copyName = 'copy.csv';
const steps = 25;
const schedules = 12;
let fixture: WatchFixture;

useWatchFixture(async (opened) => {
  fixture = opened;
  await fixture.watchFolder({ speech: folderSpeech });
  await mkdir(join(fixture.root, 'folder'));
});

const record = (path: string) => fixture.file(path)?.record;
const speechJobs = () => fixture.jobs().filter((job): job is SpeechJob => job.kind === 'speech');

async function save(path: string, rows: readonly string[], at: number): Promise<void> {
  const whole = join(fixture.root, path);
  await writeFile(whole, ['text', ...rows, ''].join('\n'));
  await utimes(whole, at, at);
}

/** A user who edits a table at any moment, in a Timbre that is paused, resumed and restarted at any moment. */
function createUser(random: ReturnType<typeof createRandom>) {
  let name = 'list.csv';
  let rows: readonly string[] | null = null;
  let savedAt = 1_700_000_000;

  async function write(texts: readonly string[]): Promise<void> {
    savedAt += 1;
    rows = texts;
    await save(name, texts, savedAt);
  }
  function isDecided(): boolean {
    const file = record(name);
    if (rows === null) return file?.isPresent !== true;
    const isKnown = file?.isPresent === true && file.signature.modifiedNs === `${savedAt}000000000`;
    return isKnown && (file.decision === 'job' || file.decision === 'same-sound');
  }
  const correct = () => write(allRows.filter((_row, k) => k === savedAt % 6 || random.next() < 0.6));

  const actions: readonly (() => unknown)[] = [
    correct,
    correct,
    correct,
    () => rows && write(rows),
    async () => {
      await rm(join(fixture.root, name), { force: true });
      rows = null;
    },
    async () => {
      const other = random.pick(names.filter((one) => one !== name));
      if (rows) await rename(join(fixture.root, name), join(fixture.root, other));
      name = other;
    },
    () => rows && save(copyName, rows, 1_700_000_000),
    () => rm(join(fixture.root, copyName), { force: true }),
    () => fixture.queue.scheduler.pause(),
    () => fixture.queue.scheduler.resume(null),
    () => {
      const queued = fixture.jobs().filter(({ state }) => state === 'queued');
      if (queued.length > 0) fixture.queue.scheduler.cancel(random.pick(queued).id);
    },
    () => fixture.restart(),
    () => sleep(random.integer(0, 60)),
    () => fixture.until('the last version is decided', isDecided),
    () => fixture.until('the last version is decided', isDecided),
  ];

  return {
    act: async () => void (await random.pick(actions)()),
    /** Resolves with the rows of the last version once nothing is left to do. */
    async finish(): Promise<readonly string[]> {
      fixture.queue.scheduler.resume(null);
      const last = rows ?? allRows.slice(0, 3);
      if (rows === null) await write(last);
      await fixture.until('everything is decided and spoken', () => {
        const isIdle = fixture.watch.listFolders().every(({ counts }) => counts.incoming === 0);
        return isDecided() && isIdle && fixture.jobs().every(hasEnded);
      });
      return last;
    },
  };
}

it.each(Array.from({ length: schedules }, (_, k) => k + 1))(
  'a table that is edited at any moment is spoken in its last version, and no row is paid for twice (schedule %i)',
  async (seed) => {
    const user = createUser(createRandom(seed));
    for (let step = 0; step < steps; step += 1) await user.act();
    const rows = await user.finish();
    const inState = (...states: readonly string[]) =>
      speechJobs().flatMap(({ state, text }) => (states.includes(state) ? [text] : []));
    // What the user cancelled, or what is in doubt since a restart, is left to the user.
    const answered = new Set(inState('done', 'cancelled', 'uncertain'));
    expect(rows.filter((text) => !answered.has(text))).toEqual([]);
    const paid = speechJobs().flatMap(({ state, timings, text }) =>
      state === 'done' && timings.converting !== undefined ? [text] : [],
    );
    expect(paid).toHaveLength(new Set(paid).size);
  },
);
