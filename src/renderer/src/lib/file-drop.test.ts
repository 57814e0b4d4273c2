import { describe, expect, test } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { HistoryActions } from '../features/history/actions.svelte.ts';
import { historyApi } from '../features/history/history-api.fixture.ts';
import { countDragged, createInternalDrag, FileDrop } from './file-drop.svelte.ts';

describe('held files', () => {
  const file = (type: string) => ({ kind: 'file', type });
  const dragged = (...files: readonly File[]) =>
    ({
      dataTransfer: { items: [file('audio/wav')], files },
      preventDefault: () => undefined,
    }) as unknown as DragEvent;

  describe('files over the window', () => {
    test('are counted as sound, as maybe sound, and as something else', () => {
      expect(
        countDragged([file('audio/mpeg'), file('video/mp4'), file(''), file('image/png'), file('text/plain')]),
      ).toEqual({
        sounds: 3,
        others: 2,
      });
    });

    test('are nothing where only text is dragged', () => {
      expect(countDragged([{ kind: 'string', type: 'text/plain' }])).toBeNull();
    });

    test('are held until the pointer has left every part of the window', () => {
      const state = new FileDrop({ ownDrag: createInternalDrag(), onDrop: () => undefined });
      const event = dragged();
      state.enter(event);
      state.enter(event);
      state.leave();
      expect(state.held).toEqual({ sounds: 1, others: 0 });
      state.leave();
      expect(state.held).toBeNull();
    });

    test('are taken where another program dragged them here, and not where they come from the window itself', async () => {
      const ownDrag = createInternalDrag();
      const taken: string[] = [];
      const state = new FileDrop({ ownDrag, onDrop: (files) => taken.push(...files.map(({ name }) => name)) });
      ownDrag.begin(Promise.resolve(['own.wav']));
      state.enter(dragged());
      expect(state.held).toBeNull();
      await state.drop(dragged(new File([], 'own.wav')));
      await state.drop(dragged(new File([], 'other.wav')));
      expect(taken).toEqual(['other.wav']);
    });
  });
});

describe('own drag', () => {
  const files = (...names: readonly string[]) => names.map((name) => ({ name }));
  const out = (...names: readonly string[]) => {
    const drag = createInternalDrag();
    drag.begin(Promise.resolve(names));
    return drag;
  };

  describe('files that were dragged out of the window', () => {
    test('are known when they are let go where they came from', async () => {
      expect(await out('a.wav', 'b.wav').drop(files('b.wav', 'a.wav'))).toBe(true);
      expect(await out('Zo\u00eb.wav').drop(files('Zoe\u0308.wav'))).toBe(true);
    });

    test('are known also where main is kept until they were let go', async () => {
      const drag = createInternalDrag();
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
      const drag = createInternalDrag();
      const answers = [Promise.resolve({ names: ['a.wav'] }), Promise.reject(new AppError('history/no-drag', 'no'))];
      const deeds = new HistoryActions(
        historyApi({ drag: () => answers.shift() ?? expect.fail('dragged again') }),
        drag,
      );
      await deeds.drag(['a']);
      expect(await drag.drop(files('a.wav'))).toBe(true);
      await deeds.drag(['a']);
      expect([await drag.drop(files('a.wav')), deeds.problem?.code]).toEqual([false, 'history/no-drag']);
    });
  });
});
