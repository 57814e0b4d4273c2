import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import type { RepeatChanges } from '../../../shared/schemas/history.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { systemClock } from '../clock.ts';
import { createOwnResults } from '../jobs/own-results.ts';
import { createSubmitJobs } from '../jobs/submit-jobs.ts';
import { speechJob, testVoice } from '../jobs/job.fixture.ts';
import { type ConversionJob, type Job, outputPathOf } from '../jobs/job.ts';
import { previewRepeat, repeatJobs } from './repeat-job.ts';
import { createFileQueries } from './file-status.ts';
import { countReads, useLibrary } from './history-entries.fixture.ts';

const library = useLibrary();
const other: Voice = { ...testVoice, id: 'high-glass', name: 'High glass' };
let job: ConversionJob;
let known: Map<string, Voice>;
let connections: Map<string, ConnectionDocument>;
let failure: AppError | null;

const settings = { voiceId: testVoice.id, pitch: 1.2, speed: 0.9, pitchControl: 'x', autoF0: false } as const;

beforeEach(async () => {
  const { write, done } = library();
  const change = {
    settings: { ...settings, engine: 'v5', format: '.mp3' },
    audioName: 'a name',
    platform: 'win',
    taskId: 'task',
    target: { folder: library().at('results'), nameTemplate: '{name} as {voice}' },
  } as const;
  job = (await done(
    'a',
    await write('in/a.wav', 'source'),
    await write('out/a.wav', 'result'),
    change,
  )) as ConversionJob;
  known = new Map([testVoice, other].map((voice) => [voice.id, voice]));
  connections = new Map([['studio', { ...job.connection.document, unknownOutcome: 'stop' }]]);
  failure = null;
});

let nextId = 0;
function dependencies() {
  const { store, database } = library();
  const document = (id: string) => {
    const found = connections.get(id);
    if (!found) throw new AppError('connection/not-found', id);
    return found;
  };
  return {
    store,
    submitJobs: createSubmitJobs({
      store,
      inspectSound: () => expect.unreachable('inspected'),
      clock: systemClock,
      writes: { write: (work) => work(), commit: (work) => Promise.resolve(work()) },
      isCommand: false,
      ownResults: createOwnResults(database),
      randomId: () => `new-${++nextId}`,
      nextBatch: () => Promise.resolve(),
      askedAt: Infinity,
      adoptOrphans: () => [],
    }),
    connections: {
      has: (id) => connections.has(id),
      get: (id) => ({
        id,
        kind: id === 'here' ? 'local' : 'remote',
        document: document(id),
        access: () => expect.unreachable('asked'),
      }),
      list: () => [...connections].map(([id, { name }]) => ({ id, name })) as never,
    },
    voices: {
      get(_, id) {
        const voice = known.get(id);
        if (failure) return Promise.reject(failure);
        return voice ? Promise.resolve(voice) : Promise.reject(new AppError('voice/not-found', id));
      },
    },
    fileQueries: createFileQueries({ clock: systemClock, platform: 'linux' }),
  } satisfies Parameters<typeof repeatJobs>[0];
}
const again = (ids: readonly string[], changes?: RepeatChanges) => repeatJobs(dependencies(), ids, changes);
const added = (): Job => library().store.get(`new-${nextId}`) ?? expect.unreachable('nothing was added');

it('repeats the same request with new ids and the connection’s current document', async () => {
  expect(await again(['a'])).toEqual({ added: 1, skipped: 0, firstSkipped: null });
  const same = ['kind', 'settings', 'audioName', 'platform', 'target', 'voice'] as const;
  for (const field of same) expect((added() as ConversionJob)[field]).toEqual(job[field]);
  expect(added()).toMatchObject({
    state: 'queued',
    taskId: null,
    source: { path: job.source.path },
    connection: { id: 'studio', document: { unknownOutcome: 'stop' } },
  });
});

it('repeats the same text', async () => {
  const speech = speechJob({ id: 'speech', state: 'done' });
  library().store.add([speech]);
  expect(await again(['speech'])).toEqual({ added: 1, skipped: 0, firstSkipped: null });
  expect(added()).toMatchObject({ kind: 'speech', text: speech.text, settings: speech.settings, state: 'queued' });
});

it('repeats a text whose file is gone, under its name and in its place', async () => {
  const source = { path: '/gone/Letter.md', subfolder: 'day 1', snapshot: null, sha256: 'ab' };
  const target = { folder: library().at('out'), nameTemplate: '{name}' };
  library().store.add([speechJob({ id: 'speech', state: 'done', source, target })]);
  expect(await again(['speech'])).toEqual({ added: 1, skipped: 0, firstSkipped: null });
  expect(outputPathOf(added(), 1)).toBe(join(library().at('out'), 'day 1', 'Letter.wav'));
});

it('changes only the voice if another voice is given', async () => {
  expect(await again(['a'], { voiceId: other.id })).toEqual({ added: 1, skipped: 0, firstSkipped: null });
  expect(added()).toMatchObject({ voice: other, target: job.target });
  expect(added().settings).toEqual({ ...job.settings, voiceId: other.id });
});

it.each<RepeatChanges>([
  { pitch: 0.5 },
  { speed: 2 },
  { pitchControl: '' },
  { autoF0: true },
  { engine: 'v7' },
  { format: 'same' },
])('changes only %j of a conversion', async (change) => {
  await again(['a'], change);
  expect(added().settings).toEqual({ ...job.settings, ...change });
  for (const field of ['voice', 'target', 'audioName', 'platform'] as const)
    expect((added() as ConversionJob)[field]).toEqual(job[field]);
});

it.each<RepeatChanges>([{ pitch: 0.5 }, { speed: 2 }, { language: 'de-DE' }, { engine: 'v1' }, { platform: 'phone' }])(
  'changes only %j of a speech job',
  async (change) => {
    const speech = speechJob({ id: 'speech', state: 'done' });
    library().store.add([speech]);
    await again(['speech'], change);
    expect(added()).toMatchObject({ voice: speech.voice, text: speech.text, target: speech.target });
    expect(added().settings).toEqual({ ...speech.settings, ...change });
  },
);

it('uses the language of the voice if no language is given', async () => {
  known.set('german', { ...testVoice, id: 'german', language: 'de-DE' });
  library().store.add([speechJob({ id: 'speech', state: 'done' })]);
  await again(['speech'], { voiceId: 'german', language: '' });
  expect(added().settings).toMatchObject({ voiceId: 'german', language: 'de-DE' });
});

describe('a text with speakers', () => {
  const anna = { name: 'Anna', voiceId: other.id, voiceName: other.name, speed: 0.8 };
  const speakers = [{ ...anna, language: 'fr-FR' }];
  const add = () => {
    const { settings: own } = speechJob();
    library().store.add([
      speechJob({ id: 'speech', state: 'done', text: 'Anna: Hello.', settings: { ...own, speakers } }),
    ]);
  };

  it('is repeated with them, whatever else changes', async () => {
    add();
    await again(['speech'], { speed: 2 });
    expect(added().settings).toMatchObject({ speed: 2, speakers });
    await again(['speech'], { language: 'de-DE' });
    expect(added().settings).toMatchObject({ language: 'de-DE' });
    expect(added().settings).toHaveProperty('speakers', [anna]);
  });

  it('is not repeated if the voice of one is gone', async () => {
    add();
    known.delete(other.id);
    await expect(again(['speech'])).rejects.toMatchObject({
      problem: { code: 'voice/speaker-not-found', facts: { name: 'Anna', voice: other.name } },
    });
  });

  it('is repeated if the service cannot be reached now', async () => {
    add();
    failure = new AppError('network/unreachable', 'no');
    await again(['speech']);
    expect(added().settings).toMatchObject({ speakers });
  });
});

it('puts the result into another folder under a name made as before, or beside its original', async () => {
  await again(['a'], { outputFolder: '/elsewhere' });
  expect(added()).toMatchObject({ settings: job.settings, target: { ...job.target, folder: '/elsewhere' } });
  await again(['a'], { outputFolder: null });
  expect(added().target).toEqual({ ...job.target, folder: null });
});

it('applies to each kind of job the settings that it supports', async () => {
  const speech = speechJob({ id: 'speech', state: 'done' });
  library().store.add([speech]);
  const changes = { voiceId: other.id, engine: 'v1', autoF0: true, language: 'de-DE', outputFolder: null } as const;
  expect(await again(['a', 'speech'], changes)).toEqual({ added: 2, skipped: 0, firstSkipped: null });
  const [converted, spoken] = [nextId - 1, nextId].map((n) => library().store.get(`new-${n}`));
  expect(converted?.settings).toEqual({ ...job.settings, voiceId: other.id, autoF0: true });
  expect(converted?.target.folder).toBeNull();
  expect(spoken?.settings).toEqual({ ...speech.settings, voiceId: other.id, engine: 'v1', language: 'de-DE' });
  expect(spoken?.target).toEqual(speech.target);
});

it('finds the connection of another computer by its name', async () => {
  connections = new Map([['another-id', job.connection.document]]);
  expect(await again(['a'])).toEqual({ added: 1, skipped: 0, firstSkipped: null });
  expect(added().connection.id).toBe('another-id');
});

it('explains that a connection, a voice or a source is gone', async () => {
  known.clear();
  await expect(again(['a'])).rejects.toMatchObject({
    problem: { code: 'voice/not-found', facts: { name: testVoice.name } },
  });
  connections.clear();
  await expect(again(['a'])).rejects.toMatchObject({
    problem: { code: 'connection/not-found', facts: { name: 'Studio' } },
  });
  connections.set('studio', job.connection.document);
  known.set(testVoice.id, testVoice);
  await rm(job.source.path);
  await expect(again(['a'])).rejects.toMatchObject({ problem: { code: 'input/missing', facts: { name: 'a.wav' } } });
  await expect(again(['none'])).rejects.toMatchObject({ code: 'job/not-found' });
});

it('assumes that the original voice exists if the service is unreachable, but no other voice', async () => {
  failure = new AppError('network/unreachable', 'offline');
  expect(await again(['a'])).toEqual({ added: 1, skipped: 0, firstSkipped: null });
  await expect(again(['a'], { voiceId: other.id })).rejects.toMatchObject({ code: 'network/unreachable' });
});

it('explains that the voice is gone also if another setting changes, and adds no job', async () => {
  known.clear();
  await expect(again(['a'], { pitch: 0.5 })).rejects.toMatchObject({
    problem: { code: 'voice/not-found', facts: { name: testVoice.name } },
  });
  expect(library().store.page(null, 10)).toHaveLength(1);
});

it('adds the jobs that can be repeated, and counts the others by reason', async () => {
  expect(await again(['none', 'a', 'nobody'])).toEqual({
    added: 1,
    skipped: 2,
    firstSkipped: { name: null, problem: { code: 'job/not-found' } },
  });
});

it('names the first job that cannot be repeated', async () => {
  const { write, done } = library();
  const gone = await done('gone', await write('in/gone.wav', 'other'), await write('out/gone.wav', 'that'));
  await rm((gone as ConversionJob).source.path);
  expect(await again(['gone', 'a'])).toMatchObject({
    skipped: 1,
    firstSkipped: { name: 'gone.wav', problem: { code: 'input/missing' } },
  });
});

describe('through another connection', () => {
  const range = { min: 0.5, max: 1.1, default: 1 };
  const elsewhere = { connectionId: 'elsewhere' };

  beforeEach(() => {
    const { document } = job.connection;
    connections.set('elsewhere', { ...document, name: 'Elsewhere', ranges: { pitch: range, speed: range } });
  });

  it('uses its settings, with its voice of the same id', async () => {
    const namesake = { ...testVoice, name: 'Low bronze of elsewhere' };
    known.set(testVoice.id, namesake);
    await again(['a'], elsewhere);
    expect(added()).toMatchObject({
      connection: { id: 'elsewhere', name: 'Elsewhere', document: { ranges: { pitch: range } } },
      voice: namesake,
      settings: { ...job.settings, pitch: 1.1 },
      target: job.target,
    });
  });

  it('changes nothing if it is the original connection', async () => {
    connections.set('studio', { ...job.connection.document, ranges: { pitch: range, speed: range } });
    await again(['a'], { connectionId: 'studio' });
    expect(added().settings).toEqual(job.settings);
  });

  it('replaces a connection that is gone', async () => {
    connections.delete('studio');
    expect(await again(['a'], elsewhere)).toMatchObject({ added: 1 });
  });

  it('is rejected if it does not offer the voice or cannot be reached', async () => {
    known.clear();
    await expect(again(['a'], elsewhere)).rejects.toMatchObject({ code: 'voice/not-found' });
    failure = new AppError('network/unreachable', 'offline');
    await expect(again(['a'], elsewhere)).rejects.toMatchObject({ code: 'network/unreachable' });
    expect(library().store.page(null, 10)).toHaveLength(1);
  });

  it('is rejected if it does not exist', async () => {
    await expect(again(['a'], { connectionId: 'nowhere' })).rejects.toMatchObject({ code: 'connection/not-found' });
  });
});

describe('the preview of a repeat', () => {
  const preview = (ids: readonly string[], changes?: RepeatChanges) => previewRepeat(dependencies(), ids, changes);

  it('counts what services would receive, without what would be skipped', async () => {
    const { write, done, store } = library();
    await done('long', await write('in/long.wav', 'long'), await write('out/long.wav', 'r'), { durationSeconds: 90 });
    await done('unmeasured', await write('in/u.wav', 'u'), await write('out/u.wav', 'r'), { durationSeconds: null });
    await done('gone', await write('in/gone.wav', 'gone'), await write('out/gone.wav', 'r'), { durationSeconds: 90 });
    await rm(library().at('in/gone.wav'));
    store.add([speechJob({ id: 'speech', state: 'done', durationSeconds: 12 })]);
    expect(await preview(['long', 'unmeasured', 'gone', 'speech', 'unknown'])).toEqual({
      ...{ services: ['Studio'], entries: 3, texts: 1, seconds: 90, unmeasured: 1 },
    });
  });

  it('counts nothing that this computer would do, but what it did if a service is asked for', async () => {
    connections.set('here', { ...job.connection.document, name: 'This computer' });
    const nothing = { services: [], entries: 0, texts: 0, seconds: 0, unmeasured: 0 };
    expect(await preview(['a'], { connectionId: 'here' })).toEqual(nothing);
    expect(await preview(['a'], { connectionId: 'studio' })).toMatchObject({ entries: 1 });
    connections.delete('studio');
    expect(await preview(['a'])).toEqual(nothing);
  });
});

it.each([
  ['asks what would be sent', previewRepeat],
  ['repeats them', (given: ReturnType<typeof dependencies>, ids: readonly string[]) => repeatJobs(given, ids)],
])('lets main do other things with many texts while it %s', async (_, work) => {
  const ids = Array.from({ length: 500 }, (__, k) => `text ${k}`);
  library().store.add(ids.map((id) => speechJob({ id, state: 'done' })));
  const reads = countReads(library().store);
  await work({ ...dependencies(), store: reads.store }, ids);
  expect(reads.most()).toBeLessThan(200);
});
