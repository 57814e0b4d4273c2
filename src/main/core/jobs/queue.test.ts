import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { conversions, sample, useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

describe('jobs', () => {
  const queue = useTestQueue();

  describe('a recording', () => {
    it('becomes a file with the voice’s name, and reports progress', async () => {
      const { jobs } = await queue().run([await queue().addFile('lantern.mp3')]);
      expect(jobs).toMatchObject([
        { state: 'done', output: { path: join(queue().folder, 'out/lantern, Low bronze.mp3') }, problem: null },
      ]);
      expect(await queue().outputs()).toEqual(['lantern, Low bronze.mp3']);
      const { size } = { size: (await readFile(sample)).length };
      expect(queue().progress.findLast(({ direction }) => direction === 'upload')).toMatchObject({
        doneBytes: size,
        totalBytes: size,
      });
      const last = queue()
        .progress.flatMap((progress) => (progress.direction === 'download' ? [progress] : []))
        .at(-1);
      expect(last?.doneBytes).toBe(last?.totalBytes);
    });

    it('is converted beside its source if no folder is chosen', async () => {
      queue().request = { ...queue().request, outputFolder: null };
      await queue().run([await queue().addFile('here/lantern.mp3')]);
      expect((await readdir(join(queue().folder, 'here'))).sort()).toEqual(['lantern, Low bronze.mp3', 'lantern.mp3']);
    });

    it('is written in the requested format', async () => {
      queue().request = { ...queue().request, settings: { ...queue().request.settings, format: '.flac' } };
      const { jobs } = await queue().run([await queue().addFile('lantern.mp3')]);
      expect((await readFile(jobs[0]?.output?.path ?? '')).subarray(0, 4).toString()).toBe('fLaC');
    });
  });

  describe('a folder', () => {
    it('is searched recursively, keeps its tree, and skips hidden files, and links and files that are not audio, which it counts', async () => {
      await queue().addFile('in/a.mp3');
      await queue().addFile('in/deep/er/b.mp3');
      await queue().addFile('in/.hidden.mp3');
      await writeFile(join(queue().folder, 'in/notes.txt'), 'x');
      await symlink(sample, join(queue().folder, 'in/link.mp3'));
      const { added, jobs } = await queue().run([join(queue().folder, 'in')]);
      expect(added).toMatchObject({ added: 2, refused: 0, ignored: 2, withoutPath: 0 });
      expect(jobs.map(({ output }) => output?.path).sort()).toEqual([
        join(queue().folder, 'out/a, Low bronze.mp3'),
        join(queue().folder, 'out/deep/er/b, Low bronze.mp3'),
      ]);
    });

    it('says of a name that is no UTF-8 that the file has to be renamed', async () => {
      await queue().addFile('in/a.mp3');
      const name = Buffer.concat([Buffer.from(join(queue().folder, 'in/Pr')), Buffer.of(0xe9), Buffer.from('.mp3')]);
      await copyFile(sample, name);
      const { jobs } = await queue().run([join(queue().folder, 'in')]);
      expect(jobs.flatMap(({ problem }) => problem ?? [])).toEqual([
        { code: 'input/unreadable-name', facts: { name: 'Pr\uFFFD.mp3' } },
      ]);
    });

    it('of many recordings is on disk as a whole when it is added, and not synced batch by batch', async () => {
      const commits: unknown[] = [];
      const original = DatabaseSync.prototype.exec;
      const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
        if (sql === 'COMMIT') commits.push(this.prepare('PRAGMA synchronous').get()?.['synchronous']);
        original.call(this, sql);
      });
      const missing = Array.from({ length: 250 }, (_, k) => join(queue().folder, `take ${k}.wav`));
      await queue()
        .add(missing)
        .finally(() => exec.mockRestore());
      const [normal, full] = [1, 2];
      expect(commits.length).toBeGreaterThan(1);
      expect(commits.slice(0, -1)).toEqual(commits.slice(0, -1).map(() => normal));
      expect(commits.at(-1)).toBe(full);
    });

    it('that is added with files and folders in it brings each recording once', async () => {
      const file = await queue().addFile('in/a.mp3');
      await queue().addFile('in/deep/b.mp3');
      const folder = join(queue().folder, 'in');
      const { added, jobs } = await queue().run([file, folder, join(folder, 'deep')]);
      expect(added).toMatchObject({ added: 2, refused: 0 });
      expect(jobs.map(({ source }) => source.path).sort()).toEqual([file, join(folder, 'deep/b.mp3')]);
    });

    it('adds files in numeric order', async () => {
      for (const name of ['take 10.mp3', 'take 9.mp3', 'take 1.mp3']) await queue().addFile(`in/${name}`);
      const { ids } = await queue().add([join(queue().folder, 'in')]);
      expect(
        conversions(ids.map((id) => queue().store.get(id)).filter((job) => job !== undefined)).map(({ source }) =>
          source.path.slice(-10),
        ),
      ).toEqual(['take 1.mp3', 'take 9.mp3', 'ake 10.mp3']);
    });
  });

  it('examines the recording that a job was given while another one was examined for it', async () => {
    const [path, other] = [await queue().addFile('a.mp3'), await queue().addFile('other.mp3')];
    const { ids } = await queue().add([path]);
    queue().scheduler.pause();
    queue().scheduler.start();
    const [id = ''] = ids;
    queue().store.change(id, { source: { path: other, subfolder: '', snapshot: null } });
    const job = () => queue().store.get(id);
    await expect.poll(() => job()?.outputFormat).toBe('.mp3');
    expect(job()?.source).toMatchObject({ path: other, snapshot: { inode: String((await stat(other)).ino) } });
  });

  it('gives results names that differ in more than case, as they may be copied to another file system', async () => {
    await queue().run([
      await queue().addFile('one/Take.mp3'),
      await queue().addFile('two/take.mp3'),
      await queue().addFile('three/TAKE.mp3'),
    ]);
    const names = await queue().outputs();
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  });

  describe('bad input', () => {
    it.each<[string, string, (path: string) => Promise<unknown>]>([
      ['not sound', 'input/not-audio', (path) => writeFile(path, 'just some text, long enough to be looked at')],
      ['empty', 'input/empty', (path) => writeFile(path, '')],
      [
        'cut',
        'input/cut',
        async (path) => {
          await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), path);
          await truncate(path, 100_000);
        },
      ],
      ['missing', 'input/missing', (path) => rm(path, { force: true })],
      ['a folder without sound', 'input/no-audio-in-folder', (path) => mkdir(path)],
    ])('that is %s becomes a failed job with the reason, and nothing is sent or written', async (_name, code, make) => {
      const path = join(queue().folder, 'bad.wav');
      await make(path);
      const { jobs } = await queue().run([path]);
      expect(jobs).toMatchObject([{ state: 'failed', problem: { code } }]);
      expect(jobs[0]?.taskId).toBeNull();
      expect(await queue().outputs()).toEqual([]);
    });

    it.skipIf(process.getuid?.() === 0)(
      'that is not readable says so (skipped for root, who can read everything)',
      async () => {
        const path = await queue().addFile('locked.mp3');
        await chmod(path, 0o000);
        const { jobs } = await queue().run([path]);
        expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'input/unreadable' } }]);
      },
    );

    it('that was deleted or replaced while it was queued is not sent', async () => {
      const gone = await queue().addFile('gone.mp3');
      const changed = await queue().addFile('changed.mp3');
      const { ids } = await queue().add([gone, changed]);
      await rm(gone);
      await copyFile(join(import.meta.dirname, '../../../../samples/harbour.wav'), changed);
      queue().scheduler.start();
      const jobs = await settled(queue().store, ids);
      expect(jobs.map(({ problem }) => problem?.code)).toEqual(['input/missing', 'input/changed']);
    });

    it('does not hold up good recordings', async () => {
      const bad = join(queue().folder, 'bad.mp3');
      await writeFile(bad, 'no');
      const { jobs } = await queue().run([bad, await queue().addFile('good.mp3')]);
      expect(jobs.map(({ state }) => state)).toEqual(['failed', 'done']);
    });
  });

  describe('an item without a file behind it', () => {
    it('is counted, creates no job, and does not hold up the others', async () => {
      const { added, jobs } = await queue().run(['', await queue().addFile('a.mp3'), '']);
      expect(added).toMatchObject({ added: 1, refused: 0, ignored: 0, withoutPath: 2 });
      expect(jobs.map(({ state }) => state)).toEqual(['done']);
    });
  });

  describe('the store', () => {
    it('removes only jobs that have ended', async () => {
      const { ids } = await queue().add([await queue().addFile('a.mp3'), join(queue().folder, 'nowhere.mp3')]);
      queue().store.remove(ids);
      expect(ids.map((id) => queue().store.get(id)?.state)).toEqual(['queued', 'failed']);
      expect(
        queue()
          .store.page(null, 10)
          .map(({ id }) => id),
      ).toEqual([ids[0]]);
    });

    it('pages through all jobs in their order', async () => {
      await queue().add(Array.from({ length: 25 }, (_, i) => join(queue().folder, `${i}.mp3`)));
      const first = queue().store.page(null, 10);
      const second = queue().store.page(first.at(-1)?.position ?? null, 10);
      expect([...first, ...second].map((job) => job.position)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    });
  });
});
