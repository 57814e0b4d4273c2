import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calls, canDisturb } from './disturbed-publish.fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-private-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe.skipIf(!canDisturb)('a private file (needs strace)', () => {
  it.each([`${calls.sync}:error=EIO`, `${calls.rename}:error=EIO`])(
    'that cannot be written leaves nothing of its secret behind (%s)',
    async (inject) => {
      const program = `
        import { writePrivateFile } from ${JSON.stringify(import.meta.resolve('./private-file.ts'))};
        const path = ${JSON.stringify(join(folder, 'one.open'))};
        await writePrivateFile(path, 'token').catch((error) => console.log(error.code));`;
      const strace = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=${inject}`];
      const child = [process.execPath, '--input-type=module', '-e', program];
      const { stdout } = spawnSync('strace', [...strace, ...child], { encoding: 'utf8' });
      expect([stdout.trim(), await readdir(folder)]).toEqual(['EIO', []]);
    },
  );
});
