import { expect, test } from 'vitest';
import { AppError, type Problem } from '../../../../shared/errors.ts';
import { agree, historyApi } from './history.fixture.ts';
import { HistoryActions } from './actions.svelte.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';

test('repeating reports how many entries were added and skipped, and why', async () => {
  const problem: Problem = { code: 'input/missing', facts: { name: 'a.wav' } };
  const reply = { added: 2, skipped: 1, firstSkipped: { name: 'a.wav', problem } };
  const api = historyApi({ repeat: () => Promise.resolve(reply) });
  const actions = new HistoryActions(api, createInternalDrag(), agree);
  await actions.repeat({ ids: ['a', 'b', 'c'] });
  expect([actions.result, actions.problem]).toEqual([{ kind: 'repeated', isChanged: false, ...reply }, problem]);
});

test('repeating is requested once until the reply arrives', async () => {
  const replies: (() => void)[] = [];
  const api = historyApi({
    repeat: () => new Promise((resolve) => replies.push(() => resolve({ added: 1, skipped: 0, firstSkipped: null }))),
  });
  const actions = new HistoryActions(api, createInternalDrag(), agree);
  const requests = [actions.repeat({ ids: ['a'] }), actions.repeat({ ids: ['a'] })];
  expect([replies.length, actions.result]).toEqual([1, { kind: 'adding' }]);
  replies[0]?.();
  await Promise.all(requests);
  expect(actions.result).toMatchObject({ kind: 'repeated', added: 1 });
  void actions.repeat({ ids: ['a'] });
  expect(replies).toHaveLength(2);
});

test('several entries are repeated only after the user agreed to what goes to services, one at once', async () => {
  const preview = { services: ['Studio'], entries: 40, texts: 0, seconds: 900, unmeasured: 0 };
  const calls: unknown[] = [];
  const api = historyApi({
    previewRepeat: (input) => {
      calls.push(['preview', input]);
      return Promise.resolve(preview);
    },
    repeat: ({ choice }) => {
      calls.push(['repeat', choice]);
      return Promise.resolve({ added: 1, skipped: 0, firstSkipped: null });
    },
  });
  const asked: unknown[] = [];
  const actions = new HistoryActions(api, createInternalDrag(), (question) => {
    asked.push(question);
    return Promise.resolve(asked.length > 1);
  });
  const all = { list: 1, ranges: [[0, 40]] } as const;
  const changes = { connectionId: 'studio', voiceId: 'anna' };
  await actions.repeat(all, changes);
  expect([calls, asked, actions.result]).toEqual([[['preview', { choice: all, changes }]], [preview], null]);
  await actions.repeat(all, changes);
  expect([calls.at(-1), actions.result]).toMatchObject([['repeat', all], { kind: 'repeated', added: 1 }]);
  await actions.repeat({ ids: ['a'] });
  expect([calls.length, asked.length]).toEqual([4, 2]);
});

test('a failed repeat shows no progress', async () => {
  const api = historyApi({ repeat: () => Promise.reject(new AppError('voice/not-found', 'no')) });
  const actions = new HistoryActions(api, createInternalDrag(), agree);
  await actions.repeat({ ids: ['a'] });
  expect([actions.result, actions.problem?.code]).toEqual([null, 'voice/not-found']);
});

test('whether a selection has something to restore is asked once it rests, and only its own answer counts', async () => {
  const asked: unknown[] = [];
  const answers: ((hasRestorable: boolean) => void)[] = [];
  const api = historyApi({
    hasRestorable: ({ choice }) => {
      asked.push(choice);
      return new Promise((resolve) => answers.push(resolve));
    },
    restoreResults: () =>
      Promise.resolve({ restored: 1, there: 0, none: 0, damaged: 0, away: 0, failed: 0, firstProblem: null }),
  });
  const actions = new HistoryActions(api, createInternalDrag(), agree);
  actions.checkRestorable({ ids: ['a', 'b'] });
  actions.checkRestorable({ ids: ['a', 'b', 'c'] });
  await expect.poll(() => asked).toEqual([{ ids: ['a', 'b', 'c'] }]);
  expect(actions.hasRestorable).toBe(false);
  actions.checkRestorable({ ids: ['b', 'c'] });
  answers[0]?.(true);
  await expect.poll(() => asked.length).toBe(2);
  expect(actions.hasRestorable).toBe(false);
  answers[1]?.(true);
  await expect.poll(() => actions.hasRestorable).toBe(true);
  // What was restored is asked for no more.
  await actions.restoreResults({ ids: ['b', 'c'] });
  expect(actions.hasRestorable).toBe(false);
  await expect.poll(() => asked.length).toBe(3);
  actions.checkRestorable(null);
  answers[2]?.(true);
  await Promise.resolve();
  expect(actions.hasRestorable).toBe(false);
});

const createActions = (isCancelled: boolean) =>
  new HistoryActions(historyApi({ cancelTask: () => Promise.resolve(isCancelled) }), createInternalDrag(), agree);

test('a cancelled task is reported, unless it had already ended', async () => {
  for (const [isCancelled, result] of [
    [true, { kind: 'stopped', task: 'import' }],
    [false, null],
  ] as const) {
    const actions = createActions(isCancelled);
    actions.task = { kind: 'import', share: 0.5, count: 10 };
    await actions.cancelTask();
    expect(actions.result).toEqual(result);
  }
});

test('cancelling does nothing if no task runs', async () => {
  const actions = createActions(true);
  await actions.cancelTask();
  expect(actions.result).toBeNull();
});

const removal = { entries: 2, files: 0, keptFiles: 0, undo: 'u' } as const;

test('what was restored, copied or exported is no longer said once the view closes or something else is done', async () => {
  const actions = new HistoryActions(
    historyApi({
      remove: () => Promise.resolve(removal),
      undo: () => Promise.resolve(),
      update: () => Promise.resolve(),
    }),
    createInternalDrag(),
    agree,
  );
  const restore = async (): Promise<void> => {
    await actions.remove({ ids: ['a', 'b'] }, false);
    await actions.undo();
    expect(actions.result).toEqual({ kind: 'restored', entries: 2 });
  };
  await restore();
  actions.dismissResult();
  expect(actions.result).toBeNull();
  await restore();
  await actions.update({ ids: ['a'] }, { isFavourite: true });
  expect(actions.result).toBeNull();
});

test('a removal can be undone after the view was closed and something else was done', async () => {
  const actions = new HistoryActions(
    historyApi({ remove: () => Promise.resolve(removal), update: () => Promise.resolve() }),
    createInternalDrag(),
    agree,
  );
  await actions.remove({ ids: ['a', 'b'] }, false);
  actions.dismissResult();
  await actions.update({ ids: ['a'] }, { isFavourite: true });
  expect(actions.canUndo).toBe(true);
});

const imported = {
  ...{ added: 2, known: 1, refused: 0, withoutFile: 0, broughtBack: 1, refusedLines: [], undo: 'i' },
  isStopped: false,
  problem: null,
};

test('an import can be undone while its result is the last, and says then how many entries it removed', async () => {
  const undone: string[] = [];
  const actions = new HistoryActions(
    historyApi({
      import: () => Promise.resolve(imported),
      undo: ({ undo }) => Promise.resolve(void undone.push(undo)),
      update: () => Promise.resolve(),
    }),
    createInternalDrag(),
    agree,
  );
  await actions.import();
  await actions.update({ ids: ['a'] }, { isFavourite: true });
  expect(actions.canUndo).toBe(true);
  await actions.undo();
  expect([undone, actions.result, actions.canUndo]).toEqual([['i'], { kind: 'import-undone', entries: 3 }, false]);
});

test('an import that added nothing cannot be undone', async () => {
  const actions = new HistoryActions(
    historyApi({ import: () => Promise.resolve({ ...imported, added: 0, broughtBack: 0, undo: null }) }),
    createInternalDrag(),
    agree,
  );
  await actions.import();
  expect([actions.result?.kind, actions.canUndo]).toEqual(['imported', false]);
});

test('a stopped import can be undone, whichever of the two replies comes first', async () => {
  for (const isReportFirst of [true, false]) {
    const stopped = Promise.withResolvers<boolean>();
    const report = Promise.withResolvers<typeof imported>();
    const actions = new HistoryActions(
      historyApi({ import: () => report.promise, cancelTask: () => stopped.promise }),
      createInternalDrag(),
      agree,
    );
    actions.task = { kind: 'import', share: 0.5, count: 10 };
    const done = [actions.import(), actions.cancelTask()];
    const answer = [() => report.resolve({ ...imported, isStopped: true }), () => stopped.resolve(true)];
    for (const [k, reply] of (isReportFirst ? answer : answer.toReversed()).entries()) {
      reply();
      await (isReportFirst ? done : done.toReversed())[k];
    }
    expect(actions.result).toMatchObject({ kind: 'imported', isStopped: true });
    expect(actions.canUndo).toBe(true);
  }
});
