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
      consecutiveFailures: tries,
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
    ])('is never repeated after %s unless the connection allows it', (code) => {
      expect(outcome('converting', code)).toMatchObject({ kind: 'uncertain', stopsQueue: false });
      expect(outcome('converting', code, { policy: 'stop' })).toMatchObject({ kind: 'uncertain', stopsQueue: true });
      expect(outcome('converting', code, { policy: 'repeat' })).toMatchObject({ kind: 'retry', state: 'uploaded' });
    });

    it('is repeated if it certainly did not arrive or was refused', () => {
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

    it('is not repeated forever', () => {
      expect(outcome('converting', 'network/cut', { policy: 'repeat', tries: 8 })).toMatchObject({ kind: 'failed' });
    });

    it('is the user’s decision once its result is gone, with a problem of its own', () => {
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
    ])('that failed in %s is retried from %s', (state, next) => {
      expect(outcome(state, 'network/cut')).toMatchObject({ kind: 'retry', state: next, afterMs: 500 });
    });

    it.each<JobState>(['uploading', 'converting'])(
      'of a task that is gone in %s restarts with a new one, but not forever',
      (state) => {
        expect(outcome(state, 'service/not-found')).toMatchObject({ kind: 'retry', state: 'queued' });
        expect(outcome(state, 'service/not-found', { attempts: 6 })).toMatchObject({ kind: 'failed' });
        expect(outcome('creating', 'service/not-found')).toMatchObject({ kind: 'failed' });
      },
    );

    it('fails after eight attempts', () => {
      expect(outcome('uploading', 'network/cut', { tries: 6 })).toMatchObject({ kind: 'retry' });
      expect(outcome('uploading', 'network/cut', { tries: 7 })).toMatchObject({ kind: 'failed' });
    });

    it.each<ErrorCode>(['service/result-incomplete', 'service/result-not-audio'])(
      'fails after five downloads that were %s',
      (code) => {
        expect(outcome('converted', code, { tries: 3 })).toMatchObject({ kind: 'retry', state: 'converted' });
        expect(outcome('converted', code, { tries: 4 })).toMatchObject({ kind: 'failed' });
      },
    );

    it('is not retried if that cannot help', () => {
      for (const code of ['service/refused', 'service/redirected', 'input/changed', 'output/not-writable'] as const) {
        expect(outcome('uploading', code)).toMatchObject({ kind: 'failed', problem: { code } });
      }
    });
  });

  describe('a pause', () => {
    it('is as long as the service requests, whatever the backoff', () => {
      const facts = { retryAfterSeconds: 120 };
      expect(outcome('creating', 'rate/limited', { facts })).toMatchObject({ by: 'rate', afterMs: 120_000 });
      expect(outcome('creating', 'quota/used-up', { facts })).toMatchObject({ by: 'quota', afterMs: 120_000 });
    });

    it.each(['rate/limited', 'service/unavailable'] as const)('for %s with Retry-After 0 backs off', (code) => {
      const facts = { status: 503, retryAfterSeconds: 0 };
      const outcome = decideOutcome(
        conversionJob({ state: 'created' }),
        { code, facts },
        { random: () => 1, pauseTries: () => 3 },
      );
      expect(outcome.kind === 'paused' && (outcome.afterMs ?? 0)).toBeGreaterThanOrEqual(1000);
    });

    it('for a token waits for the user; one for an account retries after an hour', () => {
      expect(outcome('creating', 'auth/refused')).toMatchObject({ by: 'token', afterMs: null });
      expect(outcome('uploading', 'auth/forbidden')).toMatchObject({ by: 'quota', afterMs: 3_600_000 });
    });

    it('of a full disk keeps the result at the service', () => {
      expect(outcome('publishing', 'output/disk-full')).toMatchObject({ by: 'disk', state: 'converted' });
    });
  });
});

describe('retry from', () => {
  const finished = { sha256: 'ab', sizeBytes: 3, identity: { device: '1', inode: '2' } };
  const uploaded = { taskId: 't', changerType: 'FVC', sourceSha256: 'cd' };

  describe('a retry', () => {
    it('fetches a result that the service still has, without another charge', () => {
      const job = conversionJob({ ...uploaded, state: 'failed', audioUrl: 'https://a.test/r' });
      expect(retryFrom(job)).toEqual({ state: 'converted' });
    });

    it('publishes speech whose file is complete on disk', () => {
      expect(retryFrom(speechJob({ state: 'failed', finished }))).toEqual({ state: 'converted' });
    });

    it('converts the uploaded audio again if only the answer was lost', () => {
      const job = conversionJob({ ...uploaded, state: 'uncertain', problem: { code: 'service/uncertain' } });
      expect(retryFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
    });

    it('converts the uploaded audio if the paid call was sent before the job was cancelled', () => {
      const job = conversionJob({ ...uploaded, state: 'cancelled', problem: { code: 'service/may-charge' } });
      expect(retryFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
    });

    it('converts the same upload again if the service no longer has the result', () => {
      const problem = { code: 'service/result-gone' } as const;
      const job = conversionJob({ ...uploaded, state: 'uncertain', audioUrl: 'https://a.test/r', problem });
      expect(retryFrom(job)).toEqual({ state: 'uploaded', audioUrl: null });
    });

    it('otherwise starts over, with a new preflight', () => {
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
