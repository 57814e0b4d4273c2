import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calls, canDisturb, publishInChild, type Disturbance } from './disturbed-publish.fixture.ts';
import { diskFull, outputError } from './errno.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'timbre-faults-'));
  folder = join(root, 'out');
  await mkdir(folder);
});
afterEach(() => rm(root, { recursive: true }));

const fault = (kind: keyof typeof calls, error: string): string => `${calls[kind]}:error=${error}`;
const at = (where: 'temporary' | 'folder' | 'final' | 'deeper'): string =>
  ({
    temporary: join(folder, '.timbre-a.part'),
    folder,
    final: join(folder, 'out.wav'),
    deeper: join(folder, 'deeper'),
  })[where];
const publish = (disturbance: Disturbance, target = folder, isKept = false) =>
  publishInChild({ folder: target, jobId: 'a', text: 'sound', journal: join(root, 'journal'), isKept }, disturbance);

const full = 'output/disk-full';
const barred = 'output/not-writable';
const broken = 'output/failed';
const noLinks = fault('link', 'EPERM');

describe.skipIf(!canDisturb)('a file system error (needs strace)', () => {
  it.each([
    ['open', 'EACCES', 'temporary', barred],
    ['open', 'EROFS', 'temporary', barred],
    ['open', 'ENOSPC', 'temporary', full],
    ['open', 'EMFILE', 'temporary', 'system/too-many-files'],
    ['open', 'ENFILE', 'temporary', 'system/too-many-files'],
    ['write', 'ENOSPC', 'temporary', full],
    ['write', 'EDQUOT', 'temporary', full],
    ['write', 'EIO', 'temporary', broken],
    ['sync', 'EIO', 'temporary', broken],
    ['sync', 'ENOSPC', 'temporary', full],
    ['link', 'EIO', 'temporary', broken],
    ['link', 'EXDEV', 'temporary', broken],
    ['link', 'ENOSPC', 'temporary', full],
    ['link', 'EDQUOT', 'temporary', full],
    ['link', 'EACCES', 'temporary', barred],
    ['link', 'EROFS', 'temporary', barred],
    ['open', 'EMFILE', 'folder', 'system/too-many-files'],
    ['sync', 'EIO', 'folder', broken],
  ] as const)('%s: %s at the %s leaves nothing behind and is %s', async (kind, error, where, code) => {
    const { done, failed } = publish({ inject: [fault(kind, error)], path: [at(where)] });
    expect(done).toBeUndefined();
    expect(failed).toMatchObject({ code, facts: { folder, reason: error } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes the final name back if the temporary name cannot be removed', async () => {
    const { failed } = publish({ inject: [`${fault('unlink', 'EIO')}:when=1`], path: [at('temporary')] });
    expect(failed).toMatchObject({ code: broken });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['rename', 'EIO', 'temporary', broken],
    ['rename', 'EXDEV', 'temporary', broken],
    ['rename', 'EACCES', 'temporary', barred],
    ['open', 'ENOSPC', 'final', full],
    ['open', 'EMFILE', 'final', 'system/too-many-files'],
    ['sync', 'EIO', 'folder', broken],
  ] as const)('without links, %s: %s at the %s leaves nothing behind and is %s', async (kind, error, where, code) => {
    const { failed } = publish({ inject: [noLinks, fault(kind, error)], path: [at('final'), at(where)] });
    expect(failed).toMatchObject({ code });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['with', []],
    ['without', [noLinks]],
  ])(
    '%s links, a folder that cannot be synced leaves the file its temporary name, which may be its last',
    (_, inject) => {
      const path = [at('final'), at('temporary'), folder];
      const { failed } = publish({ inject: [...inject, fault('sync', 'EIO') + ':when=2'], path }, folder, true);
      expect(failed).toMatchObject({ code: broken });
      expect(readdirSync(folder)).toEqual(['.timbre-a.part']);
      expect(readFileSync(at('temporary'), 'utf8')).toBe('sound');
    },
  );

  it.each([
    ['EACCES', barred],
    ['ENOSPC', full],
    ['EROFS', barred],
  ])('%s while a missing folder is created is %s', async (error, code) => {
    const { failed } = publish({ inject: [fault('mkdir', error)], path: [at('deeper')] }, at('deeper'));
    expect(failed).toMatchObject({ code, facts: { folder: at('deeper') } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('while a new folder is synced is final, because a result in an unsynced folder may be lost', async () => {
    const { failed } = publish({ inject: [fault('sync', 'EIO')], path: [folder] }, at('deeper'));
    expect(failed).toMatchObject({ code: broken, facts: { folder: at('deeper') } });
    expect(await readdir(at('deeper'))).toEqual([]);
  });

  it.each(['EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
    '%s at the link selects another method and is no error',
    async (error) => {
      await writeFile(at('final'), 'alien');
      const { done, taking } = publish({ inject: [fault('link', error)] });
      expect(taking?.method).toBe('placeholder');
      expect(done).toBe(join(folder, 'out (2).wav'));
      expect(await readFile(join(folder, 'out (2).wav'), 'utf8')).toBe('sound');
      expect((await readdir(folder)).sort()).toEqual(['out (2).wav', 'out.wav']);
    },
  );

  it.each(['EINVAL', 'EOPNOTSUPP', 'ENOSYS'])(
    '%s means that a folder cannot be synced, and is no error',
    async (error) => {
      expect(publish({ inject: [fault('sync', error)], path: [folder] }).done).toBe(at('final'));
      expect(await readdir(folder)).toEqual(['out.wav']);
    },
  );
});

describe('an output error', () => {
  it('of another kind is passed on unchanged', () => {
    const defect = new Error('a defect');
    expect(outputError(defect, folder)).toBe(defect);
  });

  it('states the required space if that is known', () => {
    expect(diskFull(folder, 5e6).problem).toEqual({ code: full, facts: { folder, neededBytes: 5e6 } });
  });
});
