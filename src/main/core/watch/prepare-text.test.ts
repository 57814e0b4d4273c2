import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../shared/errors.ts';
import type { Pronunciation } from '../../../shared/text/pronounce.ts';
import { speechJob } from '../jobs/job.fixture.ts';
import type { Job, SpeechJob } from '../jobs/job.ts';
import type { FileRecord } from './file-record.ts';
import type { WatchFolder } from './folder-store.ts';
import { folderSpeech, useWatchFixture, type WatchFixture } from './watch.fixture.ts';
import { createTextPreparation } from './prepare-text.ts';

const speech = folderSpeech;
let fixture: WatchFixture;

useWatchFixture((opened) => void (fixture = opened));

const record = (path: string) => fixture.file(path)?.record;
const outputs = async () => (await readdir(join(fixture.folder, 'out')).catch(() => [])).toSorted();
const isSettled = (path: string) => {
  const { stage, decision, disposalState } = record(path) ?? {};
  return decision !== 'waiting' && stage !== 'open' && disposalState !== 'pending' && stage !== undefined;
};

const write: WatchFixture['write'] = (...file) => fixture.write(...file);
const watch: WatchFixture['watchFolder'] = (change) => fixture.watchFolder({ speech, ...change });

const table = ['text;voice;name', 'One.;;first', 'Two.;Mango grove;', '…;;empty', 'Four.;Nobody;'].join('\n');
const badRows = { code: 'table/bad-rows', facts: { count: 2, rows: '4 table/no-text, 5 table/no-voice' } };

const anna = { name: 'Anna', voiceId: 'a', voiceName: 'A' };

const unknown: Pick<FileRecord, 'sha256' | 'jobId' | 'isForced'> = { sha256: null, jobId: null, isForced: false };

/** The preparation of tables of a folder with speakers, and how often it lists the voices. */
function preparation(listProblem: Problem | null, pronunciations: readonly Pronunciation[] = []) {
  const lists = { count: 0 };
  const voice = { id: 'v', name: 'Low bronze', language: 'en-GB', gender: 'male', category: 'natural' };
  const document = { limits: { maxTextLength: null } };
  const speakers = [
    { ...anna, language: 'de-DE' },
    { ...anna, name: 'Ben' },
  ];
  const dependencies = {
    voices: {
      listAll() {
        lists.count += 1;
        return Promise.resolve({ voices: [voice], problem: listProblem });
      },
    },
    pronunciations: () => pronunciations,
    submitJobs: { findResults: (texts: readonly unknown[]) => Promise.resolve(texts.map(() => undefined)) },
    ledger: { find: () => [], has: () => false },
    jobs: {
      find: () => undefined,
      speechRequest: () => ({
        ...{ connection: { id: 'c', name: 'C', document }, voice, outputFolder: '/out', nameTemplate: '{name}' },
        settings: { ...speech, voiceId: 'v', speakers },
      }),
    },
  };
  type Dependencies = Parameters<typeof createTextPreparation>[0];
  const prepareText = createTextPreparation(dependencies as unknown as Dependencies);
  const settings = { path: '/in', connectionId: 'c', conversion: { voiceId: 'v' }, speech };
  const folder = { settings } as WatchFolder;
  async function prepare(content: string) {
    const prepared = await prepareText(folder, { path: 'list.csv', sha256: '' }, unknown, content);
    if (prepared.kind !== 'table') throw new Error(`prepared as ${prepared.kind}`);
    return prepared;
  }
  /** Prepares a table that had jobs before. */
  function prepareWith(ledger: object, find: Dependencies['jobs']['find']) {
    const jobs = { ...dependencies.jobs, find };
    const again = createTextPreparation({ ...dependencies, ledger, jobs } as unknown as Dependencies);
    return (record: typeof unknown, content: string) =>
      again(folder, { path: 'list.csv', sha256: 's' }, record, content);
  }
  return {
    lists,
    prepareWith,
    prepare,
    prepareText: (path: string, content: string) => prepareText(folder, { path, sha256: '' }, unknown, content),
  };
}

describe('a table in a watched folder', () => {
  it('is spoken row by row, and names the rows that cannot be', async () => {
    await watch({ afterwards: 'done' });
    await write('list.csv', table);
    await fixture.until('it is settled', () => isSettled('list.csv'));
    expect(record('list.csv')).toMatchObject({ stage: 'attention', decision: 'job', problem: badRows });
    expect(await outputs()).toEqual(['first.wav', 'list 3.wav']);
    expect(fixture.jobs().map(({ voice }) => voice.name)).toContain('Mango grove');
    expect(await readFile(join(fixture.root, 'list.csv'), 'utf8')).toBe(table);
    await fixture.restart();
    await fixture.until('it was looked over', () => fixture.watch.listFolders()[0]?.checkedAt !== null);
    expect(fixture.jobs()).toHaveLength(2);
  });

  it('speaks the lines of speakers with their voices', async () => {
    const speakers = [{ name: 'Anna', voiceId: 'mango-grove', voiceName: 'Mango grove' }];
    await watch({ speech: { ...speech, speakers } });
    await write('list.csv', 'text\n"Anna: One."\nTwo.');
    await fixture.until('it is settled', () => isSettled('list.csv'));
    const spoken = fixture.jobs().map((job) => (job.kind === 'speech' ? job.settings.speakers?.[0]?.voiceId : ''));
    expect(spoken.toSorted()).toEqual(['mango-grove', undefined]);
  });

  it.each([
    ['text\n"Anna: One."\n"Ben: Two."\n"Anna: Three."', 0],
    ['text;voice\nOne.;Low bronze\nTwo.;Low bronze\nAnna: Three.;', 1],
  ])('has its voices listed only for rows that name one, and once: %j', async (content, count) => {
    const { lists, prepare } = preparation(null);
    const { rows, problem } = await prepare(content);
    expect([rows.length, problem, lists.count]).toEqual([3, null, count]);
    const spoken = rows.map(({ request }) => request.settings);
    expect(spoken.at(-1)).toMatchObject({ language: 'en-GB', speakers: [{ ...anna, language: 'de-DE' }] });
    // A speaker without a language of their own has that of the folder, as in texts.
    if (count === 0) expect(spoken[1]?.speakers).toEqual([{ ...anna, name: 'Ben' }]);
  });

  it('is not prepared while a voice of its rows may only be missing from the list', async () => {
    const { prepare } = preparation({ code: 'service/unavailable', facts: { status: 503 } });
    await expect(prepare('text;voice\nOne.;Low bronze\nTwo.;Mine')).rejects.toMatchObject({
      problem: { code: 'service/unavailable', facts: { status: 503 } },
    });
    expect((await prepare('text;voice\nOne.;Low bronze\n"Anna: Two.";')).rows).toHaveLength(2);
  });

  it('with a voice that could not be listed is spoken once it can be', async () => {
    fixture.voicesProblem = { code: 'service/unavailable' };
    await watch();
    await write('list.csv', 'text;voice\nOne.;\nTwo.;Nobody');
    await fixture.until('it is refused', () => record('list.csv')?.decision === 'refused');
    expect(record('list.csv')).toMatchObject({ problem: { code: 'service/unavailable' }, stage: 'attention' });
    expect(fixture.jobs()).toEqual([]);
    fixture.voicesProblem = null;
    await fixture.restart();
    await fixture.until('it is settled', () => isSettled('list.csv') && record('list.csv')?.decision === 'job');
    expect(record('list.csv')?.problem).toMatchObject({ facts: { rows: '3 table/no-voice' } });
  });

  it('is also spoken row by row if the user asks for it where a subfolder names no voice', async () => {
    const id = await watch({ hasSubfolderVoices: true });
    const path = join('plain', 'list.csv');
    await write(path, 'text;name\nOne.;first\nTwo.;second');
    await fixture.until('it is refused', () => record(path)?.problem?.code === 'watch/no-voice');
    fixture.watch.convert(id, [path]);
    await fixture.until('it is spoken', () => record(path)?.decision === 'job' && isSettled(path));
    expect(fixture.jobs().map((job) => (job.kind === 'speech' ? job.text : ''))).toEqual(
      expect.arrayContaining(['One.', 'Two.']),
    );
    expect(fixture.jobs()).toHaveLength(2);
  });

  it('that was corrected is spoken only where it was, and then moved', async () => {
    await watch({ afterwards: 'done' });
    await write('list.csv', table);
    await fixture.until('it is settled', () => isSettled('list.csv'));
    await write('list.csv', table.replace('…;;empty', 'Three.;;third').replace('Nobody', ''), 2);
    await fixture.until('it was moved', () => record('list.csv')?.disposalState === 'moved');
    expect(await outputs()).toEqual(['first.wav', 'list 3.wav', 'list 5.wav', 'third.wav']);
    expect(fixture.jobs()).toHaveLength(4);
  });

  it('that was corrected after the settings changed is spoken only where it was, then all of it if the user asks', async () => {
    const id = await watch();
    const content = 'text;voice;name\nOne.;;first\nTwo.;Mango grove;second\nThree.;;third\nFour.;Mango grove;fourth';
    await write('list.csv', content);
    await fixture.until('it is settled', () => isSettled('list.csv'));
    const before = new Set(fixture.jobs().map((job) => job.id));
    await watch({ speech: { ...speech, speed: 1.5 } });
    await write('list.csv', content.replace('Three.', 'Drei.').replace('Mango grove;fourth', 'Low bronze;fourth'), 2);
    await fixture.until('it is settled', () => isSettled('list.csv') && record('list.csv')?.decision === 'job');
    const added = () => fixture.jobs().filter((job) => !before.has(job.id));
    expect(added().map((job) => job.kind === 'speech' && [job.text, job.settings.speed])).toEqual([
      ['Drei.', 1.5],
      ['Four.', 1.5],
    ]);
    fixture.watch.convert(id, ['list.csv']);
    await fixture.until('it is spoken again', () => added().filter(({ state }) => state === 'done').length === 4);
  });

  it('that was corrected speaks a row that leaves its voice to the folder now', async () => {
    await watch();
    await write('list.csv', 'text;voice;name\nOne.;Mango grove;first\nTwo.;;second');
    await fixture.until('it is settled', () => isSettled('list.csv'));
    await write('list.csv', 'text;voice;name\nOne.;;first\nTwo.;;second', 2);
    await fixture.until('it is spoken', () => fixture.jobs().length > 2 && isSettled('list.csv'));
    expect(fixture.jobs().map(({ voice }) => voice.name)).toEqual(['Mango grove', 'Low bronze', 'Low bronze']);
  });

  it('is done once all of its rows are, across restarts', async () => {
    await watch();
    await write('list.csv', Array.from({ length: 12 }, (_, k) => `Row ${k}.;`).join('\n'));
    await fixture.until(
      'some rows are spoken',
      () => fixture.jobs().filter(({ state }) => state === 'done').length > 3,
    );
    expect(record('list.csv')?.stage).toBe('open');
    await fixture.restart();
    // A call that the restart cut off may have been paid for, so the user is asked.
    const isAsked = () => fixture.jobs().flatMap(({ id, state }) => (state === 'uncertain' ? [id] : []));
    await fixture.until('it is settled', () => isSettled('list.csv'));
    await fixture.queue.scheduler.retryAll(isAsked());
    await fixture.until('it is done', () => record('list.csv')?.stage === 'rest');
    expect(fixture.jobs().filter(({ state }) => state === 'done')).toHaveLength(12);
    expect(await outputs()).toHaveLength(12);
  });

  it('is refused if none of its rows can be spoken', async () => {
    await watch();
    await write('list.csv', 'text;voice\n;Anna\n"x;\n');
    await fixture.until('it is refused', () => record('list.csv')?.decision === 'refused');
    expect(record('list.csv')?.problem).toMatchObject({ code: 'table/bad-rows', facts: { count: 2 } });
  });
});

it('while the user tries a row again, others stay, also with the same text', async () => {
  const rowJob = (id: string, state: Job['state'], title: string): Job =>
    speechJob({ id, state, text: 'Same.', settings: { ...speechJob().settings, title } });
  const jobs = [rowJob('A', 'failed', 'a'), rowJob('B', 'queued', 'b'), rowJob('C', 'done', 'c')];
  const entries = [
    ...jobs.map(({ id }) => ({ jobId: id, settingsHash: 'before' })),
    { jobId: 'D', settingsHash: 'other' },
  ];
  const { prepareWith } = preparation(null, []);
  const prepared = prepareWith({ find: () => entries, has: () => true }, (id) => jobs.find((job) => job.id === id));
  const rowsFor = async (record: { readonly jobId: string; readonly isForced: boolean }) => {
    const table = await prepared({ sha256: 's', ...record }, 'text;name\nSame.;a\nSame.;b\nSame.;c');
    return table.kind === 'table' ? table.rows.map(({ jobId }) => jobId) : [];
  };
  expect(await rowsFor({ jobId: 'A', isForced: true })).toEqual([null, 'B', 'C']);
  jobs.push(rowJob('E', 'failed', 'c'));
  entries.push({ jobId: 'E', settingsHash: 'before' });
  const twice = await prepared({ sha256: 's', jobId: 'E', isForced: true }, 'text;name\nSame.;c\nSame.;c');
  expect(twice.kind === 'table' && twice.rows.map(({ jobId }) => jobId)).toEqual(['C', null]);
  expect(await rowsFor({ jobId: 'A', isForced: false })).toEqual([null, null, null]);
  expect(await rowsFor({ jobId: 'C', isForced: true })).toEqual([null, null, null]);
});

it('keeps of a corrected table the rows that it had before, as the files say, unless they failed with nothing to fetch', async () => {
  const rowJob = (id: string, state: Job['state'], change: Partial<SpeechJob> = {}): Job =>
    speechJob({ id, state, text: 'Same.', ...change, settings: { ...speechJob().settings, title: id } });
  const voice = { ...speechJob().voice, id: 'other' };
  const jobs = [
    ...(['done', 'queued', 'uncertain', 'cancelled', 'failed'] as const).map((state) => rowJob(state, state)),
    rowJob('voice', 'done', { voice }),
    rowJob('named', 'done', { voice }),
    rowJob('changed', 'done', { text: 'Before.' }),
    rowJob('unfetched', 'failed', { audioUrl: 'https://studio.example/1' }),
  ];
  const { prepareWith } = preparation(null, []);
  const find = (_folder: string, sha256: string) =>
    sha256 === 'before' ? jobs.map(({ id }) => ({ jobId: id, settingsHash: 'before' })) : [];
  const prepared = prepareWith({ find, has: () => false }, (id) => jobs.find((job) => job.id === id));
  const titles = jobs.map(({ id }) => `Same.;${id};${id === 'named' ? 'Low bronze' : ''}`);
  const content = ['text;name;voice', ...titles].join('\n');
  const rowsFor = async (change: Partial<typeof unknown>) => {
    const table = await prepared({ ...unknown, sha256: 'before', ...change }, content);
    return table.kind === 'table' ? table.rows.flatMap(({ jobId }) => jobId ?? []) : [];
  };
  const kept = ['done', 'queued', 'uncertain', 'cancelled', 'voice', 'unfetched'];
  expect(await rowsFor({})).toEqual(kept);
  expect(await rowsFor({ isForced: true })).toEqual([]);
  // What failed is tried again, in a table that is corrected meanwhile.
  expect(await rowsFor({ isForced: true, jobId: 'failed' })).toEqual(kept);
});

it('keeps of two equal rows that of the voice for the row that names it', async () => {
  const settings = { ...speechJob().settings, title: 'same' };
  const [other, named] = [
    { ...speechJob().voice, id: 'other' },
    { ...speechJob().voice, id: 'v' },
  ];
  const jobs = [named, other].map((voice) =>
    speechJob({ id: voice.id, text: 'Same.', state: 'done', voice, settings }),
  );
  const { prepareWith } = preparation(null, []);
  const find = () => jobs.map(({ id }) => ({ jobId: id, settingsHash: 'before' }));
  const prepared = prepareWith({ find, has: () => false }, (id) => jobs.find((job) => job.id === id));
  const content = 'text;name;voice\nSame.;same;\nSame.;same;Low bronze';
  const table = await prepared({ ...unknown, sha256: 'before' }, content);
  expect(table.kind === 'table' && table.rows.map(({ jobId }) => jobId)).toEqual(['other', 'v']);
});

it('continues a table that the user asked for where it was interrupted, and makes none of its rows twice', async () => {
  const settingsOf = (title: string) => ({ ...speechJob().settings, title });
  const jobs = ['A', 'B'].map((id) => speechJob({ id, text: 'Same.', settings: settingsOf(id) }));
  const entries = [
    { jobId: 'A', settingsHash: 'before', isUnfinished: true },
    { jobId: 'B', settingsHash: 'before', isUnfinished: false },
  ];
  const { prepareWith } = preparation(null, []);
  const prepared = prepareWith({ find: () => entries, has: () => true }, (id) => jobs.find((job) => job.id === id));
  const table = await prepared({ ...unknown, isForced: true }, 'text;name\nSame.;A\nSame.;B');
  expect(table.kind === 'table' && table.rows.map(({ jobId }) => jobId)).toEqual(['A', null]);
});

describe('a text in a watched folder', () => {
  it('is divided in turns, between which the process does other things, and no other text meanwhile', async () => {
    const { prepareText } = preparation(null, [{ language: '', word: 'nginx', spoken: 'engine x' }]);
    const book = Array.from({ length: 20_000 }, (_, k) => `The nginx of house ${k} went out.`).join(' ');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const ended: string[] = [];
    const prepared = await Promise.all(
      [book, 'Short.'].map(async (text, k) => {
        const one = await prepareText('a.txt', text);
        ended.push(`${k}: ${one.kind}`);
        return one;
      }),
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    expect(ended).toEqual(['0: text', '1: text']);
    expect(prepared[0]).toMatchObject({ settings: { pronunciations: [{ word: 'nginx' }] } });
  });

  it('says why it cannot be spoken as a value, because it may have been spoken before', async () => {
    const { prepareText } = preparation(null);
    expect(await prepareText('a.txt', '***')).toEqual({ kind: 'refused', problem: { code: 'input/text-empty' } });
  });
});

describe('subtitles in a watched folder', () => {
  it('are spoken at their times, and refused with the line of a time that cannot be', async () => {
    await watch();
    await write('a.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello.\n');
    await write('b.vtt', 'WEBVTT\n\n00:99.000 --> 01:00.000\nHello.\n');
    await fixture.until('both are settled', () => isSettled('a.srt') && isSettled('b.vtt'));
    expect(fixture.file('a.srt')?.job).toMatchObject({ state: 'done', settings: { textFormat: 'subtitles' } });
    expect(record('b.vtt')?.problem).toMatchObject({ code: 'input/subtitle-times', facts: { lines: '3' } });
  });
});
