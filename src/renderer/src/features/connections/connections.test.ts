import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { type ConnectionInfo, newDocument, type TokenState } from '../../../../shared/schemas/connection.ts';
import type { Api } from '../../lib/api.ts';
import { localInfo, studioInfo } from './connections.fixture.ts';
import { Connections } from './connections.svelte.ts';

function setUp(change: Partial<Api['connections']> = {}) {
  const calls: string[] = [];
  let tell: (list: readonly ConnectionInfo[]) => void = () => undefined;
  const token: TokenState = { place: 'keychain', keychainProblem: null, otherOrigins: [], isRemovalPending: false };
  const api: Api['connections'] = {
    list: () => Promise.resolve([localInfo]),
    importFile: () => Promise.resolve(studioInfo),
    getDocument: () => Promise.resolve(newDocument()),
    save: () => Promise.resolve({ kind: 'kept', connection: studioInfo }),
    exportFile: () => Promise.resolve(true),
    remove: ({ id }) => Promise.resolve(void calls.push(`remove ${id}`)),
    test: () => Promise.resolve([]),
    getTokenState: () => Promise.resolve({ ...token, place: null }),
    setToken: ({ place }) => Promise.resolve(void calls.push(`set in ${place}`)).then(() => token),
    clearToken: () => Promise.resolve({ ...token, place: null }),
    onChanged: (listener) => {
      tell = listener;
      return () => undefined;
    },
    ...change,
  };
  const connections = new Connections(api, (id) => calls.push(`token of ${id}`));
  connections.subscribe();
  return { connections, calls, tell: (list: readonly ConnectionInfo[]) => tell(list) };
}

describe('connections', () => {
  test('follow main, and the first stands in for one that is gone', async () => {
    const { connections, tell } = setUp();
    await connections.load();
    tell([localInfo, studioInfo]);
    expect(connections.find('studio')).toBe(studioInfo);
    tell([localInfo]);
    expect(connections.find('studio')).toBe(localInfo);
  });

  test('know of a token where it is, when they were asked, and never what it is', async () => {
    const { connections, calls } = setUp();
    await connections.lookAtToken('studio');
    expect(connections.tokens.get('studio')?.place).toBeNull();
    await connections.setToken('studio', 'secret', 'keychain');
    expect(connections.tokens.get('studio')?.place).toBe('keychain');
    expect(calls).toEqual(['set in keychain', 'token of studio']);
    expect(JSON.stringify([...connections.tokens])).not.toContain('secret');
    await connections.clearToken('studio');
    expect(connections.tokens.get('studio')?.place).toBeNull();
  });

  test('say why a wish failed, until the next one', async () => {
    const { connections } = setUp({ remove: () => Promise.reject(new AppError('connection/in-use', 'open jobs')) });
    await connections.remove('studio');
    expect(connections.problem?.code).toBe('connection/in-use');
    await connections.exportFile('studio');
    expect(connections.problem).toBeNull();
  });

  test('show a test while it runs, its lines, and nothing of one that could not be made', async () => {
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

  test('are tested as they are once a form or a token that is on its way has been kept', async () => {
    const order: string[] = [];
    const saved = Promise.withResolvers<undefined>();
    const { connections } = setUp({
      save: async () => {
        await saved.promise;
        order.push('saved');
        return { kind: 'kept', connection: studioInfo };
      },
      setToken: async () => {
        await saved.promise;
        order.push('token');
        return { place: 'keychain', keychainProblem: null, otherOrigins: [], isRemovalPending: false };
      },
      test: () => Promise.resolve(void order.push('tested')).then(() => []),
    });
    connections.edit(null);
    await expect.poll(() => connections.draft?.values).toBeTruthy();
    const all = [
      connections.saveDraft(),
      connections.setToken(studioInfo.id, 'secret', 'keychain'),
      connections.test(studioInfo.id),
    ];
    expect(connections.tests.get(studioInfo.id)).toBe('running');
    saved.resolve(undefined);
    await Promise.all(all);
    expect(order).toEqual(['saved', 'token', 'tested']);
    expect(connections.tests.get(studioInfo.id)).toEqual([]);
  });

  test('show no lines of a test that began before the document was kept', async () => {
    const old = Promise.withResolvers<never[]>();
    const { connections } = setUp({ test: () => old.promise });
    const testing = connections.test(studioInfo.id);
    connections.edit(studioInfo.id);
    await expect.poll(() => connections.draft?.values).toBeTruthy();
    await connections.saveDraft();
    old.resolve([]);
    await testing;
    expect(connections.tests.has(studioInfo.id)).toBe(false);
  });
});
