import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { standingAt } from '../outputs/file-identity.ts';
import { snapshotOf } from '../voice-service/source-snapshot.ts';
import { endSource } from './source-end.ts';

let root: string;
let path: string;
let job: ConversionJob;
const trash = (thrown: string) => rm(thrown);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'timbre-source-'));
  path = join(root, 'day', 'a.wav');
  await mkdir(join(root, 'day'));
  await writeFile(path, 'a recording');
  const output = join(root, 'result.wav');
  await writeFile(output, 'a result');
  const standing = await standingAt(output);
  if (!standing) throw new Error('there is no result');
  job = conversionJob({
    state: 'done',
    source: { path, subfolder: 'day', snapshot: snapshotOf(await lstat(path, { bigint: true })) },
    finished: {
      sizeBytes: standing.sizeBytes,
      sha256: createHash('sha256').update('a result').digest('hex'),
      identity: standing.identity,
    },
    output: { path: output } as unknown as ConversionJob['output'],
  });
});
afterEach(() => rm(root, { recursive: true }));

describe('a source that was moved before a kill', () => {
  it('is found where it went, beside another one of its name', async () => {
    await mkdir(join(root, 'Done', 'day'), { recursive: true });
    await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
    await rename(path, join(root, 'Done', 'day', 'a (2).wav'));
    expect(await endSource({ job, path, root, afterwards: 'done', trash })).toBe(join('Done', 'day', 'a (2).wav'));
  });

  it('is not taken for one that somebody took away', async () => {
    await rm(path);
    const ending = endSource({ job, path, root, afterwards: 'done', trash });
    await expect(ending).rejects.toMatchObject({ code: 'watch/source-stays' });
  });

  it('is over where it was thrown away', async () => {
    await rm(path);
    expect(await endSource({ job, path, root, afterwards: 'trash', trash })).toBeNull();
  });

  it('stays where another file lies at its path', async () => {
    await writeFile(path, 'another recording');
    const ending = endSource({ job, path, root, afterwards: 'trash', trash });
    await expect(ending).rejects.toMatchObject({ code: 'watch/source-stays' });
    expect(existsSync(path)).toBe(true);
  });
});
