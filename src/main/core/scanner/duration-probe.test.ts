import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWavBytes, testRoot, wavBytes, withScanner } from './scanner.fixture.ts';

describe('probeDurations', () => {
  it('reports durations and problems, fifty at a time', () =>
    withScanner(async ({ scanner, log, folder, root }) => {
      scanner.watch(await testRoot(root));
      await writeFile(join(root, 'open.wav'), openWavBytes(1));
      await writeFile(join(folder, 'outside.wav'), wavBytes(1));
      await symlink(join(folder, 'outside.wav'), join(root, 'link.wav'));
      const names = Array.from({ length: 60 }, (_, at) => `${at}.wav`);
      for (const [at, name] of names.entries()) await writeFile(join(root, name), wavBytes((at + 1) / 10));
      scanner.probeDurations('root', ['open.wav', 'link.wav', 'missing.wav', ...names]);
      await log.waitFor('durations', ({ files }) => files.some(({ path }) => path === '59.wav'));
      expect(log.of('durations').map(({ files }) => files.length)).toEqual([50, 13]);
      const found = new Map(log.of('durations').flatMap(({ files }) => files.map((file) => [file.path, file])));
      expect(found.get('9.wav')).toEqual({ path: '9.wav', seconds: 1, problem: null });
      expect(found.get('open.wav')).toEqual({ path: 'open.wav', seconds: 1, problem: null });
      expect(found.get('link.wav')?.problem?.code).toBe('input/not-a-file');
      expect(found.get('missing.wav')?.problem?.code).toBe('input/missing');
    }));
});
