import { expect, test } from 'vitest';
import { AppError, type Problem } from '../../../../shared/errors.ts';
import { historyApi } from './history-api.fixture.ts';
import { HistoryActions } from './actions.svelte.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';

test('those that could not be made again are told beside those that are, with the reason', async () => {
  const problem: Problem = { code: 'input/missing', facts: { name: 'a.wav' } };
  const answer = { added: 2, skipped: 1, firstSkipped: { name: 'a.wav', problem } };
  const api = historyApi({ repeat: () => Promise.resolve(answer) });
  const deeds = new HistoryActions(api, createInternalDrag());
  await deeds.again({ ids: ['a', 'b', 'c'] });
  expect([deeds.outcome, deeds.problem]).toEqual([{ kind: 'again', isChanged: false, ...answer }, problem]);
});

test('the same again is asked for once, however often before the answer is here, and then anew', async () => {
  const answers: (() => void)[] = [];
  const api = historyApi({
    repeat: () => new Promise((resolve) => answers.push(() => resolve({ added: 1, skipped: 0, firstSkipped: null }))),
  });
  const deeds = new HistoryActions(api, createInternalDrag());
  const asked = [deeds.again({ ids: ['a'] }), deeds.again({ ids: ['a'] })];
  expect([answers.length, deeds.outcome]).toEqual([1, { kind: 'adding' }]);
  answers[0]?.();
  await Promise.all(asked);
  expect(deeds.outcome).toMatchObject({ kind: 'again', added: 1 });
  void deeds.again({ ids: ['a'] });
  expect(answers).toHaveLength(2);
});

test('nothing is told as on its way once it failed', async () => {
  const api = historyApi({ repeat: () => Promise.reject(new AppError('voice/not-found', 'no')) });
  const deeds = new HistoryActions(api, createInternalDrag());
  await deeds.again({ ids: ['a'] });
  expect([deeds.outcome, deeds.problem?.code]).toEqual([null, 'voice/not-found']);
});

const deedsOf = (isStopped: boolean) => {
  const deeds = new HistoryActions(historyApi({ cancelTask: () => Promise.resolve(isStopped) }), createInternalDrag());
  return deeds;
};

test('what a person stops is told as stopped, and not what had come to its end before', async () => {
  for (const [isStopped, outcome] of [
    [true, { kind: 'stopped', work: 'import' }],
    [false, null],
  ] as const) {
    const deeds = deedsOf(isStopped);
    deeds.work = { kind: 'import', share: 0.5, count: 10 };
    await deeds.stop();
    expect(deeds.outcome).toEqual(outcome);
  }
});

test('where nothing is at work there is nothing to stop', async () => {
  const deeds = deedsOf(true);
  await deeds.stop();
  expect(deeds.outcome).toBeNull();
});
