import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { connect } from './cdp.mts';

function create() {
  const input = new PassThrough();
  const output = new PassThrough();
  const connection = connect(input, output);
  const written = () =>
    String(input.read() ?? '')
      .split('\0')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as { id: number; method: string; sessionId?: string });
  const answer = (message: object) => output.write(`${JSON.stringify(message)}\0`);
  return { connection, written, answer, output };
}

test('replies reach their own call, in whatever order they arrive', async () => {
  const { connection, written, answer } = create();
  const first = connection.send('Browser.getVersion');
  const second = connection.send('Target.getTargets');
  const [one, two] = written();
  answer({ id: two?.id, result: { targetInfos: [] } });
  answer({ id: one?.id, result: { product: 'Chrome' } });
  expect(await first).toEqual({ product: 'Chrome' });
  expect(await second).toEqual({ targetInfos: [] });
});

test('an error rejects with its message', async () => {
  const { connection, written, answer } = create();
  const call = connection.send('Browser.close');
  answer({ id: written()[0]?.id, error: { message: 'not now' } });
  await expect(call).rejects.toThrow('not now');
});

test('messages may be split anywhere, also within a character', async () => {
  const { connection, output } = create();
  const message = Buffer.from(`${JSON.stringify({ method: 'Page.loadEventFired', params: { timestamp: 'ü' } })}\0`);
  const received: unknown[] = [];
  connection.events.on('Page.loadEventFired', ({ timestamp }) => received.push(timestamp));
  for (const byte of Buffer.concat([message, message])) output.write(Buffer.from([byte]));
  await expect.poll(() => received).toEqual(['ü', 'ü']);
});

test('events of a session reach only that session', async () => {
  const { connection, written, answer } = create();
  const session = connection.session('s1');
  const received: string[] = [];
  session.events.on('Page.frameDetached', () => received.push('session'));
  connection.events.on('Page.frameDetached', () => received.push('root'));
  answer({ method: 'Page.frameDetached', params: {}, sessionId: 's1' });
  await expect.poll(() => received).toEqual(['session']);
  expect(connection.session('s1')).toBe(session);
  void session.send('Page.enable').catch(() => undefined);
  expect(written()).toMatchObject([{ method: 'Page.enable', sessionId: 's1' }]);
});

test('pending and later calls fail once it is closed', async () => {
  const { connection } = create();
  const waiting = connection.send('Browser.getVersion');
  connection.close();
  await expect(waiting).rejects.toThrow('host: Chromium is gone');
  await expect(connection.session('s').send('Page.enable')).rejects.toThrow('host: Chromium is gone');
});
