/** Our client with services that settle the interface's open points differently, configured only by the connection document. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createConnectionRegistry } from '../../src/main/core/connections/connection-registry.ts';
import { conversionJob } from '../../src/main/core/jobs/job.fixture.ts';
import { decideOutcome } from '../../src/main/core/jobs/retry-policy.ts';
import { createHttp } from '../../src/main/core/voice-service/http.ts';
import { replyJson, startScriptedService } from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import { omittableFields } from '../../src/shared/operations.ts';
import { connectionSchema } from '../../src/shared/schemas/connection.ts';
import { conversion, listener, signal, speech, uploadOf, taskId } from './client-calls.ts';
import { examples } from './examples.ts';
import { operationIds } from './interface-table.ts';
import { json } from './recording-service.ts';
import { useClient } from './test-client.ts';
import { toneWav } from './tone.ts';

const sound = toneWav();
const { client: connect, folder, keep, record } = useClient();
const queryOf = (url: string) => Object.fromEntries(new URLSearchParams(url.split('?')[1]));

describe('client, other query names', () => {
  it('lists voices with the query names of the document, and with page and limit', async () => {
    const service = await record();
    const client = connect({
      hosts: service.hosts,
      voiceQuery: { version: 'ver', category: 'kind', gender: 'sex', language: 'lang' },
    });
    await examples.voices.call(client, folder(), sound);
    expect(queryOf(service.seen('voices').url)).toEqual({
      ver: 'v2',
      kind: 'news',
      sex: 'female',
      lang: 'en-GB',
      page: '0',
      limit: '100',
    });
  });

  it('counts pages of voices from the service’s first page', async () => {
    const service = await record();
    const client = connect({ hosts: service.hosts, firstVoicePage: 1 });
    for (const page of [0, 4]) {
      expect(await client.listVoices({ page, limit: 10 }, signal)).toMatchObject({ page });
      expect(queryOf(service.seen('voices').url)).toMatchObject({ page: String(page + 1) });
    }
  });

  it('requests voice details with the service’s query name', async () => {
    const service = await record();
    const client = connect({ hosts: service.hosts, voiceDetailQuery: 'voice_uid' });
    await client.voiceDetail('a b&c', signal);
    expect(queryOf(service.seen('voice-detail').url)).toEqual({ voice_uid: 'a b&c' });
  });

  it('sends the page size of models with the service’s query name', async () => {
    const service = await record();
    const client = connect({ hosts: service.hosts, modelPageSizeQuery: 'per_page' });
    await client.listModels({ page: 2, limit: 10 }, signal);
    expect(queryOf(service.seen('models').url)).toEqual({ page: '2', per_page: '10' });
  });
});

describe('client, Changer-Type of the task', () => {
  const defaults = ['changerType', 'changer_type', 'type'].map((field) => ({ field, changerType: {} }));
  const own = { field: 'kind', changerType: { fields: ['kind'] } };
  it.each([...defaults, own])('sends the value of the created task in $field', async ({ field, changerType }) => {
    const service = await record({ 'create-task': json({ message: 'Made.', taskId, [field]: 'FVC-2' }) });
    const client = connect({ hosts: service.hosts, changerType });
    const task = await client.createTask({ voice: 'v-1', engine: 'v5' }, signal);
    await client.uploadAudio(await uploadOf(folder(), sound, task), signal);
    expect(service.seen('upload').headers['changer-type']).toBe('FVC-2');
  });

  it.each([
    ['the document’s', { fallback: 'XYZ' }, 'XYZ'],
    ['the usual', {}, 'FVC'],
  ])('sends %s fallback if the created task has none of the fields', async (_case, changerType, sent) => {
    const service = await record({ 'create-task': json({ message: 'Made.', taskId, other: 'FVC-2' }) });
    const client = connect({ hosts: service.hosts, changerType });
    const task = await client.createTask({ voice: 'v-1', engine: 'v5' }, signal);
    await client.uploadAudio(await uploadOf(folder(), sound, task), signal);
    expect(service.seen('upload').headers['changer-type']).toBe(sent);
  });

  it('uses the first field with a value', async () => {
    const service = await record({ 'create-task': json({ taskId, first: '', second: 'B', third: 'C' }) });
    const client = connect({ hosts: service.hosts, changerType: { fields: ['none', 'first', 'second', 'third'] } });
    expect(await client.createTask({ voice: 'v-1', engine: 'v5' }, signal)).toEqual({ taskId, changerType: 'B' });
  });
});

describe('client, the voice of a call', () => {
  it('is the field of a catalogue entry that the document names', async () => {
    const entry = { id: 'v-1', code: 'c-9', name: 'Anna', language: 'en-GB', gender: 'female', category: 'news' };
    const service = await record({ voices: json({ page: 0, limit: 1, total: 1, voices: [entry] }) });
    const client = connect({ hosts: service.hosts, voiceField: 'code' });
    const { voices } = await client.listVoices({ page: 0, limit: 1 }, signal);
    expect(voices.map(({ id }) => id)).toEqual(['c-9']);
  });

  it('is the field of a model that the document names', async () => {
    const service = await record();
    const client = connect({ hosts: service.hosts, modelVoiceField: 'name' });
    const { models } = await client.listModels({ page: 1, limit: 10 }, signal);
    expect(models.map(({ voiceId }) => voiceId)).toEqual(['a/b ü?#%']);
  });
});

describe('client, authorization', () => {
  it('has the format of the document in every operation', async () => {
    const service = await record();
    const client = connect({ hosts: service.hosts, authorization: 'Token t={token}' }, 'abc');
    for (const id of operationIds) {
      await examples[id].call(client, folder(), sound);
      expect(service.seen(id).headers.authorization, id).toBe('Token t=abc');
    }
  });

  it('is not sent to voice details and the sample if the document says so', async () => {
    const service = await record();
    const client = connect({ hosts: service.hosts, voiceDetailAuthorized: false, sampleAuthorized: false });
    for (const id of operationIds) {
      await examples[id].call(client, folder(), sound);
      const isOpen = id === 'voice-detail' || id === 'plant';
      expect(service.seen(id).headers.authorization, id).toBe(isOpen ? undefined : 'Bearer secret');
    }
  });
});

describe('client, results', () => {
  it.each(['convert', 'speech'] as const)('of %s on another origin are downloaded without credentials', async (id) => {
    const store = keep(
      await startScriptedService((_request, response) => {
        response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
      }),
    );
    const audioUrl = `${store.origin}/deep/x.wav?signature=1`;
    const service = await record({
      convert: json({ status: 'success', message: 'Done.', data: { audioUrl, processingTime: 1 } }),
      speech: json({ message: audioUrl }),
    });
    const client = connect({ hosts: service.hosts });
    const made =
      id === 'convert' ? await client.convertAudio(conversion, signal) : await client.speakText(speech(), signal);
    expect(made).toMatchObject({ audioUrl });
    const sink = listener();
    await client.downloadResult({ audioUrl, ...sink }, signal);
    expect(sink.heard()).toEqual(sound);
    const [asked, ...more] = store.requests;
    expect(more).toEqual([]);
    expect(asked?.url).toBe('/deep/x.wav?signature=1');
    expect(JSON.stringify(asked?.headers)).not.toContain('secret');
    expect(asked?.headers).not.toHaveProperty('authorization');
  });

  it('on a host of the connection are downloaded with credentials', async () => {
    const service = keep(
      await startScriptedService((_request, response) => {
        response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
      }),
    );
    const [origin, other] = [service.origin, 'https://a.example'];
    const client = connect({ hosts: { voice: 'http://127.0.0.1:9', upload: origin, converter: other } });
    const sink = listener();
    await client.downloadResult({ audioUrl: `${origin}/x.wav`, ...sink }, signal);
    expect(service.requests[0]?.headers.authorization).toBe('Bearer secret');
  });
});

describe('client, hosts', () => {
  it('uses the voice host if the document names no other', async () => {
    const service = keep(
      await startScriptedService((request, response) => {
        const id = request.url.startsWith('/base/api/pagevoices') ? 'voices' : 'plant';
        replyJson(response, examples[id].reply);
      }),
    );
    const base = `${service.origin}/base/`;
    const client = connect({ hosts: { voice: base, upload: base } });
    await client.listVoices({ page: 0, limit: 5 }, signal);
    await client.createPlant({ id: '1', name: 'Fern', tag: null }, signal);
    expect(service.requests.map(({ url }) => url.split('?')[0])).toEqual(['/base/api/pagevoices', '/base/plants']);
  });
});

describe('client, fields that the service rejects', () => {
  const bodyOf = (body: Buffer) => JSON.parse(String(body)) as Readonly<Record<string, unknown>>;
  it.each(omittableFields.filter((field) => !field.startsWith('voices.')))(
    '%s is left out if the document says so',
    async (field) => {
      const id = field.slice(0, field.indexOf('.')) as 'create-task' | 'convert' | 'speech';
      const name = field.slice(id.length + 1);
      const inside = name.startsWith('Parameter.');
      const service = await record();
      const fieldsOf = () => {
        const body = bodyOf(service.seen(id).body);
        return inside ? Object.keys(body['Parameter'] as object) : Object.keys(body);
      };
      await examples[id].call(connect({ hosts: service.hosts }), folder(), sound);
      const all = fieldsOf();
      await examples[id].call(connect({ hosts: service.hosts, omit: [field] }), folder(), sound);
      expect(all).toContain(name.replace('Parameter.', ''));
      expect(fieldsOf()).toEqual(all.filter((one) => one !== name.replace('Parameter.', '')));
    },
  );

  it('voices.version is left out if the document says so', async () => {
    const service = await record();
    await examples.voices.call(connect({ hosts: service.hosts, omit: ['voices.version'] }), folder(), sound);
    expect(queryOf(service.seen('voices').url)).not.toHaveProperty('version');
  });
});

describe('client, properties of the service in the document', () => {
  it.each(['.m4a', '.opus', '.MP3', '.wma'])('asks for the format %s as the voice lists it', async (outputFormat) => {
    const service = await record();
    await connect({ hosts: service.hosts }).convertAudio({ ...conversion, outputFormat }, signal);
    expect(JSON.parse(String(service.seen('convert').body))).toMatchObject({ outputFormat });
  });

  it('downloads no result over http from a remote service', async () => {
    const far = connect({ hosts: { voice: 'https://a.example', upload: 'https://a.example' } });
    const failed = await far
      .downloadResult({ audioUrl: 'http://a.example/x.wav', ...listener() }, signal)
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ problem: { code: 'network/insecure' } });
  });

  it('creates an own voice at /local/models, which only the local engine has', async () => {
    const engine = keep(await startScriptedService((_, response) => replyJson(response, { modelId: 'm' })));
    const { path } = await uploadOf(folder(), sound, { taskId, changerType: 'FVC' });
    await connect({ hosts: engine.connection().document.hosts }).createModel(
      { name: 'Mine', languageCode: 'en', path },
      signal,
    );
    expect(engine.requests[0]).toMatchObject({ method: 'POST', url: '/local/models' });
  });

  it('ranges limit the pitch and speed that the user is offered', async () => {
    const service = await record();
    const ranges = { pitch: { min: 0.1, max: 10, default: 1 }, speed: { min: 1, max: 3, default: 2 } };
    const document = v.parse(connectionSchema, { name: 'x', hosts: service.hosts, ranges });
    const http = createHttp();
    const connection = {
      id: 'x',
      kind: 'remote',
      document,
      access: () => Promise.reject(new Error('unasked')),
    } as const;
    expect(createConnectionRegistry(http, [connection]).list()[0]).toMatchObject(ranges);
    await http.close();
  });

  it('limits.maxTextLength rejects a longer text before the call', async () => {
    const service = await record();
    const client = connect({ hosts: service.hosts, limits: { maxTextLength: 3 } });
    await expect(client.speakText(speech({ text: 'four' }), signal)).rejects.toMatchObject({
      code: 'input/text-too-long',
    });
    expect(service.requests).toEqual([]);
  });

  it('timeouts.stallMs ends a call that is not answered', async () => {
    const silent = keep(await startScriptedService(() => undefined));
    const { hosts } = silent.connection().document;
    const client = connect({ hosts, timeouts: { stallMs: 50 } });
    await expect(client.listModels({ page: 1, limit: 1 }, signal)).rejects.toMatchObject({ code: 'network/timeout' });
  });

  it.each([
    ['ask', { kind: 'uncertain', stopsQueue: false }],
    ['stop', { kind: 'uncertain', stopsQueue: true }],
    ['repeat', { kind: 'retry', state: 'uploaded' }],
  ] as const)('unknownOutcome %s decides what happens after a lost reply', (unknownOutcome, outcome) => {
    const job = conversionJob({ state: 'converting' });
    const { document } = job.connection;
    const connection = { ...job.connection, document: { ...document, unknownOutcome } };
    const lost = { code: 'network/cut' } as const;
    expect(decideOutcome({ ...job, connection }, lost, { random: () => 0.5, pauseTries: () => 0 })).toMatchObject(
      outcome,
    );
  });
});
