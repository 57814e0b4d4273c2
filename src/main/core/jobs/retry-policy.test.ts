import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { ErrorCode, Facts, Problem } from '../../../shared/errors.ts';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';
import type { JobState } from '../../../shared/schemas/job.ts';
import { conversionJob, speechJob } from './job.fixture.ts';
import type { Job } from './job.ts';
import { decideOutcome, moveTo, retryFrom, retryIn } from './retry-policy.ts';

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
      problem = null,
    }: {
      facts?: Facts;
      policy?: ConnectionDocument['unknownOutcome'];
      tries?: number;
      attempts?: number;
      problem?: Problem | null;
    } = {},
  ) {
    const connection = { id: 'studio', name: 'Studio', document: { ...document, unknownOutcome: policy } };
    const job = conversionJob({
      state,
      consecutiveFailures: tries,
      attempts,
      problem,
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
      expect(outcome('converting', 'auth/refused')).toMatchObject({ kind: 'paused', state: 'uploaded', by: 'token' });
    });

    it('is repeated after a 503 only if the service itself names a time in it; otherwise the queue only slows down', () => {
      const unavailable = (facts: Facts, policy: ConnectionDocument['unknownOutcome']) =>
        outcome('converting', 'service/unavailable', { facts: { status: 503, ...facts }, policy });
      const slow = { by: 'rate', afterMs: 500 };
      for (const retryAfterSeconds of [0, 9]) {
        const own = { retryAfterSeconds, answeredBy: 'service' };
        expect(unavailable(own, 'ask')).toMatchObject({ kind: 'paused', by: 'rate' });
      }
      expect(unavailable({ retryAfterSeconds: 9 }, 'ask')).toMatchObject({
        kind: 'uncertain',
        beside: { by: 'rate', afterMs: 9000 },
      });
      expect(unavailable({ answeredBy: 'service' }, 'ask')).toMatchObject({ kind: 'uncertain', beside: slow });
      expect(unavailable({}, 'ask')).toMatchObject({ kind: 'uncertain', beside: slow });
      expect(unavailable({}, 'stop')).toMatchObject({ kind: 'uncertain', stopsQueue: true, beside: slow });
      expect(unavailable({}, 'repeat')).toMatchObject({ kind: 'retry', state: 'uploaded', beside: slow });
      expect(outcome('creating', 'service/unavailable', { facts: { status: 503 } })).toMatchObject({
        kind: 'paused',
        by: 'rate',
      });
    });

    it('starts over with a new task only if the service itself says that the task is gone', () => {
      const facts = { status: 404 };
      const own = { ...facts, answeredBy: 'service' };
      expect(outcome('converting', 'service/not-found', { facts })).toMatchObject({ kind: 'uncertain' });
      expect(outcome('converting', 'service/not-found', { facts, policy: 'repeat' })).toMatchObject({
        kind: 'retry',
        state: 'uploaded',
      });
      expect(outcome('converting', 'service/not-found', { facts: own })).toMatchObject({
        kind: 'retry',
        state: 'queued',
      });
    });

    it.each<[number, ErrorCode, string]>([
      [301, 'service/redirected', 'uncertain'],
      [302, 'service/redirected', 'uncertain'],
      [303, 'service/redirected', 'uncertain'],
      [304, 'service/redirected', 'uncertain'],
      [400, 'service/refused', 'failed'],
      [401, 'auth/refused', 'paused'],
      [402, 'quota/used-up', 'paused'],
      [403, 'auth/forbidden', 'paused'],
      [408, 'service/refused', 'uncertain'],
      [409, 'service/refused', 'failed'],
      [413, 'service/too-large', 'failed'],
      [425, 'service/refused', 'failed'],
      [429, 'rate/limited', 'paused'],
      [460, 'service/refused', 'uncertain'],
      [499, 'service/refused', 'uncertain'],
      [500, 'service/unavailable', 'uncertain'],
      [502, 'service/unavailable', 'uncertain'],
      [504, 'service/unavailable', 'uncertain'],
      [520, 'service/unavailable', 'uncertain'],
      [524, 'service/unavailable', 'uncertain'],
      [527, 'service/unavailable', 'uncertain'],
    ])('answered with %d (%s) is %s', (status, code, kind) => {
      expect(outcome('converting', code, { facts: { status } }).kind).toBe(kind);
      const speech = speechJob({ state: 'converting' });
      expect(decideOutcome(speech, { code, facts: { status } }, { random: () => 0.5, pauseTries: () => 0 }).kind).toBe(
        kind,
      );
    });

    it.each([301, 302, 307, 308])('that a redirect of status %i sends elsewhere is failed', (status) => {
      expect(outcome('converting', 'service/redirected', { facts: { status, moved: 'request' } }).kind).toBe('failed');
    });

    it('of speech is not repeated after a 404 or a 503 of a gateway either', () => {
      const speech = (code: ErrorCode, facts: Facts) =>
        decideOutcome(speechJob({ state: 'converting' }), { code, facts }, { random: () => 0.5, pauseTries: () => 0 });
      expect(speech('service/not-found', { status: 404 }).kind).toBe('uncertain');
      expect(speech('service/not-found', { status: 404, answeredBy: 'service' }).kind).toBe('failed');
      expect(speech('service/unavailable', { status: 503 }).kind).toBe('uncertain');
      expect(speech('service/unavailable', { status: 503, retryAfterSeconds: 1 }).kind).toBe('uncertain');
      const own = { status: 503, retryAfterSeconds: 1, answeredBy: 'service' };
      expect(speech('service/unavailable', own).kind).toBe('paused');
    });

    it('whose sound does not fit on the disk is not repeated, and the queue waits for space', () => {
      expect(outcome('converting', 'output/disk-full')).toMatchObject({ kind: 'uncertain', beside: { by: 'disk' } });
    });

    it('is not repeated forever', () => {
      expect(outcome('converting', 'network/cut', { policy: 'repeat', tries: 8 })).toMatchObject({ kind: 'failed' });
    });

    it('is not repeated while its result may only not be there yet', () => {
      for (const status of [403, 404]) {
        const facts = { status };
        const missing = { code: 'service/unavailable', facts } as const;
        const download = (tries: number, problem: Problem | null = missing, attempts = tries) =>
          outcome('converted', 'service/unavailable', { facts, tries, attempts, problem, policy: 'repeat' });
        expect(download(0, null)).toMatchObject({ kind: 'retry', state: 'converted', afterMs: 500 });
        expect(download(5)).toMatchObject({ kind: 'retry', state: 'converted', afterMs: 16_000 });
        expect(download(6)).toMatchObject({
          kind: 'retry',
          state: 'uploaded',
          problem: { code: 'service/result-gone' },
        });
        // Other failures before it say nothing about the result.
        expect(download(6, { code: 'network/cut' })).toMatchObject({ kind: 'retry', state: 'converted' });
        expect(download(6, missing, 41)).toMatchObject({ kind: 'retry', state: 'uploaded' });
        expect(download(6, missing, 42)).toMatchObject({ kind: 'failed', problem: { code: 'service/result-gone' } });
        expect(outcome('converted', 'service/unavailable', { facts, tries: 6, problem: missing })).toMatchObject({
          kind: 'uncertain',
          problem: { code: 'service/result-gone', facts },
        });
      }
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
        const facts = { status: 404, answeredBy: 'service' };
        expect(outcome(state, 'service/not-found', { facts })).toMatchObject({ kind: 'retry', state: 'queued' });
        expect(outcome(state, 'service/not-found', { facts, attempts: 6 })).toMatchObject({ kind: 'failed' });
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

    it('for denied access fails the job that is denied again', () => {
      const problem = { code: 'auth/forbidden' } as const;
      const again = { random: () => 0.5, pauseTries: () => 0, wasForbidden: true };
      for (const state of ['creating', 'uploading', 'converting'] as const)
        expect(decideOutcome(conversionJob({ state }), problem, again)).toEqual({ kind: 'failed', problem });
    });

    it.each<ErrorCode>(['network/insecure', 'network/proxy'])(
      'is made for %s, which a login page of a network or a change of network causes for all jobs alike',
      (code) => {
        const facts = { host: 'a.test', reason: 'SELF_SIGNED_CERT_IN_CHAIN' };
        for (const [state, from] of [
          ['creating', 'queued'],
          ['converting', 'uploaded'],
          ['converted', 'converted'],
        ] as const)
          expect(outcome(state, code, { facts })).toMatchObject({ kind: 'paused', by: 'offline', state: from });
        expect(outcome('converted', code, { facts: { resultHost: 'files.test' } })).toMatchObject({ kind: 'failed' });
        expect(outcome('creating', code)).toMatchObject({ kind: 'failed' });
      },
    );

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
      expect(retryFrom(job)).toEqual({ state: 'converted', consecutiveFailures: 0 });
    });

    it('publishes speech whose file is complete on disk', () => {
      expect(retryFrom(speechJob({ state: 'failed', finished }))).toMatchObject({ state: 'converted' });
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

    it('fetches the result into another folder, but publishes a sound that is nowhere else where it is', () => {
      const job = conversionJob({ ...uploaded, state: 'failed', audioUrl: 'https://a.test/r', finished });
      const target = { ...job.target, folder: '/elsewhere' };
      const change = { state: 'converted', consecutiveFailures: 0, target, finished: null, output: null };
      expect(retryIn(job, '/elsewhere')).toEqual(change);
      const spoken = speechJob({ state: 'failed', finished });
      expect(retryIn(spoken, '/elsewhere')).toEqual(retryFrom(spoken));
    });

    it('moves a result without another call, and no doubt about one', () => {
      const moved = (job: Job) => moveTo(job, '/elsewhere');
      const fetched = conversionJob({ ...uploaded, state: 'publishing', audioUrl: 'https://a.test/r', finished });
      const target = { ...fetched.target, folder: '/elsewhere' };
      expect(moved(fetched)).toEqual({ state: 'converted', target, finished: null, output: null });
      expect(moved(conversionJob({ ...uploaded, state: 'converting' }))).toMatchObject({ state: 'converting', target });
      expect(moved(speechJob({ state: 'publishing', finished }))).toBeNull();
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
