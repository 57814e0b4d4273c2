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
import type { JobRequest } from './submit-jobs.ts';
import { testVoice } from './job.fixture.ts';
import { createQueue, type Queue, settled } from './queue.ts';

const sample = join(import.meta.dirname, '../../../../samples/lantern.mp3');
const { signal } = new AbortController();
const policies = ['ask', 'repeat', 'stop'] as const;
let folder: string;
let http: Http;
let service: ScriptedService;
let database: DatabaseSync;
let queue: Queue;
let defects: unknown[];
/** The reply to a text is its sound, not an address. */
let speaksInReply: boolean;
/** Called while a call of this kind is answered, before the answer leaves. */
let during: (call: string) => void;

const callOf = (url: string) => /create|upload|change|speech|result/.exec(url)?.[0] ?? url;
const calls = (call: string) => service.requests.filter(({ url }) => callOf(url) === call).length;
const paidCalls = () => calls('change') + calls('speech');
const lock = () => database.exec('PRAGMA query_only = ON');
const unlock = () => database.exec('PRAGMA query_only = OFF');
const isHeld = () => queue.breaker.list().some(({ reason }) => reason === 'data');
const stateOf = (id: string) => queue.store.get(id)?.state;
const outputs = async () => (await readdir(join(folder, 'out'))).sort();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-unwritable-'));
  const sound = await readFile(sample);
  defects = [];
  speaksInReply = false;
  during = () => undefined;
  const address = () => `${service.origin}/result`;
  const reply: Readonly<Record<string, (response: ServerResponse) => void>> = {
    create: (response) => replyJson(response, { taskId: 't' }),
    upload: (response) => replyJson(response, { uuid: 't' }),
    change: (response) => replyJson(response, { status: 'success', data: { audioUrl: address() } }),
    speech: (response) =>
      speaksInReply
        ? void response.setHeader('content-type', 'audio/mpeg').end(sound)
        : replyJson(response, { message: 'made', data: { audioUrl: address() } }),
    result: (response) => void response.end(sound),
  };
  service = await startScriptedService(({ url }, response) => {
    during(callOf(url));
    reply[callOf(url)]?.(response);
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

async function close(): Promise<void> {
  await queue.stop();
  if (database.isOpen) database.close();
}

function open(document: Partial<ConnectionDocument>): Omit<JobRequest, 'settings'> & { readonly outputFolder: string } {
  const connection = service.connection(document);
  queue = createQueue(database, {
    dataFolder: join(folder, 'data'),
    clock: systemClock,
    random: Math.random,
    connections: createConnectionRegistry(http, [connection]),
    role: 'app',
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

/** So many recordings and texts, taken up at once. */
async function start(
  recordings: number,
  texts: number,
  document: Partial<ConnectionDocument> = {},
): Promise<readonly string[]> {
  const order = open(document);
  const paths = Array.from({ length: recordings }, (_, k) => join(folder, `${k}.mp3`));
  for (const path of paths) await copyFile(sample, path);
  const settings = { ...defaultSettings.conversion, voiceId: testVoice.id };
  const { ids } = await queue.submitJobs.add(paths, { ...order, settings }, signal);
  const speech = { ...defaultSettings.speech, voiceId: testVoice.id };
  const spoken = Array.from({ length: texts }, (_, k) =>
    queue.submitJobs.addSpeech(`Text ${k}.`, { ...order, settings: speech }),
  );
  queue.scheduler.start();
  return [...ids, ...spoken.map(({ id }) => id)];
}

const untilHeld = () => expect.poll(isHeld).toBe(true);

describe('while the journal cannot be written', () => {
  describe.each(policies)('and an unknown outcome means %s', (unknownOutcome) => {
    it.each(['change', 'speech'])('a reply to a paid %s is kept, written first, and paid once', async (paid) => {
      during = (call) => {
        if (call === paid) lock();
      };
      const ids = await start(paid === 'change' ? 3 : 0, paid === 'speech' ? 3 : 0, { unknownOutcome });
      await untilHeld();
      const before = service.requests.length;
      expect(ids.map(stateOf)).toContain('converting');
      during = () => undefined;
      unlock();
      expect((await settled(queue.store, ids)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
      expect(paidCalls()).toBe(3);
      expect(before).toBeLessThanOrEqual(10);
      expect(await outputs()).toHaveLength(3);
    });
  });

  it.each(['create', 'upload', 'result'])('a free call is not repeated either: %s', async (free) => {
    during = (call) => {
      if (call === free) lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    // Three more tries of the gate: what had not begun by then does not begin.
    await expect.poll(() => Date.now() - (queue.writes.heldSince() ?? Infinity)).toBeGreaterThan(700);
    expect(calls(free)).toBe(1);
    during = () => undefined;
    unlock();
    expect(await settled(queue.store, ids)).toMatchObject([{ state: 'done' }]);
    expect([calls('create'), calls('upload'), calls('change'), calls('result')]).toEqual([1, 1, 1, 1]);
  });

  it('no paid call leaves whose flag is not on the disk', async () => {
    const ids = await start(2, 2);
    const end = queue.store.onEvent((event) => {
      if (event.kind !== 'upserted' || !event.jobs.some(({ state }) => state === 'uploading')) return;
      end();
      lock();
    });
    await untilHeld();
    const before = paidCalls();
    await expect.poll(() => Date.now() - (queue.writes.heldSince() ?? Infinity)).toBeGreaterThan(700);
    expect(paidCalls()).toBe(before);
    unlock();
    await settled(queue.store, ids);
    expect([ids.map(stateOf), paidCalls()]).toEqual([['done', 'done', 'done', 'done'], 4]);
  });

  it('a cancelled job is cancelled at once, nothing of it leaves, and it stays cancelled', async () => {
    during = (call) => {
      if (call === 'create') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    const told: string[] = [];
    queue.store.onEvent((event) => {
      if (event.kind === 'upserted') told.push(...event.jobs.map(({ state }) => state));
    });
    ids.forEach(queue.scheduler.cancel);
    expect(told).toContain('cancelled');
    during = () => undefined;
    unlock();
    await expect.poll(() => ids.map(stateOf)).toEqual(['cancelled']);
    expect([calls('create'), calls('upload'), paidCalls()]).toEqual([1, 0, 0]);
  });

  it('a job is cancelled at once also where that is the first that cannot be written', async () => {
    const told: string[] = [];
    let ids: readonly string[] = [];
    during = (call) => {
      if (call !== 'create') return;
      lock();
      queue.store.onEvent((event) => {
        if (event.kind === 'upserted') told.push(...event.jobs.map(({ state }) => state));
      });
      expect(isHeld()).toBe(false);
      ids.forEach(queue.scheduler.cancel);
    };
    const started = start(1, 0);
    ids = await started;
    await expect.poll(() => told).toContain('cancelled');
    expect(isHeld()).toBe(true);
    unlock();
    await expect.poll(() => ids.map(stateOf)).toEqual(['cancelled']);
    expect([calls('upload'), paidCalls()]).toEqual([0, 0]);
  });

  it('a pause holds at once, and is on the disk when that can be written', async () => {
    during = (call) => {
      if (call === 'upload') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    queue.scheduler.pause();
    expect(queue.breaker.list().map(({ reason }) => reason)).toContain('person');
    unlock();
    during = () => undefined;
    await expect.poll(isHeld).toBe(false);
    await expect.poll(() => ids.map(stateOf)).toEqual(['uploaded']);
    expect(database.prepare('SELECT reason FROM pause').all()).toEqual([{ reason: 'person' }]);
    queue.scheduler.resume(null);
    await settled(queue.store, ids);
    expect([ids.map(stateOf), paidCalls()]).toEqual([['done'], 1]);
  });

  it('a full disk that is due for a look is looked at again once it can be written', async () => {
    during = (call) => {
      if (call === 'upload') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    const problem = { code: 'output/disk-full', facts: { folder, neededBytes: 1 } } as const;
    const until = Date.now() - 1;
    queue.breaker.pause({ connectionId: null, reason: 'disk', until, problem });
    during = () => undefined;
    unlock();
    await settled(queue.store, ids);
    expect([ids.map(stateOf), paidCalls()]).toEqual([['done'], 1]);
  });

  it('new recordings are refused with a reason, and the next start asks about what was paid for', async () => {
    during = (call) => {
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

  it('ending writes what arrived where that is possible by then', async () => {
    during = (call) => {
      if (call === 'change') lock();
    };
    const ids = await start(1, 0);
    await untilHeld();
    unlock();
    await queue.stop();
    expect(ids.map(stateOf)).toEqual(['converted']);
  });
});

describe('an understood reply to a paid call that cannot be kept for a defect of ours', () => {
  const refuse = () =>
    database.exec(`CREATE TRIGGER defect BEFORE UPDATE ON job WHEN new.state = 'converted'
                   BEGIN SELECT raise(ABORT, 'defect'); END`);
  const mend = () => database.exec('DROP TRIGGER defect');
  const replies = ['change', 'speech', 'sound'] as const;
  const cases = replies.flatMap((reply) => policies.map((policy) => [reply, policy] as const));

  it.each(cases)('is asked about, and fetched when tried again, not paid for again: %s, %s', async (reply, policy) => {
    during = (call) => {
      if (call === 'change' || call === 'speech') refuse();
    };
    speaksInReply = reply === 'sound';
    const ids = await start(reply === 'change' ? 1 : 0, reply === 'change' ? 0 : 1, { unknownOutcome: policy });
    expect(await settled(queue.store, ids)).toMatchObject([
      { state: 'uncertain', problem: { code: 'service/uncertain' } },
    ]);
    mend();
    ids.forEach((id) => queue.scheduler.resume(queue.store.get(id)?.connection.id ?? null));
    ids.forEach(queue.scheduler.retry);
    expect(await settled(queue.store, ids)).toMatchObject([{ state: 'done', audioUrl: null }]);
    expect([paidCalls(), (await outputs()).length]).toEqual([1, 1]);
    expect(defects.splice(0)).toEqual([expect.objectContaining({ message: 'defect' })]);
  });
});

it('a job whose outcome could not be recorded for a defect of ours works again once it is cancelled and tried again', async () => {
  during = (call) => {
    if (call !== 'create') return;
    during = () => undefined;
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

it('tells of the hold once, however often it is tried again', async () => {
  during = (call) => {
    if (call === 'create') lock();
  };
  const ids = await start(1, 0);
  let told = 0;
  queue.breaker.onChanged(() => (told += 1));
  await untilHeld();
  await expect.poll(() => Date.now() - (queue.writes.heldSince() ?? Infinity)).toBeGreaterThan(700);
  expect(told).toBe(1);
  during = () => undefined;
  unlock();
  await settled(queue.store, ids);
  expect(told).toBe(2);
});

it('enters no paid call from a stored state: a row that says so is uncertain', async () => {
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
