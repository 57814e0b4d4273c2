import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handOver } from './hand-over.mts';

/** A profile whose path is too long for a socket, with a link to a socket that always replies with `answer`. */
async function createProfile(answer: string): Promise<{ path: string; received: string[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'host-hand-over-'));
  const path = join(directory, 'x'.repeat(100));
  const received: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => {
      received.push(...text.split('\0'));
      socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(directory, 'socket'), resolve));
  mkdirSync(path);
  symlinkSync(join(directory, 'socket'), join(path, 'SingletonSocket'));
  onTestFinished(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });
  return { path, received };
}

test('a command line is sent in the format of a second start', async () => {
  const profile = await createProfile('ACK');
  expect(await handOver(profile.path, ['chromium', '--app=data:,'])).toBe(true);
  expect(profile.received).toEqual(['START', '/', 'chromium', '--app=data:,']);
});

test('a Chromium that is shutting down accepts nothing', async () => {
  const profile = await createProfile('SHUTDOWN');
  expect(await handOver(profile.path, ['chromium'])).toBe(false);
});

test('without a running Chromium nothing is accepted', async () => {
  expect(await handOver(join(tmpdir(), 'nowhere'), ['chromium'])).toBe(false);
});
