import { lstat, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import { inspectAndVerify } from '../../../sound/sound-inspector.ts';
import { preflight } from './source-files.ts';
import { conversionJob } from './job.fixture.ts';
import { sample } from './queue.fixture.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-preflight-'));
});
afterEach(() => rm(folder, { recursive: true }));

const dependencies = { inspectSound: inspectAndVerify, ffmpeg: () => Promise.resolve(null), platform: 'linux' };

const runPreflight = (path: string, snapshot: SourceSnapshot | null = null) =>
  preflight(conversionJob({ source: { path, subfolder: '', snapshot } }), new AbortController().signal, dependencies);

it('reports a deleted source as missing', async () => {
  const result = await runPreflight(join(folder, 'a.wav'));
  expect(result).toMatchObject({ kind: 'problem', problem: { code: 'input/missing' } });
});

it('reports a source that cannot be opened as unreadable', async () => {
  const path = join(folder, 'a.wav');
  await symlink(path, path);
  const result = await runPreflight(path);
  expect(result).toMatchObject({ kind: 'problem', problem: { code: 'input/unreadable', facts: { name: 'a.wav' } } });
});

it('reports a shortage of file handles as such, so that the job is tried again', async () => {
  const shortage = Object.assign(new Error('EMFILE'), { code: 'EMFILE', errno: -24, syscall: 'open' });
  const job = conversionJob({ source: { path: sample, subfolder: '', snapshot: null } });
  const inspectSound = () => Promise.reject(shortage);
  const result = preflight(job, new AbortController().signal, { ...dependencies, inspectSound });
  await expect(result).rejects.toMatchObject({ code: 'system/too-many-files' });
});

it('reports a replaced source as changed, whatever is wrong with the new file', async () => {
  const path = join(folder, 'a.wav');
  await writeFile(path, 'a recording');
  const snapshot = snapshotOf(await lstat(path, { bigint: true }));
  await writeFile(path, '');
  expect(await runPreflight(path)).toMatchObject({ kind: 'problem', problem: { code: 'input/empty' } });
  expect(await runPreflight(path, snapshot)).toMatchObject({ kind: 'problem', problem: { code: 'input/changed' } });
});

it.each([
  [{ maxSeconds: 1 }, 'input/too-long'],
  [{ maxUploadBytes: 1000 }, 'service/too-large'],
  [{ maxSeconds: 600, maxUploadBytes: 1e9 }, null],
])('rejects a source beyond the limits %j of the connection before anything is sent', async (limits, code) => {
  const job = conversionJob({ source: { path: sample, subfolder: '', snapshot: null } });
  const { document } = job.connection;
  const connection = { ...job.connection, document: { ...document, limits: { ...document.limits, ...limits } } };
  const result = await preflight({ ...job, connection }, new AbortController().signal, dependencies);
  expect(result.kind === 'problem' ? result.problem.code : null).toBe(code);
});
