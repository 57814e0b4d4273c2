/** Our client against a server that records: each request holds what the interface's tables say, and no more. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SeenRequest } from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import type { ServiceClient } from '../../src/main/core/voice-service/service-client.ts';
import { conversion, signal, speech } from './client-calls.ts';
import { examples } from './examples.ts';
import { fits } from './field-values.ts';
import { endpoints, operationIds, type OperationId } from './interface-table.ts';
import { readForm } from './read-form.ts';
import { contentsOf, startRecordingService, type RecordingService } from './recording-service.ts';
import { limitRows } from './interface-rules.ts';
import { useClient } from './test-client.ts';
import { toneWav } from './tone.ts';

const sound = toneWav();
const { client: connect, folder, keep } = useClient();
let service: RecordingService;
let client: ServiceClient;
/** What each operation sent when it was called once, and what came of it. */
const sent = new Map<OperationId, readonly SeenRequest[]>();
const outcomes = new Map<OperationId, unknown>();

beforeAll(async () => {
  service = keep(await startRecordingService());
  client = connect({ hosts: service.hosts });
  for (const id of operationIds) {
    const before = service.requests.length;
    outcomes.set(id, await examples[id].call(client, folder(), sound));
    sent.set(id, service.requests.slice(before));
  }
});

const requestOf = (id: OperationId): SeenRequest => {
  const [request, ...more] = sent.get(id) ?? [];
  if (!request || more.length > 0) throw new Error(`${id} was asked ${more.length + (request ? 1 : 0)} times`);
  return request;
};

const lastBody = (id: OperationId) => service.seen(id).body.toString();

describe.each(endpoints)('client, $id', (endpoint) => {
  const { id, content, request: fields } = endpoint;
  const contents = () => contentsOf(endpoint, requestOf(id));

  it('is sent once with its method to its host and path', () => {
    const { method, url } = requestOf(id);
    expect(method).toBe(endpoint.method);
    const [before = '', after = ''] = `/at/${endpoint.host}${endpoint.path}`.split(/\{\w+\}/);
    expect(url.startsWith(before) && url.split('?')[0]?.endsWith(after), url).toBe(true);
  });

  it('sends every field of the table and no other', () => {
    expect([...contents().keys()].sort()).toEqual(fields.map(({ place, name }) => `${place} ${name}`).sort());
  });

  it.each(fields)('sends $name, $type, in the $place', (field) => {
    const value = contents().get(`${field.place} ${field.name}`);
    expect(fits(field, value), JSON.stringify(value)).toBe(true);
  });

  it('carries Authorization, and the type of its body', () => {
    const { headers, body } = requestOf(id);
    expect(headers.authorization).toBe('Bearer secret');
    const types = { json: /^application\/json$/, form: /^multipart\/form-data; boundary=\S+$/, none: /^$/ };
    expect(headers['content-type'] ?? '').toMatch(types[content]);
    if (content === 'none') expect(body).toHaveLength(0);
  });

  it('understands the reply', () => {
    expect(outcomes.get(id)).toEqual(examples[id].understood);
  });
});

describe('client, content of requests', () => {
  it('sends the file byte for byte, in the one part of its form', () => {
    const { headers, body } = requestOf('upload');
    const [part, ...more] = readForm(headers['content-type'] ?? '', body);
    expect(part).toEqual({ name: 'audioFile', fileName: 'sound.wav', content: sound });
    expect(more).toEqual([]);
  });

  it('sends all digits of an int64', () => {
    expect(requestOf('plant').body.toString()).toContain('"id":9223372036854775807');
  });

  it('leaves out an empty tag of a plant', async () => {
    await client.createPlant({ id: '1', name: 'Fern', tag: null }, signal);
    expect(JSON.parse(lastBody('plant'))).toEqual({ id: 1, name: 'Fern' });
  });

  it('sends no empty filter', async () => {
    await client.listVoices({ page: 0, limit: 1, category: '', gender: '', language: '' }, signal);
    expect(service.seen('voices').url).toMatch(/\/api\/pagevoices\?version=v2&page=0&limit=1$/);
  });

  it.each([
    [1, '1.0'],
    [0.85, '0.85'],
    [1.25, '1.25'],
    [1 / 3, '0.333333'],
  ])('formats the speed and pitch %d of speech as %s', async (value, text) => {
    await client.speakText(speech({ speed: value, pitch: value }), signal);
    expect(JSON.parse(lastBody('speech'))).toMatchObject({
      Parameter: { Speed: text, Pitch: text },
    });
  });
});

describe('client, limits', () => {
  const ask = (operation: OperationId, field: string, value: number) => {
    const query = { page: 1, limit: 10, [field]: value };
    return operation === 'models' ? client.listModels(query, signal) : client.listVoices(query, signal);
  };
  const cases = limitRows.flatMap(({ id, operation, field, passes, fails }) => [
    ...passes.map((value) => ({ id, operation, field, value, passes: true, outcome: 'is asked' })),
    ...fails.map((value) => ({ id, operation, field, value, passes: false, outcome: 'is refused before a call' })),
  ]);
  it.each(cases)('$id $value $outcome', async ({ operation, field, value, passes }) => {
    const before = service.requests.length;
    if (passes) {
      await ask(operation, field, value);
      expect(service.seen(operation).url).toMatch(new RegExp(`[?&]${field}=${value}(&|$)`));
    } else {
      await expect(ask(operation, field, value)).rejects.toMatchObject({
        problem: { code: 'request/invalid', facts: { field } },
      });
    }
    expect(service.requests.length - before).toBe(passes ? 1 : 0);
  });
});

describe('client, versions', () => {
  it('voices.version asks for v2', () => {
    expect(new URLSearchParams(requestOf('voices').url.split('?')[1]).get('version')).toBe('v2');
  });

  it.each(['v5', 'v7'] as const)('create-task.engine sends %s', async (engine) => {
    await client.createTask({ voice: 'v-1', engine }, signal);
    expect(JSON.parse(lastBody('create-task'))).toMatchObject({ engine });
  });

  it.each(['v5', 'v7'] as const)('convert.engine sends %s', async (engine) => {
    await client.convertAudio({ ...conversion, engine }, signal);
    expect(JSON.parse(lastBody('convert'))).toMatchObject({ engine });
  });

  it.each(['v1', 'v5', 'v7'] as const)('speech.engine sends %s', async (engine) => {
    await client.speakText(speech({ engine }), signal);
    expect(JSON.parse(lastBody('speech'))).toMatchObject({ engine });
  });

  it('path-prefixes: only the deletion of models is under /v1', () => {
    const underV1 = operationIds.filter((id) => requestOf(id).url.includes('/v1/'));
    expect(underV1).toEqual(['delete-model']);
  });

  it('sample: its version 1.0.0 is not sent', () => {
    const { url, headers, body } = requestOf('plant');
    expect(url).toBe('/at/sample/plants');
    expect(JSON.stringify([headers, body.toString()])).not.toContain('1.0.0');
  });
});
