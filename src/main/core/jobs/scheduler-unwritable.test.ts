import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultNameTemplate } from '../../../shared/text/name-template.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import { replyJson, startScriptedService, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import { openDatabase } from '../database/database.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import type { JobRequest } from './new-job.ts';
import { testVoice } from './job.fixture.ts';
import { hasSource } from './job.ts';
import { createQueue, type Queue } from './queue.ts';
import { settled } from './wait-for-jobs.ts';

const sample = join(import.meta.dirname, '../../../../samples/lantern.mp3');
const { signal } = new AbortController();
const policies = ['ask', 'repeat', 'stop'] as const;
let folder: string;
let http: Http;
let service: ScriptedService;
let database: DatabaseSync;
let queue: Queue;
let defects: unknown[];
/** True if speech replies contain the audio instead of a URL. */
let speaksInReply: boolean;
/** Called with the kind of each call before it is answered. */
let onCall: (call: string) => void;

const settings = { ...defaultSettings.conversion, voiceId: testVoice.id };
const callOf = (url: string) => /create|upload|change|speech|result/.exec(url)?.[0] ?? url;
const calls = (call: string) => service.requests.filter(({ url }) => callOf(url) === call).length;
const paidCalls = () => calls('change') + calls('speech');
const lock = () => database.exec('PRAGMA query_only = ON');
const unlock = () => database.exec('PRAGMA query_only = OFF');
const isHeld = () => queue.breaker.list().some(({ reason }) => reason === 'data');
/** How many jobs are at their paid call or after it, on disk. */
const paidOnDisk = () =>
  database.prepare("SELECT id FROM job WHERE state IN ('converting', 'converted', 'publishing', 'done')").all().length;
const stateOf = (id: string) => queue.store.get(id)?.state;
const outputs = async () => (await readdir(join(folder, 'out'))).sort();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-unwritable-'));
  const sound = await readFile(sample);
  defects = [];
  speaksInReply = false;
  onCall = () => undefined;
  const address = () => `${service.origin}/result`;
  let tasks = 0;
  const reply: Readonly<Record<string, (response: ServerResponse, url: string) => void>> = {
    create: (response) => replyJson(response, { taskId: `t${(tasks += 1)}` }),
    upload: (response, url) => replyJson(response, { uuid: url.split('/').at(-1) }),
    change: (response) => replyJson(response, { status: 'success', data: { audioUrl: address() } }),
    speech: (response) =>
      speaksInReply
        ? void response.setHeader('content-type', 'audio/mpeg').end(sound)
        : replyJson(response, { message: 'made', data: { audioUrl: address() } }),
    result: (response) => void response.end(sound),
  };
  service = await startScriptedService(({ url }, response) => {
    onCall(callOf(url));
    reply[callOf(url)]?.(response, url);
  });
  http = createHttp();
  database = await openDatabase(join(folder, 'data'));
});
afterEach(async () => {
  await close();
  await http.close();
  await service.stop();
  await rm(folder, { recursive: true });
  expect(defects).toEqual([]);
});

/** Names of so many recordings in the test's folder, which are there. */
async function recordings(count: number): Promise<readonly string[]> {
  const paths = Array.from({ length: count }, (_, k) => join(folder, `${k}.mp3`));
  for (const path of paths) await copyFile(sample, path);
  return paths;
}

async function close(): Promise<void> {
  await queue.stop();
  if (database.isOpen) database.close();
}

function open(
  document: Partial<ConnectionDocument>,
  role: 'app' | 'command' = 'app',
): Omit<JobRequest, 'settings'> & { readonly outputFolder: string } {
  const connection = service.connection(document);
  queue = createQueue(database, {
    dataFolder: join(folder, 'data'),
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, [connection]),
    role,
    onProgress: () => undefined,
    onDefect: (error) => defects.push(error),
  });
  return {
    connection: { id: connection.id, name: 'Studio', document: connection.document },
    nameTemplate: defaultNameTemplate,
    voice: testVoice,
    outputFolder: join(folder, 'out'),
  };
}

/** Opens a queue, adds recordings and texts, and starts it. Returns the job ids. */
async function start(
  recordingCount: number,
  texts: number,
  document: Partial<ConnectionDocument> = {},
): Promise<readonly string[]> {
  const request = open(document);
  const paths = await recordings(recordingCount);
  const { ids } = await queue.submitJobs.add(paths, { ...request, settings }, signal);
  const speech = { ...defaultSettings.speech, voiceId: testVoice.id };
  const spoken = Array.from({ length: texts }, (_, k) =>
    queue.submitJobs.addSpeech(`Text ${k}.`, { ...request, settings: speech }),
  );
  queue.scheduler.start();
  return [...ids, ...spoken.map(({ id }) => id)];
}

const untilHeld = () => expect.poll(isHeld).toBe(true);

describe('while the database is not writable', () => {
  const manyCount = 250;
  /** Adds recordings, which are written in batches. */
  async function addMany() {
    const added = queue.submitJobs.add(await recordings(manyCount), { ...request, settings }, signal);
    let isAdded = false;
    void added.then(
      () => (isAdded = true),
      () => undefined,
    );
    return { added, isAdded: () => isAdded };
  }
  let request: ReturnType<typeof open>;
  const expectAllOnce = async (added: ReturnType<Queue['submitJobs']['add']>) => {
    const { ids, createdIds } = await added;
    expect(createdIds).toEqual(ids);
    const stored = queue.store.page(null, 1000);
    expect(stored.map(({ id }) => id)).toEqual(ids);
    expect(new Set(stored.map((job) => hasSource(job) && job.source.path)).size).toBe(manyCount);
  };

  it('recordings that are added meanwhile are held, and added once it is', async () => {
    request = open({});
    lock();
    const { added, isAdded } = await addMany();
    await untilHeld();
    expect([isAdded(), queue.store.page(null, 1)]).toEqual([false, []]);
    unlock();
    await expectAllOnce(added);
  });

  it('the rest of recordings that are being added is held, and each is added once', async () => {
    request = open({});
    const unsubscribe = queue.store.onEvent(() => {
      unsubscribe();
      lock();
    });
    const { added, isAdded } = await addMany();
    await untilHeld();
    const stored = queue.store.page(null, 1000).length;
    expect([isAdded(), stored > 0, stored < manyCount]).toEqual([false, true, true]);
    unlock();
    await expectAllOnce(added);
  });

  it('a command says that it cannot add recordings, and does not wait', async () => {
    request = open({}, 'command');
    lock();
    const { added } = await addMany();
    await expect(added).rejects.toMatchObject({ code: 'data/not-writable' });
    unlock();
  });

  describe.each(policies)('and an unknown outcome means %s', (unknownOutcome) => {
    it.each(['change', 'speech'])('the reply to a paid %s is kept, written first, and paid for once', async (paid) => {
      onCall = (call) => {
        if (call === paid) lock();
      };
      const ids = await start(paid === 'change' ? 3 : 0, paid === 'speech' ? 3 : 0, { unknownOutcome });
      await untilHeld();
      const before = service.requests.length;
      expect(ids.map(stateOf)).toContain('converting');
      onCall = () => undefined;
      unlock();
      expect((await settled(queue.store, ids)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
      expect(paidCalls()).toBe(3);
      expect(before).toBeLessThanOrEqual(10);
      expect(await outputs()).toHaveLength(3);
    });
  });

  it.each(['create', 'upload', 'result'])('a free call is not repeated either: %s', async (free) => {
    onCall = (call) => {
      if (call === free) lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    // The gate retries three more times meanwhile; no further call is sent.
    await expect.poll(() => Date.now() - (queue.writes.heldSince() ?? Infinity)).toBeGreaterThan(700);
    expect(calls(free)).toBe(1);
    onCall = () => undefined;
    unlock();
    expect(await settled(queue.store, ids)).toMatchObject([{ state: 'done' }]);
    expect([calls('create'), calls('upload'), calls('change'), calls('result')]).toEqual([1, 1, 1, 1]);
  });

  it('no paid call is sent before its flag is on disk', async () => {
    const ids = await start(2, 2);
    const unsubscribe = queue.store.onEvent((event) => {
      if (event.kind !== 'upserted' || !event.jobs.some(({ state }) => state === 'uploading')) return;
      unsubscribe();
      lock();
    });
    await untilHeld();
    await expect.poll(() => Date.now() - (queue.writes.heldSince() ?? Infinity)).toBeGreaterThan(700);
    expect(paidCalls()).toBeLessThanOrEqual(paidOnDisk());
    unlock();
    await settled(queue.store, ids);
    expect([ids.map(stateOf), paidCalls()]).toEqual([['done', 'done', 'done', 'done'], 4]);
  });

  it('cancelling takes effect at once and for good, and no call of the job is sent', async () => {
    onCall = (call) => {
      if (call === 'create') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    const states: string[] = [];
    queue.store.onEvent((event) => {
      if (event.kind === 'upserted') states.push(...event.jobs.map(({ state }) => state));
    });
    ids.forEach(queue.scheduler.cancel);
    expect(states).toContain('cancelled');
    onCall = () => undefined;
    unlock();
    await expect.poll(() => ids.map(stateOf)).toEqual(['cancelled']);
    expect([calls('create'), calls('upload'), paidCalls()]).toEqual([1, 0, 0]);
  });

  it('cancelling takes effect at once even if it is the first write that fails', async () => {
    const states: string[] = [];
    let ids: readonly string[] = [];
    onCall = (call) => {
      if (call !== 'create') return;
      lock();
      queue.store.onEvent((event) => {
        if (event.kind === 'upserted') states.push(...event.jobs.map(({ state }) => state));
      });
      expect(isHeld()).toBe(false);
      ids.forEach(queue.scheduler.cancel);
    };
    const started = start(1, 0);
    ids = await started;
    await expect.poll(() => states).toContain('cancelled');
    expect(isHeld()).toBe(true);
    unlock();
    await expect.poll(() => ids.map(stateOf)).toEqual(['cancelled']);
    expect([calls('upload'), paidCalls()]).toEqual([0, 0]);
  });

  it('a pause takes effect at once and is written as soon as possible', async () => {
    onCall = (call) => {
      if (call === 'upload') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    queue.scheduler.pause();
    expect(queue.breaker.list().map(({ reason }) => reason)).toContain('user');
    unlock();
    onCall = () => undefined;
    await expect.poll(isHeld).toBe(false);
    await expect.poll(() => ids.map(stateOf)).toEqual(['uploaded']);
    expect(database.prepare('SELECT reason FROM pause').all()).toEqual([{ reason: 'person' }]);
    queue.scheduler.resume(null);
    await settled(queue.store, ids);
    expect([ids.map(stateOf), paidCalls()]).toEqual([['done'], 1]);
  });

  it('a full disk that is due for a check is checked once the database is writable', async () => {
    onCall = (call) => {
      if (call === 'upload') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    const problem = { code: 'output/disk-full', facts: { folder, neededBytes: 1 } } as const;
    const resumesAt = Date.now() - 1;
    queue.breaker.pause({ connectionId: null, reason: 'disk', resumesAt, problem });
    onCall = () => undefined;
    unlock();
    await settled(queue.store, ids);
    expect([ids.map(stateOf), paidCalls()]).toEqual([['done'], 1]);
  });

  it('retries are refused with a reason, and after a restart the paid job is uncertain', async () => {
    onCall = (call) => {
      if (call === 'change') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    expect(() => queue.scheduler.retry(ids[0] ?? '')).toThrow(expect.objectContaining({ code: 'data/not-writable' }));
    await close();
    database = await openDatabase(join(folder, 'data'));
    open({});
    queue.scheduler.start();
    await settled(queue.store, ids);
    expect([ids.map(stateOf), paidCalls()]).toEqual([['uncertain'], 1]);
  });

  it('stopping writes received replies if possible', async () => {
    onCall = (call) => {
      if (call === 'change') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    unlock();
    await queue.stop();
    expect(ids.map(stateOf)).toEqual(['converted']);
  });
});

describe.each([
  ['an address of a conversion', 'change', false],
  ['an address of a text', 'speech', false],
  ['the sound of a text', 'speech', true],
])('%s that waits to be written', (_, call, isSound) => {
  async function startHeld(): Promise<readonly string[]> {
    speaksInReply = isSound;
    onCall = (each) => {
      if (each === call) lock();
    };
    const ids = await start(call === 'change' ? 1 : 0, call === 'speech' ? 1 : 0);
    await untilHeld();
    await expect.poll(() => queue.scheduler.unsavedReplies().size).toBe(1);
    onCall = () => undefined;
    return ids;
  }

  it('is written although the job is cancelled, so that a retry costs nothing', async () => {
    const ids = await startHeld();
    ids.forEach(queue.scheduler.cancel);
    expect(ids.map((id) => queue.store.get(id)?.state)).toEqual(['converting']);
    unlock();
    await expect.poll(() => ids.map(stateOf)).toEqual(['cancelled']);
    ids.forEach(queue.scheduler.retry);
    expect(await settled(queue.store, ids)).toMatchObject([{ state: 'done' }]);
    expect([paidCalls(), (await outputs()).length]).toEqual([1, 1]);
  });

  it('becomes the result once the database is opened anew', async () => {
    const ids = await startHeld();
    const replies = queue.scheduler.unsavedReplies();
    await close();
    database = await openDatabase(join(folder, 'data'));
    open({});
    queue.scheduler.restoreReplies(replies);
    queue.scheduler.start();
    expect(await settled(queue.store, ids)).toMatchObject([{ state: 'done' }]);
    expect([paidCalls(), (await outputs()).length]).toEqual([1, 1]);
  });
});

describe('the address of a sentence that waits to be written', () => {
  async function startHeld(): Promise<string> {
    const request = open({});
    onCall = (call) => {
      if (call === 'speech' && calls('speech') === 1) lock();
    };
    const settings = { ...defaultSettings.speech, voiceId: testVoice.id, language: 'en-US' };
    const { id } = queue.submitJobs.addSpeech('One.\n\nTwo.', { ...request, settings });
    queue.scheduler.start();
    await untilHeld();
    return id;
  }

  it('is written although the job is cancelled', async () => {
    const id = await startHeld();
    queue.scheduler.cancel(id);
    unlock();
    await expect.poll(() => stateOf(id)).toBe('cancelled');
    queue.scheduler.retry(id);
    expect(await settled(queue.store, [id])).toMatchObject([{ state: 'done' }]);
    expect(paidCalls()).toBe(2);
  });

  it('is not paid for again once the database is opened anew', async () => {
    const id = await startHeld();
    await expect.poll(() => queue.scheduler.unsavedReplies().size).toBe(1);
    const replies = queue.scheduler.unsavedReplies();
    await close();
    database = await openDatabase(join(folder, 'data'));
    open({});
    // A repair may have lost what was written before the call.
    database.exec('DELETE FROM take_call');
    queue.scheduler.restoreReplies(replies);
    queue.scheduler.start();
    expect(await settled(queue.store, [id])).toMatchObject([{ state: 'done' }]);
    expect(paidCalls()).toBe(2);
  });
});

describe('a reply to a paid call that a bug keeps from being saved', () => {
  const refuse = () =>
    database.exec(`CREATE TRIGGER defect BEFORE UPDATE ON job WHEN new.state = 'converted'
                   BEGIN SELECT raise(ABORT, 'defect'); END`);
  const repair = () => database.exec('DROP TRIGGER defect');
  const replies = ['change', 'speech', 'sound'] as const;
  const cases = replies.flatMap((reply) => policies.map((policy) => [reply, policy] as const));

  it.each(cases)(
    'makes the job uncertain; a retry fetches the result without another charge: %s, %s',
    async (reply, policy) => {
      onCall = (call) => {
        if (call === 'change' || call === 'speech') refuse();
      };
      speaksInReply = reply === 'sound';
      const ids = await start(reply === 'change' ? 1 : 0, reply === 'change' ? 0 : 1, { unknownOutcome: policy });
      expect(await settled(queue.store, ids)).toMatchObject([
        { state: 'uncertain', problem: { code: 'service/uncertain' } },
      ]);
      repair();
      ids.forEach((id) => queue.scheduler.resume(queue.store.get(id)?.connection.id ?? null));
      ids.forEach(queue.scheduler.retry);
      expect(await settled(queue.store, ids)).toMatchObject([{ state: 'done', audioUrl: null }]);
      expect([paidCalls(), (await outputs()).length]).toEqual([1, 1]);
      expect(defects.splice(0)).toEqual([expect.objectContaining({ message: 'defect' })]);
    },
  );
});

it('a job whose outcome a bug kept from being recorded works again after it is cancelled and retried', async () => {
  onCall = (call) => {
    if (call !== 'create') return;
    onCall = () => undefined;
    database.exec("CREATE TRIGGER defect BEFORE UPDATE ON job BEGIN SELECT raise(ABORT, 'defect'); END");
  };
  const ids = await start(1, 0);
  await expect.poll(() => defects.length).toBeGreaterThan(1);
  database.exec('DROP TRIGGER defect');
  ids.forEach(queue.scheduler.cancel);
  ids.forEach(queue.scheduler.retry);
  expect(await settled(queue.store, ids)).toMatchObject([{ state: 'done' }]);
  defects = [];
});

it('emits a hold once, however often it is retried', async () => {
  onCall = (call) => {
    if (call === 'create') lock();
  };
  const ids = await start(1, 0);
  let changes = 0;
  queue.breaker.onChanged(() => (changes += 1));
  await untilHeld();
  await expect.poll(() => Date.now() - (queue.writes.heldSince() ?? Infinity)).toBeGreaterThan(700);
  expect(changes).toBe(1);
  onCall = () => undefined;
  unlock();
  await settled(queue.store, ids);
  expect(changes).toBe(2);
});

it('never sends a paid call from a stored state: a `converting` row becomes uncertain', async () => {
  const ids = await start(1, 0);
  await settled(queue.store, ids);
  const paid = paidCalls();
  database.exec("UPDATE job SET state = 'converting', ended_at = NULL");
  queue.scheduler.resume(null);
  queue.store.emitChanged(ids);
  queue.scheduler.cancelDrain();
  await expect.poll(() => ids.map(stateOf)).toEqual(['uncertain']);
  expect(paidCalls()).toBe(paid);
});
