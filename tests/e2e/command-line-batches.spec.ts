import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { startEngine } from '../acceptance/support/start-engine.ts';
import { answers } from '../faults/answers.ts';
import { startFaultProxy } from '../faults/start-fault-proxy.ts';
import { decodeSound } from '../../src/sound/decode-sound.ts';
import { type Ran, runCommand, samples } from './run-command.ts';

interface BatchFixture {
  readonly folder: string;
  /** Speaks with this computer’s voice into `out`. */
  speak(...args: readonly string[]): Promise<Ran>;
  outputs(): Promise<readonly string[]>;
}

const test = base.extend<{ readonly fixture: BatchFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-batch-'));
    await use({
      folder,
      speak: (...args) =>
        runCommand(['speak', '--voice', 'low-bronze', '--data-dir', 'data', ...args], { cwd: folder }),
      outputs: async () => (await readdir(join(folder, 'out')).catch(() => [])).toSorted(),
    });
    await rm(folder, { recursive: true });
  },
});

test('speaks the rows of a table, names those it cannot, and makes no result again', async ({ fixture }) => {
  const { folder, speak, outputs } = fixture;
  const table = ['Text;Stimme;Name', 'Eins.;Mango grove;eins', ';;zwei', 'Drei.;Niemand;', 'Vier.;;'];
  await writeFile(join(folder, 'list.csv'), table.join('\r\n'));
  const args = ['--file', 'list.csv', '--out', 'out'];
  const first = await speak(...args);
  expect(first.code).toBe(5);
  expect(first.stderr).toContain('list.csv, row 3: No text to speak.');
  expect(first.stderr).toContain('list.csv, row 4: No voice is called Niemand.');
  expect(first.stderr).toContain('2 of 4 texts spoken.');
  expect(await outputs()).toEqual(['eins.wav', 'list 5, Low bronze.wav']);
  await writeFile(join(folder, 'list.csv'), table.with(2, 'Zwei.;;zwei').with(3, 'Drei.;;').join('\r\n'));
  const { code, last } = await speak(...args, '--json');
  expect(code).toBe(0);
  expect(last['outputs']).toMatchObject([{ row: 2 }, { row: 3, status: 'done' }, { row: 4 }, { row: 5 }]);
  expect(await outputs()).toEqual(['eins.wav', 'list 4, Low bronze.wav', 'list 5, Low bronze.wav', 'zwei.wav']);
});

test('a dry run says how much would be spoken, and what of it is there already, and makes nothing', async ({
  fixture,
}) => {
  const { folder, speak, outputs } = fixture;
  const sentences = Array.from({ length: 30 }, (_, k) => `This is sentence number ${k + 1}.`);
  await writeFile(join(folder, 'book.txt'), sentences.join(' '));
  await writeFile(join(folder, 'list.csv'), 'text,voice\nOne.,\nTwo.,Niemand\n');
  const args = ['--out', 'out/book.wav', '--file', 'book.txt'];
  const before = await speak(...args, '--dry-run');
  expect([before.code, before.stdout]).toEqual([
    0,
    expect.stringMatching(/^30 of 30 sentences still to speak, \d+ characters\nThis would speak 1 text, about \d+/),
  ]);
  expect(await outputs()).toEqual([]);
  expect((await speak(...args)).code).toBe(0);
  await writeFile(join(folder, 'book.txt'), sentences.with(7, 'This one is new.').join(' '));
  const { last } = await speak(...args, '--dry-run', '--json');
  expect(last).toMatchObject({
    event: 'preview',
    texts: [{ sentences: 30, spoken: 29, calls: 1, characters: 'This one is new.'.length }],
    count: 1,
  });
  const table = await speak('--file', 'list.csv', '--out', 'rows', '--dry-run');
  expect([table.code, table.stdout]).toEqual([5, expect.stringContaining('list.csv, row 2: 4 characters\n')]);
  expect(table.stderr).toContain('list.csv, row 3: No voice is called Niemand.');
  const cues = ['Come in.', '[door slams]'].map((words, k) => `00:00:0${k},000 --> 00:00:0${k},900\n${words}\n`);
  await writeFile(join(folder, 'talk.srt'), cues.join('\n'));
  const subtitles = await speak('--file', 'talk.srt', '--dry-run');
  expect([subtitles.code, subtitles.stdout]).toEqual([
    0,
    expect.stringMatching(/^1 subtitle, 1 sound note left out\n8 characters\n/),
  ]);
  expect([await outputs(), existsSync(join(folder, 'rows'))]).toEqual([['book.wav'], false]);
});

test('a dry run against a service sends nothing to be paid for, and counts what was paid for as spoken', async ({
  fixture,
}) => {
  const { folder, outputs } = fixture;
  const engine = await startEngine({ dataDirectory: join(folder, 'engine') });
  const proxy = await startFaultProxy({ target: engine.origin, serviceToken: engine.token });
  try {
    await writeFile(join(folder, 'studio.json'), JSON.stringify(proxy.document({ unknownOutcome: 'ask' })));
    const speak = (...args: readonly string[]) =>
      runCommand(
        ['speak', '--voice', 'low-bronze', '--data-dir', 'data', '--connection', 'studio.json', '--json', ...args],
        { cwd: folder, env: { TIMBRE_TOKEN: 'right' } },
      );
    const paid = () => proxy.count({ operation: 'speech' });
    const sentences = Array.from({ length: 20 }, (_, k) => `This is sentence number ${k + 1} of the book.`);
    const save = (all: readonly string[]) => writeFile(join(folder, 'book.txt'), all.join('\n\n'));
    await save(sentences);
    await writeFile(join(folder, 'list.csv'), 'One.\nTwo.\n');
    const rows = await speak('--file', 'book.txt', 'list.csv', '--out', 'out', '--dry-run');
    const texts = [{ sentences: 20, spoken: 0, calls: 20 }, { calls: 1 }, { calls: 1 }];
    expect([rows.code, rows.last]).toEqual([0, expect.objectContaining({ count: 3 })]);
    expect(rows.last).toMatchObject({ texts });
    expect([paid(), await outputs()]).toEqual([0, []]);

    const book = ['--file', 'book.txt', '--out', 'out/book.wav'];
    proxy.script([{ operation: 'speech', after: 8, fault: answers.paymentRequired }]);
    expect((await speak(...book)).code).toBe(4);
    const refused = paid();
    expect((await speak(...book, '--dry-run')).last).toMatchObject({
      texts: [{ sentences: 20, spoken: 8, calls: 12 }],
    });
    expect(paid()).toBe(refused);

    proxy.script([]);
    expect((await speak(...book)).code).toBe(0);
    expect(paid()).toBe(refused + 12);
    await save(sentences.with(7, 'This one is new.'));
    const characters = 'This one is new.'.length;
    expect((await speak(...book, '--dry-run')).last).toMatchObject({ texts: [{ spoken: 19, calls: 1, characters }] });
    expect(paid()).toBe(refused + 12);
    expect((await speak(...book)).code).toBe(0);
    expect(paid()).toBe(refused + 13);
  } finally {
    await proxy.stop();
    await engine.stop();
  }
});

test('names the file that has no text, or no row', async ({ fixture }) => {
  const { folder, speak } = fixture;
  for (const name of ['empty.txt', 'empty.csv', 'empty.tsv']) {
    await writeFile(join(folder, name), '\n');
    const { code, stderr } = await speak('--file', name, '--out', 'out');
    expect([code, stderr]).toEqual([5, expect.stringContaining(`No text to speak in ${name}.`)]);
  }
});

test('speaks subtitles at their times, and says which do not fit', async ({ fixture }) => {
  const { folder, speak } = fixture;
  const cue = (at: number, words: string) => `00:00:0${at},000 --> 00:00:0${at},500\n${words}\n`;
  await writeFile(
    join(folder, 'talk.srt'),
    [cue(1, 'A few words that take a while.'), cue(2, 'Two.'), cue(9, 'Three.')].join('\n'),
  );
  const { code, stderr } = await speak('--file', 'talk.srt', '--out', 'talk.wav');
  expect(code).toBe(0);
  expect(stderr).toContain('1 subtitle starts late.');
  let [frames, rate] = [0, 1];
  for await (const { channels, sampleRate } of decodeSound(join(folder, 'talk.wav'))) {
    frames += channels[0]?.length ?? 0;
    rate = sampleRate;
  }
  expect(frames / rate).toBeGreaterThan(9);
  expect(frames / rate).toBeLessThan(11);
  await writeFile(join(folder, 'bad.vtt'), 'WEBVTT\n\n00:99.000 --> 01:00.000\nNo.\n');
  const bad = await speak('--file', 'bad.vtt');
  expect(bad.code).toBe(5);
  expect(bad.stderr).toContain('line 3');
});

test('refuses the name of one file for several results, before anything is spoken', async ({ fixture }) => {
  const { folder, speak } = fixture;
  await writeFile(join(folder, 'list.csv'), 'One.\nTwo.\n');
  const { code, stderr } = await speak('--file', 'list.csv', '--out', 'list.wav');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Several results need a folder')]);
  expect(await readdir(folder)).not.toContain('list.wav');
  await mkdir(join(folder, 'list.wav'));
  expect((await speak('--file', 'list.csv', '--out', 'list.wav')).code).toBe(0);
  expect(await readdir(join(folder, 'list.wav'))).toHaveLength(2);
});

test('speaks many files at once, and the chapters of Markdown', async ({ fixture }) => {
  const { folder, speak, outputs } = fixture;
  await writeFile(join(folder, 'a.txt'), 'One.');
  await writeFile(join(folder, 'book.md'), '# Book\n\n## First\n\nOne.\n\n## Second\n\nTwo.\n');
  const ran = await speak('--file', 'a.txt', '--file', 'book.md', '--split-chapters', '--out', 'out');
  expect(ran.code).toBe(0);
  const names = ['1 book', '2 First', '3 Second', 'a'].map((name) => `${name}, Low bronze.wav`);
  expect(await outputs()).toEqual(names);
  expect((await speak('--file', 'a.txt', 'nowhere.txt', '--out', 'out')).code).toBe(5);
});

test('makes a file of each paragraph of a text, and divides nothing but files', async ({ fixture }) => {
  const { folder, speak, outputs } = fixture;
  await writeFile(join(folder, 'walk.txt'), 'One. Two.\n\n***\n\nThree.\n');
  await writeFile(join(folder, 'list.csv'), 'Four.\n');
  const ran = await speak('--file', 'walk.txt', 'list.csv', '--split-paragraphs', '--out', 'out');
  expect(ran.code).toBe(0);
  const names = ['list 1', 'walk 001', 'walk 002'].map((name) => `${name}, Low bronze.wav`);
  expect(await outputs()).toEqual(names);
  const again = await speak('--file', 'walk.txt', 'list.csv', '--split-paragraphs', '--out', 'out');
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('3 of them were spoken before')]);
  const refusals = [
    [['One.', '--split-paragraphs'], '--split-paragraphs divides files'],
    [['--file', '-', '--split-chapters'], '--split-chapters divides files'],
    [['--file', 'walk.txt', '--split-paragraphs', '--split-chapters'], 'Use either'],
  ] as const;
  for (const [args, sentence] of refusals) {
    const refused = await speak(...args);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(sentence)]);
  }
  expect(await outputs()).toEqual(names);
});

test('converts of a batch that failed in part only what has no result, unless asked for all again', async ({
  fixture,
}) => {
  const { folder, outputs } = fixture;
  const convert = (...args: readonly string[]) =>
    runCommand(['convert', '--voice', 'low-bronze', '--data-dir', 'data', '--out', 'out', ...args], { cwd: folder });
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
  await writeFile(join(folder, 'b.mp3'), 'no sound');
  expect((await convert('a.mp3', 'b.mp3')).code).toBe(5);
  await copyFile(join(samples, 'harbour.wav'), join(folder, 'b.mp3'));
  await symlink(join(folder, 'b.mp3'), join(folder, 'link.mp3'));
  const preview = await convert('a.mp3', 'b.mp3', 'link.mp3', '--dry-run', '--json');
  expect(preview.last).toMatchObject({ count: 1, alreadyConverted: 1, files: [{ path: join(folder, 'b.mp3') }] });
  const second = await convert('a.mp3', 'b.mp3', 'a.mp3');
  const result = join(folder, 'out/a, Low bronze.mp3');
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining(`a.mp3: already converted: ${result}\n`)]);
  expect(second.stderr).toContain('1 recording was converted before and wasn’t sent again.');
  await rename(join(folder, 'a.mp3'), join(folder, 'renamed.mp3'));
  const third = await convert('renamed.mp3', '--json');
  expect([third.code, third.last['alreadyConverted'], third.last['outputs']]).toEqual([
    0,
    1,
    [expect.objectContaining({ source: join(folder, 'renamed.mp3'), output: result, status: 'done' })],
  ]);
  expect(await outputs()).toHaveLength(2);
  expect((await convert('renamed.mp3', 'b.mp3', '--again')).code).toBe(0);
  expect(await outputs()).toHaveLength(4);
});
