import { expect, test } from 'vitest';
import type { Problem } from '../../../shared/problem.ts';
import { historyApi } from './history-api.fixture.ts';
import { HistoryDeeds } from './history-deeds.svelte.ts';
import { createOwnDrag } from './own-drag.ts';

test('those that could not be made again are told beside those that are, with the reason', async () => {
  const problem: Problem = { code: 'input/missing', facts: { name: 'a.wav' } };
  const answer = { added: 2, left: 1, first: { name: 'a.wav', problem } };
  const api = historyApi({ again: () => Promise.resolve(answer) });
  const deeds = new HistoryDeeds(api, createOwnDrag());
  await deeds.again({ ids: ['a', 'b', 'c'] });
  expect([deeds.outcome, deeds.problem]).toEqual([{ kind: 'again', isChanged: false, ...answer }, problem]);
});

const deedsOf = (isStopped: boolean) => {
  const deeds = new HistoryDeeds(historyApi({ stop: () => Promise.resolve(isStopped) }), createOwnDrag());
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
