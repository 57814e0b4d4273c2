import { describe, expect, it } from 'vitest';
import { againFrom } from './again-from.ts';
import { conversionJob, speechJob } from './job.fixture.ts';

const finished = { sha256: 'ab', sizeBytes: 3, identity: { device: '1', inode: '2' } };
const uploaded = { taskId: 't', changerType: 'FVC', sourceSha256: 'cd' };

describe('a second try', () => {
  it('fetches a result that waits at the service, and pays for nothing', () => {
    const job = conversionJob({ ...uploaded, state: 'failed', audioUrl: 'https://a.test/r' });
    expect(againFrom(job)).toEqual({ state: 'converted' });
  });

  it('publishes speech that lies finished on the disk', () => {
    expect(againFrom(speechJob({ state: 'failed', finished }))).toEqual({ state: 'converted' });
  });

  it('converts again what is up there, when only the answer was lost', () => {
    const job = conversionJob({ ...uploaded, state: 'uncertain', problem: { code: 'service/uncertain' } });
    expect(againFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
  });

  it('converts what is up there, when its paid call had left before it was cancelled', () => {
    const job = conversionJob({ ...uploaded, state: 'cancelled', problem: { code: 'service/may-charge' } });
    expect(againFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
  });

  it('makes a result again that the service no longer has, from the same upload', () => {
    const problem = { code: 'service/result-gone' } as const;
    const job = conversionJob({ ...uploaded, state: 'uncertain', audioUrl: 'https://a.test/r', problem });
    expect(againFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
  });

  it('begins from the start otherwise, with a fresh look at the recording', () => {
    const snapshot = { device: '1', inode: '2', sizeBytes: 3, modifiedNs: '4' };
    const source = { path: '/in/a.wav', subfolder: 'x', snapshot };
    for (const state of ['failed', 'cancelled'] as const) {
      expect(againFrom(conversionJob({ ...uploaded, state, source }))).toMatchObject({
        state: 'queued',
        taskId: null,
        sourceSha256: null,
        outputFormat: null,
        source: { path: '/in/a.wav', subfolder: 'x', snapshot: null },
      });
    }
    expect(againFrom(speechJob({ state: 'uncertain' }))).toMatchObject({ state: 'queued', audioUrl: null });
  });
});
