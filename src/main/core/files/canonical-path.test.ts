import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canonicalPath } from './canonical-path.ts';
import { hasCaselessDisk, withCaselessDisk } from './caseless-disk.fixture.ts';

it('is the same for a folder and for links to it or above it, and rejects where nothing is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-canonical-'));
  try {
    await mkdir(join(folder, 'real/Inside'), { recursive: true });
    await symlink(join(folder, 'real'), join(folder, 'link'));
    expect(await canonicalPath(join(folder, 'link/Inside'))).toBe(join(await realpath(folder), 'real/Inside'));
    await expect(canonicalPath(join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.skipIf(!hasCaselessDisk)('has the spelling of a disk that ignores case (skipped without exFAT)', () =>
  withCaselessDisk(async (folder) => {
    await mkdir(join(folder, 'Straße/inside'), { recursive: true });
    const disk = await realpath(folder);
    for (const typed of ['straße/INSIDE', 'Straße/inside', 'STRAßE/Inside'])
      expect(await canonicalPath(join(folder, typed))).toBe(join(disk, 'Straße/inside'));
  }),
);
