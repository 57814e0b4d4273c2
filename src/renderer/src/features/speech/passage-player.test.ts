import { expect, test } from 'vitest';
import type { PassageState } from '../../../../shared/schemas/speech.ts';
import { PassagePlayer } from './passage-player.svelte.ts';

test('a sentence follows the volume of the player while it is heard', () => {
  const sound = Object.assign(new EventTarget(), {
    src: '',
    volume: 1,
    paused: true,
    play: () => Promise.resolve(),
    pause: () => undefined,
    load: () => undefined,
    removeAttribute: () => undefined,
  });
  const player = { volume: 0.5 };
  const passages = new PassagePlayer({
    createSound: () => sound,
    volume: () => player.volume,
    list: () => [{ media: 'a' } as PassageState],
    isGrowing: () => false,
    pauses: () => undefined,
    onListen: () => undefined,
  });
  passages.applyVolume();
  passages.play(0);
  expect([sound.src, sound.volume]).toEqual(['media/take/a', 0.5]);
  player.volume = 0.1;
  passages.applyVolume();
  expect(sound.volume).toBe(0.1);
});
