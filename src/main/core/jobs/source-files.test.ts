import { lstat, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import { lookAtSound } from '../../../sound/sound-looks.ts';
import { preflight } from './source-files.ts';
import { conversionJob } from './job.fixture.ts';
import { sample } from './queue.fixture.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-examine-'));
});
afterEach(() => rm(folder, { recursive: true }));

const examine = (path: string, snapshot: SourceSnapshot | null = null) =>
  preflight(conversionJob({ source: { path, subfolder: '', snapshot } }), new AbortController().signal, lookAtSound);

it('says of a source that is not there that it is missing', async () => {
  const examined = await examine(join(folder, 'a.wav'));
  expect(examined).toMatchObject({ kind: 'problem', problem: { code: 'input/missing' } });
});

it('says of a source that the system cannot get at that it cannot be read', async () => {
  const path = join(folder, 'a.wav');
  await symlink(path, path);
  const examined = await examine(path);
  expect(examined).toMatchObject({ kind: 'problem', problem: { code: 'input/unreadable', facts: { name: 'a.wav' } } });
});

it('says of a source that another file took the place of that it changed, whatever is wrong with that file', async () => {
  const path = join(folder, 'a.wav');
  await writeFile(path, 'a recording');
  const snapshot = snapshotOf(await lstat(path, { bigint: true }));
  await writeFile(path, '');
  expect(await examine(path)).toMatchObject({ kind: 'problem', problem: { code: 'input/empty' } });
  expect(await examine(path, snapshot)).toMatchObject({ kind: 'problem', problem: { code: 'input/changed' } });
});

it.each([
  [{ maxSeconds: 1 }, 'input/too-long'],
  [{ maxUploadBytes: 1000 }, 'service/too-large'],
  [{ maxSeconds: 600, maxUploadBytes: 1e9 }, null],
])('refuses before anything is sent what is beyond the limits %j of the connection', async (limits, code) => {
  const job = conversionJob({ source: { path: sample, subfolder: '', snapshot: null } });
  const { document } = job.connection;
  const connection = { ...job.connection, document: { ...document, limits: { ...document.limits, ...limits } } };
  const examined = await preflight({ ...job, connection }, new AbortController().signal, lookAtSound);
  expect(examined.kind === 'problem' ? examined.problem.code : null).toBe(code);
});
