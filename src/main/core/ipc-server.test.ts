import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { AppError, type Reply } from '../../shared/errors.ts';
import { createClient } from '../../shared/ipc/client.ts';
import { channelsOf, event, request, type Emitters, type Handlers } from '../../shared/ipc/define-contract.ts';
import { contract as appContract } from '../../shared/ipc/contract.ts';
import { inputSchemas, type InputSchemas } from '../../shared/ipc/inputs.ts';
import { createIpcServer, createEmitters } from './ipc-server.ts';

const contract = {
  queue: { size: request<void, number>(), add: request<{ readonly name: string }, string>(), changed: event<number>() },
};
type Test = typeof contract;

const schemas: InputSchemas<Test> = {
  queue: { size: v.optional(v.undefined()), add: v.object({ name: v.string() }) },
};

/** Both ends of the bridge joined in memory, with a real structured clone in between. */
function joined(handlers: Handlers<Test>) {
  const onUnexpected = vi.fn();
  const answers = createIpcServer({ contract, handlers, schemas, onUnexpected });
  const listeners = new Map<string, (payload: unknown) => void>();
  const client = createClient(contract, {
    invoke: async (channel, input): Promise<Reply<unknown>> => {
      const answer = answers.get(channel);
      if (!answer) throw new Error(`no ${channel}`);
      return structuredClone(await answer(structuredClone(input)));
    },
    subscribe: (channel, listener) => {
      listeners.set(channel, listener);
      return () => void listeners.delete(channel);
    },
  });
  const emit = createEmitters(contract, (channel, payload) => listeners.get(channel)?.(structuredClone(payload)));
  return { client, emit, onUnexpected };
}

const good: Handlers<Test> = { queue: { size: () => 3, add: ({ name }) => Promise.resolve(`+${name}`) } };

describe('the bridge', () => {
  it('carries a request to its handler and the value back', async () => {
    const { client } = joined(good);
    expect(await client.queue.size()).toBe(3);
    expect(await client.queue.add({ name: 'a' })).toBe('+a');
  });

  it('rejects input that does not match its schema, and does not call the handler', async () => {
    const add = vi.fn();
    const { client } = joined({ queue: { ...good.queue, add } });
    const error: unknown = await client.queue.add({ name: 5 as unknown as string }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'request/invalid', problem: { facts: { field: 'name' } } });
    expect(add).not.toHaveBeenCalled();
  });

  it('rebuilds an AppError with its code, facts and service message', async () => {
    const refuse = () => {
      throw new AppError('voice/not-found', 'm', { facts: { name: 'x' }, words: 'said' });
    };
    const { client } = joined({ queue: { ...good.queue, size: refuse } });
    const error: unknown = await client.queue.size().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ problem: { code: 'voice/not-found', facts: { name: 'x' }, words: 'said' } });
  });

  it('sends an unexpected error as internal only, and logs it in full', async () => {
    const secret = new Error('at /home/someone/token');
    const { client, onUnexpected } = joined({ queue: { ...good.queue, size: () => Promise.reject(secret) } });
    const error: unknown = await client.queue.size().catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(error)).not.toContain('someone');
    expect(onUnexpected).toHaveBeenCalledWith('queue:size', secret);
  });

  it('delivers events to listeners until they unsubscribe', () => {
    const { client, emit } = joined(good);
    const received: number[] = [];
    const leave = client.queue.onChanged((size) => received.push(size));
    emit.queue.changed(1);
    leave();
    emit.queue.changed(2);
    expect(received).toEqual([1]);
  });

  it('does not compile with a missing handler, a wrong payload or a wrong input', () => {
    // @ts-expect-error add is missing
    const forgotten: Handlers<Test> = { queue: { size: () => 3 } };
    // @ts-expect-error a schema is missing
    const unparsed: InputSchemas<Test> = { queue: { size: v.optional(v.undefined()) } };
    const wrong = (emit: Emitters<Test>, { client }: ReturnType<typeof joined>) => {
      // @ts-expect-error the payload is a number
      emit.queue.changed('1');
      // @ts-expect-error add takes an input
      void client.queue.add();
      // @ts-expect-error there is no such call
      const call: keyof typeof client.queue = 'remove';
      return call;
    };
    expect([forgotten, unparsed, wrong]).toHaveLength(3);
  });
});

describe('the contract of the app', () => {
  const schemaKeys = Object.entries(inputSchemas).flatMap(([group, entries]) =>
    Object.keys(entries).map((name) => `${group}:${name}`),
  );

  it('has one schema for each request, and no other schema', () => {
    expect(schemaKeys.sort()).toEqual([...channelsOf(appContract, 'request')].sort());
  });

  it('has unique channels', () => {
    const all = [...channelsOf(appContract, 'request'), ...channelsOf(appContract, 'event')];
    expect(new Set(all).size).toBe(all.length);
  });
});
