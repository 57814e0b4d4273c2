import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { databaseName } from '../database/database.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { wavBytes } from '../scanner/scanner.fixture.ts';
import { createStashedSources, stashPathOf } from './source-disposal.ts';
import { useWatchFixture, type WatchFixture } from './watch.fixture.ts';

let fixture: WatchFixture;

useWatchFixture((opened) => void (fixture = opened));

const outputs = async () => (await readdir(join(fixture.folder, 'out'), { recursive: true }).catch(() => [])).sort();
const decisionOf = (path: string) => fixture.file(path)?.record.decision;
const isDone = (path: string) => {
  const view = fixture.file(path);
  return view?.job?.state === 'done' && view.record.stage === 'rest';
};
const isWatching = () => fixture.watch.listFolders()[0]?.mode === 'watching';
const isScanned = () => fixture.watch.listFolders()[0]?.checkedAt !== null && isWatching();

/** Saves a folder with one converted recording. */
async function withOneDone(): Promise<void> {
  await fixture.save();
  await fixture.until('the folder is watched', isScanned);
  await fixture.put('a.wav', 1);
  await fixture.until('a.wav is done', () => isDone('a.wav'));
}
/** Adds a last recording: once it is done, everything before it was scanned. */
async function putLast(name = 'last.wav'): Promise<void> {
  await fixture.put(name, 99);
  await fixture.until(`${name} is done`, () => isDone(name));
}

describe('a watched folder', () => {
  it('turns what is saved there into a result, with its tree, once', async () => {
    await fixture.save();
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('day 1/take.wav', 1);
    await fixture.until('it is done', () => isDone('day 1/take.wav'));
    expect(await outputs()).toEqual(['day 1', 'day 1/take.wav']);
    await fixture.restart();
    await fixture.until('it was looked over again', isScanned);
    await putLast();
    expect(fixture.jobs()).toHaveLength(2);
  });

  it('counts the baseline in a preview until the user has decided about it', async () => {
    await fixture.put('a.wav', 1);
    const { folder } = await fixture.save();
    const count = async () => (await fixture.watch.preview(fixture.settings)).count;
    await fixture.until('it asks', () => fixture.watch.getFolder(folder.id).folder.baselineStage === 'asking');
    expect(await count()).toBe(1);
    fixture.watch.answerBaseline(folder.id, 'leave');
    await fixture.until('it is answered', () => fixture.watch.getFolder(folder.id).folder.baselineStage === 'answered');
    expect(await count()).toBe(0);
  });

  it('starts no job for a rename, a move, a touch, other permissions or a hard link', async () => {
    await withOneDone();
    await rename(join(fixture.root, 'a.wav'), join(fixture.root, 'b.wav'));
    await fixture.until('b.wav is known', () => isDone('b.wav'));
    await mkdir(join(fixture.root, 'sub'));
    await rename(join(fixture.root, 'b.wav'), join(fixture.root, 'sub/b.wav'));
    await fixture.until('sub/b.wav is known', () => isDone('sub/b.wav'));
    await utimes(join(fixture.root, 'sub/b.wav'), 1_600_000_000, 1_600_000_000);
    await chmod(join(fixture.root, 'sub/b.wav'), 0o640);
    await link(join(fixture.root, 'sub/b.wav'), join(fixture.root, 'c.wav'));
    await fixture.until('c.wav is known', () => decisionOf('c.wav') === 'same-sound');
    await putLast();
    expect(fixture.file('c.wav')?.record.duplicateOf).toBe(join('sub', 'b.wav'));
    expect(fixture.jobs()).toHaveLength(2);
  });

  it('converts new content under an old name, and keeps the old result', async () => {
    await withOneDone();
    await fixture.put('a.wav', 2);
    await fixture.until('two jobs are done', () => fixture.jobs().filter(({ state }) => state === 'done').length === 2);
    expect(await outputs()).toEqual(['a (2).wav', 'a.wav']);
  });

  it('offers files converted with other settings, and starts no job', async () => {
    await withOneDone();
    const { conversion } = fixture.settings;
    await fixture.save({ conversion: { ...conversion, pitch: 1.2 } });
    expect(decisionOf('a.wav')).toBe('other-settings');
    await fixture.until('it was looked over again', isScanned);
    await putLast();
    expect(fixture.jobs()).toHaveLength(2);
    const id = fixture.watch.listFolders()[0]?.folder.id ?? '';
    fixture.watch.convert(id, ['a.wav']);
    await fixture.until('it is converted again', () => fixture.jobs().length === 3 && isDone('a.wav'));
    await fixture.save({ conversion });
    expect(decisionOf('a.wav')).toBe('job');
  });

  it('asks about the baseline, and converts only new ones', async () => {
    await fixture.put('old.wav', 1);
    await fixture.put('sub/old too.wav', 2);
    await fixture.save();
    await fixture.until('it was measured', () => {
      const view = fixture.watch.listFolders()[0];
      return view?.baseline?.files === 2 && view.isMeasured;
    });
    expect(fixture.watch.listFolders()[0]?.baseline?.seconds).toBeCloseTo(0.6);
    const id = fixture.watch.listFolders()[0]?.folder.id ?? '';
    fixture.watch.answerBaseline(id, 'leave');
    await rename(join(fixture.root, 'old.wav'), join(fixture.root, 'renamed.wav'));
    await fixture.until('the old one is known', () => decisionOf('renamed.wav') === 'baseline');
    await putLast();
    expect(fixture.jobs()).toHaveLength(1);
    fixture.watch.convert(id, ['renamed.wav']);
    await fixture.until('a person wanted it', () => isDone('renamed.wav'));
  });

  it('leaves its own results out of the baseline, unless they were changed since', async () => {
    await fixture.put('sub/take.wav', 1);
    await fixture.put('sub/other.wav', 2);
    const sub = await fixture.run('convert', { path: join(fixture.root, 'sub'), outputFolder: null });
    const areDone = () => fixture.jobs().filter(({ state }) => state === 'done').length === 2;
    await fixture.until('both are done', areDone);
    fixture.watch.remove(sub.folder.id);
    await fixture.write('sub/other (2).wav', wavBytes(0.4, 3), 3);
    await fixture.save({}, null);
    await fixture.until('it asks', () => fixture.watch.listFolders()[0]?.baseline?.files === 3);
    expect(decisionOf('sub/take (2).wav')).toBe('own-output');
    fixture.watch.answerBaseline(fixture.watch.listFolders()[0]?.folder.id ?? '', 'convert');
    await fixture.until('what was changed is converted', () => isDone('sub/other (2).wav'));
    expect(decisionOf('sub/take (2).wav')).toBe('own-output');
  });

  it('still asks about baseline files that were absent for a while', async () => {
    const old = await fixture.put('old.wav', 1);
    await fixture.save();
    const asksAbout = (files: number) => () => fixture.watch.listFolders()[0]?.baseline?.files === files;
    await fixture.until('it asks', asksAbout(1));
    await rename(old, join(fixture.folder, 'old.wav'));
    await fixture.until('it is away', asksAbout(0));
    const before = fixture.watch.listFolders()[0]?.checkedAt;
    fixture.watch.rescan();
    await fixture.until('it was looked over again', () => fixture.watch.listFolders()[0]?.checkedAt !== before);
    await rename(join(fixture.folder, 'old.wav'), old);
    fixture.watch.rescan();
    await fixture.until('it asks again', asksAbout(1));
  });

  it('converts the baseline if the user chooses so', async () => {
    await fixture.put('old.wav', 1);
    await fixture.save();
    await fixture.until('it asks', () => fixture.watch.listFolders()[0]?.baseline?.files === 1);
    fixture.watch.answerBaseline(fixture.watch.listFolders()[0]?.folder.id ?? '', 'convert');
    await fixture.until('it is done', () => isDone('old.wav'));
    expect(fixture.watch.listFolders()[0]?.baseline).toBeNull();
  });

  it('never converts its own results, not even renamed ones', async () => {
    await fixture.save({ outputFolder: null });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('a.mp3.wav', 1);
    await fixture.until('the result is seen', () => decisionOf('a.mp3 (2).wav') === 'own-output');
    await rename(join(fixture.root, 'a.mp3 (2).wav'), join(fixture.root, 'mine.wav'));
    await fixture.until('it is known', () => decisionOf('mine.wav') === 'own-output');
    expect(fixture.jobs()).toHaveLength(1);
  });

  it('says why it rejects an incomplete recording, and converts it once it is complete', async () => {
    await fixture.save();
    await fixture.until('the folder is watched', isScanned);
    const path = await fixture.put('cut.wav', 1);
    await fixture.until('it is done', () => isDone('cut.wav'));
    const whole = await readFile(path);
    await writeFile(join(fixture.root, 'other.wav'), Buffer.concat([whole.subarray(0, 2000)]));
    await fixture.until('it is refused', () => fixture.file('other.wav')?.record.problem?.code === 'input/cut');
    await appendFile(join(fixture.root, 'other.wav'), Buffer.alloc(whole.length - 2000, 5));
    await fixture.until('it is done', () => isDone('other.wav'));
  });

  it('stops before the daily minutes are exceeded, and converts more if the user asks for it', async () => {
    await fixture.save({ dailyMinutes: 1 });
    await fixture.until('the folder is watched', isScanned);
    for (const [name, fill] of [
      ['a.wav', 1],
      ['b.wav', 2],
    ] as const) {
      await writeFile(join(fixture.root, name), wavBytes(40, fill));
      await utimes(join(fixture.root, name), 1_700_000_000, 1_700_000_000);
    }
    await fixture.until('one waits', () => [decisionOf('a.wav'), decisionOf('b.wav')].includes('budget'));
    await fixture.until('one is done', () => isDone('a.wav') || isDone('b.wav'));
    expect(fixture.jobs()).toHaveLength(1);
    const waiting = decisionOf('a.wav') === 'budget' ? 'a.wav' : 'b.wav';
    fixture.watch.convert(fixture.watch.listFolders()[0]?.folder.id ?? '', [waiting]);
    await fixture.until('a person wanted it', () => isDone(waiting));
  });
});

describe('a folder with other settings', () => {
  it('converts what was too long for the former daily limit', async () => {
    await fixture.save({ dailyMinutes: 1 });
    await fixture.until('the folder is watched', isScanned);
    await writeFile(join(fixture.root, 'long.wav'), wavBytes(70, 3));
    await utimes(join(fixture.root, 'long.wav'), 1_700_000_000, 1_700_000_000);
    await fixture.until('it says so', () => fixture.file('long.wav')?.record.problem?.code === 'watch/too-long');
    await fixture.save({ dailyMinutes: 5 });
    await fixture.until('it is done', () => isDone('long.wav'));
  });

  it('converts what arrived while its connection was missing', async () => {
    await fixture.save({ connectionId: 'gone' });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('a.wav', 1);
    await fixture.until('it says so', () => fixture.file('a.wav')?.record.problem?.code === 'connection/not-found');
    await fixture.save();
    await fixture.until('it is done', () => isDone('a.wav'));
  });
});

describe('the original', () => {
  it('moves to Done with its tree once the result is verified', async () => {
    await fixture.save({ afterwards: 'done' });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('sub/a.wav', 1);
    await fixture.until('it moved', () => fixture.file('sub/a.wav')?.record.movedTo === join('Done', 'sub', 'a.wav'));
    expect(existsSync(join(fixture.root, 'sub/a.wav'))).toBe(false);
    expect(existsSync(join(fixture.root, 'Done/sub/a.wav'))).toBe(true);
    await fixture.put('sub/a.wav', 2);
    await fixture.until('the next moved beside it', () => existsSync(join(fixture.root, 'Done/sub/a (2).wav')));
    expect(fixture.jobs()).toHaveLength(2);
  });

  it('is moved on after a crash left it stashed, although the next recording has its name', async () => {
    await withOneDone();
    const [{ id, source }] = fixture.jobs() as [ConversionJob];
    await rename(source.path, stashPathOf(id, source.path));
    const journal = new DatabaseSync(join(fixture.folder, 'data', databaseName));
    createStashedSources(journal).add(fixture.file('a.wav')?.record.folderId ?? '', { jobId: id, path: 'a.wav' });
    journal.close();
    await fixture.put('a.wav', 2);
    await fixture.restart();
    await fixture.until('the next one is done', () => fixture.jobs().length === 2 && isDone('a.wav'));
    await fixture.until('the first one moved', () => existsSync(join(fixture.root, 'Done/a.wav')));
    expect(await readFile(join(fixture.root, 'Done/a.wav'))).toEqual(wavBytes(0.3, 1));
    expect(await readFile(join(fixture.root, 'a.wav'))).toEqual(wavBytes(0.3, 2));
  });

  it('goes to the trash if that was chosen', async () => {
    await fixture.save({ afterwards: 'trash' });
    await fixture.until('the folder is watched', isScanned);
    const path = await fixture.put('a.wav', 1);
    await fixture.until('it is gone', () => fixture.trashed.length === 1);
    expect(fixture.trashed).toEqual([path]);
  });

  it('is trashed once, also when the settings of its folder change meanwhile', async () => {
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    fixture.trashing = () => {
      started.resolve();
      return ended.promise;
    };
    await fixture.save({ afterwards: 'trash' });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('a.wav', 1);
    await started.promise;
    await fixture.save({ afterwards: 'trash', dailyMinutes: 10 });
    await fixture.until('it was looked over again', isScanned);
    ended.resolve();
    await fixture.until('it is gone', () => fixture.file('a.wav')?.record.disposalState === 'trashed');
    expect(fixture.trashed).toHaveLength(1);
    expect(fixture.file('a.wav')?.record.stage).toBe('rest');
    expect(fixture.defects).toEqual([]);
  });
});

describe('a root', () => {
  it('keeps its records while it is offline, adopts no other folder, and continues when it is back', async () => {
    await withOneDone();
    const away = join(fixture.folder, 'away');
    await rename(fixture.root, away);
    await mkdir(fixture.root);
    await fixture.until('it is offline', () => fixture.watch.listFolders()[0]?.mode === 'offline');
    expect(fixture.file('a.wav')?.record.isPresent).toBe(true);
    expect(await fixture.watch.explain(join(fixture.root, 'a.wav'))).toMatchObject({ kind: 'offline' });
    await rm(fixture.root, { recursive: true });
    await rename(away, fixture.root);
    await fixture.until('it is back', isWatching);
    await putLast();
    expect(fixture.jobs()).toHaveLength(2);
  });

  it('is rejected if it overlaps a watched one', async () => {
    await fixture.save();
    await mkdir(join(fixture.root, 'sub'));
    const nested = fixture.save({ path: join(fixture.root, 'sub') }, null);
    await expect(nested).rejects.toMatchObject({ code: 'watch/overlaps' });
  });
});

describe('an explanation', () => {
  const explain = (...path: readonly string[]) => fixture.watch.explain(join(fixture.folder, ...path));

  it('is that of the innermost folder, and names it by its path: others may have its name', async () => {
    const inner = join(fixture.root, 'in');
    await mkdir(inner);
    await fixture.save({ isRecursive: false });
    const { folder } = await fixture.save({ path: inner, isRecursive: false }, null);
    await fixture.put(join('in', 'a.wav'), 1);
    fixture.watch.setPaused(folder.id, true);
    expect(await explain('in', 'in', 'a.wav')).toEqual({ kind: 'paused', folder: inner });
    await fixture.write('notes.xyz', 'x');
    expect(await explain('in', 'notes.xyz')).toEqual({ kind: 'ending', folder: fixture.root, ending: '.xyz' });
  });

  it('is found where links lead to the folder or to the file', async () => {
    const real = join(fixture.folder, 'real');
    await mkdir(join(real, 'sub'), { recursive: true });
    await symlink(real, join(fixture.folder, 'link'));
    await symlink(real, join(fixture.folder, 'other link'));
    const { folder } = await fixture.save({ path: join(fixture.folder, 'link') });
    await writeFile(join(real, 'sub', 'a.wav'), wavBytes(0.3));
    fixture.watch.setPaused(folder.id, true);
    const paused = { kind: 'paused', folder: join(fixture.folder, 'link') };
    expect(await explain('real', 'sub', 'a.wav')).toEqual(paused);
    expect(await explain('other link', 'sub', 'a.wav')).toEqual(paused);
    expect(await explain('elsewhere.wav')).toEqual({ kind: 'outside' });
  });
});

describe('a folder of the list before it is watched', () => {
  const idOf = () => fixture.watch.listFolders()[0]?.folder.id ?? '';
  const modeOf = () => fixture.watch.listFolders()[0]?.mode;

  it('can be paused, resumed and removed', async () => {
    await withOneDone();
    await fixture.restart(undefined, false);
    expect(modeOf()).toBe('starting');
    fixture.watch.setPaused(idOf(), true);
    expect(modeOf()).toBe('paused');
    fixture.watch.start();
    await putLastWhilePaused();
    fixture.watch.setPaused(idOf(), false);
    await fixture.until('it is taken', () => isDone('later.wav'));
    await fixture.restart(undefined, false);
    const id = idOf();
    fixture.watch.remove(id);
    // As with a double click.
    fixture.watch.remove(id);
    fixture.watch.start();
    expect(fixture.watch.listFolders()).toEqual([]);
  });

  async function putLastWhilePaused(): Promise<void> {
    await fixture.put('later.wav', 7);
    expect([modeOf(), decisionOf('later.wav')]).toEqual(['paused', undefined]);
  }

  it('converts what the user asks for once it is watched', async () => {
    await fixture.put('before.wav', 3);
    await fixture.put('asked.wav', 4);
    await fixture.save();
    await fixture.until('it asks', () => fixture.watch.listFolders()[0]?.baseline?.files === 2);
    await fixture.restart(undefined, false);
    fixture.watch.convert(idOf(), ['asked.wav']);
    fixture.watch.start();
    await fixture.until('it is done', () => isDone('asked.wav'));
    await fixture.restart(undefined, false);
    fixture.watch.answerBaseline(idOf(), 'convert');
    fixture.watch.start();
    await fixture.until('the other is done', () => isDone('before.wav'));
    expect(fixture.jobs()).toHaveLength(2);
  });
});

describe('a command of the user while the database is not writable', () => {
  it('is rejected with the reason and changes nothing', async () => {
    await withOneDone();
    const [view] = fixture.watch.listFolders();
    const id = view?.folder.id ?? '';
    const holder = new DatabaseSync(join(fixture.folder, 'data', databaseName));
    holder.exec('BEGIN IMMEDIATE');
    const refused = expect.objectContaining({ code: 'data/not-writable' }) as unknown;
    for (const ask of [
      () => fixture.watch.remove(id),
      () => fixture.watch.setPaused(id, true),
      () => fixture.watch.answerBaseline(id, 'convert'),
      () => fixture.watch.convert(id, ['a.wav']),
    ]) {
      expect(ask).toThrow(refused);
    }
    await expect(fixture.save({ isRecursive: false })).rejects.toEqual(refused);
    expect(fixture.watch.listFolders()[0]).toMatchObject({ mode: 'watching', folder: { isPaused: false } });
    holder.exec('ROLLBACK');
    holder.close();
    await fixture.until('it can be written', () => fixture.queue.writes.heldSince() === null);
    await putLast();
    fixture.watch.setPaused(id, true);
    expect(fixture.watch.listFolders()[0]?.mode).toBe('paused');
  });
});

describe('a folder with voices by subfolder', () => {
  const voiceOf = (path: string) => {
    const job = fixture.file(path)?.job as ConversionJob | undefined;
    return job && [job.voice.name, job.settings.voiceId];
  };
  const refusal = (path: string) => {
    const { decision, stage, problem } = fixture.file(path)?.record ?? {};
    return [decision, stage, problem];
  };

  it('converts each recording with the voice that its subfolder is named after, and never guesses one', async () => {
    const { folder } = await fixture.save({ hasSubfolderVoices: true });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('a.wav', 1);
    await fixture.put('mango Grove/take 1/b.wav', 2);
    await fixture.put('Mango groove/c.wav', 3);
    await fixture.until('a.wav is done', () => isDone('a.wav'));
    const inside = join('mango Grove', 'take 1', 'b.wav');
    await fixture.until('b.wav is done', () => isDone(inside));
    const other = join('Mango groove', 'c.wav');
    await fixture.until('c.wav is refused', () => decisionOf(other) === 'refused');
    expect(refusal(other)).toEqual([
      'refused',
      'attention',
      { code: 'watch/no-voice', facts: { folder: 'Mango groove' } },
    ]);
    expect(voiceOf('a.wav')?.[1]).toBe(fixture.settings.conversion.voiceId);
    expect(voiceOf(inside)).toEqual(['Mango grove', 'mango-grove']);
    const preview = await fixture.watch.preview({ ...fixture.settings, hasSubfolderVoices: true });
    expect([preview.count, preview.refused]).toEqual([0, 0]);

    // The user's own request has the folder's voice.
    fixture.watch.convert(folder.id, [other]);
    await fixture.until('c.wav is done', () => isDone(other));
    expect(voiceOf(other)?.[1]).toBe(fixture.settings.conversion.voiceId);
  });

  it('converts nothing again when its own voice changes, or after a restart', async () => {
    await fixture.save({ hasSubfolderVoices: true });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('Mango grove/a.wav', 1);
    const path = join('Mango grove', 'a.wav');
    await fixture.until('it is done', () => isDone(path));
    const conversion = { ...fixture.settings.conversion, voiceId: 'jade-thread' };
    await fixture.save({ hasSubfolderVoices: true, conversion });
    expect(decisionOf(path)).toBe('job');
    await fixture.restart();
    await fixture.until('it was looked over again', isScanned);
    await putLast();
    expect(fixture.jobs()).toHaveLength(2);
    await fixture.save({ hasSubfolderVoices: true, conversion: { ...conversion, pitch: 1.2 } });
    expect(decisionOf(path)).toBe('other-settings');
  });

  it('converts nothing while it is not known which voice is meant, also not on request', async () => {
    fixture.voicesProblem = { code: 'network/unreachable' };
    const { folder } = await fixture.save({ hasSubfolderVoices: true });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('Mango grove/a.wav', 1);
    const path = join('Mango grove', 'a.wav');
    await fixture.until('it is refused', () => decisionOf(path) === 'refused');
    fixture.watch.convert(folder.id, [path]);
    await fixture.until('it is refused again', () => decisionOf(path) === 'refused');
    expect([refusal(path), fixture.jobs()]).toEqual([['refused', 'attention', { code: 'network/unreachable' }], []]);
    fixture.voicesProblem = null;
    await fixture.restart();
    await fixture.until('it is done', () => isDone(path));
    expect(voiceOf(path)?.[1]).toBe('mango-grove');
  });

  it('asks about a recording that is also in the subfolder of another voice', async () => {
    const { folder } = await fixture.save({ hasSubfolderVoices: true });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('Mango grove/a.wav', 1);
    const first = join('Mango grove', 'a.wav');
    await fixture.until('a.wav is done', () => isDone(first));
    await fixture.put('Jade thread/a.wav', 1);
    const second = join('Jade thread', 'a.wav');
    await fixture.until('the user is asked', () => decisionOf(second) === 'refused');
    expect(refusal(second)).toEqual(['refused', 'attention', { code: 'watch/another-voice', facts: { name: first } }]);
    fixture.watch.convert(folder.id, [second]);
    await fixture.until('it is done', () => isDone(second));
    expect(voiceOf(second)).toEqual(['Jade thread', 'jade-thread']);

    // Each keeps its own conversion when the settings change and change back.
    const jobs = () => [first, second].map((path) => fixture.file(path)?.record.jobId);
    const before = jobs();
    const { conversion } = fixture.settings;
    await fixture.save({ hasSubfolderVoices: true, conversion: { ...conversion, pitch: 1.2 } });
    await fixture.save({ hasSubfolderVoices: true, conversion });
    expect([decisionOf(first), decisionOf(second), jobs()]).toEqual(['job', 'job', before]);
  });

  it('says in the preview for which recordings there is no voice', async () => {
    await fixture.put('Mango grove/a.wav', 1);
    await fixture.put('Mango groove/b.wav', 2);
    const preview = await fixture.watch.preview({ ...fixture.settings, hasSubfolderVoices: true });
    expect([preview.count, preview.refused]).toEqual([1, 1]);
    expect(preview.files.map(({ path, problem }) => [path, problem?.code])).toEqual([
      [join('Mango groove', 'b.wav'), 'watch/no-voice'],
      [join('Mango grove', 'a.wav'), undefined],
    ]);
  });
});

describe('a folder with hours', () => {
  /** An hour of the day that begins in two hours. */
  function laterToday() {
    const now = new Date();
    const from = (now.getHours() * 60 + now.getMinutes() + 120) % 1440;
    return { from, to: (from + 60) % 1440 };
  }

  it('accepts a recording when its hours begin, or when the user asks for it', async () => {
    const hours = laterToday();
    const { folder } = await fixture.save({ hours });
    await fixture.until('the folder is watched', isScanned);
    await fixture.put('a.wav', 1);
    await fixture.put('b.wav', 2);
    await fixture.until('both wait', () => ['a.wav', 'b.wav'].every((path) => decisionOf(path) === 'budget'));
    expect(fixture.watch.getFolder(folder.id).allowance.hours).toEqual(hours);
    fixture.watch.convert(folder.id, ['b.wav']);
    await fixture.until('b.wav is done', () => isDone('b.wav'));
    expect(fixture.jobs()).toHaveLength(1);
    await fixture.save({ hours: { from: hours.to, to: hours.from } });
    await fixture.until('a.wav is done', () => isDone('a.wav'));
    expect(fixture.watch.getFolder(folder.id).allowance.hours).toBeNull();
  });
});
