import { expect, it } from 'vitest';
import { isSame } from './file-identity.ts';

it('a file is the same by device and inode', () => {
  expect(isSame({ device: '1', inode: '2' }, { device: '1', inode: '2' })).toBe(true);
  expect(isSame({ device: '1', inode: '2' }, { device: '1', inode: '3' })).toBe(false);
  expect(isSame({ device: '1', inode: '2' }, { device: '3', inode: '2' })).toBe(false);
});

it('two files of a drive that gives no inodes are never taken for one', () => {
  expect(isSame({ device: '1', inode: '0' }, { device: '1', inode: '0' })).toBe(false);
});
