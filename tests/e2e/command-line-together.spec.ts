import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import {
  replyJson,
  startScriptedService,
  type ScriptedService,
} from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import { command, program, samples } from './run-command.ts';

const voices = [{ id: 'low-bronze', name: 'Low bronze', language: 'en-US', gender: 'male', category: 'natural' }];

interface Speaking {
  readonly pid: number;
  stderr(): string;
  readonly exited: Promise<number>;
}

interface TogetherFixture {
  /** Speaks the same text of two sentences, with other words of the command. */
  speak(out: string, ...words: readonly string[]): Speaking;
  /** The sentences that were paid for. */
  readonly paid: readonly string[];
  /** Lets the service answer, which it does not do at first. */
  answer(): void;
  /** Sets for how long the connection waits for an answer. */
  wait(convertMs: number): Promise<void>;
}

const test = base.extend<{ readonly fixture: TogetherFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-together-'));
    const sound = await readFile(join(samples, 'lantern.mp3'));
    const paid: string[] = [];
    const held = Promise.withResolvers<undefined>();
    const service: ScriptedService = await startScriptedService(async ({ url, body }, response) => {
      if (url.includes('pagevoices')) replyJson(response, { page: 0, limit: 100, total: 1, voices });
      else {
        paid.push((JSON.parse(String(body)) as { readonly speech: string }).speech);
        await held.promise;
        response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound);
      }
    });
    const file = join(folder, 'studio.json');
    const running: Speaking[] = [];
    await use({
      paid,
      answer: () => held.resolve(undefined),
      async wait(convertMs) {
        const { hosts } = service.connection().document;
        await writeFile(file, JSON.stringify({ name: 'Studio', hosts, timeouts: { convertMs } }));
      },
      speak(out, ...words) {
        const line = ['speak', 'One.\n\nTwo.', '--voice', 'low-bronze', '--out', out, '--connection', file];
        const child = spawn(program, [...command, ...line, '--data-dir', 'data', ...words], {
          cwd: folder,
          env: { ...process.env, LANG: 'en_GB.UTF-8', LC_ALL: '', TIMBRE_TOKEN: 'canary-17' },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let stderr = '';
        child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
        const exited = once(child, 'close').then(([code]) => Number(code));
        const speaking = { pid: child.pid ?? 0, stderr: () => stderr, exited };
        running.push(speaking);
        return speaking;
      },
    });
    held.resolve(undefined);
    for (const { pid, exited } of running) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
      await exited;
    }
    await service.stop();
    await rm(folder, { recursive: true });
  },
});

const waits = 'One. Two.: Another Timbre is working on this. Wait until it’s done. If it doesn’t respond, end it.\n';

test('a command says that it waits for a suspended one that speaks the same, and pays for nothing twice', async ({
  fixture,
}) => {
  await fixture.wait(3_600_000);
  const first = fixture.speak('a.mp3');
  await expect.poll(() => fixture.paid).toEqual(['One.']);
  process.kill(first.pid, 'SIGSTOP');
  const second = fixture.speak('b.mp3');
  await expect.poll(second.stderr).toContain('Another Timbre is working on this');
  expect(second.stderr()).toBe(waits);
  fixture.answer();
  process.kill(first.pid, 'SIGCONT');
  expect([await first.exited, await second.exited]).toEqual([0, 0]);
  expect(fixture.paid.toSorted()).toEqual(['One.', 'Two.']);
});

test('a command reports the result of another that speaks the same into the same file', async ({ fixture }) => {
  await fixture.wait(3_600_000);
  const first = fixture.speak('a.mp3');
  await expect.poll(() => fixture.paid).toEqual(['One.']);
  const second = fixture.speak('a.mp3');
  await expect.poll(second.stderr).toBe(waits);
  fixture.answer();
  expect([await first.exited, await second.exited]).toEqual([0, 0]);
  expect(fixture.paid.toSorted()).toEqual(['One.', 'Two.']);
});

test('Ctrl-C ends a command that waits for another, which goes on', async ({ fixture }) => {
  await fixture.wait(3_600_000);
  const first = fixture.speak('a.mp3');
  await expect.poll(() => fixture.paid).toEqual(['One.']);
  const second = fixture.speak('a.mp3');
  await expect.poll(second.stderr).toBe(waits);
  process.kill(second.pid, 'SIGINT');
  expect(await second.exited).toBe(7);
  fixture.answer();
  expect(await first.exited).toBe(0);
  expect(fixture.paid.toSorted()).toEqual(['One.', 'Two.']);
});

for (const [what, convertMs, end] of [
  ['is killed', 3_600_000, (pid: number) => process.kill(pid, 'SIGKILL')],
  ['does not move for as long as a call may take', 4000, () => undefined],
] as const) {
  test(`a command asks, and does not pay, once a suspended one that speaks the same ${what}`, async ({ fixture }) => {
    await fixture.wait(convertMs);
    const first = fixture.speak('a.mp3');
    // At once: its call must not end by itself.
    await expect.poll(() => fixture.paid, { intervals: [10] }).toEqual(['One.']);
    process.kill(first.pid, 'SIGSTOP');
    const second = fixture.speak('b.mp3');
    await expect.poll(second.stderr).toContain('Another Timbre is working on this');
    end(first.pid);
    expect(await second.exited).toBe(1);
    expect(second.stderr()).toContain('you may be charged again');
    expect(fixture.paid).toEqual(['One.']);
  });
}
