import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { startEngine } from '../acceptance/support/start-engine.ts';
import { command, program, runCommand, samples, type Ran } from './run-command.ts';

interface CommandFixture {
  readonly folder: string;
  /** `timbre history`, in the test's folder and data. */
  history(
    args: readonly string[],
    options?: Parameters<typeof runCommand>[1] & { readonly data?: string },
  ): Promise<Ran>;
}

/** History of two recordings of `in`, `harbour.wav` and, after it, `lantern.mp3`; their results are in `out`. */
const test = base.extend<{ fixture: CommandFixture }, { made: { readonly folder: string; readonly copy: string } }>({
  // Made once: converting costs more than most of the tests. Each gets a copy at the same path, which the history names.
  made: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-history-'));
      for (const name of ['harbour.wav', 'lantern.mp3']) {
        await copyFile(join(samples, name), join(folder, name));
        const args = ['convert', name, '--voice', 'low-bronze', '--out', 'out', '--data-dir', 'data'];
        expect((await runCommand(args, { cwd: folder })).code).toBe(0);
      }
      const copy = `${folder}-copy`;
      await rename(folder, copy);
      await use({ folder, copy });
      await rm(copy, { recursive: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  fixture: async ({ made: { folder, copy } }, use) => {
    await cp(copy, folder, { recursive: true, preserveTimestamps: true });
    await use({
      folder,
      history: (args, { data = 'data', ...options } = {}) =>
        runCommand(['history', '--data-dir', data, ...args], { cwd: folder, ...options }),
    });
    await rm(folder, { recursive: true });
  },
});

const events = ({ stdout }: Ran) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
const idOf = async ({ history }: CommandFixture, query: string) =>
  String(events(await history(['search', query, '--json']))[0]?.['id']);

test('lists entries, newest first, in lines with aligned columns', async ({ fixture }) => {
  const { code, stdout, stderr } = await fixture.history(['list']);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  const line = (name: string): RegExp =>
    new RegExp(String.raw`^[0-9a-f]{8}  \d{4}-\d\d-\d\d \d\d:\d\d  Done       Low bronze  ${name}$`);
  expect(lines).toEqual([expect.stringMatching(line('lantern\\.mp3')), expect.stringMatching(line('harbour\\.wav'))]);
  const first = await fixture.history(['list', '--limit', '1']);
  expect(first.stdout).toBe(`${lines[0] ?? ''}\n`);
  expect(first.stderr).toContain('Use --limit N to show more');
});

test('prints one JSON object a line, and at the end whether these are all', async ({ fixture }) => {
  const [newest, last, ...others] = events(await fixture.history(['list', '--json', '--limit', '1']));
  expect(newest).toMatchObject({
    event: 'entry',
    kind: 'conversion',
    state: 'done',
    name: 'lantern.mp3',
    voice: { id: 'low-bronze', name: 'Low bronze' },
    source: join(fixture.folder, 'lantern.mp3'),
    output: join(fixture.folder, 'out', 'lantern, Low bronze.mp3'),
  });
  expect([last, others]).toEqual([{ event: 'result', entries: 1, isWhole: false }, []]);
  expect((await fixture.history(['list', '--json'])).last).toEqual({ event: 'result', entries: 2, isWhole: true });
});

test('searches by a part of a name and by the filters of the window', async ({ fixture }) => {
  for (const [words, names] of [
    [['harb'], ['harbour.wav']],
    [['voice:bronze', 'lantern', 'after:today'], ['lantern.mp3']],
    [['status:done'], ['lantern.mp3', 'harbour.wav']],
    [['--', '-lantern'], ['harbour.wav']],
  ] as const) {
    const ran = await fixture.history(['search', '--json', ...words]);
    expect(ran.code).toBe(0);
    expect(events(ran).flatMap(({ name }) => name ?? [])).toEqual(names);
  }
  const none = await fixture.history(['search', 'status:failed']);
  expect([none.code, none.stdout]).toEqual([0, 'No matches.\n']);
});

test('explains each error of an invalid search and its correction', async ({ fixture }) => {
  const { code, stdout, stderr } = await fixture.history([
    'search',
    'status:lost after:someday voice: colour:red "open',
  ]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trimEnd().split('\n')).toEqual([
    '“status:lost” isn’t a value of this filter. Use one of status:done, status:failed, status:cancelled, status:uncertain.',
    '“after:someday” isn’t a date. Use 2026, 2026-11 or 2026-11-18.',
    'Enter a word after “voice:”.',
    'There is no filter “colour:red”. Put it in quotes to search for it as text.',
    'A quotation mark isn’t closed. Close or remove it.',
  ]);
  const refused = await fixture.history(['export', 'part.jsonl', '--search', 'status:lost', '--json']);
  expect([refused.code, refused.last]).toEqual([
    2,
    expect.objectContaining({ event: 'error', code: 'request/invalid' }),
  ]);
  expect(await readdir(fixture.folder)).not.toContain('part.jsonl');
});

test('shows all data of an entry by the prefix of its id, with the status of its files', async ({ fixture }) => {
  const id = await idOf(fixture, 'harbour');
  const shown = await fixture.history(['show', id.slice(0, 8)]);
  expect(shown.code).toBe(0);
  const out = join(fixture.folder, 'out');
  const { last } = await fixture.history(['show', id, '--json']);
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
  expect(last).toMatchObject({
    event: 'result',
    id,
    state: 'done',
    voice: { id: 'low-bronze', name: 'Low bronze' },
    settings: { voiceId: 'low-bronze' },
    connection: { name: 'This computer' },
    attempts: 0,
    taskId: expect.stringMatching(/./),
    timings: { uploading: expect.any(Number) as unknown, converting: expect.any(Number) as unknown },
    source: { path: join(fixture.folder, 'harbour.wav'), sha256: hash, standing: 'there' },
    result: { path: join(out, 'harbour, Low bronze.wav'), sha256: hash, standing: 'there' },
  });
  const { source, taskId } = last as { source: { sha256: string }; taskId: string };
  for (const part of [id, 'Low bronze', source.sha256, taskId, 'This computer', 'exists'])
    expect(shown.stdout).toContain(part);
  expect(shown.stdout + JSON.stringify(last)).not.toMatch(/https?:/);

  await rename(join(out, 'harbour, Low bronze.wav'), join(out, 'renamed.wav'));
  expect((await fixture.history(['show', id, '--json'])).last['result']).toMatchObject({
    path: join(out, 'renamed.wav'),
  });
  await rm(join(out, 'renamed.wav'));
  expect((await fixture.history(['show', id, '--json'])).last['result']).toMatchObject({ standing: 'missing' });
});

test('rejects an unknown id, an ambiguous prefix, and none', async ({ fixture }) => {
  const { folder, history } = fixture;
  const unknown = await history(['show', 'ffff-none']);
  expect([unknown.code, unknown.stdout]).toEqual([5, '']);
  expect(unknown.stderr).toContain('History has no entry ffff-none.');
  const [prefix, ids] = ['aaaaaaaa-0000', [1, 2].map((k) => `aaaaaaaa-0000-4000-8000-00000000000${k}`)];
  await history(['export', 'all.jsonl']);
  const [head = '', ...entries] = (await readFile(join(folder, 'all.jsonl'), 'utf8')).trim().split('\n');
  const renamed = entries.map((entry, k) =>
    JSON.stringify({ ...(JSON.parse(entry) as object), id: ids[k], taskId: null }),
  );
  await writeFile(join(folder, 'renamed.jsonl'), [head, ...renamed].join('\n'));
  expect((await history(['import', 'renamed.jsonl'])).code).toBe(0);
  const several = await history(['show', prefix]);
  expect([several.code, several.stderr]).toEqual([2, expect.stringMatching(new RegExp(ids.join(', ')))]);
  const none = await history(['show', '']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('can’t be empty')]);
});

for (const [ending, sounds] of [
  ['jsonl', []],
  ['zip', ['harbour, Low bronze.wav', 'lantern, Low bronze.mp3']],
] as const) {
  test(`imports .${ending} into another data folder, and adds nothing the second time`, async ({ fixture }) => {
    const { folder, history } = fixture;
    const file = `all.${ending}`;
    const exported = await history(['export', file, '--json']);
    expect([exported.code, exported.last]).toEqual([
      0,
      { event: 'result', path: join(folder, file), entries: 2, files: sounds.length, withoutFile: 0 },
    ]);
    const again = await history(['export', file]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);

    const there = { data: 'elsewhere' };
    const first = await history(['import', file, '--out', 'sounds', '--json'], there);
    expect(first.last).toEqual({ event: 'result', added: 2, known: 0, refused: 0, withoutFile: 0 });
    const second = await history(['import', file, '--out', 'sounds', '--json'], there);
    expect(second.last).toEqual({ event: 'result', added: 0, known: 2, refused: 0, withoutFile: 0 });
    expect((await readdir(join(folder, 'sounds')).catch(() => [])).sort()).toEqual(sounds);
    const ids = async (data: string) => events(await history(['list', '--json'], { data })).map(({ id }) => id);
    expect(await ids('elsewhere')).toEqual(await ids('data'));
    for (const name of sounds)
      expect(await readFile(join(folder, 'sounds', name))).toEqual(await readFile(join(folder, 'out', name)));
  });
}

test('exports the results of a search under a name that describes them', async ({ fixture }) => {
  const { code, stdout } = await fixture.history(['export', 'part.jsonl', '--search', 'harbour']);
  expect([code, stdout]).toEqual([0, 'One entry exported.\n']);
  const lines = (await readFile(join(fixture.folder, 'part.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { timbre: 'history', version: 1 },
    expect.objectContaining({ source: expect.objectContaining({ name: 'harbour.wav' }) }),
  ]);
  const odd = await fixture.history(['export', 'part.txt']);
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('.jsonl')]);
});

/** What the last line says came of the one job. */
const outputOf = ({ last }: Ran) => (last['outputs'] as readonly Readonly<Record<string, unknown>>[])[0];
const newest = async (fixture: CommandFixture, query: string) =>
  (await fixture.history(['show', await idOf(fixture, query), '--json'])).last;

test('repeats an entry unchanged, or with the changes of the flags', async ({ fixture }) => {
  const { folder, history } = fixture;
  const id = await idOf(fixture, 'harbour');
  const then = await newest(fixture, 'harbour');
  const same = await history(['again', id.slice(0, 8)]);
  const second = join(folder, 'out', 'harbour, Low bronze (2).wav');
  expect([same.code, same.stdout]).toEqual([0, `harbour.wav -> ${second}\n`]);
  expect(await readFile(second)).toEqual(await readFile(join(folder, 'out', 'harbour, Low bronze.wav')));
  expect(await newest(fixture, 'harbour')).toMatchObject({ settings: then['settings'], voice: then['voice'] });

  const changes = ['--voice', 'quiet-harbour', '--pitch', '1.2', '--no-auto-f0', '--format', '.flac', '--out', 'other'];
  const changed = await history(['again', id, ...changes, '--json']);
  expect([changed.code, outputOf(changed)]).toEqual([
    0,
    expect.objectContaining({ status: 'done', output: join(folder, 'other', 'harbour, Quiet harbour.flac') }),
  ]);
  expect(await newest(fixture, 'harbour')).toMatchObject({
    settings: { ...(then['settings'] as object), voiceId: 'quiet-harbour', pitch: 1.2, autoF0: false, format: '.flac' },
  });
});

test('repeats a text, also with another voice', async ({ fixture }) => {
  const { folder, history } = fixture;
  const spoken = ['speak', 'Good evening.', '--voice', 'quiet-harbour', '--data-dir', 'data'];
  expect((await runCommand(spoken, { cwd: folder })).code).toBe(0);
  const id = await idOf(fixture, 'kind:speech');
  const same = await history(['again', id, '--json']);
  expect([same.code, same.last]).toEqual([
    0,
    expect.objectContaining({ event: 'result', output: expect.stringContaining(folder) }),
  ]);
  const changed = await history(['again', id, '--voice', 'low-bronze', '--speed', '1.5', '--out', 'said']);
  expect([changed.code, changed.stdout]).toEqual([0, expect.stringContaining(join(folder, 'said'))]);
  expect(await newest(fixture, 'kind:speech')).toMatchObject({
    text: 'Good evening.',
    settings: { voiceId: 'low-bronze', speed: 1.5 },
  });
});

test('repeats an entry through another connection, with a voice of that', async ({ fixture }) => {
  const { folder, history } = fixture;
  const id = await idOf(fixture, 'harbour');
  const { origin, token, stop } = await startEngine({ dataDirectory: join(folder, 'studio') });
  const hosts = { voice: origin, upload: origin };
  await writeFile(join(folder, 'studio.json'), JSON.stringify({ name: 'Studio', hosts }));
  const through = ['--connection', 'studio.json', '--out', 'studio-out'];
  const env = { TIMBRE_TOKEN: token };
  const ran = await history(['again', id, ...through], { env });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(await readdir(join(folder, 'studio-out'))).toEqual(['harbour, Low bronze.wav']);
  expect(await newest(fixture, 'harbour')).toMatchObject({ connection: { name: 'Studio' } });
  const refused = await history(['again', id, ...through, '--voice', 'nobody'], { env });
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('Studio has no voice "nobody".')]);
  await stop();
});

test('explains what to do if an entry cannot be repeated', async ({ fixture }) => {
  const { folder, history } = fixture;
  const id = await idOf(fixture, 'harbour');
  await history(['export', 'one.jsonl', '--search', 'harbour']);
  const text = await readFile(join(folder, 'one.jsonl'), 'utf8');
  const foreign = randomUUID();
  await writeFile(
    join(folder, 'foreign.jsonl'),
    text.replace(id, foreign).replace('"name":"This computer"', '"name":"Studio"'),
  );
  await history(['import', 'foreign.jsonl']);
  await rm(join(folder, 'lantern.mp3'));
  for (const [args, code, words] of [
    [[id, '--voice', 'nobody'], 5, 'This computer has no voice "nobody".'],
    [[await idOf(fixture, 'lantern')], 5, `${join(folder, 'lantern.mp3')} was moved or deleted. Put it back`],
    [[foreign], 2, 'The connection Studio no longer exists. Import its document'],
    [[id, '--language', 'de'], 2, '--language is only for speech, and this entry is a recording'],
    [[id, '--limit', '5'], 2, 'Unknown option --limit.'],
    [['ffff-none'], 5, 'History has no entry ffff-none.'],
  ] as const) {
    const ran = await history(['again', ...args]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', expect.stringContaining(words)]);
  }
  expect(events(await history(['list', '--json'])).at(-1)).toMatchObject({ entries: 3 });
});

test('rejects a file that is no history, and names the command that a flag belongs to', async ({ fixture }) => {
  await writeFile(join(fixture.folder, 'notes.jsonl'), 'no history');
  const none = await fixture.history(['import', 'notes.jsonl']);
  expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('notes.jsonl contains no history')]);
  expect((await fixture.history(['import', 'missing.zip'])).code).toBe(5);
  const stray = await fixture.history(['list', '--search', 'harbour']);
  expect([stray.code, stray.stderr]).toEqual([2, expect.stringContaining('--search')]);
});

test('ends silently when its reader closes the pipe', async ({ fixture }) => {
  const { folder, history } = fixture;
  await history(['export', 'few.jsonl']);
  const [header = '', line = ''] = (await readFile(join(folder, 'few.jsonl'), 'utf8')).split('\n');
  const entry = JSON.parse(line) as object;
  // More than a pipe holds.
  const many = Array.from({ length: 2000 }, () => JSON.stringify({ ...entry, id: randomUUID(), taskId: null }));
  await writeFile(join(folder, 'many.jsonl'), [header, ...many].join('\n'));
  await history(['import', 'many.jsonl']);

  const list = [program, ...command, 'history', 'list', '--limit', '5000', '--data-dir', 'data'];
  const quoted = list.map((word) => `'${word}'`).join(' ');
  const child = spawn('sh', ['-c', `${quoted} | head -n 1`], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [told, complained] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (told += text.toString()));
  child.stderr.on('data', (text: Buffer) => (complained += text.toString()));
  await once(child, 'close');
  expect([told.trim().split('\n').length, complained]).toEqual([1, '']);
});

test('says without an engine that a new installation has no history', async ({ fixture }) => {
  const ran = await fixture.history(['list'], { data: 'fresh' });
  expect([ran.code, ran.stdout]).toEqual([0, 'No history yet.\n']);
  expect(await readdir(join(fixture.folder, 'fresh'))).not.toContain('engine');
});

test('restores deleted results from copies, and says which have none or a damaged one', async ({ fixture }) => {
  const { folder, history } = fixture;
  const copies = { isOn: true, maxGigabytes: 1, since: 0 };
  await writeFile(join(folder, 'data/settings.json'), JSON.stringify({ copies }));
  await copyFile(join(folder, 'harbour.wav'), join(folder, 'again.wav'));
  const args = ['convert', 'again.wav', '--again', '--voice', 'low-bronze', '--out', 'out', '--data-dir', 'data'];
  expect((await runCommand(args, { cwd: folder })).code).toBe(0);
  const result = join(folder, 'out/again, Low bronze.wav');
  const bytes = await readFile(result);
  const [copy = ''] = await readdir(join(folder, 'data/copies'));

  await rm(result);
  const restored = await history(['restore', '--json']);
  expect([restored.code, events(restored)[0]]).toMatchObject([
    0,
    { event: 'file', outcome: 'restored', output: result },
  ]);
  expect(events(restored).at(-1)).toMatchObject({ event: 'result', restored: 1, there: 2, none: 0 });
  expect((await readFile(result)).equals(bytes)).toBe(true);

  await rm(join(folder, 'out/lantern, Low bronze.mp3'));
  const id = await idOf(fixture, 'lantern');
  const without = await history(['restore', id]);
  expect([without.code, without.stderr]).toEqual([5, expect.stringContaining('Timbre has no copy of it.')]);

  await rm(result);
  await writeFile(join(folder, 'data/copies', copy), 'damaged');
  const damaged = await history(['restore', '--search', 'again']);
  expect([damaged.code, damaged.stderr]).toEqual([
    1,
    expect.stringContaining('The copy was damaged and has been deleted.'),
  ]);
  expect(await readdir(join(folder, 'data/copies'))).toEqual([]);
  expect((await history(['restore', id, '--search', 'x'])).code).toBe(2);
});

test('a command says once that results could not be copied, and its results are fine', async ({ fixture }) => {
  const { folder } = fixture;
  await writeFile(
    join(folder, 'data/settings.json'),
    JSON.stringify({ copies: { isOn: true, maxGigabytes: 1, since: 0 } }),
  );
  await writeFile(join(folder, 'data/copies'), 'no folder');
  const convert = (...more: readonly string[]) =>
    runCommand(
      [
        'convert',
        'harbour.wav',
        'lantern.mp3',
        '--again',
        '--voice',
        'low-bronze',
        '--out',
        'new',
        '--data-dir',
        'data',
        ...more,
      ],
      { cwd: folder },
    );
  const said = await convert();
  expect([said.code, said.stderr.match(/couldn’t keep a copy of each result/g)]).toMatchObject([0, { length: 1 }]);
  const outcome = await convert('--json');
  expect(outcome.stderr).toBe('');
  expect(events(outcome).filter(({ event }) => event === 'copy')).toMatchObject([
    { code: 'output/not-writable', message: expect.stringContaining('couldn’t keep a copy') },
  ]);
  expect(events(outcome).at(-1)).toMatchObject({ event: 'result', outputs: [{ status: 'done' }, { status: 'done' }] });
});

test('statistics have the same numbers as a table, as CSV and as JSON, by the local time zone', async ({ fixture }) => {
  const { history } = fixture;
  const text = await history(['statistics']);
  expect([text.code, text.stderr]).toEqual([0, '']);
  expect(text.stdout).toMatch(/^Total +2 +\d+\.\d +0 +0 +0 +0$/m);
  expect(text.stdout).toMatch(/^Low bronze +2 /m);
  expect(text.stdout).toContain('2 results were made on this computer, without a web service');

  const csv = (await history(['statistics', '--period', 'all', '--csv', '--by', 'voice'])).stdout.trimEnd().split('\n');
  expect(csv[0]).toBe(
    'voice,voice_id,connection,results,minutes,unmeasured,characters,failed,cancelled,uncertain,spoken_minutes,unmeasured_texts',
  );
  expect(csv[1]).toMatch(/^Low bronze,low-bronze,This computer,2,\d+\.\d\d,0,0,0,0,0,0\.00,0$/);
  expect((await history(['statistics', '--csv'])).stdout.split('\n')[0]).toMatch(/^month,results,minutes,/);

  const [json] = events(await history(['statistics', '--period', '30d', '--json']));
  expect(json).toMatchObject({
    event: 'result',
    period: '30d',
    kind: 'all',
    total: { results: 2 },
    local: { results: 2 },
  });
  const minutes = Number(csv[1]?.split(',')[4]);
  expect((json?.['total'] as { seconds: number }).seconds / 60).toBeCloseTo(minutes, 2);

  const ends = events(await history(['list', '--json'])).flatMap(({ endedAt }) =>
    typeof endedAt === 'number' ? endedAt : [],
  );
  expect(ends).toHaveLength(2);
  for (const timeZone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
    const [zoned] = events(await history(['statistics', '--period', '30d', '--json'], { env: { TZ: timeZone } }));
    const days = zoned?.['time'] as readonly { readonly day: string; readonly results: number }[];
    expect(days).toHaveLength(30);
    const isoDay = new Intl.DateTimeFormat('en-CA', { timeZone });
    const ended = ends.map((end) => isoDay.format(end));
    for (const { day, results } of days)
      expect(results, `${day} in ${timeZone}`).toBe(ended.filter((one) => one === day).length);
    expect(days.reduce((sum, { results }) => sum + results, 0)).toBe(2);
  }

  for (const wrong of [
    ['--period', '13m'],
    ['--csv', '--json'],
    ['--by', 'voice'],
    ['--kind', 'music'],
  ]) {
    expect((await history(['statistics', ...wrong])).code, wrong.join(' ')).toBe(2);
  }
});
