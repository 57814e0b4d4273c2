import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Connection, Protocol, Session } from './cdp.mts';
import { createTargets } from './targets.mts';

const bounds = { x: 0, y: 0, width: 800, height: 600 };
const info = (targetId: string, openerId?: string) =>
  ({ targetId, ...(openerId && { openerId }) }) as Protocol.Target.TargetInfo;

/** A session that writes down what is sent, and answers with `answers` in turn. */
function createSession(name: string, log: string[], answers: Promise<unknown>[] = []) {
  const session: Session & { close(): void } = {
    events: new EventEmitter<Protocol.EventMap>(),
    session: () => session,
    close: () => undefined,
    send: (method) => {
      log.push(`${name} ${method}`);
      return (answers.shift() ?? Promise.resolve({})) as Promise<never>;
    },
  };
  return session satisfies Connection;
}

for (const order of ['announced before', 'announced after']) {
  test(`a page that is ${order} the answer to its creation goes to whoever asked for it`, async () => {
    const log: string[] = [];
    const targets = createTargets();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const session = createSession('page', log);
    const opened = targets.open(createSession('root', log, [promise]), bounds);
    if (order === 'announced before') targets.announce(session, info('t1'));
    resolve({ targetId: 't1' });
    await promise;
    if (order === 'announced after') setImmediate(() => targets.announce(session, info('t1')));
    expect(await opened).toEqual({ targetId: 't1', session });
    expect(log).toEqual(['root Target.createTarget']);
  });
}

test('pages asked for together are told apart', async () => {
  const log: string[] = [];
  const targets = createTargets();
  const answers = [Promise.resolve({ targetId: 'a' }), Promise.resolve({ targetId: 'b' })];
  const root = createSession('root', log, answers);
  const both = Promise.all([targets.open(root, bounds), targets.open(root, bounds)]);
  targets.announce(createSession('b', log), info('b'));
  targets.announce(createSession('a', log), info('a'));
  expect((await both).map(({ targetId }) => targetId)).toEqual(['a', 'b']);
});

test('a page that nobody asked for is closed', () => {
  const log: string[] = [];
  const targets = createTargets();
  targets.announce(createSession('tab', log), info('t'));
  targets.announce(createSession('popup', log), info('p', 'opener'));
  expect(log).toEqual(['tab Page.close', 'popup Page.close']);
});

test('a page that comes up while another is asked for is closed once that one is there', async () => {
  const log: string[] = [];
  const targets = createTargets();
  const opened = targets.open(createSession('root', log, [Promise.resolve({ targetId: 'ours' })]), bounds);
  targets.announce(createSession('tab', log), info('t'));
  expect(log).toEqual(['root Target.createTarget']);
  targets.announce(createSession('ours', log), info('ours'));
  await opened;
  expect(log.at(-1)).toBe('tab Page.close');
});
