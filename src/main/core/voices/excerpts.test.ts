import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSoundReader } from '../../../sound/sound-reader.ts';
import { bytesPerColumn } from '../../../sound/waveform.ts';
import { createExcerpts, type Excerpts, firstSoundingPart } from './excerpts.ts';

const sample = join(import.meta.dirname, '../../../../samples/lantern.mp3');

const soundReader = createSoundReader({ workerUrl: new URL('../../../sound/sound-worker.ts', import.meta.url) });
afterAll(() => soundReader.stop());

let folder: string;
let recording: string;
let excerpts: Excerpts;

/** As after a start of the program. */
const open = () => {
  excerpts = createExcerpts({ folder: join(folder, 'excerpt'), soundReader });
};
const files = async () => (await readdir(join(folder, 'excerpt'))).sort();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-excerpts-'));
  recording = join(folder, 'My take.mp3');
  await copyFile(sample, recording);
  open();
});
afterEach(() => rm(folder, { recursive: true }));

describe('the part that voices are tried on', () => {
  it('is there after a restart, also when its recording is gone', async () => {
    expect(await excerpts.current()).toBeNull();
    const { id: recordingId } = await excerpts.open(recording);
    const kept = await excerpts.cut({ recordingId, startSeconds: 1, seconds: 2 });
    expect(kept).toMatchObject({ name: 'My take.mp3', startSeconds: 1 });
    expect(kept.seconds).toBeCloseTo(2, 3);
    await rm(recording);
    open();
    expect(await excerpts.current()).toEqual(kept);
    await expect(excerpts.open(null)).rejects.toMatchObject({
      code: 'input/missing',
      problem: { facts: { name: 'My take.mp3' } },
    });
    const { path } = await excerpts.fileFor(kept.id, { uploadFormats: 'any', limits: {} as never });
    expect((await soundReader.readWaveform(path)).durationSeconds).toBeCloseTo(2, 3);
  });

  it('takes the place of the one before, of which nothing stays', async () => {
    const { id: recordingId } = await excerpts.open(recording);
    const first = await excerpts.cut({ recordingId, startSeconds: 0, seconds: 1 });
    await excerpts.fileFor(first.id, { uploadFormats: ['mp3'], limits: {} as never });
    const second = await excerpts.cut({ recordingId, startSeconds: 1, seconds: 1 });
    expect(await files()).toEqual([`${second.id}.wav`, 'excerpt.json']);
    await expect(excerpts.fileFor(first.id, { uploadFormats: 'any', limits: {} as never })).rejects.toMatchObject({
      code: 'input/missing',
    });
    await excerpts.remove();
    expect([await files(), await excerpts.current()]).toEqual([[], null]);
  });

  it.skipIf(process.platform === 'win32')('can be read by this user only', async () => {
    const { id: recordingId } = await excerpts.open(recording);
    await excerpts.cut({ recordingId, startSeconds: 0, seconds: 1 });
    expect((await stat(join(folder, 'excerpt'))).mode & 0o077).toBe(0);
  });

  it('stays as it was when another one cannot be cut', async () => {
    const { id: recordingId } = await excerpts.open(recording);
    const kept = await excerpts.cut({ recordingId, startSeconds: 0, seconds: 1 });
    await expect(excerpts.cut({ recordingId, startSeconds: 9999, seconds: 1 })).rejects.toMatchObject({
      code: 'input/not-audio',
    });
    await writeFile(recording, 'a letter');
    await expect(excerpts.cut({ recordingId, startSeconds: 0, seconds: 1 })).rejects.toMatchObject({
      code: 'input/not-audio',
    });
    expect([await excerpts.current(), await files()]).toEqual([kept, [`${kept.id}.wav`, 'excerpt.json']]);
  });

  it('is of the recording that was opened last', async () => {
    const first = await excerpts.open(recording);
    const second = await excerpts.open(sample);
    expect([excerpts.findRecording(first.id), excerpts.findRecording(second.id)]).toEqual([undefined, sample]);
    const part = { startSeconds: 0, seconds: 1 };
    await expect(excerpts.cut({ recordingId: first.id, ...part })).rejects.toMatchObject({ code: 'input/changed' });
  });

  it('is shown where it was when its recording is opened again', async () => {
    const { id: recordingId } = await excerpts.open(recording);
    await excerpts.cut({ recordingId, startSeconds: 1.5, seconds: 0.5 });
    open();
    expect(await excerpts.open(null)).toMatchObject({ startSeconds: 1.5, seconds: 0.5, name: 'My take.mp3' });
    expect(await excerpts.open(sample)).toMatchObject({ startSeconds: expect.closeTo(0, 0) as number });
  });

  it('is none if its record is damaged or its file is gone', async () => {
    const { id: recordingId } = await excerpts.open(recording);
    const { id } = await excerpts.cut({ recordingId, startSeconds: 0, seconds: 1 });
    const list = join(folder, 'excerpt', 'excerpt.json');
    const text = await readFile(list, 'utf8');
    for (const damaged of ['', '{}', text.replace(id, '../../secret'), text.slice(0, -9)]) {
      await writeFile(list, damaged);
      expect(await excerpts.current()).toBeNull();
    }
    await writeFile(list, text);
    await rm(join(folder, 'excerpt', `${id}.wav`));
    expect(await excerpts.current()).toBeNull();
  });

  it('keeps files that are not its own', async () => {
    const { id: recordingId } = await excerpts.open(recording);
    await excerpts.cut({ recordingId, startSeconds: 0, seconds: 1 });
    await writeFile(join(folder, 'excerpt', 'mine.wav'), 'x');
    await excerpts.remove();
    expect(await files()).toEqual(['mine.wav']);
  });

  it.each([
    ['not a sound', 'a letter', 'input/not-audio'],
    ['missing', null, 'input/missing'],
  ])('cannot be of a file that is %s', async (_, content, code) => {
    if (content === null) await rm(recording);
    else await writeFile(recording, content);
    await expect(excerpts.open(recording)).rejects.toMatchObject({ code, problem: { facts: { name: 'My take.mp3' } } });
  });
});

describe('the part that is offered', () => {
  /** A minute in columns of a second, of which these are sounding. */
  const waveform = (isSounding: (second: number) => boolean, durationSeconds = 60) => {
    const columns = new Uint8Array(durationSeconds * bytesPerColumn);
    for (let at = 0; at < durationSeconds; at += 1) columns[at * bytesPerColumn + 1] = isSounding(at) ? 90 : 2;
    return { columns, durationSeconds, levelDb: -20 };
  };
  it.each([
    ['begins with the first sound', (at: number) => at >= 7, 60, 7, 10],
    ['passes a click over', (at: number) => at === 2 || at >= 20, 60, 20, 10],
    ['is at the end if only that sounds', (at: number) => at >= 56, 60, 50, 10],
    ['is a whole short recording', () => true, 4, 0, 4],
    ['is the beginning of silence', () => false, 60, 0, 10],
  ] as const)('%s', (_, isSounding, duration, startSeconds, seconds) => {
    expect(firstSoundingPart(waveform(isSounding, duration))).toEqual({ startSeconds, seconds });
  });
});
