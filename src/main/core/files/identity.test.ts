import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useServices } from '../voice-service/service.fixture.ts';
import { isSameFile, isUnchangedSource, snapshotOf } from './identity.ts';

describe('file identity', () => {
  it('compares device and inode', () => {
    expect(isSameFile({ device: '1', inode: '2' }, { device: '1', inode: '2' })).toBe(true);
    expect(isSameFile({ device: '1', inode: '2' }, { device: '1', inode: '3' })).toBe(false);
    expect(isSameFile({ device: '1', inode: '2' }, { device: '3', inode: '2' })).toBe(false);
  });

  it('never treats two files of a drive without inodes as one', () => {
    expect(isSameFile({ device: '1', inode: '0' }, { device: '1', inode: '0' })).toBe(false);
  });
});

describe('source snapshot', () => {
  const { folder } = useServices();
  const snapshot = { device: '1', inode: '2', sizeBytes: 3, modifiedNs: '4' };

  describe('a snapshot of a source', () => {
    it.each([
      ['device', { device: '9' }],
      ['inode', { inode: '9' }],
      ['size', { sizeBytes: 9 }],
      ['time', { modifiedNs: '9' }],
    ])('differs if its %s differs', (_name, change) => {
      expect(isUnchangedSource(snapshot, { ...snapshot })).toBe(true);
      expect(isUnchangedSource(snapshot, { ...snapshot, ...change })).toBe(false);
    });

    it.each([{ device: '0' }, { inode: '0' }, { device: '0', inode: '0' }, { inode: '' }])(
      'compares only size and time if the system reports %j',
      (unknown) => {
        expect(isUnchangedSource({ ...snapshot, ...unknown }, snapshot)).toBe(true);
        expect(isUnchangedSource(snapshot, { ...snapshot, ...unknown, modifiedNs: '5' })).toBe(false);
      },
    );

    it('distinguishes times that differ by less than a millisecond', async () => {
      const path = join(folder(), 'a.wav');
      await writeFile(path, 'x');
      const { mtimeNs } = await stat(path, { bigint: true });
      const taken = snapshotOf(await stat(path, { bigint: true }));
      expect(taken.modifiedNs).toBe(String(mtimeNs));
      expect(isUnchangedSource(taken, { ...taken, modifiedNs: String(mtimeNs + 1n) })).toBe(false);
      await utimes(path, 1, 1);
      expect(isUnchangedSource(taken, snapshotOf(await stat(path, { bigint: true })))).toBe(false);
    });
  });
});
