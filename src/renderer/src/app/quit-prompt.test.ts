import { expect, test, vi } from 'vitest';
import type { QuitRequest } from '../../../shared/schemas/app.ts';
import { QuitPrompt } from './quit-prompt.svelte.ts';

function setUp() {
  const answers: string[] = [];
  let ask: (leaving: QuitRequest) => void = () => undefined;
  const leaving = new QuitPrompt(
    {
      quit: ({ when }) => Promise.resolve(void answers.push(when)),
      cancelQuit: ({ question }) => Promise.resolve(void answers.push(`stay ${question}`)),
      onQuitRequested: (listener) => {
        ask = listener;
        return () => undefined;
      },
    },
    () => Promise.resolve(void answers.push('kept')),
  );
  leaving.subscribe();
  return { leaving, answers, ask: (open: number, atService: number) => ask({ open, atService, question: 7 }) };
}

test('whoever waits for answers sees how many are left, and may still go or stay', async () => {
  const { leaving, answers, ask } = setUp();
  ask(5, 2);
  await leaving.leave('answered');
  ask(4, 1);
  expect([leaving.isWaiting, leaving.asked?.atService]).toEqual([true, 1]);
  await leaving.leave('now');
  expect(leaving.isWaiting).toBe(false);
  expect(answers.filter((answer) => answer !== 'kept')).toEqual(['answered', 'now']);
});

test('a question that has become idle answers itself, once everything is kept', async () => {
  const { answers, ask } = setUp();
  ask(1, 0);
  ask(0, 0);
  await vi.waitFor(() => expect(answers).toEqual(['kept', 'kept', 'now']));
});

test('without work open nobody is asked: what is not kept yet is kept, then the window goes (U2)', async () => {
  const { leaving, answers, ask } = setUp();
  ask(0, 0);
  expect(leaving.asked).toBeNull();
  await vi.waitFor(() => expect(answers).toEqual(['kept', 'now']));
});

test('whoever stays is asked anew the next time', async () => {
  const { leaving, answers, ask } = setUp();
  ask(5, 2);
  await leaving.leave('answered');
  await leaving.stay();
  expect([leaving.asked, leaving.isWaiting]).toEqual([null, false]);
  expect(answers.filter((answer) => answer !== 'kept')).toEqual(['answered', 'stay 7']);
  ask(1, 0);
  expect([leaving.asked, leaving.isWaiting]).toEqual([{ open: 1, atService: 0, question: 7 }, false]);
});
