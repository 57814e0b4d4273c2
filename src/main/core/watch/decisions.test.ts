import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../shared/errors.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { Job } from '../jobs/job.ts';
import type { Signature } from '../files/identity.ts';
import type { StableFile, DiscoveredFile } from '../scanner/scanner.ts';
import type { FileRecord } from './file-record.ts';
import { decideOnJobEnd, decideOnStable, decideOnDiscovered } from './decisions.ts';
import type { LedgerEntry } from './ledger.ts';

const signature: Signature = { device: '1', inode: '10', sizeBytes: 100, modifiedNs: '5', changedNs: '6' };
const recordOf = (change: Partial<FileRecord> = {}): FileRecord => ({
  folderId: 'f',
  path: 'a.wav',
  changeNumber: 1,
  stateChangedAt: 0,
  isPresent: true,
  signature,
  sha256: 'aa',
  durationSeconds: 1,
  decision: 'job',
  stage: 'rest',
  duplicateOf: null,
  problem: null,
  jobId: 'j',
  failures: 0,
  nextTryAt: null,
  isForced: false,
  disposalState: null,
  movedTo: null,
  ...change,
});

describe('a discovered file', () => {
  const discovered = (change: Partial<Signature> = {}): DiscoveredFile => ({
    path: 'a.wav',
    kind: 'file',
    signature: { ...signature, ...change },
  });
  const decide = (
    file: DiscoveredFile,
    record?: FileRecord,
    baselineStage: 'scanning' | 'asking' | 'answered' = 'answered',
  ) => decideOnDiscovered(file, record, { baselineStage, isInBaseline: false });

  it('goes to the gate when it is new, except in the first scan of its folder', () => {
    expect(decide(discovered())).toBe('await-stable');
    expect(decide(discovered(), undefined, 'asking')).toBe('await-stable');
    expect(decide(discovered(), undefined, 'scanning')).toBe('baseline');
    expect(decideOnDiscovered(discovered(), undefined, { baselineStage: 'answered', isInBaseline: true })).toBe(
      'baseline',
    );
  });

  it('is known by inode, size and time, whatever its device number', () => {
    expect(decide(discovered(), recordOf())).toBe('known');
    expect(decide(discovered({ device: '2' }), recordOf())).toBe('known');
    expect(decide(discovered({ changedNs: '7' }), recordOf())).toBe('touch');
    for (const change of [{ inode: '11' }, { sizeBytes: 101 }, { modifiedNs: '9' }]) {
      expect(decide(discovered(change), recordOf())).toBe('await-stable');
    }
  });

  it('stays in the baseline on a disk that makes inodes up, and is new with another time', () => {
    expect(decide(discovered({ inode: '99' }), recordOf({ decision: 'baseline' }))).toBe('known');
    expect(decide(discovered({ modifiedNs: '9' }), recordOf({ decision: 'baseline' }))).toBe('await-stable');
    expect(decide(discovered({ modifiedNs: '9' }), recordOf({ decision: 'baseline' }), 'scanning')).toBe('baseline');
  });

  it('goes to the gate again if it was there, or if an unreadable one got other permissions', () => {
    expect(decide(discovered(), recordOf({ decision: 'waiting' }))).toBe('await-stable');
    expect(decide(discovered(), recordOf({ decision: 'budget' }))).toBe('await-stable');
    expect(decide(discovered(), recordOf({ decision: 'refused' }))).toBe('known');
    expect(decide(discovered({ changedNs: '7' }), recordOf({ decision: 'refused' }))).toBe('await-stable');
  });

  it('is converted once it was downloaded from a cloud, unless it is in the baseline', () => {
    const placeholder: DiscoveredFile = { ...discovered(), kind: 'placeholder' };
    expect(decide(placeholder)).toBe('placeholder');
    expect(decide(placeholder, recordOf({ decision: 'placeholder' }))).toBe('known');
    expect(decide(discovered(), recordOf({ decision: 'placeholder' }))).toBe('await-stable');
    expect(decide(placeholder, undefined, 'scanning')).toBe('baseline');
    expect(decide(placeholder, recordOf({ decision: 'baseline', isPresent: false }))).toBe('known');
    expect(decide(discovered(), recordOf({ decision: 'baseline', isPresent: false }))).toBe('touch');
  });

  it('keeps its decision when a cloud evicts its content', () => {
    const placeholder: DiscoveredFile = { ...discovered({ changedNs: '7' }), kind: 'placeholder' };
    expect(decide(placeholder, recordOf())).toBe('known');
    expect(decide(placeholder, recordOf({ decision: 'baseline' }))).toBe('known');
    expect(decide(placeholder, recordOf({ decision: 'waiting' }))).toBe('placeholder');
    expect(decide({ ...placeholder, signature: { ...signature, sizeBytes: 7 } }, recordOf())).toBe('placeholder');
  });

  it('goes to the gate when it replaces a link', () => {
    expect(decide(discovered(), recordOf({ decision: 'link' }))).toBe('await-stable');
  });

  it('never goes to the gate if it is a link', () => {
    expect(decide({ ...discovered(), kind: 'link' })).toBe('link');
    expect(decide({ ...discovered(), kind: 'link' }, recordOf({ decision: 'link' }))).toBe('known');
  });
});

describe('a file that passed the gate', () => {
  const file: StableFile = { path: 'a.wav', signature, sha256: 'aa', durationSeconds: 120, text: null };
  const entry: LedgerEntry = {
    sha256: 'aa',
    settingsHash: 's',
    jobId: 'j',
    path: 'b.wav',
    isUnfinished: false,
    durationSeconds: 1,
  };
  const decide = (change: Partial<Parameters<typeof decideOnStable>[2]> = {}, given = file) =>
    decideOnStable(given, 'a.wav', {
      submitted: [],
      settingsHash: 's',
      isOwnOutput: false,
      isForced: false,
      limitMinutes: null,
      usedMinutes: 0,
      isWithinHours: true,
      hasNamedVoice: false,
      hasFile: () => true,
      ...change,
    });

  it('waits for the hours of its folder, unless the user asked for it or the limit of the day comes first', () => {
    expect(decide({ isWithinHours: false })).toEqual({ kind: 'hours' });
    expect(decide({ isWithinHours: false, isForced: true })).toEqual({ kind: 'job' });
    expect(decide({ isWithinHours: false, limitMinutes: 5, usedMinutes: 4 })).toEqual({ kind: 'budget' });
    expect(decide({ isWithinHours: false, submitted: [entry] })).toEqual({ kind: 'same-sound', entry });
  });

  it('asks the user if its subfolder names another voice than the one its content was converted with', () => {
    const other = { ...entry, settingsHash: 'other' };
    const refused = {
      kind: 'refused',
      problem: { code: 'watch/another-voice', facts: { name: 'b.wav' } },
      needsUser: true,
    };
    expect(decide({ hasNamedVoice: true, submitted: [other] })).toEqual(refused);
    expect(decide({ hasNamedVoice: true, submitted: [other], isForced: true })).toEqual({ kind: 'job' });
    expect(decide({ hasNamedVoice: true, submitted: [other, entry] }).kind).toBe('same-sound');
  });

  it('becomes a job once for each content and settings', () => {
    expect(decide()).toEqual({ kind: 'job' });
    expect(decide({ submitted: [entry] })).toEqual({ kind: 'same-sound', entry });
    expect(decide({ submitted: [entry], hasFile: () => false })).toEqual({ kind: 'converted', entry });
    expect(decide({ submitted: [{ ...entry, path: 'a.wav' }] }).kind).toBe('converted');
    expect(decide({ submitted: [{ ...entry, settingsHash: 'other' }] }).kind).toBe('other-settings');
    expect(decide({ isOwnOutput: true })).toEqual({ kind: 'own-output' });
  });

  it('waits before the minutes of a day are exceeded, and says what can never fit', () => {
    expect(decide({ limitMinutes: 10, usedMinutes: 8 })).toEqual({ kind: 'job' });
    expect(decide({ limitMinutes: 10, usedMinutes: 8.1 })).toEqual({ kind: 'budget' });
    expect(decide({ limitMinutes: 1 })).toMatchObject({ problem: { code: 'watch/too-long' } });
    const unmeasured = { ...file, durationSeconds: null };
    expect(decide({ limitMinutes: 1 }, unmeasured)).toMatchObject({ problem: { code: 'watch/length-unknown' } });
    expect(decide({}, unmeasured)).toEqual({ kind: 'job' });
  });

  it('always becomes a job if the user wants it', () => {
    const all = { submitted: [entry], isOwnOutput: true, limitMinutes: 1, usedMinutes: 1 };
    expect(decide({ ...all, isForced: true })).toEqual({ kind: 'job' });
  });
});

describe('a job of a watched file', () => {
  const failed = (code: ErrorCode): Job => conversionJob({ state: 'failed', problem: { code } });
  const open = { stage: 'open', nextTryAt: null, failures: 0 } as const;

  it('is retried twice, later each time, and then waits for the user', () => {
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

  it('is not retried for a problem of the file, and rechecks a file that changed', () => {
    expect(decideOnJobEnd(failed('input/not-audio'), open)).toEqual({ kind: 'quarantine', failures: 1 });
    // It was paid for as often as the connection allows.
    expect(decideOnJobEnd(failed('service/result-gone'), open)).toEqual({ kind: 'quarantine', failures: 1 });
    expect(decideOnJobEnd(failed('input/changed'), open)).toEqual({ kind: 'recheck' });
  });

  it('rechecks a file that could not be read, as its folder may be at fault', () => {
    expect(decideOnJobEnd(failed('input/missing'), open)).toEqual({ kind: 'recheck' });
    expect(decideOnJobEnd(failed('input/unreadable'), open)).toEqual({ kind: 'recheck' });
  });

  it('is never retried if its outcome is unknown or the user cancelled it', () => {
    expect(decideOnJobEnd(conversionJob({ state: 'uncertain' }), open)).toEqual({ kind: 'uncertain' });
    expect(decideOnJobEnd(conversionJob({ state: 'cancelled' }), open)).toEqual({ kind: 'cancelled' });
  });

  it('counts once, however often its end is reported', () => {
    expect(decideOnJobEnd(failed('service/refused'), { ...open, nextTryAt: 5 })).toEqual({ kind: 'nothing' });
    expect(decideOnJobEnd(failed('service/refused'), { ...open, stage: 'attention' })).toEqual({ kind: 'nothing' });
    expect(decideOnJobEnd(conversionJob({ state: 'queued' }), { ...open, stage: 'attention' })).toEqual({
      kind: 'open',
    });
  });
});
