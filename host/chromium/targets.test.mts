import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { Connection, Protocol, Session } from './cdp.mts';
import { createTargets } from './targets.mts';

const bounds = { x: 0, y: 0, width: 800, height: 600 };
const info = (targetId: string, openerId?: string, url = 'about:blank') =>
  ({ targetId, url, ...(openerId && { openerId }) }) as Protocol.Target.TargetInfo;

/** A session that records what is sent, and replies with `answers` in order. */
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
  test(`a page that is ${order} the answer to its creation goes to its request`, async () => {
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

test('pages requested together are matched to their requests', async () => {
  const log: string[] = [];
  const targets = createTargets();
  const answers = [Promise.resolve({ targetId: 'a' }), Promise.resolve({ targetId: 'b' })];
  const root = createSession('root', log, answers);
  const both = Promise.all([targets.open(root, bounds), targets.open(root, bounds)]);
  targets.announce(createSession('b', log), info('b'));
  targets.announce(createSession('a', log), info('a'));
  expect((await both).map(({ targetId }) => targetId)).toEqual(['a', 'b']);
});

test('a page that was not requested is closed', () => {
  const log: string[] = [];
  const targets = createTargets();
  targets.announce(createSession('tab', log), info('t'));
  targets.announce(createSession('popup', log), info('p', 'opener'));
  expect(log).toEqual([
    'tab Runtime.runIfWaitingForDebugger',
    'tab Page.close',
    'popup Runtime.runIfWaitingForDebugger',
    'popup Page.close',
  ]);
});

test('an unrequested page that appears during a request is closed once the requested one exists', async () => {
  const log: string[] = [];
  const targets = createTargets();
  const opened = targets.open(createSession('root', log, [Promise.resolve({ targetId: 'ours' })]), bounds);
  targets.announce(createSession('tab', log), info('t'));
  expect(log).toEqual(['root Target.createTarget']);
  targets.announce(createSession('ours', log), info('ours'));
  await opened;
  expect(log.at(-1)).toBe('tab Page.close');
});

test('an app window goes to its request once its blank page has loaded', async () => {
  const log: string[] = [];
  const opened: string[] = [];
  const targets = createTargets((url) => Promise.resolve(opened.push(url) > 0));
  const root = createSession('root', log);
  const [first, second] = [targets.open(root, bounds), targets.open(root, bounds)];
  expect(new Set(opened).size).toBe(2);
  const screen = { result: { value: { availTop: 0, availHeight: 1000 } } };
  const answers = () => [{}, {}, {}, screen, { windowId: 1 }].map((answer) => Promise.resolve(answer));
  const sessions = { a: createSession('a', log, answers()), b: createSession('b', log, answers()) };
  targets.announce(sessions.b, info('b', undefined, opened[1]));
  targets.announce(createSession('tab', log), info('t'));
  targets.announce(sessions.a, info('a', undefined, opened[0]));
  await expect.poll(() => log).toContain('a Runtime.runIfWaitingForDebugger');
  const isLoaded = vi.fn();
  void first.then(isLoaded);
  sessions.b.events.emit('Page.lifecycleEvent', { frameId: 'b', loaderId: '', name: 'load', timestamp: 0 });
  expect(await second).toEqual({ targetId: 'b', session: sessions.b });
  expect(isLoaded).not.toHaveBeenCalled();
  sessions.a.events.emit('Page.lifecycleEvent', { frameId: 'a', loaderId: '', name: 'load', timestamp: 0 });
  expect(await first).toEqual({ targetId: 'a', session: sessions.a });
  expect(log).not.toContain('root Target.createTarget');
  expect(log.at(-1)).toBe('tab Page.close');
});

test('if Chromium opens no app window, the page gets an ordinary one', async () => {
  const log: string[] = [];
  const targets = createTargets(() => Promise.resolve(false));
  const session = createSession('page', log);
  const opened = targets.open(createSession('root', log, [Promise.resolve({ targetId: 't' })]), bounds);
  targets.announce(session, info('t'));
  expect(await opened).toEqual({ targetId: 't', session });
  expect(log).toEqual(['root Target.createTarget']);
});
