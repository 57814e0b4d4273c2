import { describe, expect, test } from 'vitest';
import { AppError } from '../../../shared/app-error.ts';
import { historyApi } from './history-api.fixture.ts';
import { HistoryDeeds } from './history-deeds.svelte.ts';
import { createOwnDrag } from './own-drag.ts';

const files = (...names: readonly string[]) => names.map((name) => ({ name }));
const out = (...names: readonly string[]) => {
  const drag = createOwnDrag();
  drag.begin(Promise.resolve(names));
  return drag;
};

describe('files that were dragged out of the window', () => {
  test('are known when they are let go where they came from', async () => {
    expect(await out('a.wav', 'b.wav').drop(files('b.wav', 'a.wav'))).toBe(true);
    expect(await out('Zo\u00eb.wav').drop(files('Zoe\u0308.wav'))).toBe(true);
  });

  test('are known also where main is kept until they were let go', async () => {
    const drag = createOwnDrag();
    const names = Promise.withResolvers<readonly string[]>();
    drag.begin(names.promise);
    const isOwn = drag.drop(files('a.wav'));
    names.resolve(['a.wav']);
    expect(await isOwn).toBe(true);
  });

  test('are under way while the button is pressed, and until the pointer moves without it', async () => {
    const drag = out('a.wav');
    drag.move({ buttons: 1 });
    expect(drag.isUnderWay).toBe(true);
    drag.move({ buttons: 0 });
    expect(drag.isUnderWay).toBe(false);
    expect(await drag.drop(files('a.wav'))).toBe(false);
  });

  test('are dropped once', async () => {
    const drag = out('a.wav');
    await drag.drop(files('a.wav'));
    expect([drag.isUnderWay, await drag.drop(files('a.wav'))]).toEqual([false, false]);
  });

  test('are not mistaken for those of the next drag, which another program began', async () => {
    expect(await out('a.wav').drop(files('b.wav'))).toBe(false);
    expect(await out('a.wav').drop(files('a.wav', 'b.wav'))).toBe(false);
  });

  test('are those that history named, and none where the system refused to drag', async () => {
    const drag = createOwnDrag();
    const answers = [Promise.resolve({ names: ['a.wav'] }), Promise.reject(new AppError('history/no-drag', 'no'))];
    const deeds = new HistoryDeeds(historyApi({ drag: () => answers.shift() ?? expect.fail('dragged again') }), drag);
    await deeds.drag(['a']);
    expect(await drag.drop(files('a.wav'))).toBe(true);
    await deeds.drag(['a']);
    expect([await drag.drop(files('a.wav')), deeds.problem?.code]).toEqual([false, 'history/no-drag']);
  });
});
