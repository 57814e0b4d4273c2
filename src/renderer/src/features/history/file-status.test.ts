import { describe, expect, test } from 'vitest';
import { FileStatuses } from './file-status.svelte.ts';
import { rowOf, rowsOf } from './history.fixture.ts';

function setUp() {
  const requests: (readonly string[])[] = [];
  const gates: (() => void)[] = [];
  const statuses = new FileStatuses(async ({ ids }) => {
    requests.push(ids);
    await new Promise<void>((go) => gates.push(go));
    return ids.map((id) => ({
      id,
      source: null,
      result: id === 'missing' ? ('missing' as const) : ('there' as const),
      hasCopy: id === 'missing',
    }));
  });
  const reply = async () => {
    gates.shift()?.();
    await new Promise((done) => setTimeout(done, 0));
  };
  return { statuses, requests, reply };
}

describe('the files of visible rows', () => {
  test('are checked once while a row is visible, and again when it reappears', async () => {
    const { statuses, requests, reply } = setUp();
    statuses.setVisible([rowOf('a'), rowOf('missing')]);
    await reply();
    statuses.setVisible([rowOf('a'), rowOf('missing')]);
    expect(requests).toEqual([['a', 'missing']]);
    expect([statuses.of('missing')?.result, statuses.of('a')?.result]).toEqual(['missing', 'there']);
    statuses.setVisible([]);
    statuses.setVisible([rowOf('a')]);
    await expect.poll(() => requests).toEqual([['a', 'missing'], ['a']]);
  });

  test('are not checked if the row has scrolled out of view', async () => {
    const { statuses, requests, reply } = setUp();
    statuses.setVisible([rowOf('first')]);
    statuses.setVisible([rowOf('skipped')]);
    statuses.setVisible([rowOf('last')]);
    await reply();
    expect(requests).toEqual([['first'], ['last']]);
  });

  test('are checked at most 100 at a time', async () => {
    const { statuses, requests, reply } = setUp();
    statuses.setVisible(rowsOf(130));
    await reply();
    expect(requests.map(({ length }) => length)).toEqual([100, 30]);
  });

  test('are not checked if the entry has no result', () => {
    const { statuses, requests } = setUp();
    statuses.setVisible([rowOf('a', 0, { state: 'failed', resultMedia: null })]);
    expect(requests).toEqual([]);
  });
});
