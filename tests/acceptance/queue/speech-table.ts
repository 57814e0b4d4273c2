// Fails when a row of a table is lost, paid for twice, or paid for although it is bad, or when a retry pays for rows that are done.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replyJson, startScriptedService } from '../../../src/main/core/voice-service/scripted-service.fixture.ts';
import { runLine, sentencesOf } from '../support/command-line/run-line.ts';
import { must, type Scenario } from '../support/scenario.ts';

const badRows = 10;
/** Rows that the service refuses the first time. */
const refusedRows = 5;
const concurrency = 4;
const callMs = 3;
const voices = [{ id: 'v1', name: 'Anna', language: 'en-GB', gender: 'female', category: 'natural' }];
/** Each kind of bad row, in turn. */
const bad = [',Anna,', 'Hi,Nobody,', 'Hi,,english!', 'Hi, there, all of, you,,', '"Hi,,', 'Hi "you",,', '…,,'];

/** A table with its bad rows spread over it, and their numbers. */
function makeTable(rows: number, word: string): { readonly text: string; readonly bad: readonly number[] } {
  const numbers: number[] = [];
  const lines = Array.from({ length: rows }, (_, k) => {
    if (k % (rows / badRows) !== 7) return `${word} ${k}.,${k % 2 === 0 ? 'Anna' : ''},`;
    numbers.push(k + 2);
    return bad[numbers.length % bad.length] ?? '';
  });
  return { text: ['text,voice,language', ...lines].join('\n'), bad: numbers };
}

/** A quarter of a second of a 16-bit, 8 kHz tone. */
function tone(): Buffer {
  const frames = 2000;
  const bytes = Buffer.alloc(44 + frames * 2);
  bytes.write('RIFF');
  bytes.writeUInt32LE(36 + frames * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(frames * 2, 40);
  for (let k = 0; k < frames; k += 1) bytes.writeInt16LE(Math.round(8000 * Math.sin(k / 4)), 44 + 2 * k);
  return bytes;
}

export const scenario: Scenario = {
  id: 'Q33',
  title: 'a table of 1,000 rows with 10 bad ones is spoken across kills, also from a watched folder, and paid for once',
  deadlineMs: 600_000,
  async run(context) {
    const rows = context.size(100, 1000);
    const kills = context.size(2, 10);
    const sound = tone();
    const paid = new Map<string, number>();
    let calls = 0;
    let isRefusing = true;
    const service = await startScriptedService(async ({ url, body }, response) => {
      if (url.includes('pagevoices')) return replyJson(response, { page: 0, limit: 100, total: 1, voices });
      if (url.includes('models/list')) {
        const pagination = { currentPage: 1, totalPages: 1, totalItems: 0 };
        return replyJson(response, { status: 'success', models: [], pagination });
      }
      // A refusal is a reason to ask whether the voice is still there.
      if (url.includes('getvoicedetail')) return replyJson(response, { error: 'Not here.' }, 404);
      const { speech = '' } = JSON.parse(String(body) || '{}') as { readonly speech?: string };
      calls += 1;
      await sleep(callMs);
      const isRefused = isRefusing && Number(/\d+/.exec(speech)?.[0] ?? 0) % (rows / refusedRows) === 3;
      if (isRefused) return replyJson(response, { error: 'No.' }, 400);
      paid.set(speech, (paid.get(speech) ?? 0) + 1);
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
    });
    context.onEnd(service.stop);
    const connection = join(context.folder, 'connection.json');
    const { document } = service.connection({ unknownOutcome: 'repeat' });
    await writeFile(connection, JSON.stringify(document));
    const good = rows - badRows;
    const wavs = async (folder: string) =>
      (await readdir(join(context.folder, folder)).catch(() => [])).filter((name) => name.endsWith('.wav'));
    /** Kills a line after some more calls, several times, and then lets it end. */
    async function runAcrossKills(args: readonly string[], all: number) {
      let struck = 0;
      for (let k = 0; k < kills; k += 1) {
        context.note(`kill ${k + 1} of ${kills} of ${args[0] ?? ''}`);
        const target = calls + 1 + Math.floor((context.random.next() * 1.5 * all) / kills);
        const when = async () => {
          for (const until = performance.now() + 30_000; calls < target && performance.now() < until;) await sleep(5);
        };
        if ((await runLine(context, args, { signal: { name: 'SIGKILL', when } })).code === null) struck += 1;
      }
      return { struck, last: await runLine(context, args) };
    }
    const repeated = (word: string) =>
      [...paid].reduce((sum, [text, count]) => sum + (text.startsWith(word) ? count - 1 : 0), 0);

    const table = makeTable(rows, 'Row');
    await writeFile(join(context.folder, 'list.csv'), table.text);
    const line = ['--connection', connection, '--voice', 'v1'];
    const speak = ['speak', ...line, '--file', 'list.csv', '--out', 'rows'];
    const first = await runAcrossKills(speak, good);
    const named = sentencesOf(first.last).flatMap((text) => /^list\.csv, row ([\d,]+): /.exec(text)?.[1] ?? []);
    const numbers = new Set(named.map((number) => Number(number.replace(',', ''))));
    must(
      table.bad.every((row) => numbers.has(row)),
      `not every bad row is named: ${first.last.code} ${first.last.stderr.slice(0, 600)}`,
    );
    must(numbers.size === badRows + refusedRows, `${numbers.size} rows are named`);
    must(
      [...paid.keys()].every((text) => /^Row \d+\.$/.test(text)),
      'a bad row was paid for',
    );
    must((await wavs('rows')).length === good - refusedRows, `${(await wavs('rows')).length} results`);
    must(repeated('Row') <= concurrency * first.struck, `${repeated('Row')} calls were repeated`);

    context.note('retry');
    isRefusing = false;
    const before = calls;
    const retry = await runLine(context, speak);
    must(calls - before === refusedRows, `a retry of ${refusedRows} rows cost ${calls - before} calls`);
    must((await wavs('rows')).length === good, `${(await wavs('rows')).length} results of ${good}`);
    must(retry.code === 5, `the retry ended with ${retry.code}`);

    const other = makeTable(rows, 'Other');
    await mkdir(join(context.folder, 'in'));
    await writeFile(join(context.folder, 'in', 'list.csv'), other.text);
    const watch = ['watch', 'in', ...line, '--speak-texts', '--once', '--out', 'spoken', '--move-done'];
    const watched = await runAcrossKills(watch, good);
    must((await wavs('spoken')).length === good, `${(await wavs('spoken')).length} results of a watched table`);
    must(repeated('Other') <= concurrency * watched.struck, `${repeated('Other')} calls were repeated`);
    for (const row of other.bad)
      must(watched.last.stderr.includes(`Row ${row}: `), `row ${row} of the watched table is not named`);
    must((await readFile(join(context.folder, 'in', 'list.csv'), 'utf8')) === other.text, 'the table was touched');

    const corrected = other.text.split('\n');
    for (const row of other.bad) corrected[row - 1] = `Other ${row} again.,,`;
    await writeFile(join(context.folder, 'in', 'list.csv'), corrected.join('\n'));
    const beforeCorrection = calls;
    await runLine(context, watch);
    must(calls - beforeCorrection === badRows, `${badRows} corrected rows cost ${calls - beforeCorrection} calls`);
    must((await wavs('spoken')).length === rows, `${(await wavs('spoken')).length} results of the corrected table`);
    return {
      rows,
      'bad rows': badRows,
      kills: first.struck + watched.struck,
      'calls repeated by kills': repeated('Row') + repeated('Other'),
      'calls for a retry': refusedRows,
    };
  },
};
