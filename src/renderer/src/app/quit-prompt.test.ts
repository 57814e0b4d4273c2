import { expect, test } from 'vitest';
import type { QuitRequest } from '../../../shared/schemas/app.ts';
import { QuitPrompt } from './quit-prompt.svelte.ts';

function setUp() {
  const answers: string[] = [];
  const added = Promise.withResolvers<void>();
  const adding = { pending: 0, whenAdded: () => added.promise };
  let ask: (request: QuitRequest) => void = () => undefined;
  const prompt = new QuitPrompt(
    {
      quit: ({ when }) => Promise.resolve(void answers.push(when)),
      cancelQuit: ({ question }) => Promise.resolve(void answers.push(`stay ${question}`)),
      onQuitRequested: (listener) => {
        ask = listener;
        return () => undefined;
      },
    },
    adding,
    () => Promise.resolve(void answers.push('flushed')),
  );
  prompt.subscribe();
  return {
    prompt,
    answers,
    adding,
    finishAdding() {
      adding.pending = 0;
      added.resolve();
    },
    ask: (open: number, atService: number, adding = 0) => ask({ open, adding, atService, question: 7 }),
  };
}

test('shows how many responses are left while the user waits for them', async () => {
  const { prompt, answers, ask } = setUp();
  ask(5, 2);
  await prompt.quit('answered');
  ask(4, 1);
  expect([prompt.isWaiting, prompt.request?.atService]).toEqual([true, 1]);
  await prompt.quit('now');
  expect(prompt.isWaiting).toBe(false);
  expect(answers.filter((answer) => answer !== 'flushed')).toEqual(['answered', 'now']);
});

test('quits when the open work ends while the dialog is open', async () => {
  const { answers, ask } = setUp();
  ask(1, 0);
  ask(0, 0);
  await expect.poll(() => answers).toEqual(['flushed', 'flushed', 'now']);
});

test('quits without asking when no work is open, after unsaved changes are saved (U2)', async () => {
  const { prompt, answers, ask } = setUp();
  ask(0, 0);
  expect(prompt.request).toBeNull();
  await expect.poll(() => answers).toEqual(['flushed', 'now']);
});

test('asks while recordings are being added, which would be lost, also if the user decided to quit before', async () => {
  for (const isExpected of [false, true]) {
    const { prompt, answers, adding, ask, finishAdding } = setUp();
    adding.pending = 3;
    if (isExpected) prompt.expect();
    ask(0, 0);
    expect(prompt.request).not.toBeNull();
    await expect.poll(() => answers).toEqual(['flushed']);
    finishAdding();
    await expect.poll(() => answers.at(-1)).toBe('now');
  }
});

test('asks about recordings that main still adds after the page was loaded again, until they are added or refused', async () => {
  const { prompt, answers, ask } = setUp();
  ask(0, 0, 2);
  expect([prompt.request?.adding, prompt.adding]).toEqual([2, 2]);
  await expect.poll(() => answers).toEqual(['flushed']);
  ask(1, 0, 1);
  expect(prompt.adding).toBe(1);
  ask(0, 0, 0);
  await expect.poll(() => answers.at(-1)).toBe('now');
});

test('does not quit once its own recordings were refused while main adds others', async () => {
  const { answers, adding, ask, finishAdding } = setUp();
  adding.pending = 1;
  ask(0, 0, 3);
  ask(0, 0, 2);
  finishAdding();
  await expect.poll(() => answers).toEqual(['flushed', 'flushed']);
  await adding.whenAdded();
  expect(answers).not.toContain('now');
  ask(0, 0, 0);
  await expect.poll(() => answers.at(-1)).toBe('now');
});

test('stays when what was being added is in the queue by then', async () => {
  const { prompt, answers, adding, ask, finishAdding } = setUp();
  adding.pending = 3;
  ask(0, 0);
  ask(2, 0);
  finishAdding();
  await new Promise((resolve) => setTimeout(resolve));
  expect([prompt.request?.open, answers.includes('now')]).toEqual([2, false]);
});

test('asks again after the user cancelled', async () => {
  const { prompt, answers, ask } = setUp();
  ask(5, 2);
  await prompt.quit('answered');
  await prompt.cancel();
  expect([prompt.request, prompt.isWaiting]).toEqual([null, false]);
  expect(answers.filter((answer) => answer !== 'flushed')).toEqual(['answered', 'stay 7']);
  ask(1, 0);
  expect([prompt.request, prompt.isWaiting]).toEqual([{ open: 1, adding: 0, atService: 0, question: 7 }, false]);
});

test('quits without asking once the user has decided to quit, unless a service owes a response', async () => {
  const { prompt, answers, ask } = setUp();
  prompt.expect();
  ask(5, 1);
  expect(prompt.request?.open).toBe(5);
  await prompt.cancel();
  prompt.expect();
  ask(5, 0);
  expect(prompt.request).toBeNull();
  await expect.poll(() => answers.at(-1)).toBe('now');
});

test('asks about open work the next time if the user then stayed', async () => {
  const { prompt, ask } = setUp();
  prompt.expect();
  ask(5, 1);
  await prompt.cancel();
  ask(5, 0);
  expect(prompt.request?.open).toBe(5);
});
