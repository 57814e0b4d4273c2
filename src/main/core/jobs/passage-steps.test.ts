import { existsSync } from 'node:fs';
import { readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConnectionDocument, localConnectionId } from '../../../shared/schemas/connection.ts';
import { decodeSound } from '../../../sound/decode-sound.ts';
import { buzz, encoded } from '../../../sound/sound.fixture.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createTakes, type TakeKey } from '../speech/takes.ts';
import { replyJson } from '../voice-service/scripted-service.fixture.ts';
import type { SpeechJob } from './job.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { acquireProcessLock } from './process-lock.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

/** While true, what a call may take is over at once where it is waited for another process, whose call is looked for this often. */
let isHasty = false;
const otherCallPollMs = 250;
const queue = useTestQueue({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(isHasty && ms === otherCallPollMs ? 0 : ms, signal),
});
const { openService, speak } = usePaidService(queue);

const rate = 24_000;
let sound: Uint8Array;
/** Texts of the calls, in order. */
let spoken: string[];
beforeEach(async () => {
  spoken = [];
  isHasty = false;
  sound = await encoded('wav', [buzz(120, 0.5, rate)], rate);
});

afterEach(() => void vi.restoreAllMocks());

/** Opens a service that answers each call with half a second of sound, unless `answer` does. */
function open(
  answer: (text: string, response: ServerResponse, host: string) => boolean | Promise<boolean> = () => false,
  document: Partial<ConnectionDocument> = {},
) {
  return openService(async (step, response, { body, headers }) => {
    if (step === 'result') response.end(sound);
    if (step !== 'paid') return true;
    const { speech } = JSON.parse(String(body)) as { readonly speech: string };
    spoken.push(speech);
    if (!(await answer(speech, response, headers.host ?? ''))) response.end(sound);
    return true;
  }, document);
}

const book = 'One.\n\nTwo. Three.\n\nFour.';
const sentences = ['One.', 'Two.', 'Three.', 'Four.'];

const finished = async (id: string): Promise<SpeechJob> => (await settled(queue().store, [id]))[0] as SpeechJob;

function run(text = book, format: Parameters<typeof speak>[1] = {}): Promise<SpeechJob> {
  const { id } = speak(text, format);
  queue().scheduler.start();
  return finished(id);
}

async function secondsOf({ output }: SpeechJob): Promise<number> {
  let frames = 0;
  for await (const { channels } of decodeSound(output?.path ?? '')) frames += channels[0]?.length ?? 0;
  return frames / rate;
}

/** Half a second for each sentence, and the pauses between them. */
const bookSeconds = 4 * 0.5 + 0.35 + 2 * 0.8;

async function files(folder: string): Promise<readonly string[]> {
  const found = await readdir(join(queue().folder, 'data', folder), { recursive: true, withFileTypes: true });
  return found.filter((each) => each.isFile()).map(({ name }) => name);
}

/** An answer that never comes for this text, the first time; resolves once it is asked for. */
function silentAt(text: string) {
  const asked = Promise.withResolvers<void>();
  let isFirst = true;
  return {
    asked: asked.promise,
    answer(speech: string): boolean {
      if (speech !== text || !isFirst) return false;
      isFirst = false;
      asked.resolve();
      return true;
    },
  };
}

describe('the length of speech', () => {
  it('is that of all passages with the pauses between them', async () => {
    await open();
    expect((await run()).durationSeconds).toBeCloseTo(bookSeconds, 3);
  });

  it.each(['reply', 'address'] as const)('of one call is that of its sound, by %s', async (by) => {
    await open((_, response, host) => {
      if (by === 'address') replyJson(response, { status: 'success', data: { audioUrl: `http://${host}/result` } });
      return by === 'address';
    });
    const job = await run('One.');
    expect(job.durationSeconds).toBeCloseTo(0.5, 3);
    expect(queue().store.get(job.id)).toMatchObject({ state: 'done', durationSeconds: job.durationSeconds });
  });

  it('is not known of a text that is spoken again, before it is', async () => {
    await open();
    const job = await run();
    await queue().scheduler.stop();
    expect(job.durationSeconds).not.toBeNull();
    expect(queue().submitJobs.repeat(job).durationSeconds).toBeNull();
  });
});

describe('takes of this computer', () => {
  const enough = 3e9;
  const settings = { voiceId: 'a', language: 'en', speed: 1, pitch: 1, engine: 'v7', platform: 'web' } as const;

  /** Takes with more than 4 GB in all; the older first. */
  async function makeTakes() {
    const { takes } = queue();
    const make = async (text: string, savedAt: number) => {
      const key = takes.keyOf({ connectionId: localConnectionId, address: '', text, settings });
      const output = await takes.open(key, 'job');
      await output.write(Buffer.from('sound'));
      await output.finish();
      await takes.publish(key, output, 'wav');
      const path = (await takes.find(key)) ?? '';
      await truncate(path, enough);
      await utimes(path, savedAt, savedAt);
      return path;
    };
    return { older: await make('One.', 1000), newer: await make('Two.', 2000) };
  }

  it('are kept up to 4 GB while Timbre runs, too', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await open();
    const { older, newer } = await makeTakes();
    await run();
    await expect.poll(() => existsSync(older)).toBe(false);
    expect(existsSync(newer)).toBe(true);
  });

  it('are all kept while a text is still to be spoken', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await open(async () => {
      asked.resolve();
      await answered.promise;
      return false;
    });
    const { older } = await makeTakes();
    for (const text of ['First.', 'Second.']) speak(text);
    queue().scheduler.start();
    await asked.promise;
    queue().scheduler.pause();
    let isActive = true;
    queue().scheduler.onActivity((isNow) => (isActive = isNow));
    answered.resolve();
    await expect.poll(() => isActive).toBe(false);
    expect(queue().store.hasUnfinishedSpeech()).toBe(true);
    expect(queue().takes.addedSinceTrim(localConnectionId)).toBe(2);
    expect(existsSync(older)).toBe(true);
  });
});

describe('a long text', () => {
  it('is spoken sentence by sentence, in order, and joined with pauses to one file', async () => {
    await open();
    const job = await run();
    expect(spoken).toEqual(sentences);
    expect(job).toMatchObject({ state: 'done', outputFormat: '.wav' });
    expect(await secondsOf(job)).toBeCloseTo(bookSeconds, 3);
    expect(await queue().outputs()).toHaveLength(1);
    expect(queue().progress).toContainEqual({ id: job.id, direction: 'speech', donePassages: 3, passages: 4 });
  });

  it('that is one sentence on several lines is sent without their breaks', async () => {
    await open();
    await run('The ferry had left without him again, and so he stood\nwhere the ramp had been.\n');
    expect(spoken).toEqual(['The ferry had left without him again, and so he stood where the ramp had been.']);
  });

  it('of which one sentence was changed costs one call', async () => {
    await open();
    await run();
    await run(book.replace('Three.', 'Five.'));
    await run();
    expect(spoken).toEqual([...sentences, 'Five.']);
  });

  it('that is spoken twice at once costs as many calls as once', async () => {
    await open();
    const ids = [speak(book).id, speak(book).id];
    queue().scheduler.start();
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(spoken.toSorted()).toEqual(sentences.toSorted());
  });

  it('that is cancelled while it is divided costs nothing', async () => {
    await open();
    const { id } = speak('The lamp went out. The ferry left.\n\n'.repeat(50_000));
    queue().scheduler.start();
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    await queue().scheduler.cancelAll([id]);
    expect(await finished(id)).toMatchObject({ state: 'cancelled', problem: null });
    await queue().scheduler.stop();
    expect(spoken).toEqual([]);
  });

  it('whose paragraphs become a file each costs no other calls', async () => {
    await open();
    await run();
    const paragraphs = ['One.', 'Two. Three.', 'Four.'];
    const ids = paragraphs.map((text, k) => speak(text, { textFormat: 'paragraph', title: `book ${k + 1}` }).id);
    const jobs = (await settled(queue().store, ids)) as readonly SpeechJob[];
    expect(await Promise.all(jobs.map(secondsOf))).toEqual([0.5, 1.35, 0.5]);
    expect(spoken).toEqual(sentences);
  });

  it('in another voice, or with other settings, has takes of its own', async () => {
    await open();
    await run();
    queue().request = { ...queue().request, voice: { ...queue().request.voice, id: 'high-glass' } };
    await run();
    expect(spoken).toEqual([...sentences, ...sentences]);
  });

  it('is not taken for that of another service whose address the connection has now', async () => {
    await open();
    await run();
    const { id } = queue().request.connection;
    await open();
    expect(queue().request.connection.id).toBe(id);
    await run();
    expect(spoken).toEqual([...sentences, ...sentences]);
  });

  it('whose takes cannot be kept is not paid for', async () => {
    await open();
    await writeFile(join(queue().folder, 'data/takes'), 'not a folder');
    const { id } = speak(book);
    queue().scheduler.start();
    await expect
      .poll(() => queue().store.get(id)?.problem ?? queue().breaker.list()[0]?.problem)
      .toMatchObject({
        code: expect.stringMatching(/^output\//) as string,
      });
    expect(spoken).toEqual([]);
  });

  it('that is longer than the service accepts is spoken in parts that it accepts', async () => {
    await open(() => false, { limits: { ...queue().request.connection.document.limits, maxTextLength: 10 } });
    expect(await run('one two three four')).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['one two', 'three four']);
  });

  it('whose takes the service keeps elsewhere fetches each', async () => {
    const counts = await open((_text, response, host) => {
      replyJson(response, { audioUrl: `http://${host}/result` });
      return true;
    });
    const job = await run();
    expect(await secondsOf(job)).toBeCloseTo(bookSeconds, 3);
    expect(counts).toMatchObject({ paid: 4, result: 4 });
  });
});

describe('a long text that another process speaks, too', () => {
  /** A job of the other process, which has the text and works at nothing yet. */
  async function openOther() {
    const { id } = speak(book);
    queue().scheduler.cancel(id);
    const dataFolder = join(queue().folder, 'data');
    const database = await openDatabase(dataFolder);
    const processLock = acquireProcessLock(dataFolder);
    const update = database.prepare('UPDATE job SET state = ?, owner = ?, state_changed_at = ? WHERE id = ?');
    const change = (state: string) => void update.run(state, processLock.id, Date.now() + 1, id);
    const takes = createTakes(database, join(dataFolder, 'takes'));
    return {
      begin(key: TakeKey) {
        change('converting');
        takes.recordCall(id, { hash: key.hash, number: 1, audioUrl: null });
      },
      lose: () => change('uncertain'),
      end() {
        takes.removeCall(id);
        change('cancelled');
      },
      /** As a kill does; closing releases the lock as well. */
      die: () => processLock.release(),
      close() {
        processLock.release();
        database.close();
      },
    };
  }

  const keyOf = ({ connection, settings }: SpeechJob, text: string): TakeKey => {
    const address = connection.document.hosts.voice;
    return queue().takes.keyOf({ connectionId: connection.id, address, text, settings });
  };
  const keep = ({ folder, hash }: TakeKey) => writeFile(join(folder, `${hash}.wav`), sound);

  it.each([
    ['and went on', true],
    ['just now', false],
  ])('is not paid for where the other made the take %s', async (_, hasGoneOn) => {
    let makeFour = () => Promise.resolve();
    await open(async (text) => {
      if (text === 'Two.') await makeFour();
      return false;
    });
    const other = await openOther();
    const job = speak(book);
    const key = keyOf(job, 'Four.');
    other.begin(key);
    makeFour = async () => {
      await keep(key);
      if (hasGoneOn) other.end();
    };
    queue().scheduler.start();
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['One.', 'Two.', 'Three.']);
    other.end();
    other.close();
  });

  /** Lets the other process be faster by a moment: the last thing before the call is committed. */
  function beginFirst(other: Awaited<ReturnType<typeof openOther>>): void {
    const { takes } = queue();
    const opened = vi.spyOn(takes, 'open').mockImplementation((key, id) => {
      opened.mockRestore();
      other.begin(key);
      return takes.open(key, id);
    });
  }

  it.each([
    ['is called for by the other', false],
    ['is about to be called for by both', true],
  ])('waits for the sentence that %s, and does not pay for it', async (_, isClose) => {
    await open();
    const other = await openOther();
    const job = speak(book);
    const key = keyOf(job, 'One.');
    if (isClose) beginFirst(other);
    else other.begin(key);
    const looks = vi.spyOn(queue().takes, 'findOtherCall');
    queue().scheduler.start();
    await expect.poll(() => looks.mock.results.filter(({ value }) => value !== undefined).length).toBeGreaterThan(3);
    expect(queue().store.get(job.id)).toMatchObject({ problem: null, consecutiveFailures: 0 });
    await keep(key);
    other.end();
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['Two.', 'Three.', 'Four.']);
    other.close();
  });

  it.each([
    ['lost its answer', 'lose'],
    ['was killed', 'die'],
  ] as const)('is in doubt, and not paid for twice, if the other %s', async (_, how) => {
    await open();
    const other = await openOther();
    const job = speak(book);
    other.begin(keyOf(job, 'One.'));
    const looks = vi.spyOn(queue().takes, 'findOtherCall');
    queue().scheduler.start();
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(1);
    other[how]();
    expect(await finished(job.id)).toMatchObject({ state: 'uncertain', problem: { code: 'service/uncertain' } });
    expect(spoken).toEqual([]);
    other.end();
    other.close();
  });

  it('is in doubt, and not paid for twice, if the other takes longer than a call may', async () => {
    await open(() => false, { timeouts: { connectMs: 10_000, stallMs: 60_000, convertMs: 30_000 } });
    const other = await openOther();
    const job = speak(book);
    const key = keyOf(job, 'One.');
    other.begin(key);
    isHasty = true;
    queue().scheduler.start();
    expect(await finished(job.id)).toMatchObject({ state: 'uncertain', problem: { code: 'service/uncertain' } });
    expect(spoken).toEqual([]);
    await keep(key);
    queue().scheduler.retry(job.id);
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['Two.', 'Three.', 'Four.']);
    other.end();
    other.close();
  });

  it('is paid for at once if the user goes on although the other is still suspended', async () => {
    await open(() => false, { timeouts: { connectMs: 10_000, stallMs: 60_000, convertMs: 30_000 } });
    const other = await openOther();
    const job = speak(book);
    other.begin(keyOf(job, 'One.'));
    isHasty = true;
    queue().scheduler.start();
    expect(await finished(job.id)).toMatchObject({ state: 'uncertain' });
    queue().scheduler.retry(job.id);
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(sentences);
    other.end();
    other.close();
  });

  it.each([
    ['waits for a third one', true],
    ['asks about a third one', false],
  ])(
    '%s, and does not pay for it, although the user agreed to a call besides that of the first',
    async (_, isAnswered) => {
      await open(() => false, { timeouts: { connectMs: 10_000, stallMs: 60_000, convertMs: 30_000 } });
      const [first, third] = [await openOther(), await openOther()];
      const job = speak(book);
      const key = keyOf(job, 'One.');
      first.begin(key);
      isHasty = true;
      queue().scheduler.start();
      expect(await finished(job.id)).toMatchObject({ state: 'uncertain' });
      isHasty = false;
      third.begin(key);
      const looks = vi.spyOn(queue().takes, 'findOtherCall');
      queue().scheduler.retry(job.id);
      await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(1);
      if (isAnswered) await keep(key);
      else third.lose();
      expect(await finished(job.id)).toMatchObject({ state: isAnswered ? 'done' : 'uncertain' });
      expect(spoken).toEqual(isAnswered ? ['Two.', 'Three.', 'Four.'] : []);
      for (const other of [first, third]) {
        other.end();
        other.close();
      }
    },
  );

  it('says that it waits for the other, and no longer says so once it goes on', async () => {
    await open((text) => text === 'Four.');
    const other = await openOther();
    const job = speak(book);
    const key = keyOf(job, 'Three.');
    other.begin(key);
    queue().scheduler.start();
    const problem = () => queue().store.get(job.id)?.problem?.code;
    await expect.poll(problem).toBe('job/elsewhere');
    await keep(key);
    await expect.poll(() => spoken.at(-1)).toBe('Four.');
    expect(problem()).toBeUndefined();
    other.end();
    other.close();
  });

  it('is paid for once the other was certainly not charged', async () => {
    await open();
    const other = await openOther();
    const job = speak(book);
    beginFirst(other);
    const looks = vi.spyOn(queue().takes, 'findOtherCall');
    queue().scheduler.start();
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(2);
    other.end();
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(sentences);
    other.close();
  });

  it('is not paid for while the other may be answered, also if what was lost is to be repeated', async () => {
    await open(() => false, { unknownOutcome: 'repeat' });
    const other = await openOther();
    const job = speak(book);
    const key = keyOf(job, 'One.');
    other.begin(key);
    const looks = vi.spyOn(queue().takes, 'findOtherCall');
    queue().scheduler.start();
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(2);
    expect(spoken).toEqual([]);
    await keep(key);
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['Two.', 'Three.', 'Four.']);
    other.end();
    other.close();
  });

  it('asks, and does not repeat a call that was refused, if the other lost its own meanwhile', async () => {
    let meanwhile: (() => void) | undefined;
    await open((_, response) => {
      if (!meanwhile) return false;
      meanwhile();
      meanwhile = undefined;
      response.writeHead(429, { 'Retry-After': '0' }).end();
      return true;
    });
    const other = await openOther();
    const job = speak(book);
    meanwhile = () => {
      other.begin(keyOf(job, 'One.'));
      other.lose();
    };
    queue().scheduler.start();
    expect(await finished(job.id)).toMatchObject({ state: 'uncertain', problem: { code: 'service/uncertain' } });
    expect(spoken).toEqual(['One.']);
    other.end();
    other.close();
  });

  it('asks again, and does not call, if the other calls after the user agreed', async () => {
    let isLost = true;
    await open((_, response) => {
      if (isLost) response.destroy();
      return isLost;
    });
    const other = await openOther();
    const job = speak(book);
    queue().scheduler.start();
    expect(await finished(job.id)).toMatchObject({ state: 'uncertain' });
    isLost = false;
    other.begin(keyOf(job, 'One.'));
    const looks = vi.spyOn(queue().takes, 'findOtherCall');
    queue().scheduler.retry(job.id);
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(1);
    other.lose();
    expect(await finished(job.id)).toMatchObject({ state: 'uncertain' });
    expect(spoken).toEqual(['One.']);
    queue().scheduler.retry(job.id);
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['One.', ...sentences]);
    other.end();
    other.close();
  });
});

describe('a sentence that is spoken again', () => {
  const again = (text: string, count = 2) => {
    const { connection, voice } = queue().request;
    const key = queue().takes.keyOf({
      connectionId: connection.id,
      address: connection.document.hosts.voice,
      text,
      settings: { voiceId: voice.id, language: 'en-US', speed: 1, pitch: 1, engine: 'v7', platform: 'web' },
    });
    return { key, takes: { [key.hash]: count } };
  };

  it('costs one call, and is in the next result', async () => {
    const longer = await encoded('wav', [buzz(120, 2, rate)], rate);
    await open((text, response) => {
      if (text !== 'Three.' || spoken.filter((each) => each === text).length < 2) return false;
      response.end(longer);
      return true;
    });
    await run();
    const { key, takes } = again('Three.');
    const { id } = speak(book, { takes });
    expect(await secondsOf(await finished(id))).toBeCloseTo(bookSeconds + 1.5, 3);
    expect(spoken).toEqual([...sentences, 'Three.']);

    const [first = ''] = await queue().takes.list(key);
    await queue().takes.choose(first.split('/').slice(-2).join('/'));
    expect(await secondsOf(await finished(speak(book).id))).toBeCloseTo(bookSeconds, 3);
    expect(spoken).toHaveLength(5);
  });

  it('by two jobs that want it once more costs one call', async () => {
    await open();
    await run();
    const { takes } = again('Three.');
    const ids = [speak(book, { takes }).id, speak(book, { takes }).id];
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(spoken).toEqual([...sentences, 'Three.']);
  });

  it('is paid for once, also if earlier takes are gone and a later sentence fails', async () => {
    let refusals = 2;
    await open((text, response) => {
      if (text !== 'Three.' || spoken.length < 5 || refusals === 0) return false;
      refusals -= 1;
      response.writeHead(429, { 'Retry-After': '0' }).end();
      return true;
    });
    await run();
    const { takes } = again('One.', 3);
    await queue().takes.removeAll();
    expect(await finished(speak(book, { takes }).id)).toMatchObject({ state: 'done' });
    expect(spoken.slice(4)).toEqual(['One.', 'Two.', 'Three.', 'Three.', 'Three.', 'Four.']);
    await finished(speak(book, { takes }).id);
    expect(spoken).toHaveLength(10);
  });

  it('asks if its response was lost, although it has an older take', async () => {
    const silent = silentAt('Three.');
    let isAgain = false;
    await open((text) => isAgain && silent.answer(text));
    await run();
    isAgain = true;
    const { id } = speak(book, { takes: again('Three.').takes });
    await silent.asked;
    await queue().reopen();
    queue().scheduler.start();
    expect(await finished(id)).toMatchObject({ state: 'uncertain', problem: { code: 'service/uncertain' } });
    expect(spoken).toEqual([...sentences, 'Three.']);
    queue().scheduler.retry(id);
    expect(await finished(id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual([...sentences, 'Three.', 'Three.']);
  });
});

it('a long text has the pauses of its settings', async () => {
  await open();
  queue().scheduler.start();
  const { id } = speak(book, { pauses: { sentence: 0, paragraph: 2 } });
  expect(await secondsOf(await finished(id))).toBeCloseTo(4 * 0.5 + 2 * 2, 3);
});

describe('a long text that is interrupted', () => {
  it('by the end of the program repeats no sentence that was answered, and asks about the one that was not', async () => {
    const silent = silentAt('Three.');
    await open(silent.answer);
    const { id } = speak(book);
    queue().scheduler.start();
    await silent.asked;
    await queue().reopen();
    queue().scheduler.start();
    expect(await finished(id)).toMatchObject({ state: 'uncertain', problem: { code: 'service/uncertain' } });
    expect(spoken).toEqual(['One.', 'Two.', 'Three.']);
    queue().scheduler.retry(id);
    expect(await secondsOf(await finished(id))).toBeCloseTo(bookSeconds, 3);
    expect(spoken).toEqual(['One.', 'Two.', 'Three.', 'Three.', 'Four.']);
  });

  it('after a take got its name continues by itself', async () => {
    const silent = silentAt('Three.');
    await open(silent.answer);
    const { id } = speak(book);
    queue().scheduler.start();
    await silent.asked;
    await queue().reopen();
    const database = new DatabaseSync(join(queue().folder, 'data/timbre.db'), { readOnly: true });
    const hash = String(database.prepare('SELECT hash FROM take_call WHERE job = ?').get(id)?.['hash']);
    database.close();
    const [folder = ''] = await readdir(join(queue().folder, 'data/takes'));
    await writeFile(join(queue().folder, 'data/takes', folder, `${hash}.wav`), sound);
    queue().scheduler.start();
    expect(await finished(id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(sentences);
  });

  it('asks for both of two jobs that say the same, and one more call serves them', async () => {
    const silent = silentAt('Three.');
    await open(silent.answer);
    const ids = [speak(book).id, speak(book).id];
    queue().scheduler.start();
    await silent.asked;
    await queue().reopen();
    queue().scheduler.start();
    const doubtful = { state: 'uncertain', problem: { code: 'service/uncertain' } };
    expect(await settled(queue().store, ids)).toMatchObject([doubtful, doubtful]);
    expect(spoken).toEqual(['One.', 'Two.', 'Three.']);
    for (const id of ids) queue().scheduler.retry(id);
    expect(await settled(queue().store, ids)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(spoken).toEqual(['One.', 'Two.', 'Three.', 'Three.', 'Four.']);
  });

  it.each([
    ['is cancelled', (id: string) => queue().scheduler.cancel(id)],
    [
      'is lost once the clock was set back',
      (_id: string, response: ServerResponse) => {
        const now = Date.now.bind(Date);
        vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
        response.destroy();
      },
    ],
  ])('asks another job that waits for a sentence whose call %s', async (_, interrupt) => {
    const held = Promise.withResolvers<ServerResponse>();
    let isFirst = true;
    await open((text, response) => {
      if (text !== 'Two.' || !isFirst) return false;
      isFirst = false;
      held.resolve(response);
      return true;
    });
    const ids = [speak(book).id, speak(book).id];
    queue().scheduler.start();
    const response = await held.promise;
    interrupt(ids.find((id) => queue().takes.findCall(id) !== undefined) ?? '', response);
    const jobs = await settled(queue().store, ids);
    expect(jobs.some(({ state }) => state === 'uncertain')).toBe(true);
    expect(spoken).toEqual(['One.', 'Two.']);
  });

  it('and is asked for anew is paid for, as the user knows of the doubt', async () => {
    const silent = silentAt('Three.');
    await open(silent.answer);
    const { id } = speak(book);
    queue().scheduler.start();
    await silent.asked;
    await queue().reopen();
    queue().scheduler.start();
    expect(await finished(id)).toMatchObject({ state: 'uncertain' });
    expect(await finished(speak(book).id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['One.', 'Two.', 'Three.', 'Three.', 'Four.']);
  });

  it('and was asked for before that is in doubt, although its job was added later', async () => {
    const askedAt = Date.now();
    const silent = silentAt('One.');
    await open(silent.answer);
    const { id } = speak(book);
    queue().scheduler.start();
    await silent.asked;
    await queue().reopen();
    queue().scheduler.start();
    await finished(id);
    queue().scheduler.pause();
    const job = speak(book);
    const dataFolder = join(queue().folder, 'data');
    const database = await openDatabase(dataFolder);
    const otherCall = (...asked: [number?]) => {
      const takes = createTakes(database, join(dataFolder, 'takes'), ...asked);
      const { connection, settings } = job;
      const key = { connectionId: connection.id, address: connection.document.hosts.voice, text: 'One.', settings };
      return takes.findOtherCall(takes.keyOf(key), job, 1, false, () => false)?.jobId;
    };
    expect([otherCall(), otherCall(askedAt)]).toEqual([undefined, id]);
    database.close();
  });

  it('by a lost connection is fetched by another job that says the same, without a call', async () => {
    let isLost = true;
    const counts = await openService((step, response, { headers }) => {
      if (step === 'result' && isLost) response.destroy();
      else if (step === 'result') response.end(sound);
      if (step === 'paid') replyJson(response, { audioUrl: `http://${headers.host ?? ''}/result` });
      return true;
    });
    const { id } = speak(book);
    queue().scheduler.start();
    await expect.poll(() => queue().store.get(id)?.attempts).toBe(1);
    queue().scheduler.cancel(id);
    isLost = false;
    expect(await finished(speak(book).id)).toMatchObject({ state: 'done' });
    expect(counts.paid).toBe(4);
  });

  it('by a lost connection fetches a take again, without another call', async () => {
    let failures = 2;
    const counts = await openService((step, response, { headers }) => {
      if (step === 'result' && failures > 0) {
        failures -= 1;
        response.destroy();
        return true;
      }
      if (step === 'result') response.end(sound);
      if (step === 'paid') replyJson(response, { audioUrl: `http://${headers.host ?? ''}/result` });
      return true;
    });
    expect(await run()).toMatchObject({ state: 'done' });
    expect(counts).toMatchObject({ paid: 4, result: 6 });
  });

  it('by a take that the service no longer has asks before it pays again', async () => {
    let isGone = true;
    const counts = await openService((step, response, { headers }) => {
      if (step === 'result' && isGone) response.writeHead(410).end();
      else if (step === 'result') response.end(sound);
      if (step === 'paid') replyJson(response, { audioUrl: `http://${headers.host ?? ''}/result` });
      return true;
    });
    const job = await run();
    expect(job).toMatchObject({ state: 'uncertain', problem: { code: 'service/result-gone' } });
    expect(counts.paid).toBe(1);
    isGone = false;
    queue().scheduler.retry(job.id);
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(counts.paid).toBe(5);
  });

  it('by a pause stops before the next sentence, with nothing in doubt', async () => {
    const held: ServerResponse[] = [];
    await open((text, response) => text === 'Two.' && held.length === 0 && held.push(response) > 0);
    const { id } = speak(book);
    queue().scheduler.start();
    await expect.poll(() => held.length).toBe(1);
    queue().scheduler.pause();
    held[0]?.end(sound);
    await expect.poll(() => queue().store.get(id)?.state).toBe('queued');
    expect(spoken).toEqual(['One.', 'Two.']);
    queue().scheduler.resume(null);
    expect(await finished(id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(sentences);
  });

  it('by a service that refuses one sentence keeps those before', async () => {
    let isRefused = true;
    await open((text, response) => {
      if (text !== 'Three.' || !isRefused) return false;
      replyJson(response, { error: 'No such word.' }, 422);
      return true;
    });
    const job = await run();
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'service/refused' } });
    isRefused = false;
    queue().scheduler.retry(job.id);
    expect(await finished(job.id)).toMatchObject({ state: 'done' });
    expect(spoken).toEqual(['One.', 'Two.', 'Three.', 'Three.', 'Four.']);
  });

  it('leaves nothing beside its takes', async () => {
    await open();
    await run();
    expect((await files('takes')).every((name) => /^[0-9a-f]{64}\.wav$/.test(name))).toBe(true);
  });

  it('by the loss of a take asks before it pays for it again', async () => {
    const held: ServerResponse[] = [];
    await open((text, response) => text === 'Four.' && held.length === 0 && held.push(response) > 0);
    const { id } = speak(book);
    queue().scheduler.start();
    await expect.poll(() => held.length).toBe(1);
    const [folder = ''] = await readdir(join(queue().folder, 'data/takes'));
    const path = join(queue().folder, 'data/takes', folder);
    const [take = ''] = (await readdir(path)).filter((name) => !name.startsWith('.'));
    await rm(join(path, take));
    held[0]?.end(sound);
    expect(await finished(id)).toMatchObject({ state: 'uncertain', problem: { code: 'service/result-gone' } });
    expect(spoken).toEqual(sentences);
    queue().scheduler.retry(id);
    expect(await finished(id)).toMatchObject({ state: 'done' });
    expect(spoken).toHaveLength(5);
  });
});

describe('subtitles', () => {
  const cues = (...times: readonly [string, string][]) =>
    times.map(([at, words]) => `00:00:0${at} --> 00:00:0${at}\n${words}\n`).join('\n');
  const runSubtitles = (text: string) => run(text, { textFormat: 'subtitles' });

  /** Seconds at which sound begins after silence. */
  async function starts({ output }: SpeechJob): Promise<readonly number[]> {
    const found: number[] = [];
    let [frame, lastLoud] = [0, -Infinity];
    for await (const { channels } of decodeSound(output?.path ?? '')) {
      for (const value of channels[0] ?? []) {
        if (Math.abs(value) > 0.001) {
          if (frame - lastLoud > rate / 20) found.push(frame / rate);
          lastLoud = frame;
        }
        frame += 1;
      }
    }
    return found;
  }

  it('are one file in which each cue begins at its time', async () => {
    await open();
    const job = await runSubtitles(cues(['1,500', 'One.'], ['4,000', 'Two.'], ['2,000', 'Three.']));
    expect(spoken).toEqual(['One.', 'Three.', 'Two.']);
    expect(job).toMatchObject({ state: 'done', problem: null });
    const found = await starts(job);
    // The third cue begins when the first one ends.
    expect(found).toHaveLength(2);
    expect(found[0]).toBeCloseTo(1.5, 2);
    expect(found[1]).toBeCloseTo(4, 2);
    expect(await secondsOf(job)).toBeCloseTo(4.5, 3);
  });

  it('that run long move the next ones, catch up in the next gap, and say so', async () => {
    await open();
    const job = await runSubtitles(cues(['1,000', 'One.'], ['1,100', 'Two.'], ['1,200', 'Three.'], ['3,000', 'Four.']));
    expect(job).toMatchObject({
      state: 'done',
      problem: { code: 'speech/late-cues', facts: { count: 2, seconds: 0.8 } },
    });
    expect(await secondsOf(job)).toBeCloseTo(3.5, 3);
  });

  it('of one cue have its silence, too, and are spoken again for nothing', async () => {
    await open();
    expect(await secondsOf(await runSubtitles(cues(['2,000', 'One.'])))).toBeCloseTo(2.5, 3);
    expect(await secondsOf(await runSubtitles(cues(['3,000', 'One.'])))).toBeCloseTo(3.5, 3);
    expect(spoken).toEqual(['One.']);
  });
});

describe('a text with a title', () => {
  it('is named by it, and kept as a take however short it is', async () => {
    await open();
    queue().request = { ...queue().request, nameTemplate: '{name}' };
    const format = { title: 'a.b {voice}' };
    const first = await run('One.', format);
    await run('One.', format);
    expect(spoken).toEqual(['One.']);
    expect((await queue().outputs()).toSorted()).toEqual(['a.b {voice} (2).wav', 'a.b {voice}.wav']);
    expect(await secondsOf(first)).toBe(0.5);
  });
});
