import { expect, test } from 'vitest';
import type { CloseRequest } from '../../../shared/schemas/app.ts';
import { ClosePrompt } from './close-prompt.svelte.ts';

function setUp() {
  const done: string[] = [];
  let ask: (request: CloseRequest) => void = () => undefined;
  const prompt = new ClosePrompt(
    {
      close: ({ action }) => Promise.resolve(void done.push(`close ${action}`)),
      onCloseRequested: (listener) => {
        ask = listener;
        return () => undefined;
      },
    },
    { save: (action) => Promise.resolve(void done.push(`save ${action}`)), expectQuit: () => done.push('expect') },
  );
  prompt.subscribe();
  return { prompt, done, ask: () => ask({ open: 1, folders: 2, place: 'tray' }) };
}

test('saves the answer before the window closes', async () => {
  const { prompt, done, ask } = setUp();
  ask();
  expect(prompt.request).toEqual({ open: 1, folders: 2, place: 'tray' });
  await prompt.answer('background');
  expect([prompt.request, ...done]).toEqual([null, 'save background', 'close background']);
});

test('does not ask a second time when the answer is to quit', async () => {
  const { prompt, done, ask } = setUp();
  ask();
  await prompt.answer('quit');
  expect(done).toEqual(['save quit', 'expect', 'close quit']);
});

test('changes nothing if the user cancels', () => {
  const { prompt, done, ask } = setUp();
  ask();
  prompt.cancel();
  expect([prompt.request, ...done]).toEqual([null]);
});
