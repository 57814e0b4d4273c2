import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { viewOf } from './container-check.ts';
import { createSoundInspector, inspectAndVerify } from './sound-inspector.ts';
import { buzz, encoded, withFolder } from './sound.fixture.ts';

const rate = 44_100;
const inspector = createSoundInspector({ workerUrl: new URL('./inspection-worker.ts', import.meta.url) });
afterAll(() => inspector.stop());

const wav = await encoded('wav', [buzz(140, 1, rate)], rate);
const flac = await encoded('flac', [buzz(140, 1, rate)], rate);

it('gives the same answer in a worker for a valid, a cut and a missing file', async () => {
  await withFolder(async (folder) => {
    const files = { 'a.wav': wav, 'cut.wav': wav.subarray(0, 5000), 'text.wav': Buffer.from('Dear all,') };
    for (const [name, bytes] of Object.entries(files)) {
      const path = join(folder, name);
      await writeFile(path, bytes);
      expect(await inspector.inspect(path)).toEqual(await inspectAndVerify(path));
    }
    expect(await inspector.inspect(join(folder, 'a.wav'))).toEqual({
      kind: 'sound',
      format: 'wav',
      durationSeconds: 1,
    });
    expect(await inspector.inspect(join(folder, 'none.wav'))).toMatchObject({ code: 'input/missing' });
  });
});

it('passes on system errors with their code and call', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'loop.wav');
    await symlink(path, path);
    await expect(inspector.inspect(path)).rejects.toMatchObject({ code: 'ELOOP', syscall: 'stat' });
  });
});

it('reports a file as cut only if its decoder finds less than its header claims', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'sound');
    // One byte that the container counts is missing, so a whole frame is.
    for (const bytes of [wav.subarray(0, -1), flac.subarray(0, -1), flac.subarray(0, flac.length / 2)]) {
      await writeFile(path, bytes);
      expect(await inspectAndVerify(path)).toMatchObject({ kind: 'problem', code: 'input/cut' });
    }
    // Its RIFF size includes a chunk after the audio that players do not need.
    const longer = Uint8Array.from(wav);
    viewOf(longer).setUint32(4, wav.length + 5000, true);
    await writeFile(path, longer);
    expect(await inspectAndVerify(path)).toEqual({ kind: 'sound', format: 'wav', durationSeconds: 1, open: 'end' });
  });
});

it('stops with the reason of its signal', async () => {
  const reason = new Error('enough');
  await expect(inspector.inspect('/', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
