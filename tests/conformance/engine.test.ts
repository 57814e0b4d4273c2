/**
 * A service against a plain HTTP client: the real engine, or the one that `TIMBRE_CONFORMANCE` names (see `open-service.ts`). All
 * tests come from the tables. They compare `error` exactly, `details` by what it must name, and never an HTTP status.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fits, leavesOf, textAt, valueAt, valuesAt } from './field-values.ts';
import { examples } from './examples.ts';
import { endpointOf, endpoints, operationIds, type OperationId } from './interface-table.ts';
import { openService, type OpenedService } from './open-service.ts';
import { createPlainClient, type Json, type PlainClient } from './plain-client.ts';
import { requestOf, type Subject } from './plain-requests.ts';
import { errorRows, limitRows, versionRows, type ErrorRow } from './interface-rules.ts';
import { toneWav } from './tone.ts';

let service: OpenedService;
let client: PlainClient;
let subject: Subject;
let firstRun: Readonly<Record<OperationId, unknown>>;

const ask = (operation: OperationId, change: Json = {}) => client.ask(operation, requestOf(operation, subject, change));

/** Runs all operations in an order in which each finds what it needs. */
async function runAll(): Promise<Readonly<Record<OperationId, unknown>>> {
  const voices = await ask('voices');
  subject = { ...subject, voice: textAt(voices, 'voices.0.id') };
  const created = await ask('create-task');
  subject = {
    ...subject,
    taskId: textAt(created, 'taskId'),
    changerType: textAt(created, service.holes.changerType),
  };
  const replies: Partial<Record<OperationId, unknown>> = { voices, 'create-task': created };
  for (const id of operationIds) replies[id] ??= await ask(id);
  return replies as Readonly<Record<OperationId, unknown>>;
}

beforeAll(async () => {
  service = await openService('plain');
  client = createPlainClient(service);
  const { holes, model } = service;
  subject = { voice: '', taskId: '', changerType: '', sound: toneWav(), holes, model };
  firstRun = await runAll();
});
afterAll(() => service.close());

const expectRefusal = (reply: unknown, names?: string) => {
  expect(reply).toHaveProperty('error', expect.any(String));
  if (names !== undefined) expect(valueAt(reply, 'details')).toMatch(new RegExp(`\\b${names}\\b`, 'i'));
};
const expectSuccess = (reply: unknown) => expect(reply).not.toHaveProperty('error');

describe.each(endpoints)('engine, $id', ({ id, content, request, reply }) => {
  it('succeeds with every field of the table and no other', () => {
    expectSuccess(firstRun[id]);
    if (content === 'form' || id === 'delete-model') return;
    expect(leavesOf(examples[id].fields(subject))).toEqual(request.map(({ name }) => name).sort());
  });

  it.each(reply)('answers $name, $type', (field) => {
    const values = valuesAt(firstRun[id], field.name);
    expect(values).not.toHaveLength(0);
    expect(values.filter((value) => !fits(field, value))).toEqual([]);
  });

  const choices = request.flatMap(({ name, values = [] }) => values.map((value) => ({ name, value })));
  it.each(choices)('accepts $value for $name', async ({ name, value }) => {
    expectSuccess(await ask(id, { [name]: value }));
  });

  it.each(request.filter(({ values }) => values))('rejects an unknown $name', async ({ name }) => {
    expectRefusal(await ask(id, { [name]: 'no-such-thing' }));
  });
});

describe('engine, authorization', () => {
  it.each(endpoints.filter(({ authorization }) => authorization === 'required'))(
    '$id rejects a call without the token',
    async ({ id }) => {
      expectRefusal(await client.ask(id, { ...requestOf(id, subject), withoutToken: true }));
    },
  );
});

describe('engine, content of replies', () => {
  it('stores the upload under its task', () => {
    expect(valueAt(firstRun.upload, 'uuid')).toBe(subject.taskId);
  });

  it('serves the result at the address in the reply', async () => {
    const sound = await client.download(textAt(firstRun.convert, 'data.audioUrl'));
    expect(sound.subarray(0, 4).toString()).toBe('RIFF');
    expect(sound.length).toBeGreaterThan(20_000);
  });

  it('returns the details of the requested voice as in the catalogue', () => {
    const [first] = valuesAt(firstRun.voices, 'voices[]');
    const detail = firstRun['voice-detail'];
    expect(detail).toMatchObject({ voiceId: subject.voice });
    for (const name of ['name', 'language', 'gender', 'category']) {
      expect(valueAt(detail, name)).toBe(valueAt(first, name));
    }
  });

  it('names the deleted model, and no longer lists it', async () => {
    expect(firstRun['delete-model']).toMatchObject({ modelName: subject.model });
    expect(valuesAt(firstRun.models, 'models[].name')).toContain(subject.model);
    expect(valuesAt(await ask('models'), 'models[].name')).not.toContain(subject.model);
  });
});

/** Brings each error row's condition about, in every way that the row means. */
const conditions: Readonly<Record<(typeof errorRows)[number]['id'], () => readonly Promise<unknown>[]>> = {
  'create-task': () => [ask('create-task', { voice: undefined }), ask('create-task', { voice: '' })],
  upload: () => [client.ask('upload', { ...requestOf('upload', subject), form: { anotherFile: subject.sound } })],
  convert: () => [0, -1, 'high'].map((pitch) => ask('convert', { pitch })),
  speech: () => [
    ask('speech', { speech: undefined }),
    ask('speech', { Parameter: { Speed: '1,5' } }),
    client.ask('speech', { json: '[]' }),
  ],
  voices: () => [ask('voices', { limit: 101 }), ask('voices', { limit: 1000 })],
  'voice-detail': () => [ask('voice-detail', { voiceId: 'no-such-voice' })],
  models: () => [ask('models', { page: 0 }), ask('models', { page: -1 })],
  'delete-model': () => [client.ask('delete-model', { parameter: 'no such model' })],
};

describe('engine, errors', () => {
  it.each(errorRows)('$id: $condition is answered “$error”, details name $names', async (row) => {
    for (const reply of await Promise.all(conditions[row.id]())) {
      const { error, names }: ErrorRow = row;
      expect(reply).toHaveProperty('error', error);
      if (names === null) expect(reply).not.toHaveProperty('details');
      else expectRefusal(reply, names);
    }
  });

  it('plant: a missing id is answered with a number and a message', async () => {
    const reply = await ask('plant', { id: undefined });
    expect(reply).toEqual({ error: expect.any(Number) as number, message: expect.stringMatching(/./) as string });
    expect(Number.isInteger(valueAt(reply, 'error'))).toBe(true);
  });

  it('an error is an object of error and details, both texts', async () => {
    const reply = await ask('create-task', { voice: undefined });
    expect(Object.keys(reply as object).sort()).toEqual(['details', 'error']);
  });
});

describe('engine, limits', () => {
  const cases = limitRows.flatMap(({ id, operation, field, passes, fails }) => [
    ...passes.map((value) => ({ id, operation, field, value, passes: true, outcome: 'passes' })),
    ...fails.map((value) => ({ id, operation, field, value, passes: false, outcome: 'fails' })),
  ]);
  it.each(cases)('$id $value $outcome', async ({ operation, field, value, passes }) => {
    const reply = await ask(operation, { [field]: value });
    if (passes) expectSuccess(reply);
    else expectRefusal(reply, field);
  });

  it.each(['voices.limit', 'voices.page', 'models.page'])('%s accepts whole numbers only', async (id) => {
    const [operation = '', field = ''] = id.split('.');
    expectRefusal(await ask(operationIds.find((known) => known === operation) ?? 'voices', { [field]: '1.5' }), field);
  });
});

describe('engine, versions', () => {
  const cases = versionRows.flatMap(({ id, operation, field, allowed, refused }) => [
    ...allowed.map((value) => ({ id, operation, field, value, passes: true, outcome: 'is taken' })),
    { id, operation, field, value: refused, passes: false, outcome: 'is refused' },
  ]);
  it.each(cases)('$id $value $outcome', async ({ operation, field, value, passes }) => {
    const reply = await ask(operation, { [field]: value });
    if (passes) expectSuccess(reply);
    else expectRefusal(reply);
  });

  it('path-prefixes: the deletion of models is under /v1, the other operations of the service under /api', () => {
    for (const id of operationIds.filter((one) => one !== 'plant')) {
      expectSuccess(firstRun[id]);
      expect(endpointOf(id).path).toMatch(id === 'delete-model' ? /^\/v1\// : /^\/api\//);
    }
  });

  it('sample: it has no version', () => {
    expectSuccess(firstRun.plant);
    expect(endpointOf('plant').path).toBe('/plants');
  });
});
