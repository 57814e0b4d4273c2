import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { ErrorCode, Facts } from '../../../shared/errors.ts';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';
import type { JobState } from '../../../shared/schemas/job.ts';
import { conversionJob, speechJob } from './job.fixture.ts';
import { retryFrom, decideOutcome } from './retry-policy.ts';

describe('outcome', () => {
  const document = v.parse(connectionSchema, { name: 'Studio', hosts: { voice: 'https://a.test', upload: '' } });

  function outcome(
    state: JobState,
    code: ErrorCode,
    {
      facts,
      policy = 'ask',
      tries = 0,
      attempts = 0,
    }: { facts?: Facts; policy?: ConnectionDocument['unknownOutcome']; tries?: number; attempts?: number } = {},
  ) {
    const connection = { id: 'studio', name: 'Studio', document: { ...document, unknownOutcome: policy } };
    const job = conversionJob({
      state,
      tries,
      attempts,
      connection,
      audioUrl: state === 'converted' ? 'https://a.test/r' : null,
    });
    return decideOutcome(job, { code, ...(facts && { facts }) }, { random: () => 0.5, pauseTries: () => 0 });
  }

  describe('the paid call', () => {
    it.each<ErrorCode>([
      'network/cut',
      'network/timeout',
      'service/unavailable',
      'service/not-understood',
      'service/result-incomplete',
      'service/result-not-audio',
    ])('is never repeated after %s unless the connection says so', (code) => {
      expect(outcome('converting', code)).toMatchObject({ kind: 'uncertain', stopsQueue: false });
      expect(outcome('converting', code, { policy: 'stop' })).toMatchObject({ kind: 'uncertain', stopsQueue: true });
      expect(outcome('converting', code, { policy: 'repeat' })).toMatchObject({ kind: 'retry', state: 'uploaded' });
    });

    it('goes out again when it certainly did not arrive, or was turned away', () => {
      expect(outcome('converting', 'network/unreachable')).toMatchObject({
        kind: 'paused',
        state: 'uploaded',
        by: 'offline',
      });
      expect(outcome('converting', 'rate/limited')).toMatchObject({ kind: 'paused', state: 'uploaded', by: 'rate' });
      expect(outcome('converting', 'service/unavailable', { facts: { status: 503 } })).toMatchObject({
        kind: 'paused',
        state: 'uploaded',
        by: 'rate',
      });
      expect(outcome('converting', 'auth/refused')).toMatchObject({ kind: 'paused', state: 'uploaded', by: 'token' });
    });

    it('is not repeated for ever', () => {
      expect(outcome('converting', 'network/cut', { policy: 'repeat', tries: 8 })).toMatchObject({ kind: 'failed' });
    });

    it('is a person’s decision once its result is gone, and says so in its own words', () => {
      expect(outcome('converted', 'service/result-gone')).toMatchObject({
        kind: 'uncertain',
        problem: { code: 'service/result-gone' },
      });
      expect(outcome('converted', 'service/result-gone', { policy: 'repeat' })).toMatchObject({
        kind: 'retry',
        state: 'uploaded',
      });
      expect(outcome('converted', 'service/result-gone', { policy: 'repeat', attempts: 6 })).toMatchObject({
        kind: 'failed',
      });
    });
  });

  describe('a free step', () => {
    it.each<[JobState, JobState]>([
      ['creating', 'queued'],
      ['uploading', 'created'],
      ['converted', 'converted'],
    ])('that broke off in %s is done again from %s', (state, next) => {
      expect(outcome(state, 'network/cut')).toMatchObject({ kind: 'retry', state: next, afterMs: 500 });
    });

    it.each<JobState>(['uploading', 'converting'])(
      'of a task that is gone in %s begins with a new one, and not for ever',
      (state) => {
        expect(outcome(state, 'service/not-found')).toMatchObject({ kind: 'retry', state: 'queued' });
        expect(outcome(state, 'service/not-found', { attempts: 6 })).toMatchObject({ kind: 'failed' });
        expect(outcome('creating', 'service/not-found')).toMatchObject({ kind: 'failed' });
      },
    );

    it('is given to a person after eight tries', () => {
      expect(outcome('uploading', 'network/cut', { tries: 6 })).toMatchObject({ kind: 'retry' });
      expect(outcome('uploading', 'network/cut', { tries: 7 })).toMatchObject({ kind: 'failed' });
    });

    it.each<ErrorCode>(['service/result-incomplete', 'service/result-not-audio'])(
      'is given to a person after five downloads that were %s',
      (code) => {
        expect(outcome('converted', code, { tries: 3 })).toMatchObject({ kind: 'retry', state: 'converted' });
        expect(outcome('converted', code, { tries: 4 })).toMatchObject({ kind: 'failed' });
      },
    );

    it('is not tried again where that cannot help', () => {
      for (const code of ['service/refused', 'service/redirected', 'input/changed', 'output/not-writable'] as const) {
        expect(outcome('uploading', code)).toMatchObject({ kind: 'failed', problem: { code } });
      }
    });
  });

  describe('a pause', () => {
    it('is as long as the service asked for, whatever the backoff says', () => {
      const facts = { retryAfterSeconds: 120 };
      expect(outcome('creating', 'rate/limited', { facts })).toMatchObject({ by: 'rate', afterMs: 120_000 });
      expect(outcome('creating', 'quota/used-up', { facts })).toMatchObject({ by: 'quota', afterMs: 120_000 });
    });

    it('for a token waits for a person; one for an account looks again after an hour', () => {
      expect(outcome('creating', 'auth/refused')).toMatchObject({ by: 'token', afterMs: null });
      expect(outcome('uploading', 'auth/forbidden')).toMatchObject({ by: 'quota', afterMs: 3_600_000 });
    });

    it('of a full disk keeps the result at the service', () => {
      expect(outcome('publishing', 'output/disk-full')).toMatchObject({ by: 'disk', state: 'converted' });
    });
  });
});

describe('again from', () => {
  const finished = { sha256: 'ab', sizeBytes: 3, identity: { device: '1', inode: '2' } };
  const uploaded = { taskId: 't', changerType: 'FVC', sourceSha256: 'cd' };

  describe('a second try', () => {
    it('fetches a result that waits at the service, and pays for nothing', () => {
      const job = conversionJob({ ...uploaded, state: 'failed', audioUrl: 'https://a.test/r' });
      expect(retryFrom(job)).toEqual({ state: 'converted' });
    });

    it('publishes speech that lies finished on the disk', () => {
      expect(retryFrom(speechJob({ state: 'failed', finished }))).toEqual({ state: 'converted' });
    });

    it('converts again what is up there, when only the answer was lost', () => {
      const job = conversionJob({ ...uploaded, state: 'uncertain', problem: { code: 'service/uncertain' } });
      expect(retryFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
    });

    it('converts what is up there, when its paid call had left before it was cancelled', () => {
      const job = conversionJob({ ...uploaded, state: 'cancelled', problem: { code: 'service/may-charge' } });
      expect(retryFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
    });

    it('makes a result again that the service no longer has, from the same upload', () => {
      const problem = { code: 'service/result-gone' } as const;
      const job = conversionJob({ ...uploaded, state: 'uncertain', audioUrl: 'https://a.test/r', problem });
      expect(retryFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
    });

    it('begins from the start otherwise, with a fresh look at the recording', () => {
      const snapshot = { device: '1', inode: '2', sizeBytes: 3, modifiedNs: '4' };
      const source = { path: '/in/a.wav', subfolder: 'x', snapshot };
      for (const state of ['failed', 'cancelled'] as const) {
        expect(retryFrom(conversionJob({ ...uploaded, state, source }))).toMatchObject({
          state: 'queued',
          taskId: null,
          sourceSha256: null,
          outputFormat: null,
          source: { path: '/in/a.wav', subfolder: 'x', snapshot: null },
        });
      }
      expect(retryFrom(speechJob({ state: 'uncertain' }))).toMatchObject({ state: 'queued', audioUrl: null });
    });
  });
});
