import { existsSync } from 'node:fs';
import { appendFile, chmod, link, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestEngine } from '../../../engine/engine.fixture.ts';
import { databaseName } from '../database/database.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { wavBytes } from '../scanner/scanner.fixture.ts';
import { createStashedSources, stashPathOf } from './source-disposal.ts';
import { openWatchBench, startWatchEngine, type WatchBench } from './watch.fixture.ts';

let engine: TestEngine;
let bench: WatchBench;

beforeAll(async () => {
  engine = await startWatchEngine();
});
afterAll(() => engine.remove());
beforeEach(async () => {
  bench = await openWatchBench(engine);
});
afterEach(async () => {
  const { defects } = bench;
  await bench.stop();
  expect(defects).toEqual([]);
});

const outputs = async () => (await readdir(join(bench.folder, 'out'), { recursive: true }).catch(() => [])).sort();
const decisionOf = (path: string) => bench.file(path)?.record.decision;
const isDone = (path: string) => {
  const view = bench.file(path);
  return view?.job?.state === 'done' && view.record.stage === 'rest';
};
const isWatching = () => bench.watch.listFolders()[0]?.mode === 'watching';
const isScanned = () => bench.watch.listFolders()[0]?.checkedAt !== null && isWatching();

/** Saves a folder with one converted recording. */
async function withOneDone(): Promise<void> {
  await bench.save();
  await bench.until('the folder is watched', isScanned);
  await bench.put('a.wav', 1);
  await bench.until('a.wav is done', () => isDone('a.wav'));
}
/** Adds a last recording: once it is done, everything before it was scanned. */
async function putLast(name = 'last.wav'): Promise<void> {
  await bench.put(name, 99);
  await bench.until(`${name} is done`, () => isDone(name));
}

describe('a watched folder', () => {
  it('turns what is saved there into a result, with its tree, once', async () => {
    await bench.save();
    await bench.until('the folder is watched', isScanned);
    await bench.put('day 1/take.wav', 1);
    await bench.until('it is done', () => isDone('day 1/take.wav'));
    expect(await outputs()).toEqual(['day 1', 'day 1/take.wav']);
    await bench.restart();
    await bench.until('it was looked over again', isScanned);
    await putLast();
    expect(bench.jobs()).toHaveLength(2);
  });

  it('counts existing files in a preview until the user has decided about them', async () => {
    await bench.put('a.wav', 1);
    const { folder } = await bench.save();
    const count = async () => (await bench.watch.preview(bench.settings)).count;
    await bench.until('it asks', () => bench.watch.getFolder(folder.id).folder.baselineStage === 'asking');
    expect(await count()).toBe(1);
    bench.watch.answerExisting(folder.id, 'leave');
    await bench.until('it is answered', () => bench.watch.getFolder(folder.id).folder.baselineStage === 'answered');
    expect(await count()).toBe(0);
  });

  it('starts no job for a rename, a move, a touch, other permissions or a hard link', async () => {
    await withOneDone();
    await rename(join(bench.root, 'a.wav'), join(bench.root, 'b.wav'));
    await bench.until('b.wav is known', () => isDone('b.wav'));
    await mkdir(join(bench.root, 'sub'));
    await rename(join(bench.root, 'b.wav'), join(bench.root, 'sub/b.wav'));
    await bench.until('sub/b.wav is known', () => isDone('sub/b.wav'));
    await utimes(join(bench.root, 'sub/b.wav'), 1_600_000_000, 1_600_000_000);
    await chmod(join(bench.root, 'sub/b.wav'), 0o640);
    await link(join(bench.root, 'sub/b.wav'), join(bench.root, 'c.wav'));
    await bench.until('c.wav is known', () => decisionOf('c.wav') === 'same-sound');
    await putLast();
    expect(bench.file('c.wav')?.record.duplicateOf).toBe(join('sub', 'b.wav'));
    expect(bench.jobs()).toHaveLength(2);
  });

  it('converts new content under an old name, and keeps the old result', async () => {
    await withOneDone();
    await bench.put('a.wav', 2);
    await bench.until('two jobs are done', () => bench.jobs().filter(({ state }) => state === 'done').length === 2);
    expect(await outputs()).toEqual(['a (2).wav', 'a.wav']);
  });

  it('offers files converted with other settings, and starts no job', async () => {
    await withOneDone();
    const { conversion } = bench.settings;
    await bench.save({ conversion: { ...conversion, pitch: 1.2 } });
    expect(decisionOf('a.wav')).toBe('other-settings');
    await bench.until('it was looked over again', isScanned);
    await putLast();
    expect(bench.jobs()).toHaveLength(2);
    const id = bench.watch.listFolders()[0]?.folder.id ?? '';
    bench.watch.convert(id, ['a.wav']);
    await bench.until('it is converted again', () => bench.jobs().length === 3 && isDone('a.wav'));
    await bench.save({ conversion });
    expect(decisionOf('a.wav')).toBe('job');
  });

  it('asks about existing files, and converts only new ones', async () => {
    await bench.put('old.wav', 1);
    await bench.put('sub/old too.wav', 2);
    await bench.save();
    await bench.until('it was measured', () => {
      const view = bench.watch.listFolders()[0];
      return view?.existing?.files === 2 && view.isMeasured;
    });
    expect(bench.watch.listFolders()[0]?.existing?.seconds).toBeCloseTo(0.6);
    const id = bench.watch.listFolders()[0]?.folder.id ?? '';
    bench.watch.answerExisting(id, 'leave');
    await rename(join(bench.root, 'old.wav'), join(bench.root, 'renamed.wav'));
    await bench.until('the old one is known', () => decisionOf('renamed.wav') === 'before');
    await putLast();
    expect(bench.jobs()).toHaveLength(1);
    bench.watch.convert(id, ['renamed.wav']);
    await bench.until('a person wanted it', () => isDone('renamed.wav'));
  });

  it('still asks about existing files that were absent for a while', async () => {
    const old = await bench.put('old.wav', 1);
    await bench.save();
    const asksAbout = (files: number) => () => bench.watch.listFolders()[0]?.existing?.files === files;
    await bench.until('it asks', asksAbout(1));
    await rename(old, join(bench.folder, 'old.wav'));
    await bench.until('it is away', asksAbout(0));
    const before = bench.watch.listFolders()[0]?.checkedAt;
    bench.watch.rescan();
    await bench.until('it was looked over again', () => bench.watch.listFolders()[0]?.checkedAt !== before);
    await rename(join(bench.folder, 'old.wav'), old);
    bench.watch.rescan();
    await bench.until('it asks again', asksAbout(1));
  });

  it('converts existing files if the user chooses so', async () => {
    await bench.put('old.wav', 1);
    await bench.save();
    await bench.until('it asks', () => bench.watch.listFolders()[0]?.existing?.files === 1);
    bench.watch.answerExisting(bench.watch.listFolders()[0]?.folder.id ?? '', 'convert');
    await bench.until('it is done', () => isDone('old.wav'));
    expect(bench.watch.listFolders()[0]?.existing).toBeNull();
  });

  it('never converts its own results, not even renamed ones', async () => {
    await bench.save({ outputFolder: null });
    await bench.until('the folder is watched', isScanned);
    await bench.put('a.mp3.wav', 1);
    await bench.until('the result is seen', () => decisionOf('a.mp3 (2).wav') === 'own-output');
    await rename(join(bench.root, 'a.mp3 (2).wav'), join(bench.root, 'mine.wav'));
    await bench.until('it is known', () => decisionOf('mine.wav') === 'own-output');
    expect(bench.jobs()).toHaveLength(1);
  });

  it('says why it rejects an incomplete recording, and converts it once it is complete', async () => {
    await bench.save();
    await bench.until('the folder is watched', isScanned);
    const path = await bench.put('cut.wav', 1);
    await bench.until('it is done', () => isDone('cut.wav'));
    const whole = await readFile(path);
    await writeFile(join(bench.root, 'other.wav'), Buffer.concat([whole.subarray(0, 2000)]));
    await bench.until('it is refused', () => bench.file('other.wav')?.record.problem?.code === 'input/cut');
    await appendFile(join(bench.root, 'other.wav'), Buffer.alloc(whole.length - 2000, 5));
    await bench.until('it is done', () => isDone('other.wav'));
  });

  it('stops before the daily minutes are exceeded, and converts more if the user asks for it', async () => {
    await bench.save({ dailyMinutes: 1 });
    await bench.until('the folder is watched', isScanned);
    for (const [name, fill] of [
      ['a.wav', 1],
      ['b.wav', 2],
    ] as const) {
      await writeFile(join(bench.root, name), wavBytes(40, fill));
      await utimes(join(bench.root, name), 1_700_000_000, 1_700_000_000);
    }
    await bench.until('one waits', () => [decisionOf('a.wav'), decisionOf('b.wav')].includes('budget'));
    await bench.until('one is done', () => isDone('a.wav') || isDone('b.wav'));
    expect(bench.jobs()).toHaveLength(1);
    const waiting = decisionOf('a.wav') === 'budget' ? 'a.wav' : 'b.wav';
    bench.watch.convert(bench.watch.listFolders()[0]?.folder.id ?? '', [waiting]);
    await bench.until('a person wanted it', () => isDone(waiting));
  });
});

describe('a folder with other settings', () => {
  it('converts what was too long for the former daily limit', async () => {
    await bench.save({ dailyMinutes: 1 });
    await bench.until('the folder is watched', isScanned);
    await writeFile(join(bench.root, 'long.wav'), wavBytes(70, 3));
    await utimes(join(bench.root, 'long.wav'), 1_700_000_000, 1_700_000_000);
    await bench.until('it says so', () => bench.file('long.wav')?.record.problem?.code === 'watch/too-long');
    await bench.save({ dailyMinutes: 5 });
    await bench.until('it is done', () => isDone('long.wav'));
  });

  it('converts what arrived while its connection was missing', async () => {
    await bench.save({ connectionId: 'gone' });
    await bench.until('the folder is watched', isScanned);
    await bench.put('a.wav', 1);
    await bench.until('it says so', () => bench.file('a.wav')?.record.problem?.code === 'connection/not-found');
    await bench.save();
    await bench.until('it is done', () => isDone('a.wav'));
  });
});

describe('the original', () => {
  it('moves to Done with its tree once the result is verified', async () => {
    await bench.save({ afterwards: 'done' });
    await bench.until('the folder is watched', isScanned);
    await bench.put('sub/a.wav', 1);
    await bench.until('it moved', () => bench.file('sub/a.wav')?.record.movedTo === join('Done', 'sub', 'a.wav'));
    expect(existsSync(join(bench.root, 'sub/a.wav'))).toBe(false);
    expect(existsSync(join(bench.root, 'Done/sub/a.wav'))).toBe(true);
    await bench.put('sub/a.wav', 2);
    await bench.until('the next moved beside it', () => existsSync(join(bench.root, 'Done/sub/a (2).wav')));
    expect(bench.jobs()).toHaveLength(2);
  });

  it('is moved on after a crash left it stashed, although the next recording has its name', async () => {
    await withOneDone();
    const [{ id, source }] = bench.jobs() as [ConversionJob];
    await rename(source.path, stashPathOf(id, source.path));
    const journal = new DatabaseSync(join(bench.folder, 'data', databaseName));
    createStashedSources(journal).add(bench.file('a.wav')?.record.folderId ?? '', { jobId: id, path: 'a.wav' });
    journal.close();
    await bench.put('a.wav', 2);
    await bench.restart();
    await bench.until('the next one is done', () => bench.jobs().length === 2 && isDone('a.wav'));
    await bench.until('the first one moved', () => existsSync(join(bench.root, 'Done/a.wav')));
    expect(await readFile(join(bench.root, 'Done/a.wav'))).toEqual(wavBytes(0.3, 1));
    expect(await readFile(join(bench.root, 'a.wav'))).toEqual(wavBytes(0.3, 2));
  });

  it('goes to the trash if that was chosen', async () => {
    await bench.save({ afterwards: 'trash' });
    await bench.until('the folder is watched', isScanned);
    const path = await bench.put('a.wav', 1);
    await bench.until('it is gone', () => bench.trashed.length === 1);
    expect(bench.trashed).toEqual([path]);
  });

  it('is trashed once, also when the settings of its folder change meanwhile', async () => {
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    bench.trashing = () => {
      started.resolve();
      return ended.promise;
    };
    await bench.save({ afterwards: 'trash' });
    await bench.until('the folder is watched', isScanned);
    await bench.put('a.wav', 1);
    await started.promise;
    await bench.save({ afterwards: 'trash', dailyMinutes: 10 });
    await bench.until('it was looked over again', isScanned);
    ended.resolve();
    await bench.until('it is gone', () => bench.file('a.wav')?.record.disposalState === 'trashed');
    expect(bench.trashed).toHaveLength(1);
    expect(bench.file('a.wav')?.record.stage).toBe('rest');
    expect(bench.defects).toEqual([]);
  });
});

describe('a root', () => {
  it('keeps its records while it is offline, adopts no other folder, and continues when it is back', async () => {
    await withOneDone();
    const away = join(bench.folder, 'away');
    await rename(bench.root, away);
    await mkdir(bench.root);
    await bench.until('it is offline', () => bench.watch.listFolders()[0]?.mode === 'offline');
    expect(bench.file('a.wav')?.record.isPresent).toBe(true);
    await rm(bench.root, { recursive: true });
    await rename(away, bench.root);
    await bench.until('it is back', isWatching);
    await putLast();
    expect(bench.jobs()).toHaveLength(2);
  });

  it('is rejected if it overlaps a watched one', async () => {
    await bench.save();
    await mkdir(join(bench.root, 'sub'));
    const nested = bench.save({ path: join(bench.root, 'sub') }, null);
    await expect(nested).rejects.toMatchObject({ code: 'watch/overlaps' });
  });
});

describe('a folder of the list before it is watched', () => {
  const idOf = () => bench.watch.listFolders()[0]?.folder.id ?? '';
  const modeOf = () => bench.watch.listFolders()[0]?.mode;

  it('can be paused, resumed and removed', async () => {
    await withOneDone();
    await bench.restart(undefined, false);
    expect(modeOf()).toBe('starting');
    bench.watch.setPaused(idOf(), true);
    expect(modeOf()).toBe('paused');
    bench.watch.start();
    await putLastWhilePaused();
    bench.watch.setPaused(idOf(), false);
    await bench.until('it is taken', () => isDone('later.wav'));
    await bench.restart(undefined, false);
    bench.watch.remove(idOf());
    bench.watch.start();
    expect(bench.watch.listFolders()).toEqual([]);
  });

  async function putLastWhilePaused(): Promise<void> {
    await bench.put('later.wav', 7);
    expect([modeOf(), decisionOf('later.wav')]).toEqual(['paused', undefined]);
  }

  it('converts what the user asks for once it is watched', async () => {
    await bench.put('before.wav', 3);
    await bench.put('asked.wav', 4);
    await bench.save();
    await bench.until('it asks', () => bench.watch.listFolders()[0]?.existing?.files === 2);
    await bench.restart(undefined, false);
    bench.watch.convert(idOf(), ['asked.wav']);
    bench.watch.start();
    await bench.until('it is done', () => isDone('asked.wav'));
    await bench.restart(undefined, false);
    bench.watch.answerExisting(idOf(), 'convert');
    bench.watch.start();
    await bench.until('the other is done', () => isDone('before.wav'));
    expect(bench.jobs()).toHaveLength(2);
  });
});

describe('a command of the user while the database is not writable', () => {
  it('is rejected with the reason and changes nothing', async () => {
    await withOneDone();
    const [view] = bench.watch.listFolders();
    const id = view?.folder.id ?? '';
    const holder = new DatabaseSync(join(bench.folder, 'data', databaseName));
    holder.exec('BEGIN IMMEDIATE');
    const refused = expect.objectContaining({ code: 'data/not-writable' }) as unknown;
    for (const ask of [
      () => bench.watch.remove(id),
      () => bench.watch.setPaused(id, true),
      () => bench.watch.answerExisting(id, 'convert'),
      () => bench.watch.convert(id, ['a.wav']),
    ]) {
      expect(ask).toThrow(refused);
    }
    await expect(bench.save({ isRecursive: false })).rejects.toEqual(refused);
    expect(bench.watch.listFolders()[0]).toMatchObject({ mode: 'watching', folder: { isPaused: false } });
    holder.exec('ROLLBACK');
    holder.close();
    await bench.until('it can be written', () => bench.queue.writes.heldSince() === null);
    await putLast();
    bench.watch.setPaused(id, true);
    expect(bench.watch.listFolders()[0]?.mode).toBe('paused');
  });
});
