import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import { inspectAndVerify } from '../../../sound/sound-inspector.ts';
import { temporaryPathOf } from '../files/publish.ts';
import { replyJson, startScriptedService } from '../voice-service/scripted-service.fixture.ts';
import type { Speech } from '../voice-service/speech.ts';
import type { StepContext } from './step.ts';
import { speechJob } from './job.fixture.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { sample, silence, useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';
import { stepFor } from './steps.ts';

const queue = useTestQueue();
const { openService, speak } = usePaidService(queue);

const page = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>no such upstream</h1>');
const json = (status: number, body: unknown) => (response: ServerResponse) => replyJson(response, body, status);

describe('a paid call answered by a gateway', () => {
  const replies: readonly [string, (response: ServerResponse) => void][] = [
    ['a 503 page', page(503)],
    // As Varnish does if the service takes longer than it waits for the first byte.
    [
      'a 503 page that names a time',
      (response) => {
        response.setHeader('retry-after', '0');
        page(503)(response);
      },
    ],
    ['a 404 page', page(404)],
    ['a 404 in JSON that is not the interface’s', json(404, { status: 404, error: 'Not Found', path: '/api' })],
    ['a 408', page(408)],
    ['a 499', page(499)],
    ['a 524', page(524)],
  ];

  it.each(replies)('with %s is sent once, and its job asks', async (_name, reply) => {
    const counts = await openService((step, response) => {
      if (step !== 'paid') return false;
      reply(response);
      return true;
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'uncertain', problem: { code: 'service/uncertain' } }]);
    expect(counts).toEqual({ create: 1, upload: 1, paid: 1, result: 0 });
  });

  it.each(replies)('with %s is sent once for speech too', async (_name, reply) => {
    const counts = await openService((step, response) => {
      if (step !== 'paid') return false;
      reply(response);
      return true;
    });
    const { id } = speak();
    queue().scheduler.start();
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'uncertain' }]);
    expect(counts.paid).toBe(1);
  });

  it('with a 503 slows the queue, so that no other job is sent into it at once', async () => {
    const counts = await openService((step, response) => {
      if (step === 'paid') page(503)(response);
      return step === 'paid';
    });
    const { id } = speak();
    queue().scheduler.start();
    await settled(queue().store, [id]);
    expect(queue().breaker.list()).toMatchObject([{ reason: 'rate', problem: { code: 'service/unavailable' } }]);
    expect(counts.paid).toBe(1);
  });
});

it('a sound that its disk takes when nobody waits for it any more does not become the result of the next call', async () => {
  const probe = await open(sample);
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const counts = await openService((step, response) => {
    if (step !== 'paid') return false;
    void readFile(sample).then((sound) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound));
    return true;
  });
  const [isInspected, mayAnswer] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const { id } = speak();
  const folder = join(queue().folder, 'out');
  await mkdir(folder);
  const part = temporaryPathOf(folder, id);
  const hung = vi.spyOn(handles, 'sync').mockImplementationOnce(async () => {
    // Begins after the inspection of the result, which takes as long.
    await inspectAndVerify(part);
    isInspected.resolve(undefined);
    await mayAnswer.promise;
  });
  try {
    const isGivenUp = new Promise<void>((resolve) => {
      queue().scheduler.onActivity((isActive) => {
        if (!isActive) resolve();
      });
    });
    queue().scheduler.start();
    await isInspected.promise;
    queue().scheduler.cancel(id);
    await isGivenUp;
    mayAnswer.resolve(undefined);
    await expect.poll(() => existsSync(part)).toBe(false);
    expect(queue().scheduler.unsavedReplies()).toEqual(new Map());
    queue().scheduler.retry(id);
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'done' }]);
    expect(counts.paid).toBe(2);
  } finally {
    hung.mockRestore();
  }
});

it('a paid call whose sound is too large to be held, and cannot be written for want of file handles, is in doubt, and not repeated', async () => {
  const job = speechJob({ state: 'queued', text: 'Good evening.' });
  const context = {
    store: { change: () => ({ ...job, state: 'converting' }) },
    commit: <T>(write: () => T) => Promise.resolve(write()),
    reserve: () => Promise.resolve(),
    mayPay: () => true,
    assertFolder: () => Promise.reject(new AppError('system/too-many-files', 'EMFILE')),
    attend: (_, signal, work) => work({ signal, onTransferred: () => undefined }),
    onProgress: () => undefined,
    onSpoken: () => undefined,
    takes: {},
    service: {
      waitForRateLimit: () => Promise.resolve(),
      async speakText({ write }: Speech) {
        await write(Buffer.alloc(65 * 1024 ** 2));
        return { kind: 'audio' };
      },
    },
  } as Partial<Record<keyof StepContext, unknown>> & Pick<StepContext, 'attend'> as StepContext;
  await expect(stepFor(job)?.(context, new AbortController().signal)).rejects.toMatchObject({ code: 'output/failed' });
});

describe('a sound in the reply to a paid call that a disk does not take', () => {
  const broken = (code: string) => Object.assign(new Error(code), { code, errno: -5, syscall: 'fsync' });

  /** Fails so many times to sync files below this folder. */
  async function failSyncs(below: string, times: number, code = 'EIO') {
    const probe = await open(sample);
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const { sync } = handles;
    const failures = { left: times };
    const failing = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
      const isBelow = (await readlink(`/proc/self/fd/${this.fd}`)).startsWith(below);
      if (!isBelow || failures.left === 0) return sync.call(this);
      failures.left -= 1;
      throw broken(code);
    });
    onTestFinished(() => {
      failing.mockRestore();
    });
    return failures;
  }

  const openSpeaking = () => {
    const limits = { ...queue().request.connection.document.limits, maxTextLength: 15 };
    return openService(
      (step, response) => {
        if (step !== 'paid') return false;
        void readFile(sample).then((sound) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound));
        return true;
      },
      { limits },
    );
  };
  const partsIn = async (folder: string) =>
    (await readdir(join(queue().folder, folder), { recursive: true })).filter((name) => name.endsWith('.part'));

  it.skipIf(process.platform !== 'linux')('once is written again, and not paid again', async () => {
    const counts = await openSpeaking();
    await failSyncs(join(queue().folder, 'out'), 1);
    const { id } = speak();
    queue().scheduler.start();
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'done' }]);
    expect([counts.paid, (await queue().outputs()).length]).toEqual([1, 1]);
  });

  it.skipIf(process.platform !== 'linux')(
    'is kept with the data, and published by a retry once the disk takes it, also after a restart',
    async () => {
      const counts = await openSpeaking();
      const failures = await failSyncs(join(queue().folder, 'out'), Infinity);
      const { id } = speak();
      queue().scheduler.start();
      expect(await settled(queue().store, [id])).toMatchObject([
        { state: 'failed', problem: { code: 'output/failed' }, audioUrl: null },
      ]);
      expect(await queue().outputs()).toEqual([]);
      await queue().reopen();
      queue().scheduler.start();
      failures.left = 0;
      queue().scheduler.retry(id);
      expect(await settled(queue().store, [id])).toMatchObject([{ state: 'done' }]);
      const [name = ''] = await queue().outputs();
      expect(await readFile(join(queue().folder, 'out', name))).toEqual(await readFile(sample));
      expect(counts.paid).toBe(1);
      expect(await partsIn('.')).toEqual([]);
    },
  );

  it.skipIf(process.platform !== 'linux').each([
    ['a sentence', 'Good evening.', 1],
    ['several', 'Good evening. Good night.', 2],
  ])('any more than that of the data waits in memory until one does (%s)', async (_, text, calls) => {
    const counts = await openSpeaking();
    const failures = await failSyncs(queue().folder, 4, 'ENOSPC');
    const { id } = speak(text);
    queue().scheduler.start();
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'done' }]);
    expect(failures.left).toBe(0);
    expect([counts.paid, await partsIn('.')]).toEqual([calls, []]);
  });
});

describe('a paid call refused by the service itself', () => {
  it('is repeated after the time that its 503 names', async () => {
    let isBusy = true;
    const counts = await openService((step, response) => {
      if (step !== 'paid' || !isBusy) return false;
      isBusy = false;
      response.setHeader('retry-after', '1');
      replyJson(response, { error: 'Busy.', details: 'All engines are in use.' }, 503);
      return true;
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'done' }]);
    expect(counts).toMatchObject({ create: 1, upload: 1, paid: 2 });
  });

  it('because its task is gone is made again with a new task', async () => {
    const counts = await openService((step, response, { body }) => {
      const isGone = step === 'paid' && String(body).includes('"t1"');
      if (isGone) replyJson(response, { error: 'Not found.', details: 'There is no such task.' }, 404);
      return isGone;
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'done', taskId: 't2' }]);
    expect(counts).toMatchObject({ create: 2, upload: 2, paid: 2 });
  });
});

it('a job that alone is denied access does not hold up the others for ever', async () => {
  const counts = await openService((step, response, { body }) => {
    const isDenied = step === 'paid' && String(body).includes('"premium"');
    if (isDenied) {
      response.setHeader('retry-after', '1');
      replyJson(response, { error: 'Forbidden.', details: 'This voice is not part of your plan.' }, 403);
    }
    return isDenied;
  });
  const { request, add, addFile, scheduler, store } = queue();
  queue().request = { ...request, voice: { ...request.voice, id: 'premium' } };
  const denied = await add([await addFile('a.mp3')]);
  queue().request = request;
  const others = await add([await addFile('b.mp3'), await addFile('c.mp3')]);
  scheduler.start();
  const [first, ...rest] = await settled(store, [...denied.ids, ...others.ids]);
  expect(first).toMatchObject({ state: 'failed', problem: { code: 'auth/forbidden' } });
  expect(rest.map(({ state }) => state)).toEqual(['done', 'done']);
  expect(counts).toMatchObject({ create: 3, paid: 4 });
  expect(queue().breaker.list()).toEqual([]);
});

it('a task that the service gives to two recordings at once is that of one of them: the other is not paid for', async () => {
  const [first, second] = [silence(20_000), silence(30_000)];
  let latest = first;
  const isRefused = Promise.withResolvers<undefined>();
  const counts = await openService(async (step, response, { body }) => {
    if (step === 'paid') await isRefused.promise;
    if (step === 'create') replyJson(response, { taskId: 'same' });
    if (step === 'upload') {
      latest = body.includes(second) ? second : first;
      replyJson(response, { uuid: 'same' });
    }
    if (step === 'result') response.end(latest);
    return step !== 'paid';
  });
  const { folder, add, scheduler, store } = queue();
  const paths = [join(folder, 'a.wav'), join(folder, 'b.wav')] as const;
  await Promise.all([writeFile(paths[0], first), writeFile(paths[1], second)]);
  const { ids } = await add(paths);
  store.onEvent((event) => {
    if (event.kind === 'upserted' && event.jobs.some(({ state }) => state === 'failed')) isRefused.resolve(undefined);
  });
  scheduler.start();
  const jobs = await settled(store, ids);
  expect(jobs.filter(({ state }) => state === 'done')).toHaveLength(1);
  expect(jobs.filter(({ state }) => state === 'failed')).toMatchObject([
    { problem: { code: 'service/not-understood', facts: { field: 'taskId' } } },
  ]);
  expect(counts).toMatchObject({ create: 2, upload: 1, paid: 1 });
});

describe('results that are paid for in vain', () => {
  const limits = () => ({ ...queue().request.connection.document.limits, maxConcurrent: 1 });
  const replies: readonly [string, ErrorCode, (step: string, response: ServerResponse) => boolean][] = [
    [
      'whose reply holds no address',
      'service/not-understood',
      (step, response) => {
        if (step === 'paid') replyJson(response, { status: 'success', data: { url: 'https://elsewhere.test/' } });
        return step === 'paid';
      },
    ],
    [
      'that are redirected',
      'service/redirected',
      (step, response) => {
        if (step === 'result') response.writeHead(302, { location: 'https://elsewhere.test/' }).end();
        return step === 'result';
      },
    ],
    [
      'at insecure addresses',
      'network/insecure',
      (step, response) => {
        if (step === 'paid') replyJson(response, { status: 'success', data: { audioUrl: 'http://elsewhere.test/' } });
        return step === 'paid';
      },
    ],
  ];

  it.each(replies)('%s pause their connection after three', async (_name, code, act) => {
    let isMended = false;
    const counts = await openService((step, response) => !isMended && act(step, response), { limits: limits() });
    const paths = await Promise.all([1, 2, 3, 4, 5].map((k) => queue().addFile(`${k}.mp3`)));
    const { ids } = await queue().add(paths);
    queue().scheduler.start();
    await expect.poll(() => queue().breaker.list()).toMatchObject([{ reason: 'uncertain', problem: { code } }]);
    expect(counts.paid).toBe(3);
    isMended = true;
    queue().scheduler.resume('test');
    const jobs = await settled(queue().store, ids);
    expect(jobs.filter(({ state }) => state === 'done')).toHaveLength(2);
    expect([counts.paid, queue().breaker.list()]).toEqual([5, []]);
  });

  it('of speech pause it, too', async () => {
    const counts = await openService(
      (step, response) => {
        if (step === 'paid') replyJson(response, { message: 'Your speech is on its way.' });
        return step === 'paid';
      },
      { limits: limits() },
    );
    for (const text of ['One.', 'Two.', 'Three.', 'Four.', 'Five.']) speak(text);
    queue().scheduler.start();
    await expect.poll(() => queue().breaker.list()).toMatchObject([{ problem: { code: 'service/no-audio' } }]);
    expect(counts.paid).toBe(3);
  });

  it('pause nothing if others in between are of use', async () => {
    const counts = await openService(
      (step, response, { body }) => {
        const isUseless = step === 'paid' && !String(body).includes('Good');
        if (isUseless) replyJson(response, { message: 'Your speech is on its way.' });
        return isUseless;
      },
      { limits: limits() },
    );
    const jobs = ['One.', 'Two.', 'Good.', 'Three.', 'Four.'].map((text) => speak(text));
    queue().scheduler.start();
    await settled(
      queue().store,
      jobs.map(({ id }) => id),
    );
    expect([counts.paid, queue().breaker.list()]).toEqual([5, []]);
  });
});

describe('a paid call answered with success, but another status', () => {
  it.each([
    [202, { status: 'processing', message: 'Your conversion has been queued.' }],
    [200, { status: 'deferred', message: 'Later.' }],
    [200, { status: 'completed', message: 'Ready.', data: { url: 'https://elsewhere.test/result' } }],
  ])('may have been carried out: %i %j', async (status, body) => {
    const counts = await openService((step, response) => {
      if (step === 'paid') replyJson(response, body, status);
      return step === 'paid';
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    const problem = { code: 'service/uncertain', words: body.message };
    expect(jobs).toMatchObject([{ state: 'uncertain', problem }]);
    expect(counts.paid).toBe(1);
  });

  it.each(['error', 'Failed', 'FAILURE', 'rejected', 'denied', 'invalid_input'])(
    'was refused if that is %j',
    async (status) => {
      await openService((step, response) => {
        if (step === 'paid') replyJson(response, { status, message: 'No.' });
        return step === 'paid';
      });
      const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
      expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'service/refused', words: 'No.' } }]);
    },
  );
});

describe('a paid result', () => {
  it.each(['NaN', 'Infinity', '-Infinity'])('is fetched although its reply holds the number %s', async (number) => {
    const counts = await openService((step, response, { headers }) => {
      const data = `{"note":"NaN \\" Infinity","audioUrl":"http://${headers.host ?? ''}/result","processingTime":${number}}`;
      if (step === 'paid') response.end(`{"status":"success","data":${data}}`);
      return step === 'paid';
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'done' }]);
    expect(counts).toMatchObject({ paid: 1, result: 1 });
  });

  const cuts: readonly [string, (response: ServerResponse, body: string) => void][] = [
    [
      'announces more than it has',
      (response, body) => {
        response.writeHead(200, { 'content-length': body.length + 2 });
        response.write(body, () => response.destroy());
      },
    ],
    ['does not end its last chunk', (response, body) => void response.write(body, () => response.destroy())],
  ];
  it.each(cuts)('is fetched although its reply %s', async (_name, reply) => {
    const counts = await openService((step, response, { headers }) => {
      const data = { audioUrl: `http://${headers.host ?? ''}/result` };
      if (step === 'paid') reply(response, JSON.stringify({ status: 'success', data }));
      return step === 'paid';
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    const { id } = speak();
    expect([...jobs, ...(await settled(queue().store, [id]))]).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(counts).toMatchObject({ paid: 2, result: 2 });
  });

  it('is in doubt if its reply is cut within its JSON', async () => {
    const counts = await openService((step, response) => {
      if (step === 'paid') response.write('{"status":"success","data":{"audioUrl":"http:', () => response.destroy());
      return step === 'paid';
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'uncertain', problem: { facts: { reason: 'UND_ERR_SOCKET' } } }]);
    expect(counts.paid).toBe(1);
  });

  const compressions: readonly [string, (body: Buffer) => Buffer][] = [
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ];
  it.each(compressions)(
    'is fetched although its reply and its sound are compressed unasked: %s',
    async (encoding, compress) => {
      const compressed = (response: ServerResponse, body: Buffer) => {
        const packed = compress(body);
        response.writeHead(200, { 'content-encoding': encoding, 'content-length': packed.length }).end(packed);
      };
      const counts = await openService(async (step, response, { headers }) => {
        const data = { audioUrl: `http://${headers.host ?? ''}/result` };
        if (step === 'paid') compressed(response, Buffer.from(JSON.stringify({ status: 'success', data })));
        else if (step === 'result') compressed(response, await readFile(sample));
        return step === 'paid' || step === 'result';
      });
      const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
      expect(jobs).toMatchObject([{ state: 'done' }]);
      expect(counts).toMatchObject({ paid: 1, result: 1 });
      expect(await readFile(join(queue().folder, 'out', (await queue().outputs())[0] ?? ''))).toEqual(
        await readFile(sample),
      );
    },
  );

  it('of speech is kept although the service compresses it unasked', async () => {
    const counts = await openService(async (step, response) => {
      if (step === 'paid')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(await readFile(sample)));
      return step === 'paid';
    });
    const { id } = speak();
    queue().scheduler.start();
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'done' }]);
    expect(counts.paid).toBe(1);
  });

  it.each([403, 404])('whose storage answers %i for a while is fetched once it is there', async (status) => {
    let missing = 2;
    const counts = await openService((step, response) => {
      if (step !== 'result' || missing === 0) return false;
      missing -= 1;
      response.writeHead(status).end();
      return true;
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'done' }]);
    expect(counts).toMatchObject({ paid: 1, result: 3 });
  });

  it.each([400, 401, 402])('whose storage elsewhere answers %i holds up nothing else', async (status) => {
    let isExpired = true;
    const storage = await startScriptedService(async (_request, response) => {
      if (isExpired) response.writeHead(status).end();
      else response.end(await readFile(sample));
      isExpired = false;
    });
    const counts = await openService((step, response) => {
      if (step === 'paid') replyJson(response, { status: 'success', data: { audioUrl: `${storage.origin}/result` } });
      return step === 'paid';
    });
    const pauses: unknown[] = [];
    queue().breaker.onChanged((now) => pauses.push(...now));
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    await storage.stop();
    expect([jobs[0]?.state, pauses, counts.paid, storage.requests.length]).toEqual(['done', [], 1, 2]);
  });

  it('that is gone is not asked for again, and its address, which may be secret, is forgotten', async () => {
    const counts = await openService((step, response) => {
      if (step === 'result') response.writeHead(410).end();
      return step === 'result';
    });
    const { jobs } = await queue().run([await queue().addFile('a.mp3')]);
    expect(jobs).toMatchObject([{ state: 'uncertain', problem: { code: 'service/result-gone' }, audioUrl: null }]);
    expect(counts).toMatchObject({ paid: 1, result: 1 });
  });
});

describe('a recording that is added again', () => {
  const redirect = (response: ServerResponse) => void response.writeHead(302, { location: '/elsewhere' }).end();

  it('continues at the download of a result that failed, instead of being paid for again', async () => {
    let isBroken = true;
    const counts = await openService((step, response) => {
      if (step === 'result' && isBroken) redirect(response);
      return step === 'result' && isBroken;
    });
    const path = await queue().addFile('a.mp3');
    const { jobs } = await queue().run([path]);
    expect(jobs).toMatchObject([{ state: 'failed', problem: { code: 'service/redirected' } }]);
    isBroken = false;
    const { ids } = await queue().add([path]);
    expect(ids).toEqual(jobs.map(({ id }) => id));
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }]);
    expect(counts).toMatchObject({ create: 1, paid: 1, result: 2 });
  });

  it('continues at the download that was cancelled, for speech too', async () => {
    const held: ServerResponse[] = [];
    const counts = await openService((step, response) => {
      const isHeld = step === 'result' && held.length === 0;
      if (isHeld) held.push(response);
      return isHeld;
    });
    const { id } = speak();
    queue().scheduler.start();
    await expect.poll(() => held.length).toBe(1);
    queue().scheduler.cancel(id);
    await settled(queue().store, [id]);
    const job = queue().store.get(id);
    const { connection, voice, nameTemplate } = queue().request;
    const again = await queue().submitJobs.resumeSpeech('Good evening.', {
      ...{ connection, voice, nameTemplate },
      settings: job?.kind === 'speech' ? job.settings : expect.unreachable('it is not speech'),
      outputFolder: join(queue().folder, 'out'),
    });
    expect(again?.id).toBe(id);
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'done' }]);
    expect(counts).toMatchObject({ paid: 1, result: 2 });
  });

  it('is converted again if its settings differ, or if the service no longer has the result', async () => {
    let status = 302;
    const counts = await openService((step, response) => {
      if (step === 'result' && status !== 200) response.writeHead(status, { location: '/elsewhere' }).end();
      return step === 'result' && status !== 200;
    });
    const path = await queue().addFile('a.mp3');
    const { jobs: first } = await queue().run([path]);
    const { request } = queue();
    queue().request = { ...request, settings: { ...request.settings, pitch: 1.5 } };
    status = 410;
    const { ids } = await queue().add([path]);
    expect(ids).not.toEqual(first.map(({ id }) => id));
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'uncertain' }]);
    status = 200;
    const { ids: third } = await queue().add([path]);
    expect(third).not.toEqual(ids);
    expect(await settled(queue().store, third)).toMatchObject([{ state: 'done' }]);
    expect(counts.paid).toBe(3);
  });
});
