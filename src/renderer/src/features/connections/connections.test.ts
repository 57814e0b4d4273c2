import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { type ConnectionInfo, newDocument, type TokenState } from '../../../../shared/schemas/connection.ts';
import type { Api } from '../../lib/api.ts';
import { localInfo, studioInfo } from './connections.fixture.ts';
import { Connections } from './connections.svelte.ts';

function setUp(change: Partial<Api['connections']> = {}) {
  const calls: string[] = [];
  let emit: (list: readonly ConnectionInfo[]) => void = () => undefined;
  const token: TokenState = {
    place: 'keychain',
    keychainProblem: null,
    canBeInFile: true,
    otherOrigins: [],
    isRemovalPending: false,
  };
  const api: Api['connections'] = {
    list: () => Promise.resolve([localInfo]),
    importFile: () => Promise.resolve(studioInfo),
    getDocument: () => Promise.resolve(newDocument()),
    save: () => Promise.resolve({ kind: 'saved', connection: studioInfo }),
    exportFile: () => Promise.resolve(true),
    remove: ({ id }) => Promise.resolve(void calls.push(`remove ${id}`)),
    test: () => Promise.resolve([]),
    getTokenState: () => Promise.resolve({ ...token, place: null }),
    setToken: ({ place }) => Promise.resolve(void calls.push(`set in ${place}`)).then(() => token),
    clearToken: () => Promise.resolve({ ...token, place: null }),
    onChanged: (listener) => {
      emit = listener;
      return () => undefined;
    },
    ...change,
  };
  const connections = new Connections(api, (id) => calls.push(`token of ${id}`));
  connections.subscribe();
  return { connections, calls, emit: (list: readonly ConnectionInfo[]) => emit(list) };
}

describe('connections', () => {
  test('follow main, and the first one replaces a removed one', async () => {
    const { connections, emit } = setUp();
    await connections.load();
    emit([localInfo, studioInfo]);
    expect(connections.findOrFirst('studio')).toBe(studioInfo);
    emit([localInfo]);
    expect(connections.findOrFirst('studio')).toBe(localInfo);
  });

  test('load where a token is stored on request, and never the token itself', async () => {
    const { connections, calls } = setUp();
    await connections.loadTokenState('studio');
    expect(connections.tokens.get('studio')?.place).toBeNull();
    await connections.setToken('studio', 'secret', 'keychain');
    expect(connections.tokens.get('studio')?.place).toBe('keychain');
    expect(calls).toEqual(['set in keychain', 'token of studio']);
    expect(JSON.stringify([...connections.tokens])).not.toContain('secret');
    await connections.clearToken('studio');
    expect(connections.tokens.get('studio')?.place).toBeNull();
  });

  test('keep the problem of a failed action until the next one', async () => {
    const { connections } = setUp({ remove: () => Promise.reject(new AppError('connection/in-use', 'open jobs')) });
    await connections.remove('studio');
    expect(connections.problem?.code).toBe('connection/in-use');
    await connections.exportFile('studio');
    expect(connections.problem).toBeNull();
  });

  test('show a running test and its results, and nothing of a failed one', async () => {
    const answer = Promise.withResolvers<never[]>();
    const { connections } = setUp({ test: () => answer.promise });
    const done = connections.test('studio');
    expect(connections.tests.get('studio')).toBe('running');
    answer.resolve([]);
    await done;
    expect(connections.tests.get('studio')).toEqual([]);
    const broken = setUp({ test: () => Promise.reject(new AppError('internal', 'no')) }).connections;
    await broken.test('studio');
    expect(broken.tests.has('studio')).toBe(false);
    expect(broken.problem?.code).toBe('internal');
  });

  test('are tested after pending writes of their form and token', async () => {
    const order: string[] = [];
    const saved = Promise.withResolvers<undefined>();
    const { connections } = setUp({
      save: async () => {
        await saved.promise;
        order.push('saved');
        return { kind: 'saved', connection: studioInfo };
      },
      setToken: async () => {
        await saved.promise;
        order.push('token');
        return {
          place: 'keychain',
          keychainProblem: null,
          canBeInFile: true,
          otherOrigins: [],
          isRemovalPending: false,
        };
      },
      test: () => Promise.resolve(void order.push('tested')).then(() => []),
    });
    connections.edit(null);
    await expect.poll(() => connections.form?.values).toBeTruthy();
    const all = [
      connections.saveForm(),
      connections.setToken(studioInfo.id, 'secret', 'keychain'),
      connections.test(studioInfo.id),
    ];
    expect(connections.tests.get(studioInfo.id)).toBe('running');
    saved.resolve(undefined);
    await Promise.all(all);
    expect(order).toEqual(['saved', 'token', 'tested']);
    expect(connections.tests.get(studioInfo.id)).toEqual([]);
  });

  test('ignore results of a test that started before the document was saved', async () => {
    const old = Promise.withResolvers<never[]>();
    const { connections } = setUp({ test: () => old.promise });
    const testing = connections.test(studioInfo.id);
    connections.edit(studioInfo.id);
    await expect.poll(() => connections.form?.values).toBeTruthy();
    await connections.saveForm();
    old.resolve([]);
    await testing;
    expect(connections.tests.has(studioInfo.id)).toBe(false);
  });

  test.each(['setToken', 'clearToken'] as const)('forget the results that a test had before %s', async (change) => {
    const late = Promise.withResolvers<never[]>();
    let tests = 0;
    const { connections } = setUp({ test: () => ((tests += 1) === 1 ? Promise.resolve([]) : late.promise) });
    await connections.test('studio');
    await connections[change]('studio', 'new', 'keychain');
    expect(connections.tests.has('studio')).toBe(false);
    const testing = connections.test('studio');
    await expect.poll(() => tests).toBe(2);
    await connections[change]('studio', 'newer', 'keychain');
    late.resolve([]);
    await testing;
    expect(connections.tests.has('studio')).toBe(false);
  });
});
