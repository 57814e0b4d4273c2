import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import type { TextDivision } from '../../shared/schemas/speech.ts';
import type { Pronunciation } from '../../shared/text/pronounce.ts';
import { openDatabase } from './database/database.ts';
import { outputPath } from './files/names.ts';
import type { SpeechRequest } from './jobs/new-job.ts';
import { createTakes, type Takes } from './speech/takes.ts';
import { createOpenedBatch, type OpenedBatch } from './opened-batch.ts';

const voice = { id: 'v', name: 'Low bronze', language: 'en-GB', gender: 'male', category: 'natural' } as const;
const settings = { voiceId: 'v', language: 'en-GB', speed: 1, pitch: 1, engine: 'v7', platform: 'web' } as const;

let folder: string;
let database: DatabaseSync;
let takes: Takes;
let list: Pronunciation[];
let getVoice: () => Promise<typeof voice>;
let nameTemplate: string;
let sent: { readonly text: string; readonly request: SpeechRequest }[];
let batch: OpenedBatch;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-batch-'));
  database = await openDatabase(join(folder, 'data'));
  takes = createTakes(database, join(folder, 'takes'));
  [list, sent, nameTemplate] = [[], [], defaultSettings.nameTemplate];
  getVoice = () => Promise.resolve(voice);
  const document = { name: 'S', limits: { maxTextLength: null }, hosts: { voice: 'http://s' } };
  const dependencies = {
    connections: { get: () => ({ document }) },
    voices: {
      get: () => getVoice(),
      listAll: () => Promise.resolve({ voices: [voice], problem: null }),
    },
    queue: () =>
      Promise.resolve({
        takes,
        submitJobs: {
          addTexts(texts: typeof sent) {
            sent.push(...texts);
            const ids = texts.map((_, k) => String(k));
            return Promise.resolve({ ids, createdIds: ids });
          },
        },
      }),
    settings: () => Promise.resolve({ get: () => ({ ...defaultSettings, outputFolder: folder, nameTemplate }) }),
    draft: () => Promise.resolve({ setOpened: () => undefined }),
  };
  batch = createOpenedBatch({
    ...(dependencies as unknown as Parameters<typeof createOpenedBatch>[0]),
    speechFolder: () => folder,
    pronunciations: () => list,
  });
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const request = (division: TextDivision = 'paragraphs') => ({ settings, division });
const rows = async (given = request()) => (await batch.list({ ...given, from: 0 })).rows;
const texts = async () => (await rows()).map(({ text }) => text);

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('the paragraphs of the draft', () => {
  it('are listed and added with what the user has seen, and with nothing else', async () => {
    await batch.openDraft('Timbre one.\n\nTwo.');
    await expect(batch.speak({ ...request(), count: 2 })).rejects.toMatchObject({ code: 'request/invalid' });
    expect(await rows()).toMatchObject([
      { title: 'Timbre one. Two. 001', text: 'Timbre one.', characters: 11, calls: 1 },
      { title: 'Timbre one. Two. 002', text: 'Two.', characters: 4, calls: 1 },
    ]);
    list.push({ language: '', word: 'Timbre', spoken: 'Tamber' });
    await expect(batch.speak({ ...request(), count: 2 })).rejects.toMatchObject({ code: 'request/invalid' });
    await rows();
    expect(await batch.speak({ ...request(), count: 2 })).toEqual({ added: 2, known: 0 });
    expect(sent[0]?.request.settings).toMatchObject({ textFormat: 'paragraph', pronunciations: list });
  });

  it('cost once what several of them say', async () => {
    await batch.openDraft('La la.\n\nOne.\n\nLa la.\n\nTwo.\n\nLa la.');
    expect(await batch.list({ ...request(), from: 0 })).toMatchObject({ texts: 5, calls: 3, characters: 14 });
  });

  it('of which nothing is heard become no file', async () => {
    list.push({ language: '', word: 'Foo', spoken: '…' });
    await batch.openDraft('One.\n\nAnna:\n\nTwo.\n\nAnna: …\n\nFoo\n\nAnna: Three.');
    const given = {
      ...request(),
      settings: { ...settings, speakers: [{ name: 'Anna', voiceId: 'v', voiceName: 'V' }] },
    };
    expect((await rows(given)).map(({ text, problem }) => [text, problem])).toEqual([
      ['One.', null],
      ['Two.', null],
      ['Anna: Three.', null],
    ]);
  });

  it('are one text if there is only one, with its problem if nothing of it is heard', async () => {
    await batch.openDraft('One. Two.');
    expect(await rows()).toMatchObject([{ title: 'One. Two.', text: 'One. Two.', problem: null }]);
    await batch.openDraft('…');
    expect(await rows()).toMatchObject([{ problem: { code: 'input/text-empty' } }]);
  });

  it('are still there to be spoken once an earlier reading of them fails', async () => {
    const lost = Promise.withResolvers<typeof voice>();
    const asked = new Promise<void>((resolve) => {
      getVoice = () => {
        resolve();
        return lost.promise;
      };
    });
    await batch.openDraft('One.\n\nTwo.');
    const earlier = rows();
    await asked;
    getVoice = () => Promise.resolve(voice);
    expect(await rows()).toHaveLength(2);
    lost.reject(new Error('no answer'));
    await expect(earlier).rejects.toThrow('no answer');
    expect(await batch.speak({ ...request(), count: 2 })).toEqual({ added: 2, known: 0 });
  });

  it('keep their number also under a template for names without one', async () => {
    nameTemplate = '{voice}/{date}';
    await batch.openDraft('One.\n\nTwo.');
    await rows();
    await batch.speak({ ...request(), count: 2 });
    await batch.openDraft('One.');
    await rows();
    await batch.speak({ ...request(), count: 1 });
    await batch.open([await file('signs.tsv', 'name\ttext\npier\tMind the gap.\n\tAll aboard.')]);
    await rows(request('whole'));
    await batch.speak({ ...request('whole'), count: 2 });
    const own = '{voice}/{date}, {name}';
    expect(sent.map(({ request: { nameTemplate: used } }) => used)).toEqual([
      own,
      own,
      '{voice}/{date}',
      '{name}',
      own,
    ]);
  });

  it('are refused when they are opened if they are too many', async () => {
    const many = Array.from({ length: 20_001 }, (_, k) => `N ${k}.`).join('\n\n');
    await batch.openDraft('One.\n\nTwo.');
    await expect(batch.openDraft(many)).rejects.toMatchObject({ code: 'table/too-many-rows' });
    expect(await texts()).toEqual(['One.', 'Two.']);
  });

  it('stay open if files cannot be opened in their place', async () => {
    await batch.openDraft('One.\n\nTwo.');
    await expect(batch.open([await file('bad.txt', '\0\0')])).rejects.toMatchObject({ code: 'input/not-text' });
    expect(await texts()).toEqual(['One.', 'Two.']);
  });

  it('are listed while main does other things', async () => {
    await batch.openDraft(Array.from({ length: 1000 }, (_, k) => `Number ${k}. It is late.`).join('\n\n'));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await rows();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('files', () => {
  it.each([
    ['whole or by paragraphs', ['a.txt', 'b.txt'], ['whole', 'paragraphs']],
    ['by chapters, by paragraphs or whole', ['a.txt', 'book.md'], ['chapters', 'paragraphs', 'whole']],
    ['only whole if they have single paragraphs', ['one.txt', 'talk.srt', 'list.csv'], ['whole']],
  ])('are spoken %s', async (_how, names, divisions) => {
    await file('a.txt', 'One.\n\nTwo.');
    await file('b.txt', 'Three.');
    await file('one.txt', 'One.');
    await file('book.md', '# A\n\nOne.\n\n# B\n\nTwo.');
    await file('talk.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello.\n');
    await file('list.csv', 'One.\n');
    const opened = await batch.open(names.map((name) => join(folder, name)));
    expect(opened).toMatchObject({ kind: 'batch', name: null, files: names.length, divisions });
  });

  it('with long names give each paragraph a name of its own, in whole characters', async () => {
    for (const stem of ['章'.repeat(80), `a${'b'.repeat(118)}😀😀`]) {
      await batch.open([await file(`${stem}.md`, '# One\n\nTwo.\n\n# Three\n\nFour.')]);
      await rows();
      await batch.speak({ ...request(), count: 4 });
    }
    const names = sent.map(({ request: { settings: own } }) =>
      outputPath(
        folder,
        '{name}, {voice}',
        {
          name: own.title ?? '',
          voice: voice.name,
          connection: '',
          createdAt: new Date(0),
          format: '.wav',
          language: '',
        },
        1,
      ),
    );
    expect(new Set(names).size).toBe(8);
    expect(names.join()).not.toContain('\ufffd');
  });
});
