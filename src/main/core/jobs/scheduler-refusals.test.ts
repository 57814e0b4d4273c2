import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Speaker } from '../../../shared/schemas/speech.ts';
import { ownVoiceCategory, type Voice } from '../../../shared/schemas/voice.ts';
import { replyJson, type ScriptedService, startScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled } from './wait-for-jobs.ts';

const queue = useTestQueue();
const anna: Voice = { id: 'anna', name: 'Anna', language: 'en-US', gender: 'female', category: 'natural' };
const gone = { code: 'voice/not-found', facts: { name: 'Anna' }, words: 'Invalid input parameters. No such thing.' };

/** What the service answers to a call; undefined for what it answers usually. */
interface Answers {
  create?: (response: ServerResponse) => void;
  upload?: (response: ServerResponse) => void;
  speak?: (response: ServerResponse) => void;
  detail?: (response: ServerResponse) => void;
  models?: (response: ServerResponse, request: { readonly url: string }) => void;
}

const refuse =
  (error: string, details: string, status = 400) =>
  (response: ServerResponse) =>
    replyJson(response, { error, details }, status);
const refuseInput = refuse('Invalid input parameters.', 'No such thing.');
const isUnknown = refuse('Invalid voice identifier.', 'The provided voice ID does not exist.', 404);
const isKnown = (response: ServerResponse) =>
  replyJson(response, { status: 'success', voiceId: anna.id, name: anna.name, additionalDetails: {} });
const listModels =
  (ids: readonly string[], totalItems = ids.length) =>
  (response: ServerResponse, { url }: { readonly url: string }) => {
    const currentPage = Number(/page=(\d+)/.exec(url)?.[1]);
    const models = ids
      .slice((currentPage - 1) * 100, currentPage * 100)
      .map((id) => ({ modelId: id, voiceId: id, name: id, languageCode: 'en', gender: '' }));
    replyJson(response, { models, pagination: { currentPage, totalPages: Math.ceil(ids.length / 100), totalItems } });
  };
const bob: Speaker = { name: 'Bob', voiceId: 'bob-1', voiceName: 'Warm talker' };
const others = Array.from({ length: 250 }, (_, k) => `other ${k}`);
const failAfterFirstPage: Answers['models'] = (response, request) =>
  (request.url.includes('page=1') ? listModels(others) : refuseInput)(response, request);

let service: ScriptedService;
let answers: Answers;
beforeEach(async () => {
  answers = { create: refuseInput, detail: isUnknown };
  service = await startScriptedService((request, response) => {
    const { url } = request;
    const { create, upload, speak, detail, models } = answers;
    if (url.includes('create')) (create ?? ((response) => replyJson(response, { taskId: 't' })))(response);
    else if (url.includes('upload')) (upload ?? refuseInput)(response);
    else if (url.includes('getvoicedetail')) (detail ?? isUnknown)(response);
    else if (url.includes('models/list')) (models ?? listModels([]))(response, request);
    else if (url.includes('result')) refuseInput(response);
    else (speak ?? refuseInput)(response);
  });
  await queue().open(service.connection());
  queue().request = { ...queue().request, voice: anna };
});
afterEach(() => service.stop());

/** How often the service was asked for a voice. */
const lookups = () => service.requests.filter(({ url }) => /getvoicedetail|models\/list/.test(url)).length;

/** Runs so many jobs, and returns their problems. */
async function problems(count = 1) {
  const { jobs } = await queue().run(
    await Promise.all(Array.from({ length: count }, (_, k) => queue().addFile(`in/${k}.mp3`))),
  );
  return jobs.map(({ problem }) => problem);
}

const speak = (text = 'Hello.', speakers: readonly Speaker[] = []) => {
  const { connection, voice, nameTemplate, folder, outputFolder } = { ...queue().request, folder: queue().folder };
  const sound = { language: 'en-US', speed: 1, pitch: 1, engine: 'v7', platform: 'web' } as const;
  const settings = { ...sound, voiceId: voice.id, speakers };
  const target = { connection, voice, nameTemplate, outputFolder: outputFolder ?? folder };
  return queue().submitJobs.addSpeech(text, { ...target, settings });
};

describe('a call that the service refuses', () => {
  it('says that the voice is gone if the service no longer has it, and asks once for all jobs', async () => {
    expect(await problems(12)).toEqual(Array.from({ length: 12 }, () => gone));
    expect(lookups()).toBe(1);
  });

  it('says so of a text, whose refused call is not in doubt', async () => {
    const { id } = speak();
    queue().scheduler.start();
    expect(await settled(queue().store, [id])).toMatchObject([{ state: 'failed', problem: gone }]);
    expect(lookups()).toBe(1);
  });

  it.each([
    ['in its only call', 'Bob: Hello.', listModels([]), 'voice/speaker-not-found'],
    ['in one of many', 'Bob: Hello.\nAnna: Hi.', listModels([]), 'voice/speaker-not-found'],
    [
      'from a service without own voices',
      'Bob: Hello.',
      refuse('Not found.', 'No path.', 404),
      'voice/speaker-not-found',
    ],
    ['unless it is an own one', 'Bob: Hello.', listModels(['bob-1']), 'service/refused'],
    ['unless a later page of the own ones may have it', 'Bob: Hello.', failAfterFirstPage, 'service/refused'],
  ])('says that the voice of a speaker is gone, %s', async (_, text, models, code) => {
    answers.models = models;
    const { id } = speak(text, [bob]);
    queue().scheduler.start();
    const [job] = await settled(queue().store, [id]);
    expect([job?.state, job?.problem]).toMatchObject(['failed', { code }]);
    if (code !== 'service/refused') expect(job?.problem?.facts).toEqual({ name: 'Bob', voice: 'Warm talker' });
    expect(service.requests.filter(({ url }) => url.includes('getvoicedetail')).map(({ url }) => url)).toEqual([
      expect.stringContaining('bob-1'),
    ]);
  });

  it.each([
    ['gone', listModels([])],
    ['there', listModels(['bob-1'])],
  ])('keeps no voice in what it says of a job: that of a speaker is %s', async (_, models) => {
    answers.models = models;
    const refusals = [refuseInput, refuse('', ''), refuse('Busy.', 'Later.', 408)];
    const facts: unknown[] = [];
    for (const spoken of refusals) {
      answers.speak = spoken;
      const { id } = speak('Bob: Hello.', [bob]);
      queue().scheduler.start();
      const [job] = await settled(queue().store, [id]);
      facts.push(job?.problem?.facts ?? {});
    }
    expect(JSON.stringify(facts)).not.toContain('bob-1');
  });

  it('asks again for the voice of a speaker once the service has taken it meanwhile', async () => {
    const say = async () => {
      const { id } = speak('Bob: Hello.', [bob]);
      queue().scheduler.start();
      return (await settled(queue().store, [id]))[0];
    };
    expect(await say()).toMatchObject({ problem: { code: 'voice/speaker-not-found' } });
    answers.speak = (response) =>
      replyJson(response, { status: 'success', data: { audioUrl: `${service.origin}/result` } });
    await say();
    delete answers.speak;
    answers.detail = isKnown;
    expect(await say()).toMatchObject({ problem: { code: 'service/refused' } });
  });

  it.each([
    ['the voice is there', isKnown],
    ['the service does not know the question', refuse('Not found.', 'No such path.', 404)],
    ['the service cannot answer', (response: ServerResponse) => void response.writeHead(503).end()],
    ['the connection breaks', (response: ServerResponse) => void response.destroy()],
  ])('stays what the service said if %s, which is asked once', async (_, detail) => {
    answers.detail = detail;
    expect(await problems(3)).toMatchObject(Array.from({ length: 3 }, () => ({ code: 'service/refused' })));
    expect(lookups()).toBe(1);
  });

  it.each([
    ['is gone if the whole list lacks it', listModels(['other']), 'voice/not-found', 1],
    ['is gone if no page of a long list has it', listModels(others), 'voice/not-found', 3],
    ['is there if it is listed', listModels(['other', 'anna']), 'service/refused', 1],
    ['is there if another page lists it', listModels([...others, 'anna']), 'service/refused', 3],
    ['may be there if the list lacks others, too', listModels(['other'], 2), 'service/refused', 2],
  ])('looks for an own voice among the own ones: it %s', async (_, models, code, calls) => {
    answers.models = models;
    queue().request = { ...queue().request, voice: { ...anna, category: ownVoiceCategory } };
    expect(await problems(2)).toMatchObject([{ code }, { code }]);
    expect(lookups()).toBe(calls);
  });

  it('asks for no voice if it does not name one, or if a gateway refused it', async () => {
    delete answers.create;
    expect(await problems()).toMatchObject([{ code: 'service/refused' }]);
    answers.create = (response) => void response.writeHead(400).end('Bad gateway');
    expect(await problems()).toMatchObject([{ code: 'service/refused' }]);
    expect(lookups()).toBe(0);
  });

  it('asks for no voice once the user works offline', async () => {
    answers.create = (response) => {
      queue().network.isOffline = true;
      refuseInput(response);
    };
    expect(await problems()).toMatchObject([{ code: 'service/refused' }]);
    expect(lookups()).toBe(0);
  });

  it('asks again once the service has taken the voice meanwhile', async () => {
    expect(await problems()).toEqual([gone]);
    delete answers.create;
    expect(await problems()).toMatchObject([{ code: 'service/refused' }]);
    [answers.create, answers.detail] = [refuseInput, isKnown];
    expect(await problems()).toMatchObject([{ code: 'service/refused' }]);
    expect(lookups()).toBe(2);
  });

  it('ends with the job that is cancelled while the service is asked, and for no other', async () => {
    const held: (() => void)[] = [];
    answers.detail = (response) => void held.push(() => isUnknown(response));
    const { ids } = await queue().add([await queue().addFile('a.mp3'), await queue().addFile('b.mp3')]);
    queue().scheduler.start();
    await expect.poll(() => service.requests.filter(({ url }) => url.includes('create')).length).toBe(2);
    await expect.poll(() => held.length).toBe(1);
    queue().scheduler.cancel(ids[0] ?? '');
    held[0]?.();
    expect(await settled(queue().store, ids)).toMatchObject([
      { state: 'cancelled', problem: null },
      { state: 'failed', problem: gone },
    ]);
  });
});
