import { describe, expect, test } from 'vitest';
import { countHeld, HeldFiles } from './held-files.svelte.ts';
import { createOwnDrag } from './own-drag.ts';

const file = (type: string) => ({ kind: 'file', type });
const dragged = (...files: readonly File[]) =>
  ({
    dataTransfer: { items: [file('audio/wav')], files },
    preventDefault: () => undefined,
  }) as unknown as DragEvent;

describe('files over the window', () => {
  test('are counted as sound, as maybe sound, and as something else', () => {
    expect(countHeld([file('audio/mpeg'), file('video/mp4'), file(''), file('image/png'), file('text/plain')])).toEqual(
      {
        sounds: 3,
        others: 2,
      },
    );
  });

  test('are nothing where only text is dragged', () => {
    expect(countHeld([{ kind: 'string', type: 'text/plain' }])).toBeNull();
  });

  test('are held until the pointer has left every part of the window', () => {
    const state = new HeldFiles({ ownDrag: createOwnDrag(), onDrop: () => undefined });
    const event = dragged();
    state.enter(event);
    state.enter(event);
    state.leave();
    expect(state.held).toEqual({ sounds: 1, others: 0 });
    state.leave();
    expect(state.held).toBeNull();
  });

  test('are taken where another program dragged them here, and not where they come from the window itself', async () => {
    const ownDrag = createOwnDrag();
    const taken: string[] = [];
    const state = new HeldFiles({ ownDrag, onDrop: (files) => taken.push(...files.map(({ name }) => name)) });
    ownDrag.begin(Promise.resolve(['own.wav']));
    state.enter(dragged());
    expect(state.held).toBeNull();
    await state.drop(dragged(new File([], 'own.wav')));
    await state.drop(dragged(new File([], 'other.wav')));
    expect(taken).toEqual(['other.wav']);
  });
});
