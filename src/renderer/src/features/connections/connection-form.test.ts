import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import {
  type ConnectionDocument,
  documentFaults,
  newDocument,
  type SavedDocument,
} from '../../../../shared/schemas/connection.ts';
import type { Api } from '../../lib/api.ts';
import { ConnectionForm, connectionFields, toDocument, toValues } from './connection-form.svelte.ts';

const studio: ConnectionDocument = {
  ...newDocument(),
  name: 'Studio',
  hosts: { ...newDocument().hosts, voice: 'https://a.example', upload: 'https://b.example' },
  limits: { ...newDocument().limits, maxTextLength: 5000 },
};

const leaves = (value: unknown, path = ''): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, part]) => leaves(part, path === '' ? name : `${path}.${name}`))
    : [path];

/** A fake main that validates documents like the real one. */
function setUp(document = studio, change: Partial<Api['connections']> = {}) {
  const saved: unknown[] = [];
  const api: Pick<Api['connections'], 'getDocument' | 'save'> = {
    getDocument: () => Promise.resolve(document),
    save: ({ id, document: written }): Promise<SavedDocument> => {
      const fields = documentFaults(written).map(({ field }) => field);
      if (fields.length > 0) return Promise.resolve({ kind: 'invalid', fields });
      saved.push(written);
      const { pitch, speed } = newDocument().ranges;
      const connection = {
        id: id ?? 'new',
        name: 'Studio',
        kind: 'remote',
        pitch,
        speed,
        maxTextLength: null,
      } as const;
      return Promise.resolve({ kind: 'saved', connection });
    },
    ...change,
  };
  return { form: new ConnectionForm(api, null), saved };
}

test('there is one field for each leaf of a document', () => {
  expect(connectionFields.map(({ path }) => path).toSorted()).toEqual([...leaves(studio)].toSorted());
});

test('a document is unchanged after conversion to fields and back', () => {
  expect(toDocument(toValues(studio))).toEqual(studio);
});

test.each([
  [' any ', 'any'],
  ['Decodable', 'decodable'],
  ['.WAV, mp3 ,', ['wav', 'mp3']],
  ['', []],
])('formats that a service takes are entered as %j', (entered, uploadFormats) => {
  expect(toDocument({ ...toValues(studio), uploadFormats: entered })).toMatchObject({ uploadFormats });
});

describe('the form', () => {
  test('saves numbers, empty limits as null, and comma-separated lists', async () => {
    const { form, saved } = setUp();
    await form.load();
    form.write('limits.maxTextLength', '');
    form.write('limits.maxConcurrent', ' 8 ');
    form.write('ranges.pitch.max', '2,5');
    form.write('changerType.fields', 'kind, type ,');
    form.write('voiceDetailAuthorized', false);
    expect(await form.save()).toMatchObject({ id: 'new' });
    expect(saved).toEqual([
      {
        ...studio,
        limits: { ...studio.limits, maxTextLength: null, maxConcurrent: 8 },
        ranges: { ...studio.ranges, pitch: { ...studio.ranges.pitch, max: 2.5 } },
        changerType: { ...studio.changerType, fields: ['kind', 'type'] },
        voiceDetailAuthorized: false,
      },
    ]);
  });

  test('marks all invalid fields on save, and each until it is changed', async () => {
    const { form, saved } = setUp(newDocument());
    await form.load();
    form.write('limits.maxConcurrent', 'many');
    form.write('limits.maxTextLength', '5,000');
    form.write('ranges.speed.min', '9');
    form.write('authorization', 'Bearer 0123456789');
    expect(await form.save()).toBeNull();
    expect(form.invalidFields).toEqual([
      'name',
      'hosts.voice',
      'hosts.upload',
      'authorization',
      'limits.maxConcurrent',
      'limits.maxTextLength',
      'ranges.speed.min',
      'ranges.speed.default',
      'ranges.speed.max',
    ]);
    expect(saved).toEqual([]);
    form.write('name', 'S');
    expect(form.invalidFields.includes('name')).toBe(false);
    expect(form.invalidFields.includes('hosts.voice')).toBe(true);
  });

  test('reports a name that is taken, and keeps the values', async () => {
    const taken = () => Promise.reject(new AppError('connection/name-taken', '', { facts: { name: 'Studio' } }));
    const { form } = setUp(studio, { save: taken });
    await form.load();
    form.write('hosts.models', 'https://c.example');
    expect(await form.save()).toBeNull();
    expect(form.problem?.code).toBe('connection/name-taken');
    expect(form.values?.['hosts.models']).toBe('https://c.example');
  });

  test('reports why it could not be loaded', async () => {
    const { form } = setUp(studio, { getDocument: () => Promise.reject(new AppError('connection/not-found', '')) });
    await form.load();
    expect([form.values, form.problem?.code]).toEqual([null, 'connection/not-found']);
  });
});
