import { describe, expect, test } from 'vitest';
import { FileStatuses } from './file-status.svelte.ts';
import { rowOf, rowsOf } from './history-api.fixture.ts';

function setUp() {
  const asked: (readonly string[])[] = [];
  const gates: (() => void)[] = [];
  const looks = new FileStatuses(async ({ ids }) => {
    asked.push(ids);
    await new Promise<void>((go) => gates.push(go));
    return ids.map((id) => ({ id, source: null, result: id === 'gone' ? ('missing' as const) : ('there' as const) }));
  });
  const answer = async () => {
    gates.shift()?.();
    await new Promise((done) => setTimeout(done, 0));
  };
  return { looks, asked, answer };
}

describe('files of shown rows', () => {
  test('are looked for once while a row is shown, and again when it is shown again', async () => {
    const { looks, asked, answer } = setUp();
    looks.show([rowOf('a'), rowOf('gone')]);
    await answer();
    looks.show([rowOf('a'), rowOf('gone')]);
    expect(asked).toEqual([['a', 'gone']]);
    expect([looks.of('gone')?.result, looks.of('a')?.result]).toEqual(['missing', 'there']);
    looks.show([]);
    looks.show([rowOf('a')]);
    await expect.poll(() => asked).toEqual([['a', 'gone'], ['a']]);
  });

  test('are not looked for where the row was only passed by', async () => {
    const { looks, asked, answer } = setUp();
    looks.show([rowOf('first')]);
    looks.show([rowOf('passed')]);
    looks.show([rowOf('last')]);
    await answer();
    expect(asked).toEqual([['first'], ['last']]);
  });

  test('are asked about at most a hundred at a time', async () => {
    const { looks, asked, answer } = setUp();
    looks.show(rowsOf(130));
    await answer();
    expect(asked.map(({ length }) => length)).toEqual([100, 30]);
  });

  test('are not asked about where nothing was made', () => {
    const { looks, asked } = setUp();
    looks.show([rowOf('a', 0, { state: 'failed', resultMedia: null })]);
    expect(asked).toEqual([]);
  });
});
