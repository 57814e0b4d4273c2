import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useLibrary } from '../../main/core/history/history-entries.fixture.ts';
import { copyDatabase, databaseBytes, openAsLater } from '../../main/core/newer-data.fixture.ts';
import { exitCodes } from '../errors.ts';

const library = useLibrary();
const versions = /The data has version \d+, and this Timbre knows versions up to \d+\./;
let dataFolder: string;

beforeEach(async () => {
  const { folder, write, done } = library();
  await done('ended', await write('take.wav', 'a take'), await write('result.wav', 'a result'));
  dataFolder = join(folder, 'killed');
  const later = await openAsLater(join(folder, 'data'));
  later.exec("UPDATE job SET mood = 'calm'");
  await copyDatabase(join(folder, 'data'), dataFolder);
  later.close();
});

function timbre(...args: readonly string[]) {
  const entry = join(import.meta.dirname, '../index.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    env: { ...process.env, TIMBRE_DATA_DIR: dataFolder, LC_ALL: 'en_GB.UTF-8', LANG: 'en_GB.UTF-8', LANGUAGE: '' },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the command line on data of a newer Timbre', () => {
  it('lists, finds, shows and exports its history, says why nothing can be changed, and changes no byte', async () => {
    const { at } = library();
    const before = await databaseBytes(dataFolder);
    const reading = [
      ['history', 'list'],
      ['history', 'search', 'take'],
      ['history', 'show', 'ended'],
      ['history', 'export', at('export.jsonl')],
    ];
    for (const args of reading) {
      const { status, stderr } = timbre(...args);
      expect([args, status, stderr]).toEqual([args, exitCodes.done, expect.stringMatching(versions)]);
    }
    expect(timbre('history', 'list').stdout).toContain('take.wav');
    expect(await databaseBytes(dataFolder)).toEqual(before);
  });

  it('refuses commands that would change it, with the reason', async () => {
    const { at } = library();
    const before = await databaseBytes(dataFolder);
    const writing = [
      ['history', 'again', 'ended'],
      ['history', 'restore', 'ended'],
      ['history', 'import', at('take.wav')],
    ];
    for (const args of writing) {
      const { status, stdout, stderr } = timbre(...args);
      expect([args, status, stdout, stderr]).toEqual([args, exitCodes.other, '', expect.stringMatching(versions)]);
    }
    expect(await databaseBytes(dataFolder)).toEqual(before);
  });
});
