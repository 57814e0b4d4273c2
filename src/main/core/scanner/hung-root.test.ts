import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canHang, mountHangingDisk } from '../files/hung-disk.fixture.ts';
import { awaitAllStable, testRoot, wavBytes, withScanner } from './scanner.fixture.ts';

it.skipIf(!canHang)(
  'a folder on a disk that hangs is offline until it answers, and keeps no files of others at the gate or unmeasured',
  () =>
    withScanner(async ({ scanner, log, folder, root }) => {
      const media = join(folder, 'media');
      const disk = await mountHangingDisk(join(folder, 'image'), media);
      try {
        const onDisk = await testRoot(join(media, 'in'), { id: 'on-disk' });
        for (let k = 0; k < 80; k += 1) await writeFile(join(onDisk.path, `${k}.wav`), wavBytes(0.1));
        awaitAllStable(scanner);
        scanner.watch(onDisk);
        await log.waitFor('discovered');
        disk.hang();
        scanner.watch(await testRoot(root));
        await writeFile(join(root, 'here.wav'), wavBytes(0.1));
        expect((await log.waitFor('stable', ({ id }) => id === 'root')).file.path).toBe('here.wav');
        scanner.probeDurations('on-disk', ['0.wav', '1.wav']);
        scanner.probeDurations('root', ['here.wav']);
        expect(await log.waitFor('durations')).toMatchObject({ id: 'root', files: [{ seconds: 0.1 }] });
        const { status } = await log.waitFor(
          'status',
          (event) => event.id === 'on-disk' && event.status.mode === 'offline',
        );
        expect(status.problems).toMatchObject([{ code: 'watch/disk-silent' }]);
        log.clear();
        disk.answer();
        await log.waitFor('stable', ({ id }) => id === 'on-disk');
        await log.waitFor('status', ({ id, status }) => id === 'on-disk' && status.mode !== 'offline');
      } finally {
        disk.answer();
        await scanner.stop();
        await disk.remove();
      }
    }),
);
