import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { Model } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { creationDay, Models } from './models.svelte.ts';

const en = await loadMessages('en');

const model = (id: string, name = id): Model => ({
  id,
  name,
  voiceId: id,
  languageCode: 'en-GB',
  gender: 'female',
  creationDate: '2026-11-20T00:00:00Z',
});
const unknown = () => new AppError('service/not-found', 'no', { words: 'Invalid model name. It does not exist.' });

/** A service that deletes one model of a name per call, as the engine does. */
async function setUp(names: readonly string[], change: Partial<Api['models']> = {}) {
  let stored = names.map((name, k) => model(`m${k}`, name));
  const calls: string[] = [];
  const api: Api['models'] = {
    list: ({ page, limit }) =>
      Promise.resolve({
        page,
        pages: Math.ceil(stored.length / limit),
        total: stored.length,
        models: stored.slice((page - 1) * limit, page * limit),
      }),
    remove: ({ name }) => {
      calls.push(`remove ${name}`);
      const found = stored.find((one) => one.name === name);
      if (!found) return Promise.reject(unknown());
      stored = stored.filter((one) => one !== found);
      return Promise.resolve({ modelName: name, message: '' });
    },
    create: ({ name }) => {
      stored = [model('created', name), ...stored];
      return Promise.resolve({ modelId: 'created' });
    },
    ...change,
  };
  const models = new Models(api, () => Promise.resolve(void calls.push('changed')));
  await models.open('c');
  return { models, calls, names: () => models.list.map(({ name }) => name) };
}

describe('own voices', () => {
  test('are deleted by name, and the neighbour is selected', async () => {
    const { models, calls, names } = await setUp(['a', 'b', 'c']);
    await models.remove('b', 1);
    expect([names(), models.deletion, models.selected?.name]).toEqual([
      ['a', 'c'],
      { outcome: 'deleted', name: 'b' },
      'c',
    ]);
    expect(calls).toEqual(['remove b', 'changed']);
    await models.remove('c', 1);
    expect(models.selected?.name).toBe('a');
  });

  test('of a connection that was left meanwhile say nothing in the next one', async () => {
    const reply = Promise.withResolvers<never>();
    const { models } = await setUp(['a'], { remove: () => reply.promise, create: () => reply.promise });
    const ends = [models.remove('a', 1), models.create('b', 'en-GB')];
    await models.open('d');
    reply.reject(new AppError('auth/refused', 'no'));
    await Promise.all(ends);
    expect([models.deletion, models.failure, models.isDeleting, models.isCreating]).toEqual([null, null, false, false]);
  });

  test('with the same name are all deleted, whether the service deletes one per call or all at once', async () => {
    const { models, calls, names } = await setUp(['twin', 'a', 'twin']);
    await models.remove('twin', 2);
    expect([names(), calls]).toEqual([['a'], ['remove twin', 'remove twin', 'changed']]);
    const answers = [() => Promise.resolve({ modelName: 'twin', message: '' }), () => Promise.reject(unknown())];
    const other = await setUp(['a'], { remove: () => answers.shift()?.() ?? Promise.reject(unknown()) });
    await other.models.remove('twin', 2);
    expect(other.models.deletion).toEqual({ outcome: 'deleted', name: 'twin' });
  });

  test('that no longer exist are reported, and the list is reloaded', async () => {
    const { models, calls } = await setUp(['a']);
    await models.remove('b', 1);
    expect([models.deletion, models.failure]).toEqual([{ outcome: 'not-found', name: 'b' }, null]);
    expect(calls.at(-1)).toBe('changed');
  });

  test('that cannot be deleted stay in the list with the reason', async () => {
    const { models, names } = await setUp(['a'], {
      remove: () => Promise.reject(new AppError('auth/refused', 'no')),
    });
    await models.remove('a', 1);
    expect([names(), models.deletion, models.failure?.code]).toEqual([['a'], null, 'auth/refused']);
  });

  test('return to the previous page when the last model of a page is deleted', async () => {
    const { models, names } = await setUp(Array.from({ length: 21 }, (_, k) => `v${k}`));
    await models.goTo(2);
    await models.remove('v20', 1);
    expect([models.page, names().length, models.isLoading]).toEqual([1, 20, false]);
  });

  test('are selected after they are created', async () => {
    const { models, calls } = await setUp(['a']);
    expect(await models.create('new', 'de-DE')).toBe(true);
    expect([models.selected?.name, calls]).toEqual(['new', ['changed']]);
  });

  test('are not created if the user cancels or the engine refuses', async () => {
    const answers = [
      () => Promise.resolve(null),
      () => Promise.reject(new AppError('service/refused', 'no', { facts: { status: 409 } })),
    ];
    const { models } = await setUp(['a'], { create: () => answers.shift()?.() ?? Promise.resolve(null) });
    expect([await models.create('x', 'en-GB'), models.failure]).toEqual([false, null]);
    expect([await models.create('x', 'en-GB'), models.failure?.code, models.isCreating]).toEqual([
      false,
      'service/refused',
      false,
    ]);
  });

  test('that cannot be read show why until they are reloaded', async () => {
    const faults = [new AppError('network/cut', 'no')];
    const { models } = await setUp([], {
      list: () => {
        const fault = faults.shift();
        return fault ? Promise.reject(fault) : Promise.resolve({ page: 1, pages: 0, total: 0, models: [] });
      },
    });
    expect([models.currentPage, models.problem?.code]).toEqual([null, 'network/cut']);
    const reloading = models.reload();
    expect(models.problem?.code).toBe('network/cut');
    await reloading;
    expect([models.currentPage?.total, models.problem]).toEqual([0, null]);
  });
});

test('the creation day is formatted in the language of the user, and kept as text if it is not a date', () => {
  expect(creationDay('2026-03-03T12:00:00.000Z', en.format)).toBe('3 Mar 2026');
  expect(creationDay('last spring', en.format)).toBe('last spring');
});
