import { lstat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newCandidate } from './candidate.ts';
import { createReading, type ReadOutcome } from './reading.ts';
import { signatureOf } from './signature.ts';
import { withTestFolder } from './test-eyes.ts';

it.runIf(process.platform !== 'win32')('tries for a minute, later each time, before a disk fails for a file', () =>
  withTestFolder(async (folder) => {
    // What can be looked at and not be opened: as on a disk that fails.
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 'a.wav'), resolve));
    const signature = signatureOf(await lstat(join(folder, 'a.wav'), { bigint: true }));
    const root = {
      id: 'root',
      path: folder,
      isOurs: () => true,
      isShared: () => false,
      isThere: () => Promise.resolve(true),
      onMissing: () => undefined,
      onSettled: () => undefined,
    };
    const candidate = newCandidate('root', 'a.wav', 0);
    const outcomes: ReadOutcome[] = [];
    let told = Promise.withResolvers<void>();
    const reading = createReading({
      platform: process.platform,
      onStart: () => undefined,
      onRead(_, outcome) {
        outcomes.push(outcome);
        told.resolve();
      },
    });
    for (let time = 0; time < 6; time += 1) {
      told = Promise.withResolvers();
      reading.add({ candidate, root, signature, mayBeOpen: false, hasWaited: false });
      await told.promise;
    }
    const waits = outcomes.map((outcome) => (outcome.kind === 'again' ? outcome.afterMs : outcome.kind));
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 'settled']);
    expect(outcomes.at(-1)).toMatchObject({ news: { kind: 'refused', problem: { code: 'input/unreadable' } } });
    await reading.stop();
    await new Promise((resolve) => server.close(resolve));
  }),
);
