// Copies files, or puts their copies back below `back`, in a separate process that runs beside others. Arguments: folder
// of the copies, owner, maximum bytes of all copies, the piece of a file at which it kills itself (0: never), `add` or
// `restore`, the files.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createCopyStore } from './copy-store.ts';
import { createTemporaryFiles } from './temporary-files.ts';

const [folder = '', owner = '', maxBytes = '', killAt = '', verb = '', ...paths] = process.argv.slice(2);
const isAlive = () => true;
const temporaryFiles = createTemporaryFiles({ folder: join(folder, '../temporary-files'), owner, isAlive });
const store = createCopyStore({
  folder,
  owner,
  isAlive,
  temporaryFiles,
  reservedBytes: () => Promise.resolve(0),
  spareBytes: 0,
});
const { signal } = new AbortController();
let pieces = 0;
signal.throwIfAborted = () => {
  if (++pieces === Number(killAt)) process.kill(process.pid, 'SIGKILL');
};

for (const path of paths) {
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const { size: sizeBytes, mtimeMs } = await stat(path);
  const content = { sha256, sizeBytes, extension: '.wav' };
  if (verb === 'add') {
    await store.add(path, content, mtimeMs, signal);
    await store.keepWithin(Number(maxBytes));
  } else {
    const back = join(dirname(path), 'back', basename(path));
    await store.restore(content, { path: back, modifiedAt: mtimeMs, now: mtimeMs, signal, isTaken: () => false });
  }
}
