import { createHash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { link, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { standingAt } from '../outputs/file-identity.ts';
import { snapshotOf } from '../voice-service/source-snapshot.ts';
import { hiddenPathOf } from './hidden-source.ts';
import { endSource } from './source-end.ts';

let root: string;
let path: string;
let job: ConversionJob;
let hidden: string;
/** What another program does at the very moment in which the source loses its name. */
let atHiding: () => void;
let isOnItsWay: boolean;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'timbre-source-'));
  path = join(root, 'day', 'a.wav');
  await mkdir(join(root, 'day'));
  await writeFile(path, 'a recording');
  const output = join(root, 'result.wav');
  await writeFile(output, 'a result');
  const standing = await standingAt(output);
  if (!standing) throw new Error('there is no result');
  job = conversionJob({
    state: 'done',
    source: { path, subfolder: 'day', snapshot: snapshotOf(await lstat(path, { bigint: true })) },
    sourceSha256: createHash('sha256').update('a recording').digest('hex'),
    finished: {
      sizeBytes: standing.sizeBytes,
      sha256: createHash('sha256').update('a result').digest('hex'),
      identity: standing.identity,
    },
    output: { path: output } as unknown as ConversionJob['output'],
  });
  hidden = hiddenPathOf(job.id, path);
  atHiding = () => undefined;
  isOnItsWay = false;
});
afterEach(() => rm(root, { recursive: true }));

const end = (afterwards: 'done' | 'trash') =>
  endSource({
    job,
    path,
    root,
    afterwards,
    trash: (thrown) => rm(thrown),
    async onHiding() {
      await Promise.resolve();
      isOnItsWay = true;
      atHiding();
    },
    async onNamed() {
      await Promise.resolve();
      isOnItsWay = false;
    },
  });
const moved = (...to: string[]) => ({ kind: 'moved', to: join('Done', 'day', ...to) });
const sourceStays = { code: 'watch/source-stays' };
const inDone = async (name: string) => readFile(join(root, 'Done', 'day', name), 'utf8');
/** Everything in the folder but the result, by name. */
async function recordings(): Promise<Record<string, string>> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && entry.name !== 'result.wav');
  const contents = files.map(async ({ parentPath, name }) => {
    const whole = join(parentPath, name);
    return [relative(root, whole), await readFile(whole, 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

describe('a source', () => {
  it('moves to Done, beside what has its name there', async () => {
    await mkdir(join(root, 'Done', 'day'), { recursive: true });
    await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
    expect(await end('done')).toEqual(moved('a (2).wav'));
    expect(await recordings()).toEqual({ 'Done/day/a.wav': 'another', 'Done/day/a (2).wav': 'a recording' });
    expect(isOnItsWay).toBe(false);
  });

  it('has its name again where it cannot be moved', async () => {
    await mkdir(join(root, 'Done', 'day'), { recursive: true });
    atHiding = () => {
      rmSync(join(root, 'Done'), { recursive: true });
      writeFileSync(join(root, 'Done'), 'no folder');
    };
    await expect(end('done')).rejects.toThrow();
    expect(await recordings()).toEqual({ Done: 'no folder', 'day/a.wav': 'a recording' });
    expect(isOnItsWay).toBe(false);
  });

  it('that somebody took away is gone, and nobody says that it stayed', async () => {
    await rm(path);
    expect(await end('done')).toEqual({ kind: 'gone' });
    expect(await end('trash')).toEqual({ kind: 'gone' });
  });

  it('that is taken away at the last moment is gone too', async () => {
    atHiding = () => rmSync(path);
    expect(await end('done')).toEqual({ kind: 'gone' });
  });

  it('that was only touched is the same one', async () => {
    await utimes(path, 1_700_000_500, 1_700_000_500);
    expect(await end('done')).toEqual(moved('a.wav'));
  });

  it('is known by its bytes where its disk gives no number, or another one today', async () => {
    const { snapshot } = job.source;
    if (!snapshot) throw new Error('there is no snapshot');
    job = { ...job, source: { ...job.source, snapshot: { ...snapshot, device: '99', inode: '0' } } };
    expect(await end('done')).toEqual(moved('a.wav'));
  });

  it('is not known by its size and time alone', async () => {
    const { snapshot } = job.source;
    if (!snapshot) throw new Error('there is no snapshot');
    const sourceSha256 = createHash('sha256').update('a Recording').digest('hex');
    job = { ...job, sourceSha256, source: { ...job.source, snapshot: { ...snapshot, inode: '0' } } };
    await expect(end('done')).rejects.toMatchObject(sourceStays);
    expect(await recordings()).toEqual({ 'day/a.wav': 'a recording' });
  });
});

describe('another recording under the name of a source', () => {
  it('stays where it is', async () => {
    await writeFile(path, 'another recording');
    for (const afterwards of ['done', 'trash'] as const) {
      await expect(end(afterwards)).rejects.toMatchObject(sourceStays);
    }
    expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
  });

  it('that is saved over it at the last moment has its name, and is not in Done', async () => {
    const next = join(root, 'next');
    writeFileSync(next, 'another recording');
    atHiding = () => renameSync(next, path);
    await expect(end('done')).rejects.toMatchObject(sourceStays);
    expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    expect(isOnItsWay).toBe(false);
  });

  it('that is written into it at the last moment has its name, and is not in Done', async () => {
    atHiding = () => writeFileSync(path, 'another recording');
    await expect(end('done')).rejects.toMatchObject(sourceStays);
    expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
  });
});

describe('a kill while a source moves', () => {
  it('leaves it hidden, and it goes on to Done, whatever has its name by now', async () => {
    await rename(path, hidden);
    await writeFile(path, 'another recording');
    expect(await end('done')).toEqual(moved('a.wav'));
    expect(await recordings()).toEqual({ 'Done/day/a.wav': 'a recording', 'day/a.wav': 'another recording' });
  });

  it('leaves it hidden and in Done, and only the hidden name goes', async () => {
    await rename(path, hidden);
    await mkdir(join(root, 'Done', 'day'), { recursive: true });
    await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
    await link(hidden, join(root, 'Done', 'day', 'a (2).wav'));
    expect(await end('done')).toEqual(moved('a (2).wav'));
    expect(await recordings()).toEqual({ 'Done/day/a.wav': 'another', 'Done/day/a (2).wav': 'a recording' });
  });

  it('leaves it in Done, and it is found there', async () => {
    await mkdir(join(root, 'Done', 'day'), { recursive: true });
    await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
    await rename(path, join(root, 'Done', 'day', 'a (2).wav'));
    await writeFile(path, 'another recording');
    expect(await end('done')).toEqual(moved('a (2).wav'));
    expect(await inDone('a.wav')).toBe('another');
  });

  it('leaves another recording hidden, and that has its name again, or the next one', async () => {
    await rm(path);
    await writeFile(hidden, 'another recording');
    await expect(end('done')).rejects.toMatchObject(sourceStays);
    expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    await writeFile(hidden, 'a third one');
    await expect(end('done')).rejects.toMatchObject(sourceStays);
    expect(await recordings()).toEqual({ 'day/a.wav': 'another recording', 'day/a (2).wav': 'a third one' });
  });

  it('leaves another recording with both names, and only the hidden one goes', async () => {
    await writeFile(path, 'another recording');
    await link(path, hidden);
    await expect(end('done')).rejects.toMatchObject(sourceStays);
    expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
  });

  it('brings the source back under its name where its result is not there any more', async () => {
    await rename(path, hidden);
    await rm(join(root, 'result.wav'));
    await expect(end('done')).rejects.toMatchObject(sourceStays);
    expect(await recordings()).toEqual({ 'day/a.wav': 'a recording' });
  });
});
