import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { testVoice } from '../jobs/job.fixture.ts';
import { hasEnded } from '../jobs/job.ts';
import { folderSpeech, openWatchFixture, useWatchFixture, type WatchFixture } from './watch.fixture.ts';

const speech = folderSpeech;
const anna = { name: 'Anna', voiceId: 'mango-grove', voiceName: 'Mango grove' };
const dialogue = { ...speech, speakers: [anna] };
/** The service refuses each call for her lines. */
const refusedDialogue = { ...speech, speakers: [{ ...anna, pitch: 1000 }] };
let fixture: WatchFixture;

useWatchFixture((opened) => void (fixture = opened));

const record = (path: string) => fixture.file(path)?.record;
const textsOf = (state: string) =>
  fixture.jobs().flatMap((job) => (job.kind === 'speech' && job.state === state ? [job.text] : []));
const isAllEnded = () => fixture.jobs().length > 0 && fixture.jobs().every(hasEnded);
const isSettled = (path: string) => record(path)?.decision === 'job' && record(path)?.stage === 'rest' && isAllEnded();
const hasFailed = (path: string) => fixture.file(path)?.job?.state === 'failed' && record(path)?.nextTryAt !== null;
const pause = () => fixture.queue.scheduler.pause();
const resume = () => fixture.queue.scheduler.resume(null);

const write: WatchFixture['write'] = (...file) => fixture.write(...file);
const watch: WatchFixture['watchFolder'] = (change) => fixture.watchFolder({ speech, ...change });
/** Everything that was written, changed or due before is decided once this is spoken. */
async function writeLast(): Promise<void> {
  await write('last.txt', 'The last text.', 99);
  await fixture.until('the last text is spoken', () => isSettled('last.txt'));
}

/** Runs `meanwhile` while the service speaks a text that it has not spoken before. */
async function whileSpoken(writeText: () => Promise<unknown>, meanwhile: () => unknown): Promise<void> {
  const release = fixture.engine.holdSpeech();
  try {
    await writeText();
    await fixture.until('it is being spoken', () => textsOf('converting').length > 0);
    await meanwhile();
  } finally {
    release();
  }
}

const list = (...rows: readonly string[]) => ['text', ...rows, ''].join('\n');

describe('a table that is corrected', () => {
  it('speaks no row again whose outcome is in doubt, and goes on asking about it', async () => {
    await watch();
    const rows = Array.from({ length: 12 }, (_, k) => `Row ${k} of this list.`);
    await whileSpoken(
      () => write('list.csv', list(...rows)),
      () => fixture.restart(),
    );
    await fixture.until('a row is in doubt', () => isAllEnded() && record('list.csv')?.stage === 'attention');
    const doubtful = textsOf('uncertain');
    expect(doubtful).not.toEqual([]);
    const other = rows.findLast((row) => !doubtful.includes(row));
    await write('list.csv', list(...rows.map((row) => (row === other ? 'Corrected.' : row))), 2);
    await fixture.until('the correction is spoken', () => textsOf('done').includes('Corrected.') && isAllEnded());
    await fixture.until('it asks', () => record('list.csv')?.stage === 'attention');
    expect(textsOf('uncertain')).toEqual(doubtful);
    expect(textsOf('done').filter((text) => doubtful.includes(text))).toEqual([]);
  });

  it('speaks no row that the user cancelled', async () => {
    await watch();
    pause();
    await write('list.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('the rows are queued', () => fixture.jobs().length === 3);
    const [one] = fixture.jobs().filter((job) => job.kind === 'speech' && job.text === 'One.');
    fixture.queue.scheduler.cancel(one?.id ?? '');
    resume();
    await fixture.until('the others are spoken', () => isSettled('list.csv'));
    await write('list.csv', list('One.', 'Two.', 'Drei.'), 2);
    await fixture.until('the correction is spoken', () => textsOf('done').includes('Drei.') && isSettled('list.csv'));
    expect(textsOf('done').toSorted()).toEqual(['Drei.', 'Three.', 'Two.']);
  });

  const faster = { ...speech, speed: 1.5 };
  const isSpoken = (...texts: readonly string[]) =>
    fixture.until('it is spoken', () => isSettled('list.csv') && texts.every((text) => textsOf('done').includes(text)));

  it('after the settings changed, and waits for the hours of its folder, is spoken only where it was', async () => {
    const id = await watch();
    await write('list.csv', list('One.', 'Two.'));
    await isSpoken('One.', 'Two.');
    const hour = (new Date().getHours() + 2) % 24;
    const later = { from: hour * 60, to: ((hour + 1) % 24) * 60 };
    await fixture.save({ speech: faster, hours: later }, id);
    await write('list.csv', list('One.', 'Zwei.'), 2);
    await fixture.until('it waits', () => record('list.csv')?.decision === 'budget');
    await fixture.save({ speech: faster }, id);
    await isSpoken('Zwei.');
    expect(textsOf('done').toSorted()).toEqual(['One.', 'Two.', 'Zwei.']);
  });

  it('after the settings changed, and too late for a row of before, is spoken only where it was', async () => {
    const id = await watch();
    await write('list.csv', list('One.'));
    await isSpoken('One.');
    pause();
    await write('list.csv', list('One.', 'Two.'), 2);
    await fixture.until('a row is queued', () => textsOf('queued').length === 1);
    await fixture.save({ speech: faster }, id);
    fixture.watch.setPaused(id, true);
    await write('list.csv', list('One.', 'Zwei.'), 3);
    resume();
    await fixture.until('its turn has come', isAllEnded);
    fixture.watch.setPaused(id, false);
    await isSpoken('Zwei.');
    expect(textsOf('done').toSorted()).toEqual(['One.', 'Zwei.']);
  });
});

describe('a table whose rows are in the queue', () => {
  const spoken = () => textsOf('done').toSorted();
  const isQueued = (texts: number) => () => textsOf('queued').length === texts;

  beforeEach(async () => {
    await watch();
    pause();
    await write('list.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('its rows are queued', isQueued(3));
  });

  it('is spoken in its last version only', async () => {
    await write('list.csv', list('One.', 'Zwei.', 'Three.', 'Four.'), 2);
    await fixture.until('the correction is queued', isQueued(5));
    resume();
    await fixture.until('it is spoken', () => isSettled('list.csv'));
    expect(spoken()).toEqual(['Four.', 'One.', 'Three.', 'Zwei.']);
    // Nothing is left to be done about the row of before.
    expect(textsOf('failed')).toEqual([]);
  });

  it('is spoken in its first version if a correction is taken back', async () => {
    await write('list.csv', list('One.', 'Zwei.', 'Three.'), 2);
    await fixture.until('the correction is queued', isQueued(4));
    await write('list.csv', list('One.', 'Two.', 'Three.'), 3);
    const isDecided = () =>
      record('list.csv')?.signature.modifiedNs === '1700000003000000000' && record('list.csv')?.decision === 'job';
    await fixture.until('that was seen', isDecided);
    resume();
    await fixture.until('it is spoken', () => isSettled('list.csv'));
    expect(spoken()).toEqual(['One.', 'Three.', 'Two.']);
  });

  it('is not spoken once it was deleted, and is if it comes back', async () => {
    await rm(join(fixture.root, 'list.csv'));
    await fixture.until('that was seen', () => record('list.csv')?.isPresent === false);
    resume();
    await writeLast();
    expect(spoken()).toEqual(['The last text.']);
    await write('list.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('it is spoken', () => isSettled('list.csv') && textsOf('done').length === 4);
    expect(spoken()).toEqual(['One.', 'The last text.', 'Three.', 'Two.']);
  });

  it('is spoken in the rows that are left once one was, if it comes back', async () => {
    const [one] = fixture.jobs();
    resume();
    await fixture.until('a row is spoken', () => fixture.queue.store.get(one?.id ?? '')?.state === 'done');
    pause();
    await rm(join(fixture.root, 'list.csv'));
    await fixture.until('that was seen', () => record('list.csv')?.isPresent === false);
    resume();
    await writeLast();
    await write('list.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('it is spoken', () => isSettled('list.csv') && textsOf('done').length === 4);
    expect(spoken()).toEqual(['One.', 'The last text.', 'Three.', 'Two.']);
  });

  it.each(['renamed.csv', join('other', 'list.csv')])('is spoken once if it becomes %s', async (path) => {
    await mkdir(join(fixture.root, 'other'));
    await rename(join(fixture.root, 'list.csv'), join(fixture.root, path));
    await fixture.until('that was seen', () => record(path)?.decision === 'job');
    resume();
    await fixture.until('it is spoken', () => isSettled(path));
    expect(spoken()).toEqual(['One.', 'Three.', 'Two.']);
  });

  it('is spoken without a row that the user cancelled if it is renamed', async () => {
    const [one] = fixture.jobs().filter((job) => job.kind === 'speech' && job.text === 'One.');
    fixture.queue.scheduler.cancel(one?.id ?? '');
    await rename(join(fixture.root, 'list.csv'), join(fixture.root, 'renamed.csv'));
    await fixture.until('that was seen', () => record('renamed.csv')?.decision === 'job');
    resume();
    await fixture.until('the others are spoken', () => isSettled('renamed.csv'));
    expect(spoken()).toEqual(['Three.', 'Two.']);
  });

  it('loses no row whose turn comes while the correction is prepared', async () => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    fixture.listing = () => {
      begun.resolve();
      return goOn.promise;
    };
    await write('list.csv', 'text;voice\nOne.;\nTwo.;Low bronze\nThree.;\n', 2);
    await begun.promise;
    resume();
    await fixture.until('its turn has come', () => fixture.jobs().length === 0);
    goOn.resolve();
    await fixture.until('it is spoken', () => isSettled('list.csv'));
    expect(spoken()).toEqual(['One.', 'Three.', 'Two.']);
  });

  it('loses no row if it is saved while Timbre is closed', async () => {
    await fixture.restart(async () => {
      await write('list.csv', list('One.', 'Zwei.', 'Three.'), 2);
    });
    resume();
    await fixture.until('it is spoken', () => isSettled('list.csv') && textsOf('done').length === 3);
    expect(spoken()).toEqual(['One.', 'Three.', 'Zwei.']);
  });

  it('speaks a row that was never sent although a copy of the table stands beside it', async () => {
    await write('copy.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('it is a copy', () => record('copy.csv')?.decision === 'same-sound');
    await rm(join(fixture.root, 'list.csv'));
    await fixture.until('that was seen', () => record('list.csv')?.isPresent === false);
    resume();
    await fixture.until('the copy is spoken', () => isSettled('copy.csv'));
    expect(spoken()).toEqual(['One.', 'Three.', 'Two.']);
  });

  it('leaves the rows that were never sent to its copy if it is corrected', async () => {
    await write('copy.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('it is a copy', () => record('copy.csv')?.decision === 'same-sound');
    // The copy refers to this row, of which it will hear nothing.
    const cancelled = fixture.queue.store.get(record('copy.csv')?.jobId ?? '');
    fixture.queue.scheduler.cancel(cancelled?.id ?? '');
    await write('list.csv', list('Corrected.'), 2);
    await fixture.until('the correction is queued', () => textsOf('queued').includes('Corrected.'));
    resume();
    await fixture.until('the copy is spoken', () => isSettled('copy.csv') && isSettled('list.csv'));
    const left = ['One.', 'Three.', 'Two.'].filter((text) => cancelled?.kind === 'speech' && text !== cancelled.text);
    expect(spoken()).toEqual(['Corrected.', ...left]);
  });
});

it('rows that were dropped from a table before their turn leave the minutes of the day to others', async () => {
  await watch({ dailyMinutes: 1 });
  pause();
  const paragraph = (word: string) => `${`${word} `.repeat(100)}.`;
  await write('list.csv', list(paragraph('first'), 'Short.'));
  await fixture.until('its rows are queued', () => textsOf('queued').length === 2);
  await write('list.csv', list(paragraph('other'), 'Short.'), 2);
  await fixture.until('the correction waits', () => record('list.csv')?.decision === 'budget');
  resume();
  await fixture.until('its former rows are gone', () => fixture.jobs().length === 0);
  fixture.advance(60_000);
  await fixture.until('it is spoken', () => isSettled('list.csv'));
  expect(textsOf('done')).toHaveLength(2);
});

describe('a copy of a file that was corrected, if Timbre is killed before it knows that the first version was not sent,', () => {
  /** As if it was killed between the failure and its event. */
  const loseEvent = (which: string) =>
    fixture.restart(async () => {
      const database = await openDatabase(join(fixture.folder, 'data'));
      database.exec(`UPDATE job SET state = 'failed', problem = '{"code":"input/changed"}' WHERE ${which}`);
      database.close();
    });

  it('is spoken in the rows that were never sent', async () => {
    await watch();
    pause();
    await write('list.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('it is queued', () => record('list.csv')?.decision === 'job');
    await write('copy.csv', list('One.', 'Two.', 'Three.'));
    await fixture.until('the copy is known', () => record('copy.csv')?.decision === 'same-sound');
    await write('list.csv', list('One.', 'Two.', 'Four.'), 2);
    await fixture.until('the correction is queued', () => textsOf('queued').includes('Four.'));
    await fixture.until('it is decided', () => record('list.csv')?.decision === 'job');
    await loseEvent(`text = 'Three.'`);
    resume();
    await fixture.until('the last row is spoken', () => textsOf('done').includes('Three.'));
    await fixture.until('both are settled', () => isSettled('copy.csv') && isSettled('list.csv'));
    expect(fixture.jobs().filter(({ state }) => state === 'failed')).toEqual([]);
  });

  it('is converted', async () => {
    await watch();
    pause();
    await fixture.put('a.wav', 1);
    await fixture.until('it is queued', () => record('a.wav')?.decision === 'job');
    await copyFile(join(fixture.root, 'a.wav'), join(fixture.root, 'b.wav'));
    await fixture.until('the copy is known', () => record('b.wav')?.decision === 'same-sound');
    const [first] = fixture.jobs();
    await fixture.put('a.wav', 2);
    await fixture.until(
      'the correction is queued',
      () => fixture.jobs().length === 2 && record('a.wav')?.decision === 'job',
    );
    await loseEvent(`id = '${first?.id}'`);
    resume();
    await fixture.until('both are converted', () => isSettled('a.wav') && isSettled('b.wav'));
    expect(fixture.jobs().map(({ state }) => state)).toEqual(['done', 'done']);
  });
});

describe('a text that is corrected', () => {
  it('is spoken in its last version only, also if it was queued before', async () => {
    await watch();
    pause();
    for (const [k, text] of ['First.', 'Second.', 'Third.'].entries()) {
      await write('a.txt', text, k + 1);
      await fixture.until(`version ${k} is queued`, () => textsOf('queued').includes(text));
    }
    resume();
    await fixture.until('it is spoken', () => isSettled('a.txt'));
    expect(textsOf('done')).toEqual(['Third.']);
  });

  it('is not spoken once it was deleted', async () => {
    await watch();
    pause();
    await write('a.txt', 'Draft.');
    await fixture.until('it is queued', () => textsOf('queued').length === 1);
    await rm(join(fixture.root, 'a.txt'));
    await fixture.until('that was seen', () => record('a.txt')?.isPresent === false);
    resume();
    await writeLast();
    expect(textsOf('done')).toEqual(['The last text.']);
  });

  it('is finished once some of it is paid for, although it was deleted', async () => {
    fixture.limitTexts(40);
    await fixture.restart(undefined, false);
    await watch();
    await whileSpoken(
      () => write('a.txt', Array.from({ length: 20 }, (_, k) => `This is paragraph number ${k} of it.`).join('\n\n')),
      pause,
    );
    await fixture.until('it waits', () => textsOf('queued').length === 1);
    await rm(join(fixture.root, 'a.txt'));
    await fixture.until('that was seen', () => record('a.txt')?.isPresent === false);
    resume();
    await fixture.until('it is spoken', () => textsOf('done').length === 1);
  });

  it('is still queued if it was only saved once more', async () => {
    await watch();
    pause();
    await write('a.txt', 'Draft.');
    await fixture.until('it is queued', () => textsOf('queued').length === 1);
    await write('a.txt', 'Draft.', 2);
    resume();
    await fixture.until('it is spoken', () => isSettled('a.txt'));
    await writeLast();
    expect(textsOf('done')).toEqual(['Draft.', 'The last text.']);
    expect(fixture.jobs()).toHaveLength(2);
  });

  it.each([
    ['spaces', 'This sentence in doubt.', '  This  sentence in doubt. \n'],
    ['line ends', 'That sentence in doubt.', 'That\r\nsentence in doubt.\r\n'],
  ])('asks about its only sentence in doubt although it was saved with other %s', async (_, sentence, saved) => {
    await watch();
    await whileSpoken(
      () => write('a.txt', `${sentence}\n`),
      () => fixture.restart(),
    );
    await fixture.until('it is in doubt', () => record('a.txt')?.stage === 'attention');
    await write('a.txt', saved, 2);
    await fixture.until('that has a job', () => fixture.jobs().length === 2 && isAllEnded());
    expect(fixture.jobs().map(({ state }) => state)).toEqual(['uncertain', 'uncertain']);
  });

  it('pays once for its only sentence if it is saved with other blanks', async () => {
    await watch();
    await write('a.txt', 'The only sentence.\n');
    await fixture.until('it is spoken', () => isSettled('a.txt'));
    await write('a.txt', 'The only  sentence. \r\n', 2);
    await fixture.until('it is spoken again', () => textsOf('done').length === 2 && isSettled('a.txt'));
    expect(fixture.jobs().map(({ timings }) => timings.converting !== undefined)).toEqual([true, false]);
  });

  it('asks about a passage in doubt although another one was corrected', async () => {
    fixture.limitTexts(40);
    await fixture.restart(undefined, false);
    await watch();
    const parts = Array.from({ length: 10 }, (_, k) => `This is passage number ${k} of it.`);
    await whileSpoken(
      () => write('a.txt', parts.join('\n\n')),
      () => fixture.restart(),
    );
    await fixture.until('it is in doubt', () => record('a.txt')?.stage === 'attention');
    await write('a.txt', [...parts.slice(0, 9), 'Corrected.'].join('\n\n'), 2);
    await fixture.until('that has a job', () => fixture.jobs().length === 2 && isAllEnded());
    expect(fixture.jobs().map(({ state }) => state)).toEqual(['uncertain', 'uncertain']);
  });
});

describe('an automatic retry', () => {
  it('is made with the settings that the folder has by then', async () => {
    const id = await watch({ speech: refusedDialogue });
    await write('a.txt', 'Anna: Hello.\n\nNobody else.');
    await fixture.until('it has failed', () => hasFailed('a.txt'));
    await fixture.save({ speech: dialogue }, id);
    fixture.advance(10_000);
    await fixture.until('it is spoken', () => isSettled('a.txt'));
    const spoken = fixture.jobs().filter(({ state }) => state === 'done');
    expect(spoken).toMatchObject([{ settings: { speakers: [{ voiceId: 'mango-grove' }] } }]);
  });

  it('is not made of a text that has changed and waits for the hours of its folder', async () => {
    const id = await watch({ speech: refusedDialogue });
    for (const name of ['a.txt', 'b.txt']) await write(name, `Anna: Draft of ${name}.\n\nNobody else.`);
    await fixture.until('both have failed', () => hasFailed('a.txt') && hasFailed('b.txt'));
    const hour = new Date().getHours();
    const later = { from: ((hour + 2) % 24) * 60, to: ((hour + 3) % 24) * 60 };
    await fixture.save({ speech: refusedDialogue, hours: later }, id);
    const jobs = fixture.jobs().length;
    await write('a.txt', 'Anna: Final.\n\nNobody else.', 2);
    await fixture.until('it waits', () => record('a.txt')?.decision === 'budget');
    const changed: string[] = [];
    const end = fixture.queue.store.onEvent((event) => {
      if (event.kind === 'upserted') changed.push(...event.jobs.map(({ source }) => source?.path ?? ''));
    });
    fixture.advance(10_000);
    await fixture.until('the other one has failed again', () => record('b.txt')?.failures === 2);
    end();
    expect(new Set(changed)).toEqual(new Set([join(fixture.root, 'b.txt')]));
    expect(fixture.jobs()).toHaveLength(jobs);
  });

  it('is not made of what is in doubt by then: the user is asked', async () => {
    await watch({ speech: refusedDialogue });
    await write('a.txt', 'Anna: Hello.\n\nNobody else.');
    await fixture.until('it has failed', () => hasFailed('a.txt'));
    // As another process left it, which the user had retry it.
    await fixture.restart(async () => {
      const database = await openDatabase(join(fixture.folder, 'data'));
      database.exec(`UPDATE job SET state = 'uncertain', problem = '{"code":"service/uncertain"}'`);
      database.close();
    });
    fixture.advance(10_000);
    await fixture.until('it asks', () => record('a.txt')?.stage === 'attention');
    expect(fixture.jobs().map(({ state }) => state)).toEqual(['uncertain']);
  });

  it('is not made of a text once the folder speaks none', async () => {
    const id = await watch({ speech: refusedDialogue });
    await write('a.txt', 'Anna: Draft.\n\nNobody else.');
    await fixture.until('it has failed', () => hasFailed('a.txt'));
    await fixture.save({ speech: null }, id);
    fixture.advance(10_000);
    await fixture.until('no retry is due', () => record('a.txt')?.nextTryAt === null);
    await fixture.until('it is left alone', () => record('a.txt')?.stage === 'rest');
    expect(fixture.jobs().map(({ state }) => state)).toEqual(['failed']);
    await fixture.save({ speech: dialogue }, id);
    await fixture.until('it is spoken once texts are again', () => isSettled('a.txt'));
  });
});

it('a row that has failed is spoken once texts are again that were switched off before its retry', async () => {
  const id = await watch({ speech: refusedDialogue });
  await write('list.csv', list('One.', '"Anna: Two."'));
  await fixture.until('a row has failed', () => textsOf('done').length === 1 && hasFailed('list.csv'));
  await fixture.save({ speech: null }, id);
  fixture.advance(10_000);
  await fixture.until('the user is asked', () => record('list.csv')?.stage === 'attention');
  await fixture.save({ speech: dialogue }, id);
  fixture.watch.convert(id, ['list.csv']);
  await fixture.until('it is spoken', () => isSettled('list.csv') && textsOf('done').length === 2);
  expect(textsOf('done').toSorted()).toEqual(['Anna: Two.', 'One.']);
});

describe('a user who tries again', () => {
  it('pays for no row that is spoken, or queued, with the settings of before', async () => {
    const id = await watch({ speech: refusedDialogue });
    await write('list.csv', list('One.', 'Two.', '"Anna: Three."'));
    await fixture.until('a row has failed', () => textsOf('done').length === 2 && hasFailed('list.csv'));
    await fixture.save({ speech: { ...dialogue, speed: 1.1 } }, id);
    fixture.watch.convert(id, ['list.csv']);
    await fixture.until('it is spoken', () => isSettled('list.csv'));
    expect(textsOf('done').toSorted()).toEqual(['Anna: Three.', 'One.', 'Two.']);
    const [row] = fixture
      .jobs()
      .filter((job) => job.kind === 'speech' && job.text.startsWith('Anna') && job.state === 'done');
    expect(row).toMatchObject({ settings: { speed: 1.1, speakers: [{ voiceId: 'mango-grove' }] } });
    await fixture.save({ speech: { ...dialogue, speed: 1.2 } }, id);
    expect(record('list.csv')?.decision).toBe('other-settings');
    fixture.watch.convert(id, ['list.csv']);
    await fixture.until('all of it is spoken again', () => textsOf('done').length === 6 && isSettled('list.csv'));
  });

  it('pays for no content that was converted, if only the voices could not be listed', async () => {
    const id = await watch({ hasSubfolderVoices: true });
    const [first, copy] = [join('Mango grove', 'a.wav'), join('Mango grove', 'copy.wav')];
    await fixture.put(first, 1);
    await fixture.until('it is converted', () => isSettled(first));
    fixture.voicesProblem = { code: 'service/unavailable', facts: { status: 503 } };
    await fixture.restart();
    await fixture.put(copy, 1);
    await fixture.until('it is refused', () => record(copy)?.decision === 'refused');
    fixture.voicesProblem = null;
    fixture.watch.convert(id, [copy]);
    await fixture.until('it is decided', () => record(copy)?.decision === 'same-sound');
    expect(fixture.jobs()).toHaveLength(1);
  });

  it.each([
    ['a.txt', 'Hello.', ['Hello.']],
    ['list.csv', list('One.', 'Two.', 'Three.'), ['One.', 'Three.', 'Two.']],
  ])('gets all of %s that was cancelled', async (name, content, texts) => {
    const id = await watch();
    pause();
    await write(name, content);
    await fixture.until('it is queued', () => textsOf('queued').length === texts.length);
    await fixture.queue.scheduler.cancelAll(fixture.jobs().map((job) => job.id));
    await fixture.until('it is cancelled', () => record(name)?.stage === 'rest');
    resume();
    fixture.watch.convert(id, [name]);
    await fixture.until('it is spoken', () => isSettled(name) && textsOf('done').length === texts.length);
    expect(textsOf('done').toSorted()).toEqual(texts);
  });
});

describe('settings that change', () => {
  it('while a recording is in the queue are offered once it is converted', async () => {
    const id = await watch();
    pause();
    await fixture.put('a.wav', 1);
    await fixture.until('it is queued', () => fixture.jobs().length === 1);
    await fixture.save({ conversion: { ...fixture.settings.conversion, pitch: 1.5 } }, id);
    resume();
    await fixture.until('it is converted', () => isAllEnded() && record('a.wav')?.stage === 'rest');
    expect(record('a.wav')?.decision).toBe('other-settings');
  });

  it('in another process while voices are listed apply to the table that they are listed for', async () => {
    const command = await openWatchFixture(fixture.engine, fixture);
    const { folder } = await command.run('convert', { speech });
    await command.until('the folder is watched', () => command.watch.getFolder(folder.id).checkedAt !== null);
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    command.listing = () => {
      begun.resolve();
      return goOn.promise;
    };
    await write('list.csv', 'text;voice\nOne.;\nTwo.;Low bronze\n');
    await begun.promise;
    const conversion = { ...fixture.settings.conversion, voiceId: 'mango-grove' };
    const voice = { ...testVoice, id: 'mango-grove', name: 'Mango grove' };
    await fixture.watch.save(null, { ...fixture.settings, speech, conversion }, voice);
    goOn.resolve();
    await command.until('it is spoken', () => command.jobs().filter(({ state }) => state === 'done').length === 2);
    expect(command.jobs().map((job) => job.voice.id)).toEqual(['mango-grove', 'low-bronze']);
    await command.stop();
  });
});
