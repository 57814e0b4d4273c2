import { expect, test } from 'vitest';
import type { PassageState } from '../../../../shared/schemas/speech.ts';
import { PassagePlayer } from './passage-player.svelte.ts';

function setUp() {
  const sound = Object.assign(new EventTarget(), {
    src: '',
    volume: 1,
    paused: true,
    ended: false,
    play: () => Promise.resolve(void (sound.paused = false)),
    pause: () => void (sound.paused = true),
    load: () => undefined,
    removeAttribute: () => void (sound.src = ''),
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
  return { passages, sound, player };
}

test('a sentence follows the volume of the player while it is heard', () => {
  const { passages, sound, player } = setUp();
  passages.applyVolume();
  passages.play(0);
  expect([sound.src, sound.volume]).toEqual(['media/take/a', 0.5]);
  player.volume = 0.1;
  passages.applyVolume();
  expect(sound.volume).toBe(0.1);
});

test('a sentence that the media keys pause is shown as stopped, and they cannot resume it behind another sound', () => {
  const { passages, sound } = setUp();
  passages.play(0);
  sound.dispatchEvent(new Event('pause'));
  expect(passages.status).toBe('playing');
  sound.pause();
  sound.dispatchEvent(new Event('pause'));
  expect([passages.status, sound.src]).toEqual(['idle', '']);
});

test('a sentence that ends is followed by the next one', () => {
  const { passages, sound } = setUp();
  passages.play(0);
  Object.assign(sound, { paused: true, ended: true });
  sound.dispatchEvent(new Event('pause'));
  expect(passages.status).toBe('playing');
});
