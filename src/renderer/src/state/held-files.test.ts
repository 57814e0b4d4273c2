import { describe, expect, test } from 'vitest';
import { countHeld, HeldFiles } from './held-files.svelte.ts';

const file = (type: string) => ({ kind: 'file', type });

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
    const state = new HeldFiles({ onDrop: () => undefined });
    const event = {
      dataTransfer: { items: [file('audio/wav')] },
      preventDefault: () => undefined,
    } as unknown as DragEvent;
    state.enter(event);
    state.enter(event);
    state.leave();
    expect(state.held).toEqual({ sounds: 1, others: 0 });
    state.leave();
    expect(state.held).toBeNull();
  });
});
