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

/** A main that judges documents as the real one does. */
function setUp(document = studio, change: Partial<Api['connections']> = {}) {
  const kept: unknown[] = [];
  const api: Pick<Api['connections'], 'getDocument' | 'save'> = {
    getDocument: () => Promise.resolve(document),
    save: ({ id, document: written }): Promise<SavedDocument> => {
      const fields = documentFaults(written).map(({ field }) => field);
      if (fields.length > 0) return Promise.resolve({ kind: 'faulty', fields });
      kept.push(written);
      const { pitch, speed } = newDocument().ranges;
      const connection = {
        id: id ?? 'new',
        name: 'Studio',
        kind: 'remote',
        pitch,
        speed,
        maxTextLength: null,
      } as const;
      return Promise.resolve({ kind: 'kept', connection });
    },
    ...change,
  };
  return { draft: new ConnectionForm(api, null), kept };
}

test('there is a field for each leaf of a document, and for nothing else', () => {
  expect(connectionFields.map(({ path }) => path).toSorted()).toEqual([...leaves(studio)].toSorted());
});

test('a document passes through its fields unchanged', () => {
  expect(toDocument(toValues(studio))).toEqual(studio);
});

describe('a draft', () => {
  test('is kept as it is written: numbers as numbers, empty limits as none, lists in pieces', async () => {
    const { draft, kept } = setUp();
    await draft.load();
    draft.write('limits.maxTextLength', '');
    draft.write('limits.maxConcurrent', ' 8 ');
    draft.write('ranges.pitch.max', '2,5');
    draft.write('changerType.fields', 'kind, type ,');
    draft.write('voiceDetailAuthorized', false);
    expect(await draft.save()).toMatchObject({ id: 'new' });
    expect(kept).toEqual([
      {
        ...studio,
        limits: { ...studio.limits, maxTextLength: null, maxConcurrent: 8 },
        ranges: { ...studio.ranges, pitch: { ...studio.ranges.pitch, max: 2.5 } },
        changerType: { ...studio.changerType, fields: ['kind', 'type'] },
        voiceDetailAuthorized: false,
      },
    ]);
  });

  test('that is wrong names all its wrong fields at once, and each until it is changed', async () => {
    const { draft, kept } = setUp(newDocument());
    await draft.load();
    draft.write('limits.maxConcurrent', 'many');
    draft.write('limits.maxTextLength', '5,000');
    draft.write('ranges.speed.min', '9');
    draft.write('authorization', 'Bearer 0123456789');
    expect(await draft.save()).toBeNull();
    expect(draft.faults).toEqual([
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
    expect(kept).toEqual([]);
    draft.write('name', 'S');
    expect(draft.faults.includes('name')).toBe(false);
    expect(draft.faults.includes('hosts.voice')).toBe(true);
  });

  test('whose name is taken says so and keeps what was written', async () => {
    const taken = () => Promise.reject(new AppError('connection/name-taken', '', { facts: { name: 'Studio' } }));
    const { draft } = setUp(studio, { save: taken });
    await draft.load();
    draft.write('hosts.models', 'https://c.example');
    expect(await draft.save()).toBeNull();
    expect(draft.problem?.code).toBe('connection/name-taken');
    expect(draft.values?.['hosts.models']).toBe('https://c.example');
  });

  test('that cannot be read says why', async () => {
    const { draft } = setUp(studio, { getDocument: () => Promise.reject(new AppError('connection/not-found', '')) });
    await draft.load();
    expect([draft.values, draft.problem?.code]).toEqual([null, 'connection/not-found']);
  });
});
