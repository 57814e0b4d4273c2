import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../shared/errors.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { Job } from '../jobs/job.ts';
import type { ReadyFile, SeenFile, Signature } from '../scanner/scanner.ts';
import type { FileRecord } from './file-record.ts';
import { decideOnJobEnd, decideOnStable, decideOnSeen } from './decisions.ts';
import type { LedgerEntry } from './ledger.ts';

const signature: Signature = { device: '1', inode: '10', sizeBytes: 100, modifiedNs: '5', changedNs: '6' };
const lineOf = (change: Partial<FileRecord> = {}): FileRecord => ({
  folderId: 'f',
  path: 'a.wav',
  order: 1,
  at: 0,
  isThere: true,
  signature,
  sha256: 'aa',
  durationSeconds: 1,
  verdict: 'job',
  standing: 'rest',
  sameAs: null,
  problem: null,
  jobId: 'j',
  failures: 0,
  nextTryAt: null,
  isForced: false,
  sourceEnd: null,
  movedTo: null,
  ...change,
});

describe('a file that was seen', () => {
  const seen = (change: Partial<Signature> = {}): SeenFile => ({
    path: 'a.wav',
    kind: 'file',
    signature: { ...signature, ...change },
  });
  const judge = (file: SeenFile, line?: FileRecord, existing: 'scanning' | 'asking' | 'answered' = 'answered') =>
    decideOnSeen(file, line, { existing, wasBefore: false });

  it('is looked at when it is new, unless the folder is looked over for the first time', () => {
    expect(judge(seen())).toBe('consider');
    expect(judge(seen(), undefined, 'asking')).toBe('consider');
    expect(judge(seen(), undefined, 'scanning')).toBe('before');
    expect(decideOnSeen(seen(), undefined, { existing: 'answered', wasBefore: true })).toBe('before');
  });

  it('is known by inode, size and time, whatever number its disk has', () => {
    expect(judge(seen(), lineOf())).toBe('known');
    expect(judge(seen({ device: '2' }), lineOf())).toBe('known');
    expect(judge(seen({ changedNs: '7' }), lineOf())).toBe('touch');
    for (const change of [{ inode: '11' }, { sizeBytes: 101 }, { modifiedNs: '9' }]) {
      expect(judge(seen(change), lineOf())).toBe('consider');
    }
  });

  it('that was left alone stays so on a disk that makes inodes up, and is new with another time', () => {
    expect(judge(seen({ inode: '99' }), lineOf({ verdict: 'before' }))).toBe('known');
    expect(judge(seen({ modifiedNs: '9' }), lineOf({ verdict: 'before' }))).toBe('consider');
    expect(judge(seen({ modifiedNs: '9' }), lineOf({ verdict: 'before' }), 'scanning')).toBe('before');
  });

  it('that was waited for is waited for again, and one that could not be read is tried with other rights', () => {
    expect(judge(seen(), lineOf({ verdict: 'waiting' }))).toBe('consider');
    expect(judge(seen(), lineOf({ verdict: 'budget' }))).toBe('consider');
    expect(judge(seen(), lineOf({ verdict: 'refused' }))).toBe('known');
    expect(judge(seen({ changedNs: '7' }), lineOf({ verdict: 'refused' }))).toBe('consider');
  });

  it('that was fetched from a cloud is taken, unless it was there before', () => {
    const kept: SeenFile = { ...seen(), kind: 'placeholder' };
    expect(judge(kept)).toBe('placeholder');
    expect(judge(kept, lineOf({ verdict: 'placeholder' }))).toBe('known');
    expect(judge(seen(), lineOf({ verdict: 'placeholder' }))).toBe('consider');
    expect(judge(kept, undefined, 'scanning')).toBe('before');
    expect(judge(kept, lineOf({ verdict: 'before', isThere: false }))).toBe('known');
    expect(judge(seen(), lineOf({ verdict: 'before', isThere: false }))).toBe('touch');
  });

  it('that a cloud took the content of stays what it was', () => {
    const kept: SeenFile = { ...seen({ changedNs: '7' }), kind: 'placeholder' };
    expect(judge(kept, lineOf())).toBe('known');
    expect(judge(kept, lineOf({ verdict: 'before' }))).toBe('known');
    expect(judge(kept, lineOf({ verdict: 'waiting' }))).toBe('placeholder');
    expect(judge({ ...kept, signature: { ...signature, sizeBytes: 7 } }, lineOf())).toBe('placeholder');
  });

  it('that took the place of a link is looked at', () => {
    expect(judge(seen(), lineOf({ verdict: 'link' }))).toBe('consider');
  });

  it('that is a link is never looked at', () => {
    expect(judge({ ...seen(), kind: 'link' })).toBe('link');
    expect(judge({ ...seen(), kind: 'link' }, lineOf({ verdict: 'link' }))).toBe('known');
  });
});

describe('a file that passed the gate', () => {
  const file: ReadyFile = { path: 'a.wav', signature, sha256: 'aa', durationSeconds: 120 };
  const entry: LedgerEntry = { sha256: 'aa', settingsHash: 's', jobId: 'j', path: 'b.wav' };
  const judge = (change: Partial<Parameters<typeof decideOnStable>[2]> = {}, given = file) =>
    decideOnStable(given, 'a.wav', {
      taken: [],
      settingsHash: 's',
      isOwnOutput: false,
      isForced: false,
      limitMinutes: null,
      usedMinutes: 0,
      hasFile: () => true,
      ...change,
    });

  it('becomes a job once for each content and settings', () => {
    expect(judge()).toEqual({ kind: 'job' });
    expect(judge({ taken: [entry] })).toEqual({ kind: 'same-sound', entry });
    expect(judge({ taken: [entry], hasFile: () => false })).toEqual({ kind: 'converted', entry });
    expect(judge({ taken: [{ ...entry, path: 'a.wav' }] }).kind).toBe('converted');
    expect(judge({ taken: [{ ...entry, settingsHash: 'other' }] }).kind).toBe('other-settings');
    expect(judge({ isOwnOutput: true })).toEqual({ kind: 'own-output' });
  });

  it('waits before the minutes of a day are exceeded, and says what can never fit', () => {
    expect(judge({ limitMinutes: 10, usedMinutes: 8 })).toEqual({ kind: 'job' });
    expect(judge({ limitMinutes: 10, usedMinutes: 8.1 })).toEqual({ kind: 'budget' });
    expect(judge({ limitMinutes: 1 })).toMatchObject({ problem: { code: 'watch/too-long' } });
    const unmeasured = { ...file, durationSeconds: null };
    expect(judge({ limitMinutes: 1 }, unmeasured)).toMatchObject({ problem: { code: 'watch/length-unknown' } });
    expect(judge({}, unmeasured)).toEqual({ kind: 'job' });
  });

  it('becomes a job in any case where a person wants it', () => {
    const all = { taken: [entry], isOwnOutput: true, limitMinutes: 1, usedMinutes: 1 };
    expect(judge({ ...all, isForced: true })).toEqual({ kind: 'job' });
  });
});

describe('a job of a watched file', () => {
  const failed = (code: ErrorCode): Job => conversionJob({ state: 'failed', problem: { code } });
  const open = { standing: 'open', nextTryAt: null, failures: 0 } as const;

  it('is begun again twice by itself, later each time, and then waits for a person', () => {
    const first = decideOnJobEnd(failed('service/refused'), open);
    const second = decideOnJobEnd(failed('service/refused'), { ...open, failures: 1 });
    expect([first, second]).toMatchObject([
      { kind: 'retry', failures: 1 },
      { kind: 'retry', failures: 2 },
    ]);
    expect(first.kind === 'retry' && second.kind === 'retry' && first.afterMs < second.afterMs).toBe(true);
    expect(decideOnJobEnd(failed('service/refused'), { ...open, failures: 2 })).toEqual({
      kind: 'quarantine',
      failures: 3,
    });
  });

  it('is not begun again for what is wrong with the file, and looks again at a file that changed', () => {
    expect(decideOnJobEnd(failed('input/not-audio'), open)).toEqual({ kind: 'quarantine', failures: 1 });
    expect(decideOnJobEnd(failed('input/changed'), open)).toEqual({ kind: 'look-again' });
  });

  it('looks again where a file could not be had, which may be the fault of its folder', () => {
    expect(decideOnJobEnd(failed('input/missing'), open)).toEqual({ kind: 'look-again' });
    expect(decideOnJobEnd(failed('input/unreadable'), open)).toEqual({ kind: 'look-again' });
  });

  it('is never begun again where its outcome is unknown, or a person cancelled it', () => {
    expect(decideOnJobEnd(conversionJob({ state: 'uncertain' }), open)).toEqual({ kind: 'uncertain' });
    expect(decideOnJobEnd(conversionJob({ state: 'cancelled' }), open)).toEqual({ kind: 'cancelled' });
  });

  it('counts once, however often its end is told', () => {
    expect(decideOnJobEnd(failed('service/refused'), { ...open, nextTryAt: 5 })).toEqual({ kind: 'nothing' });
    expect(decideOnJobEnd(failed('service/refused'), { ...open, standing: 'attention' })).toEqual({ kind: 'nothing' });
    expect(decideOnJobEnd(conversionJob({ state: 'queued' }), { ...open, standing: 'attention' })).toEqual({
      kind: 'open',
    });
  });
});
