import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultNameTemplate } from '../../../shared/text/name-template.ts';
import { type ConnectionDocument, localConnectionId } from '../../../shared/schemas/connection.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { replyJson, startScriptedService, type ScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import type { Connection } from '../voice-service/connection.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import { testVoice } from './job.fixture.ts';
import type { Queue } from './queue.ts';
import { settled } from './wait-for-jobs.ts';
import { openQueue } from './open-queue.fixture.ts';

const sample = join(import.meta.dirname, '../../../../samples/lantern.mp3');
const { signal } = new AbortController();
let folder: string;
let http: Http;
let service: ScriptedService;
let queue: Queue;
/** Held answers, oldest first, with the kind of call. */
let pending: { readonly call: string; answer(): void }[];
/** Kinds of calls that are answered only when the test decides. */
let heldCalls: readonly string[];
let now: () => number;
let defects: unknown[];

const callOf = (url: string) => /create|upload|change|result/.exec(url)?.[0] ?? url;
const calls = (call: string) => service.requests.filter(({ url }) => callOf(url) === call).length;
const answerAll = () => pending.splice(0).forEach(({ answer }) => answer());
const expectPending = (call: string) => expect.poll(() => pending.filter((one) => one.call === call).length);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-quit-'));
  const sound = await readFile(sample);
  pending = [];
  heldCalls = ['change'];
  now = systemClock.now;
  defects = [];
  let tasks = 0;
  const reply: Readonly<Record<string, (response: ServerResponse, url: string) => void>> = {
    create: (response) => replyJson(response, { taskId: `t${(tasks += 1)}` }),
    upload: (response, url) => replyJson(response, { uuid: url.split('/').at(-1) }),
    change: (response) => replyJson(response, { status: 'success', data: { audioUrl: `${service.origin}/result` } }),
    result: (response) => void response.end(sound),
  };
  service = await startScriptedService(({ url }, response) => {
    const call = callOf(url);
    const answer = () => reply[call]?.(response, url);
    if (heldCalls.includes(call)) pending.push({ call, answer });
    else answer();
  });
  http = createHttp();
});
afterEach(async () => {
  await queue.stop();
  await http.close();
  await service.stop();
  await rm(folder, { recursive: true });
  expect(defects).toEqual([]);
});

const open = (connection: Connection, role: 'app' | 'command' = 'app') =>
  openQueue({
    dataFolder: join(folder, 'data'),
    clock: { ...systemClock, now: () => now() },
    random: Math.random,
    connections: createConnectionRegistry(http, [connection]),
    role,
    onProgress: () => undefined,
    onDefect: (error) => defects.push(error),
  });

/** Opens a queue, adds recordings and starts it. Returns the job ids. */
async function start(
  count: number,
  document: Partial<ConnectionDocument> = {},
  id?: string,
): Promise<readonly string[]> {
  const made = service.connection(document);
  const connection = { ...made, id: id ?? made.id };
  queue = await open(connection);
  const paths = Array.from({ length: count }, (_, k) => join(folder, `${k}.mp3`));
  for (const path of paths) await copyFile(sample, path);
  const request = {
    connection: { id: connection.id, name: 'Studio', document: connection.document },
    nameTemplate: defaultNameTemplate,
    voice: testVoice,
    settings: { ...defaultSettings.conversion, voiceId: testVoice.id },
    outputFolder: join(folder, 'out'),
  };
  const { ids } = await queue.submitJobs.add(paths, request, signal);
  queue.scheduler.start();
  return ids;
}

const oneAtATime = (limits: Partial<ConnectionDocument['limits']> = {}): Partial<ConnectionDocument> => ({
  limits: { ...service.connection().document.limits, maxConcurrent: 1, ...limits },
});

const statesOf = (ids: readonly string[]) => ids.map((id) => queue.store.get(id)?.state).sort();

describe('unanswered paid calls', () => {
  it.each(['ask', 'stop', 'repeat'] as const)(
    'are counted, also where they may be repeated: %s',
    async (unknownOutcome) => {
      const ids = await start(2, { unknownOutcome });
      await expectPending('change').toBe(2);
      expect(queue.scheduler.unansweredPaidCalls()).toBe(2);
      answerAll();
      await settled(queue.store, ids);
      expect(queue.scheduler.unansweredPaidCalls()).toBe(0);
    },
  );

  it('are none on this computer, where a lost answer costs nothing', async () => {
    const ids = await start(1, {}, localConnectionId);
    await expectPending('change').toBe(1);
    expect(queue.scheduler.unansweredPaidCalls()).toBe(0);
    answerAll();
    await settled(queue.store, ids);
  });

  it('are none during an upload', async () => {
    heldCalls = ['upload'];
    await start(1);
    await expectPending('upload').toBe(1);
    expect([queue.scheduler.unansweredPaidCalls(), queue.store.countUnfinished()]).toEqual([0, 1]);
  });
});

describe('draining', () => {
  it('waits for the answer to a paid call and sends no other', async () => {
    const ids = await start(3, oneAtATime());
    await expectPending('change').toBe(1);
    const finished = queue.scheduler.drain();
    answerAll();
    await finished;
    expect(statesOf(ids)).toEqual(['converted', 'queued', 'queued']);
    expect([calls('create'), calls('change'), calls('result')]).toEqual([1, 1, 0]);
    expect(queue.store.countUnfinished()).toBe(3);
  });

  it('continues with all jobs after it is cancelled', async () => {
    const ids = await start(3, oneAtATime());
    await expectPending('change').toBe(1);
    const finished = queue.scheduler.drain();
    heldCalls = [];
    answerAll();
    await finished;
    queue.scheduler.cancelDrain();
    expect((await settled(queue.store, ids)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(calls('change')).toBe(3);
  });
});

describe('before the machine sleeps', () => {
  it('no further call is sent, and after waking the queue continues with the same step', async () => {
    heldCalls = ['upload'];
    const ids = await start(2, oneAtATime());
    await expectPending('upload').toBe(1);
    queue.scheduler.sleep();
    answerAll();
    await expect.poll(() => statesOf(ids)).toEqual(['queued', 'uploaded']);
    await queue.scheduler.drain();
    queue.scheduler.cancelDrain();
    expect([calls('create'), calls('upload'), calls('change')]).toEqual([1, 1, 0]);
    heldCalls = [];
    queue.scheduler.wake();
    expect((await settled(queue.store, ids)).map(({ state }) => state)).toEqual(['done', 'done']);
    expect([calls('create'), calls('upload'), calls('change')]).toEqual([2, 2, 2]);
  });

  it.each([
    ['after a minute', 60_000],
    ['once its clock was set back', -86_400_000],
  ])('a machine that does not report waking counts as awake %s', async (_when, laterMs) => {
    let offsetMs = 0;
    now = () => Date.now() + offsetMs;
    heldCalls = ['upload'];
    const ids = await start(1);
    await expectPending('upload').toBe(1);
    queue.scheduler.sleep();
    answerAll();
    await expect.poll(() => statesOf(ids)).toEqual(['uploaded']);
    heldCalls = [];
    offsetMs = laterMs;
    expect((await settled(queue.store, ids)).map(({ state }) => state)).toEqual(['done']);
  });
});

describe('a paid call that was flagged but not sent', () => {
  /** Runs `action` when the call is flagged, before it is sent. */
  const whenFlagged = (action: () => void): Promise<void> =>
    new Promise((resolve) => {
      const unsubscribe = queue.store.onEvent((event) => {
        if (event.kind !== 'upserted' || !event.jobs.some(({ state }) => state === 'converting')) return;
        unsubscribe();
        action();
        resolve();
      });
    });

  it('waits if the queue is paused at that moment, and is sent once', async () => {
    heldCalls = [];
    const ids = await start(1);
    await whenFlagged(() => queue.scheduler.pause());
    await expect.poll(() => statesOf(ids)).toEqual(['uploaded']);
    expect(calls('change')).toBe(0);
    queue.scheduler.resume(null);
    await settled(queue.store, ids);
    expect([statesOf(ids), calls('change')]).toEqual([['done'], 1]);
  });

  it('does not count as sent if Timbre quits at that moment', async () => {
    const ids = await start(1);
    let finished = Promise.resolve();
    await whenFlagged(() => {
      finished = queue.scheduler.drain();
    });
    await expect.poll(() => statesOf(ids)).toEqual(['uploaded']);
    await finished;
    expect(calls('change')).toBe(0);
  });
});

describe('a job that is cancelled and retried while a step finishes', () => {
  it('does not become uncertain because of its first run in a killed process', async () => {
    const [id = ''] = await start(1);
    await expectPending('change').toBe(1);
    await queue.stop();
    heldCalls = [];
    queue = await open(service.connection());
    queue.scheduler.start();
    // The job is adopted, but its state is not reset yet.
    queue.scheduler.cancel(id);
    queue.scheduler.retry(id);
    await settled(queue.store, [id]);
    expect([statesOf([id]), calls('change')]).toEqual([['done'], 2]);
  });

  it('is not written by this process once another one owns it', async () => {
    heldCalls = ['create'];
    const [id = ''] = await start(1);
    await expectPending('create').toBe(1);
    const other = await open(service.connection(), 'command');
    other.scheduler.cancel(id);
    other.scheduler.retry(id);
    answerAll();
    await queue.scheduler.drain();
    expect(other.store.get(id)).toMatchObject({ state: 'queued', taskId: null, problem: null, attempts: 0 });
    await other.stop();
    expect([calls('upload'), calls('change')]).toEqual([0, 0]);
  });
});
