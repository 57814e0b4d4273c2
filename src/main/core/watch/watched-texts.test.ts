import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Speaker } from '../../../shared/schemas/speech.ts';
import type { SpeechJob } from '../jobs/job.ts';
import { conversionHash, settingsHash } from './ledger.ts';
import { folderSpeech, useWatchFixture, type WatchFixture } from './watch.fixture.ts';

const speech = folderSpeech;
let fixture: WatchFixture;

useWatchFixture((opened) => void (fixture = opened));

const at = (path: string) => join(fixture.root, path);
const outputs = async () =>
  (await readdir(join(fixture.folder, 'out'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
const record = (path: string) => fixture.file(path)?.record;
const isDone = (path: string) => {
  const view = fixture.file(path);
  return view?.job?.state === 'done' && view.record.stage === 'rest';
};
const isScanned = () => {
  const [view] = fixture.watch.listFolders();
  return view?.checkedAt !== null && (view?.mode === 'watching' || view?.mode === 'polling');
};
const texts = () => fixture.jobs().flatMap((job) => (job.kind === 'speech' ? [job.text] : []));

const write: WatchFixture['write'] = (...file) => fixture.write(...file);
const watch: WatchFixture['watchFolder'] = (change) => fixture.watchFolder({ speech, ...change });
/** Adds a last text: once it is spoken, everything before it was looked at. */
async function writeLast(name = 'last.txt'): Promise<void> {
  await write(name, `This is ${name}.`, 99);
  await fixture.until(`${name} is done`, () => isDone(name));
}

describe('a watched folder that speaks texts', () => {
  it('turns each text that is saved there into speech, with its name and its tree, once', async () => {
    await watch();
    await write('day 1/Letter.TXT', '\ufeffGood evening.');
    await write('notes.md', '# Day *one*\n\n- Milk');
    await fixture.put('take.wav', 1);
    const letter = join('day 1', 'Letter.TXT');
    await fixture.until('all are done', () => [letter, 'notes.md', 'take.wav'].every(isDone));
    expect(await outputs()).toEqual(['Letter.wav', 'notes.wav', 'take.wav']);
    expect(texts().sort()).toEqual(['Day one.\n\nMilk.', 'Good evening.']);
    const job = fixture.file(letter)?.job as SpeechJob;
    expect(job.settings).toEqual({ ...speech, voiceId: job.voice.id, language: job.voice.language });
    expect(job.source).toMatchObject({ path: at(letter), subfolder: 'day 1' });
    await fixture.restart();
    await fixture.until('it was looked over again', isScanned);
    await writeLast();
    expect(fixture.jobs()).toHaveLength(4);
  });

  it('puts a result beside its text if the folder says so, and never takes it for a recording', async () => {
    await watch({ outputFolder: null });
    await write('a.txt', 'Hello.');
    await fixture.until('a.txt is done', () => isDone('a.txt'));
    await fixture.until('its result was seen', () => record('a.wav')?.decision === 'own-output');
    expect(fixture.jobs()).toHaveLength(1);
  });

  it('does not speak texts by itself, and looks at none of them', async () => {
    await fixture.save();
    await fixture.until('the folder is watched', isScanned);
    await write('a.txt', 'Hello.');
    await fixture.put('last.wav', 99);
    await fixture.until('last.wav is done', () => isDone('last.wav'));
    expect([record('a.txt'), texts()]).toEqual([undefined, []]);
    expect(await fixture.watch.explain(at('a.txt'))).toMatchObject({ kind: 'ending', ending: '.txt' });
  });

  it('speaks only the last of several versions, and the next one under its own name', async () => {
    await watch();
    // An editor that writes in place, twice, and one that saves under another name first.
    await writeFile(at('a.txt'), 'First dra');
    await writeFile(at('a.txt'), 'First draft.');
    await appendFile(at('a.txt'), ' Better.');
    await writeFile(at('.b.txt.swp'), 'no');
    await writeFile(at('b.txt~'), 'old');
    await writeFile(at('b.txt.tmp'), 'Second.');
    await rename(at('b.txt.tmp'), at('b.txt'));
    await fixture.until('both are done', () => isDone('a.txt') && isDone('b.txt'));
    expect(texts().sort()).toEqual(['First draft. Better.', 'Second.']);
    const before = await readFile(join(fixture.folder, 'out', 'a.wav'));
    await writeFile(at('c.tmp'), 'Third draft.');
    await rename(at('c.tmp'), at('a.txt'));
    await fixture.until('it is spoken again', () => texts().includes('Third draft.') && isDone('a.txt'));
    expect(await outputs()).toEqual(['a (2).wav', 'a.wav', 'b.wav']);
    expect(await readFile(join(fixture.folder, 'out', 'a.wav'))).toEqual(before);
    // Saved again without a change, and as it was before.
    await writeFile(at('a.txt'), 'Third draft.');
    await writeFile(at('d.txt'), 'First draft. Better.');
    await fixture.until('the old text is known', () => record('d.txt')?.stage === 'rest' && isDone('d.txt'));
    await writeLast();
    expect(texts()).toHaveLength(4);
  });

  it.each([
    ['empty.txt', ' \n', { code: 'input/text-empty', facts: { name: 'empty.txt' } }],
    ['signs.txt', '*** → ***', { code: 'input/text-empty' }],
    ['code.md', '```\nx\n```', { code: 'input/text-empty', facts: { name: 'code.md' } }],
    ['binary.txt', 'a\0b', { code: 'input/not-text', facts: { name: 'binary.txt' } }],
    ['cyrillic.txt', Buffer.from('cff0e8e2e5f2', 'hex'), { code: 'input/not-text', facts: { name: 'cyrillic.txt' } }],
  ])('refuses %s with a reason, and speaks it once it can', async (name, content, problem) => {
    await watch();
    await write(name, content);
    await fixture.until('it is refused', () => record(name)?.decision === 'refused');
    expect(record(name)).toMatchObject({ problem, stage: 'rest' });
    await write(name, 'Now it speaks.', 2);
    await fixture.until('it is done', () => isDone(name));
    expect(texts()).toEqual(['Now it speaks.']);
  });

  it('speaks a text that is longer than the connection accepts, which its job divides', async () => {
    fixture.limitTexts(20);
    await fixture.restart(undefined, false);
    await watch();
    await write('long.txt', 'A'.repeat(21));
    await fixture.until('it is a job', () => record('long.txt')?.decision === 'job');
    expect(texts()).toEqual(['A'.repeat(21)]);
  });

  it('estimates lengths for the preview, the question about the baseline and the minutes of a day', async () => {
    // 120 letters take ten seconds, at half the speed twenty.
    const slow = { ...speech, speed: 0.5 };
    await write('a.txt', 'abcdefghij. '.repeat(10));
    await write('b.md', 'Hello!');
    await fixture.put('c.wav', 1);
    const preview = await fixture.watch.preview({ ...fixture.settings, speech: slow });
    expect(preview).toMatchObject({ count: 1, texts: 2, refused: 0, ignored: 0 });
    expect(preview.files.map(({ path, seconds }) => [path, seconds])).toEqual([
      ['a.txt', 20],
      ['b.md', 1],
      ['c.wav', 0.3],
    ]);
    const { folder } = await fixture.save({ speech: slow, dailyMinutes: 1 });
    const view = () => fixture.watch.getFolder(folder.id);
    await fixture.until('it was measured', () => view().isMeasured && view().baseline?.files === 3);
    expect(view().baseline).toMatchObject({ files: 3, texts: 2, seconds: 21.3 });
    fixture.watch.answerBaseline(folder.id, 'convert');
    await fixture.until('all are done', () => ['a.txt', 'b.md', 'c.wav'].every(isDone));
    expect(view().minutesToday).toBeCloseTo(21.3 / 60);
    await write('d.txt', 'abcdefghij. '.repeat(20));
    await fixture.until('it waits for tomorrow', () => record('d.txt')?.decision === 'budget');
    await write('e.txt', 'abcdefghij. '.repeat(31));
    await fixture.until('it is too long', () => record('e.txt')?.problem?.code === 'watch/too-long');
    expect(texts()).toHaveLength(2);
  });

  it('tries a failed text again with the settings that the folder has by then', async () => {
    const anna = (voiceId: string): Speaker => ({ name: 'Anna', voiceId, voiceName: voiceId });
    const id = await watch({ speech: { ...speech, speakers: [anna('gone')] } });
    await write('a.txt', 'Anna: Hello.\n\nNobody else.');
    await fixture.until('it has failed', () => fixture.file('a.txt')?.job?.state === 'failed');
    await fixture.save({ speech: { ...speech, speakers: [anna('mango-grove')] } }, id);
    fixture.watch.convert(id, ['a.txt']);
    await fixture.until('it is done', () => isDone('a.txt'));
    const [failed, done] = fixture.jobs();
    expect([failed?.state, done?.state]).toEqual(['failed', 'done']);
    expect((done as SpeechJob).settings.speakers).toMatchObject([{ voiceId: 'mango-grove' }]);
  });

  it('speaks only the last version of a text that changes while voices are listed', async () => {
    await watch({ hasSubfolderVoices: true });
    const [begun, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    fixture.listing = () => {
      begun.resolve(undefined);
      return ended.promise;
    };
    const path = 'Low bronze/a.txt';
    await write(path, 'Draft.');
    await begun.promise;
    const draft = record(path)?.signature.modifiedNs;
    await write(path, 'Final.', 2);
    await fixture.until('the change is seen', () => record(path)?.signature.modifiedNs !== draft);
    ended.resolve(undefined);
    await fixture.until('it is spoken', () => isDone(path));
    expect(texts()).toEqual(['Final.']);
  });

  it('speaks a text in a subfolder with the voice that the subfolder is named after', async () => {
    await watch({ hasSubfolderVoices: true });
    await write('Mango grove/a.txt', 'Hello.');
    const inside = join('Mango grove', 'a.txt');
    await fixture.until('it is done', () => isDone(inside));
    expect(fixture.file(inside)?.job?.voice.name).toBe('Mango grove');
    expect((fixture.file(inside)?.job as SpeechJob).settings.voiceId).toBe('mango-grove');
  });

  it('speaks the lines of speakers with their voices, and keeps its pauses', async () => {
    const [anna, berta] = ['mango-grove', 'clear-fjord'].map((voiceId, k) => ({
      name: ['Anna', 'Berta'][k] ?? '',
      voiceId,
      voiceName: voiceId,
      language: 'fr',
      speed: 0.5,
    })) as [Speaker, Speaker];
    const pauses = { sentence: 1, paragraph: 2 };
    await watch({ speech: { ...speech, speakers: [anna, berta], pauses } });
    await write('scene.txt', 'Anna: Good evening.\n\nThe door opens.');
    await write('plain.txt', 'Nobody speaks.', 2);
    await write('scene.srt', '1\n00:00:00,000 --> 00:00:02,000\nAnna: hello', 3);
    await fixture.until('all are done', () => ['scene.txt', 'plain.txt', 'scene.srt'].every(isDone));
    const settings = (path: string) => (fixture.file(path)?.job as SpeechJob).settings;
    expect(settings('scene.txt')).toMatchObject({ speakers: [anna], pauses });
    expect(settings('plain.txt')).not.toHaveProperty('speakers');
    expect(settings('scene.srt')).not.toHaveProperty('speakers');
    // Fourteen letters, at twelve a second and the speed of the slowest.
    expect(record('plain.txt')?.durationSeconds).toBeCloseTo(14 / 12 / 0.5);
  });

  it('pays for no name of a speaker without words', async () => {
    const [anna, berta] = ['mango-grove', 'clear-fjord'].map((voiceId, k) => ({
      ...{ name: ['Anna', 'Berta'][k] ?? '', voiceId, voiceName: voiceId },
    })) as [Speaker, Speaker];
    await watch({ speech: { ...speech, speakers: [anna, berta] } });
    const scene = 'Anna: Hello.\n\nBerta:\n\nAnna: And again.\nBerta:\n';
    await write('a.txt', scene);
    await write('b.txt', 'Anna:\nBerta:\n');
    await write('c.csv', 'text\nAnna:\nOther.\n');
    await fixture.until('all are settled', () =>
      ['a.txt', 'b.txt', 'c.csv'].every((path) => ['job', 'refused'].includes(record(path)?.decision ?? '')),
    );
    const speakers = [anna, berta];
    expect((fixture.file('a.txt')?.job as SpeechJob).settings).toMatchObject({ speakers });
    expect(record('b.txt')).toMatchObject({ problem: { code: 'input/text-empty' }, stage: 'rest' });
    expect(record('c.csv')?.problem).toEqual({ code: 'table/bad-rows', facts: { count: 1, rows: '2 table/no-text' } });
    expect(texts().sort()).toEqual([scene, 'Other.']);
  });

  it('moves a text to Done once its speech is verified, and leaves one that was changed meanwhile', async () => {
    await watch({ afterwards: 'done' });
    await write('a.txt', 'Hello.');
    await fixture.until('it was moved', () => record('a.txt')?.disposalState === 'moved');
    expect([record('a.txt')?.movedTo, await readFile(at('Done/a.txt'), 'utf8')]).toEqual([
      join('Done', 'a.txt'),
      'Hello.',
    ]);
    const changed = Promise.withResolvers<void>();
    const end = fixture.queue.store.onEvent((event) => {
      if (event.kind !== 'upserted' || !event.jobs.some(({ state }) => state === 'converting')) return;
      end();
      writeFile(at('b.txt'), 'Other words.').then(changed.resolve, changed.reject);
    });
    await write('b.txt', 'Some words.');
    await changed.promise;
    await fixture.until('both were spoken', () => texts().length === 3 && record('b.txt')?.disposalState === 'moved');
    expect(await readFile(at('Done/b.txt'), 'utf8')).toBe('Other words.');
    expect(await outputs()).toEqual(['a.wav', 'b (2).wav', 'b.wav']);
    fixture.defects.forEach((defect) => expect(defect).toMatchObject({ code: 'watch/source-stays' }));
    fixture.forgetDefects();
  });

  it('trashes a text if the folder says so', async () => {
    await watch({ afterwards: 'trash' });
    await write('a.txt', 'Hello.');
    await fixture.until('it was trashed', () => record('a.txt')?.disposalState === 'trashed');
    expect(fixture.trashed).toEqual([at('a.txt')]);
  });

  it('speaks a text again with other settings only if the user asks', async () => {
    const id = await watch();
    await write('a.txt', 'Hello.');
    await fixture.put('b.wav', 1);
    await fixture.until('both are done', () => isDone('a.txt') && isDone('b.wav'));
    await watch({ speech: { ...speech, speed: 1.5 } });
    expect([record('a.txt')?.decision, record('b.wav')?.decision]).toEqual(['other-settings', 'job']);
    await watch({ conversion: { ...fixture.settings.conversion, pitch: 1.2 } });
    expect([record('a.txt')?.decision, record('b.wav')?.decision]).toEqual(['job', 'other-settings']);
    await watch({ speech: { ...speech, language: 'de-DE' } });
    fixture.watch.convert(id, ['a.txt']);
    await fixture.until('it is spoken again', () => texts().length === 2 && isDone('a.txt'));
    expect(await outputs()).toEqual(['a (2).wav', 'a.wav', 'b.wav']);
  });

  it('keeps what it knows while texts are switched off, and ignores those at the gate', async () => {
    await watch();
    await write('a.txt', 'Hello.');
    await fixture.until('a.txt is done', () => isDone('a.txt'));
    await writeFile(at('b.txt'), 'Still being written');
    await fixture.until('b.txt is at the gate', () => record('b.txt')?.decision === 'waiting');
    await watch({ speech: null });
    await fixture.until('nothing is awaited', () => fixture.watch.listFolders()[0]?.counts.incoming === 0);
    expect(record('a.txt')?.decision).toBe('job');
    // The user asks for a text that the folder no longer speaks.
    fixture.watch.convert(fixture.watch.listFolders()[0]?.folder.id ?? '', ['a.txt']);
    await fixture.until('nothing came of it', () => {
      const now = record('a.txt');
      return now?.decision === 'waiting' && now.stage === 'rest' && !now.isForced;
    });
    expect(fixture.watch.listFolders()[0]?.counts.incoming).toBe(0);
    await rm(at('b.txt'));
    await watch();
    await writeLast();
    await fixture.until('a.txt is known again', () => isDone('a.txt'));
    expect(texts()).toEqual(['Hello.', 'This is last.txt.']);
  });
});

describe('the hash of the settings', () => {
  it('is for recordings what it was before texts could be spoken, so that none is converted again', () => {
    const { settings } = fixture;
    const before = createHash('sha256')
      .update(JSON.stringify([settings.connectionId, Object.entries(settings.conversion).sort()]))
      .digest('hex');
    expect(conversionHash(settings)).toBe(before);
    expect(settingsHash('a.wav', { ...settings, speech })).toBe(before);
    expect(settingsHash('a.wav', { ...settings, speech: { ...speech, speed: 2 } })).toBe(before);
  });

  it('is for texts another one with each of their settings, the voice and the connection, and not with those of recordings', () => {
    const { settings } = fixture;
    const hash = (change: Parameters<WatchFixture['save']>[0]) =>
      settingsHash('a.md', { ...settings, speech, ...change });
    const { conversion } = settings;
    const others = [
      hash({}),
      hash({ connectionId: 'other' }),
      hash({ conversion: { ...conversion, voiceId: 'other' } }),
      ...(['language', 'speed', 'pitch', 'engine', 'platform'] as const).map((key) =>
        hash({ speech: { ...speech, [key]: 'other' } }),
      ),
      hash({ speech: { ...speech, speakers: [{ name: 'Anna', voiceId: 'other', voiceName: '' }] } }),
      conversionHash(settings),
    ];
    expect(new Set(others).size).toBe(others.length);
    expect(hash({ conversion: { ...conversion, pitch: 2, format: '.mp3' } })).toBe(hash({}));
  });
});
