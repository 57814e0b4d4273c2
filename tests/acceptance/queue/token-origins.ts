// Fails when a token reaches an origin that it was not entered for, or when a job of a changed host does not wait with a question.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  replyJson,
  startScriptedService,
  type ScriptedService,
} from '../../../src/main/core/voice-service/scripted-service.fixture.ts';
import { systemClock } from '../../../src/main/core/clock.ts';
import { createConnectionRegistry, enterToken } from '../../../src/main/core/connections/connection-registry.ts';
import { createConnectionStore } from '../../../src/main/core/connections/connection-store.ts';
import { openDatabase } from '../../../src/main/core/database/database.ts';
import { openQueue } from '../../../src/main/core/jobs/open-queue.fixture.ts';
import { settled } from '../../../src/main/core/jobs/wait-for-jobs.ts';
import { createSecretStore } from '../../../src/main/core/secrets/secret-store.ts';
import { createHttp } from '../../../src/main/core/voice-service/http.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { defaultSettings } from '../../../src/shared/schemas/settings.ts';
import { memoryKeychain } from '../support/memory-keychain.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const sample = join(import.meta.dirname, '../../../samples/lantern.mp3');
const hosts = ['voice', 'upload', 'converter', 'models', 'sample'] as const;
type Host = (typeof hosts)[number];
const states = ['queued', 'created', 'uploaded', 'converted', 'speech'] as const;
type State = (typeof states)[number];
/** What of the old address is another one now. */
const changes = ['name', 'port'] as const;

const voice = { id: 'v', name: 'V', language: 'en-GB', gender: 'male', category: 'c' };
const service = (): Promise<ScriptedService> =>
  startScriptedService(({ url, headers }, response) => {
    const origin = `http://${headers.host ?? ''}`;
    if (url.includes('createaudiofilechanger')) return replyJson(response, { message: 'Made.', taskId: 't' });
    if (url.includes('uploadaudiofile')) return replyJson(response, { message: 'Kept.', uuid: 't' });
    if (url.includes('changeaudiofile')) {
      return replyJson(response, { status: 'success', data: { audioUrl: `${origin}/result` } });
    }
    if (url.includes('fsmstexttospeech')) return replyJson(response, { message: `${origin}/result` });
    if (url.includes('/result')) return void copyInto(response);
    return replyJson(response, { error: 'No.' }, 400);
  });

async function copyInto(response: Parameters<Parameters<typeof startScriptedService>[0]>[1]): Promise<void> {
  const { readFile } = await import('node:fs/promises');
  response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(await readFile(sample));
}

const withToken = (requests: ScriptedService['requests'], token: string, host: string): number =>
  requests.filter(({ headers }) => headers.host === host && (headers.authorization ?? '').includes(token)).length;

/** Which host a job needs from its state on. */
const needs = (state: State): readonly Host[] => {
  if (state === 'speech') return ['converter'];
  if (state === 'uploaded' || state === 'converted') return ['voice'];
  return state === 'queued' ? ['voice', 'upload'] : ['upload', 'voice'];
};

interface Case {
  readonly host: Host;
  readonly change: (typeof changes)[number];
  readonly state: State;
}

async function run(context: ScenarioContext, { host, change, state }: Case): Promise<number> {
  const name = `${host} ${change} ${state}`;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(' ', '-'));
  await mkdir(folder);
  const [main, other] = [await service(), await service()];
  const http = createHttp({ proxy: 'direct' });
  const database = await openDatabase(join(folder, 'data'));
  const secrets = createSecretStore({ keychain: memoryKeychain().keychain, dataFolder: join(folder, 'data') });
  const open = () =>
    createConnectionStore({
      database,
      secrets,
      clock: systemClock,
      randomId: () => 'id',
      reservedNames: [],
      onDefect: (error) => must(false, String(error)),
    });
  // The old address of the host: another name of the same service, or another service.
  const oldOrigin = change === 'name' ? main.origin.replace('127.0.0.1', 'localhost') : other.origin;
  const all = Object.fromEntries(hosts.map((one) => [one, main.origin]));
  const stored = open();
  const old = stored.save(null, { name: 'Studio', hosts: { ...all, [host]: oldOrigin } });
  const book = createConnectionRegistry(http, [old]);
  const queue = await openQueue({
    dataFolder: join(folder, 'data'),
    clock: systemClock,
    random: () => 0,
    connections: book,
    role: 'app',
    onProgress: () => undefined,
    onDefect: (error) => must(false, `${name}: ${String(error)}`),
  });
  const { store, submitJobs, scheduler, breaker } = queue;
  const shared = { connection: { id: 'id', name: 'Studio', document: old.document }, voice, nameTemplate: '{name}' };
  const outputFolder = join(folder, 'out');
  let id: string;
  if (state === 'speech') {
    id = submitJobs.addSpeech('A text.', {
      ...shared,
      settings: { ...defaultSettings.speech, voiceId: 'v' },
      outputFolder,
    }).id;
  } else {
    const source = join(folder, 'a.mp3');
    await copyFile(sample, source);
    const settings = { ...defaultSettings.conversion, voiceId: 'v', format: '.mp3' } as const;
    const order = { ...shared, settings, outputFolder };
    [id = ''] = (await submitJobs.add([source], order, new AbortController().signal)).ids;
    if (state !== 'queued') {
      // Its space was reserved before the upload, which makes the folder.
      await mkdir(outputFolder);
      const audioUrl = `${host === 'voice' ? oldOrigin : main.origin}/result`;
      store.change(id, {
        state,
        taskId: 't',
        changerType: 'FVC',
        outputFormat: '.mp3',
        ...(state === 'converted' && { audioUrl }),
      });
    }
  }
  // The address is put right, and a new token entered for it.
  const right = stored.save('id', { name: 'Studio', hosts: all });
  book.upsert(right);
  await enterToken(secrets, right, 'NEW-token');
  const asks = needs(state).includes(host);
  const paused = new Promise<void>((resolve) => {
    const look = () => {
      if (breaker.find('id', 'token')) resolve();
    };
    breaker.onChanged(look);
    look();
  });
  scheduler.start();
  if (asks) {
    await paused;
    const origin = breaker.find('id', 'token')?.problem?.facts?.['origin'];
    must(origin === oldOrigin, `${name}: it asks for ${String(origin)}`);
    must(
      withToken([...main.requests, ...other.requests], 'NEW', new URL(oldOrigin).host) === 0,
      `${name}: the token left`,
    );
    await secrets.allow('id', [oldOrigin]);
    scheduler.resume('id');
  }
  const [job] = await settled(store, [id]);
  must(job?.state === 'done', `${name}: ${job?.state ?? ''} ${job?.problem?.code ?? ''}`);
  const paid = [...main.requests, ...other.requests].filter(({ url }) =>
    /changeaudiofile|texttospeech/.test(url),
  ).length;
  must(paid === (state === 'converted' ? 0 : 1), `${name}: ${paid} paid calls`);

  // The other direction: the connection goes to another address with the token of before.
  const moved = stored.save('id', { name: 'Studio', hosts: { ...all, [host]: 'http://localhost:9' } });
  book.upsert(moved);
  const { signal } = new AbortController();
  const calls: Readonly<Record<Host, () => Promise<unknown>>> = {
    voice: () => book.service('id').createTask({ voice: 'v', engine: 'v5' }, signal),
    upload: () => Promise.reject(new AppError('auth/missing', 'asked with jobs')),
    converter: () => book.service('id').listVoices({ page: 0, limit: 1 }, signal),
    models: () => book.service('id').listModels({ page: 1, limit: 1 }, signal),
    sample: () => book.service('id').createPlant({ id: '1', name: 'p', tag: null }, signal),
  };
  const refused = await calls[host]().then(
    () => 'nothing',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
  must(refused === 'auth/missing', `${name}: a test at a new address ended with ${refused}`);
  await queue.stop();
  database.close();
  await http.close();
  await Promise.all([main.stop(), other.stop()]);
  return asks ? 1 : 0;
}

/** A connection that a command works with cannot be removed by the window. */
async function removal(context: ScenarioContext): Promise<void> {
  const dataFolder = join(context.folder, 'removal');
  const database = await openDatabase(dataFolder);
  const secrets = createSecretStore({ keychain: memoryKeychain().keychain, dataFolder });
  const stored = createConnectionStore({
    database,
    secrets,
    clock: systemClock,
    randomId: () => 'id',
    reservedNames: [],
    onDefect: () => undefined,
  });
  const host = await service();
  const connection = stored.save(null, { name: 'Studio', hosts: { voice: host.origin, upload: host.origin } });
  const http = createHttp({ proxy: 'direct' });
  const command = await openQueue({
    dataFolder,
    clock: systemClock,
    random: () => 0,
    connections: createConnectionRegistry(http, [connection]),
    role: 'command',
    onProgress: () => undefined,
    onDefect: () => undefined,
  });
  const job = command.submitJobs.addSpeech('A text.', {
    connection: { id: 'id', name: 'Studio', document: connection.document },
    voice,
    nameTemplate: '{name}',
    settings: { ...defaultSettings.speech, voiceId: 'v' },
    outputFolder: context.folder,
  });
  const remove = (): string => {
    try {
      stored.remove('id');
      return 'removed';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };
  must(remove() === 'connection/in-use', 'a connection with open jobs of a command was removed');
  command.scheduler.cancel(job.id);
  must(remove() === 'removed', 'a connection without open jobs was not removed');
  await command.stop();
  database.close();
  await http.close();
  await host.stop();
}

export const scenario: Scenario = {
  id: 'Q25',
  title: 'a token is sent only to origins it was entered for, and jobs of changed hosts wait with a question',
  async run(context) {
    const cases = hosts.flatMap((host) =>
      changes.flatMap((change) => states.map((state): Case => ({ host, change, state }))),
    );
    const some = context.full
      ? cases
      : cases.filter((_, k) => k % 2 === 0 || needs(states[k % 5] ?? 'queued').length > 1);
    let questions = 0;
    for (const one of some) questions += await run(context, one);
    await removal(context);
    return { cases: some.length, questions, 'tokens at other origins': 0 };
  },
};
