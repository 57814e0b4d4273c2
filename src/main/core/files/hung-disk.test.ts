import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkerPool, hasBusyWorkers } from '../../../sound/worker-pool.ts';
import { canHang, mountHangingDisk } from './hung-disk.fixture.ts';

/** A worker that makes the file `begun` and looks for the file `media/a` in a folder. */
const source = `
  import { writeFileSync } from 'node:fs';
  import { stat } from 'node:fs/promises';
  import { join } from 'node:path';
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ id, request }) => {
    const looking = stat(join(request, 'media/a'));
    writeFileSync(join(request, 'begun'), '');
    looking.finally(() => parentPort.postMessage({ id, ok: true, value: null }));
  });
`;

it.skipIf(!canHang)(
  'a worker that waits for a disk that hangs keeps no pool from stopping, and counts as busy',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-hung-'));
    const disk = await mountHangingDisk(join(folder, 'image'), join(folder, 'media'));
    const pool = createWorkerPool<string, null>({
      workerUrl: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    });
    try {
      disk.hang();
      const lost = expect(pool.run(folder)).rejects.toMatchObject({ code: 'job/cancelled' });
      await expect.poll(() => readdir(folder)).toContain('begun');
      await pool.stop();
      await lost;
      expect(hasBusyWorkers()).toBe(true);
      disk.answer();
      await expect.poll(hasBusyWorkers).toBe(false);
    } finally {
      await disk.remove();
      await rm(folder, { recursive: true });
    }
  },
);
