import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import { useWatchFixture, type WatchFixture } from '../watch/watch.fixture.ts';
import { historyHeader, listName, soundName, toArchiveLine } from './archive-format.ts';
import { createTestExchange, writeZip } from './history-archive.fixture.ts';

let fixture: WatchFixture;
let database: DatabaseSync;

useWatchFixture(async (opened) => {
  fixture = opened;
  database = await openDatabase(join(fixture.folder, 'data'));
});
afterEach(() => database.close());

const folderOf = (name: string) => join(fixture.folder, name);

/** The line of an entry of another computer whose result has this content. */
function lineFor(content: Buffer): string {
  const finished = {
    sha256: createHash('sha256').update(content).digest('hex'),
    sizeBytes: content.length,
    identity: { device: '1', inode: '2' },
  };
  const output = { path: '/their/result.wav', method: 'link' } as const;
  const job = conversionJob({
    id: randomUUID(),
    state: 'done',
    endedAt: 1_700_000_000_000,
    output,
    finished,
    outputFormat: '.wav',
  });
  return `${JSON.stringify(historyHeader)}\n${JSON.stringify(toArchiveLine(job, { isFavourite: false, tags: [] }))}\n`;
}

const importFrom = (path: string) =>
  createTestExchange({ database, store: fixture.queue.store }).import(path, folderOf('sounds'));

/** Saves the recording in a watched folder, and returns what was decided about it. */
async function decisionOnRecording() {
  const { id } = (await fixture.save()).folder;
  await fixture.until('it is watched', () => fixture.watch.getFolder(id).mode === 'watching');
  await fixture.put('recording.wav', 1);
  const decision = () => fixture.file('recording.wav')?.record.decision ?? 'waiting';
  await fixture.until('it is decided', () => decision() !== 'waiting');
  return decision();
}

it('a recording is converted although an entry of another computer, whose file is not here, has its checksum', async () => {
  const path = await fixture.put('../recording.wav', 1);
  const content = await readFile(path);
  await writeFile(folderOf('theirs.jsonl'), lineFor(content));
  expect(await importFrom(folderOf('theirs.jsonl'))).toMatchObject({ added: 1, refused: 0 });
  expect(await decisionOnRecording()).toBe('job');
});

it('a result whose file an import brought is not converted', async () => {
  const path = await fixture.put('../recording.wav', 1);
  const content = await readFile(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const zip = await writeZip(folderOf('theirs.zip'), [
    [listName, lineFor(content)],
    [soundName(sha256, '.wav'), content],
  ]);
  expect(await importFrom(zip)).toMatchObject({ added: 1, withoutFile: 0 });
  expect(await decisionOnRecording()).toBe('own-output');
});
