import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { givenPathsChannel } from '../../shared/ipc/client.ts';
import { channelsOf } from '../../shared/ipc/define-contract.ts';
import { contract } from '../../shared/ipc/contract.ts';
import type { RequestHandler } from '../core/ipc-server.ts';
import { serveIpc } from './ipc.ts';

const ourWindow = 7;
const channels = channelsOf(contract, 'request');

function serve() {
  const handlers = new Map<string, Parameters<IpcMain['handle']>[1]>();
  const answer = vi.fn<RequestHandler>(() => Promise.resolve({ ok: true, value: 1 }));
  const onGivenPath = vi.fn<(path: string) => void>();
  const pending: number[] = [];
  serveIpc(
    { handle: (channel, handler) => void handlers.set(channel, handler) },
    {
      answers: new Map(channels.map((channel) => [channel, answer])),
      onGivenPath,
      isOurWindow: (id) => id === ourWindow,
      onPending: (count) => void pending.push(count),
    },
  );
  const call = (channel: string, event: unknown, input?: unknown): unknown =>
    handlers.get(channel)?.(event as IpcMainInvokeEvent, input);
  const give = (event: unknown, paths: unknown) => call(givenPathsChannel, event, paths);
  return { call, answer, give, onGivenPath, pending };
}

const own = { parent: null, origin: 'app://timbre' };
const strangers = {
  'a page of another origin': { sender: { id: ourWindow }, senderFrame: { ...own, origin: 'https://example.com' } },
  'an origin that only begins like ours': {
    sender: { id: ourWindow },
    senderFrame: { ...own, origin: 'app://timbre.evil' },
  },
  'a sandboxed page': { sender: { id: ourWindow }, senderFrame: { ...own, origin: 'null' } },
  'a frame inside our page': { sender: { id: ourWindow }, senderFrame: { ...own, parent: own } },
  'a frame that is gone': { sender: { id: ourWindow }, senderFrame: null },
  'the developer tools': { sender: { id: 9 }, senderFrame: { ...own, origin: 'devtools://devtools' } },
  'our page in a window that we did not make': { sender: { id: 9 }, senderFrame: own },
};

describe('every channel', () => {
  it('answers our own page', async () => {
    const { call } = serve();
    for (const channel of channels) {
      expect(await call(channel, { sender: { id: ourWindow }, senderFrame: own })).toEqual({ ok: true, value: 1 });
    }
  });

  it('counts as pending until it is answered, however it ends', async () => {
    const { call, answer, pending } = serve();
    const reply = Promise.withResolvers<Awaited<ReturnType<RequestHandler>>>();
    answer.mockReturnValueOnce(reply.promise);
    const event = { sender: { id: ourWindow }, senderFrame: own };
    const first = call(channels[0] ?? '', event) as Promise<unknown>;
    await call(channels[1] ?? '', event);
    expect(pending).toEqual([1, 2, 1]);
    reply.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(pending.at(-1)).toBe(0);
  });

  it.each(Object.entries(strangers))('throws at %s and runs nothing', (_name, event) => {
    const { call, answer } = serve();
    for (const channel of channels) expect(() => call(channel, event)).toThrow(`${channel}: refused`);
    expect(answer).not.toHaveBeenCalled();
  });
});

describe('the path of a file that the user provided', () => {
  it('is accepted from the preload of our own page, and only as text', () => {
    const { give, onGivenPath } = serve();
    for (const paths of [['/a.wav', null, 5, '/b.wav'], '/c.wav', null, {}, { length: 1 }]) {
      give({ sender: { id: ourWindow }, senderFrame: own }, paths);
    }
    expect(onGivenPath.mock.calls).toEqual([['/a.wav'], ['/b.wav']]);
  });

  it.each(Object.entries(strangers))('is rejected from %s', (_name, event) => {
    const { give, onGivenPath } = serve();
    expect(() => give(event, ['/a.wav'])).toThrow('refused');
    expect(onGivenPath).not.toHaveBeenCalled();
  });

  it('is no channel that a page can name', () => {
    expect([...channels, ...channelsOf(contract, 'event')]).not.toContain(givenPathsChannel);
  });
});
