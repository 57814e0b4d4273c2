import { describe, expect, test } from 'vitest';
import { jobOf } from '../jobs/job.fixture.ts';
import type { Side } from '../waveform/waveforms.svelte.ts';
import { Player, type Sound } from './player.svelte.ts';

/** An audio element without sound: it has a length as soon as it is loaded and stands still unless told. */
class QuietSound extends EventTarget implements Sound {
  src = '';
  readonly error = null;
  currentTime = 0;
  duration = Number.NaN;
  volume = 1;
  loop = false;
  paused = true;
  readonly length: number;
  /** It has a length only when `arrive` is called. */
  isSlow = false;

  constructor(length: number) {
    super();
    this.length = length;
  }
  removeAttribute(): void {
    this.src = '';
  }
  load(): void {
    this.currentTime = 0;
    this.paused = true;
    this.duration = Number.NaN;
    if (this.src !== '' && !this.isSlow) this.arrive();
  }
  arrive(): void {
    this.duration = this.length;
    this.dispatchEvent(new Event('durationchange'));
  }
  play(): Promise<void> {
    if (this.src === '') return Promise.reject(new DOMException('no source', 'NotSupportedError'));
    this.paused = false;
    this.dispatchEvent(new Event('play'));
    return Promise.resolve();
  }
  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }
  reach(seconds: number): void {
    this.currentTime = seconds;
    this.dispatchEvent(new Event('timeupdate'));
  }
}

function setUp() {
  const player = new Player({ ringing: { start: () => undefined, width: () => 1 } });
  const sounds: Record<Side, QuietSound> = { source: new QuietSound(100), result: new QuietSound(50) };
  player.attach('source', sounds.source);
  player.attach('result', sounds.result);
  return { player, sounds };
}
const done = jobOf('a', { state: 'done', resultMedia: 'a/result' });

describe('the player', () => {
  test('plays the result where there is one, else the original', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    expect([player.heard, player.isPlaying, sounds.result.src]).toEqual(['result', true, 'media/a/result?a%2Fresult']);
    await player.listen(jobOf('b'));
    expect([player.heard, sounds.source.src, sounds.result.paused]).toEqual([
      'source',
      'media/b/source?b-source',
      true,
    ]);
  });

  test('pauses and goes on when asked for the same again', async () => {
    const { player } = setUp();
    await player.listen(done);
    await player.listen(done);
    expect(player.isPlaying).toBe(false);
    await player.listen(done);
    expect(player.isPlaying).toBe(true);
  });

  test('plays both as loud as the quieter one, whatever the volume is', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.match(-30, -24);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([1, expect.closeTo(0.5, 2)]);
    player.setVolume(0.5);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([0.5, expect.closeTo(0.25, 2)]);
    player.match(-20, null);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([0.5, 0.5]);
    player.match(-20, -90);
    expect(sounds.source.volume).toBeCloseTo(0.5 * 10 ** (-24 / 20), 5);
  });

  test('plays all results of one recording as loud as the quietest of them that was heard', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.match(-18, -20);
    const other = { ...done, id: 'other voice', resultMedia: 'a/other' };
    await player.listen(other);
    player.match(-18, -26);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([expect.closeTo(10 ** (-8 / 20), 5), 1]);
    await player.listen(done);
    player.match(-18, -20);
    expect(sounds.result.volume).toBeCloseTo(10 ** (-6 / 20), 5);
    await player.listen(jobOf('b', { state: 'done', resultMedia: 'b/result' }));
    player.match(-18, -20);
    expect(sounds.result.volume).toBe(1);
  });

  test('goes on at the same instant in another result of the same recording, and from the start in any other', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    await player.listen({ ...done, id: 'other voice', resultMedia: 'a/other' });
    expect([sounds.result.src, sounds.result.currentTime, player.seconds]).toEqual([
      'media/other voice/result?a%2Fother',
      20,
      20,
    ]);
    expect(player.isPlaying).toBe(true);
    await player.listen(jobOf('b', { state: 'done', resultMedia: 'b/result' }));
    expect(sounds.result.currentTime).toBe(0);
  });

  test('switches to the other sound at the same instant, also when its speed differs', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    await player.hear('source');
    expect([sounds.source.currentTime, sounds.source.paused, sounds.result.paused]).toEqual([40, false, true]);
    expect([player.seconds, player.isPlaying]).toEqual([40, true]);
  });

  test('switches from where the sound is now, not from where it was last said to be', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    sounds.result.currentTime = 20.25;
    await player.hear('source');
    expect([sounds.source.currentTime, player.seconds]).toEqual([40.5, 40.5]);
    sounds.source.currentTime = 41;
    await player.listen({ ...done, id: 'other voice', resultMedia: 'a/other' });
    expect(sounds.result.currentTime).toBe(20.5);
    sounds.result.currentTime = 20.75;
    player.seekBy(1);
    expect(sounds.result.currentTime).toBe(21.75);
  });

  test('goes on at the same instant in a sound that was not loaded when it was switched to', async () => {
    const { player, sounds } = setUp();
    sounds.source.isSlow = true;
    await player.listen(done);
    sounds.result.reach(20);
    await player.hear('source');
    expect(player.share).toBeCloseTo(0.4);
    sounds.source.arrive();
    expect([sounds.source.currentTime, sounds.source.paused, player.seconds]).toEqual([40, false, 40]);
  });

  test('comes back to the same instant from a sound that never was loaded', async () => {
    const { player, sounds } = setUp();
    sounds.source.isSlow = true;
    await player.listen(done);
    sounds.result.reach(20);
    await player.swap();
    await player.swap();
    expect([sounds.result.currentTime, player.seconds, player.isPlaying]).toEqual([20, 20, true]);
    sounds.source.arrive();
    expect(sounds.result.currentTime).toBe(20);
  });

  test('keeps the track as it is where nothing of it is news, so that nobody who follows it goes round in circles', () => {
    const { player } = setUp();
    void player.listen(done);
    const { track } = player;
    player.follow(track ?? undefined);
    player.follow({ ...done });
    expect(player.track).toBe(track);
  });

  test('goes on at the same instant when the file that is heard is found in another place', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    player.follow({ ...done, resultMedia: 'a/moved' });
    expect([sounds.result.src, sounds.result.currentTime]).toEqual(['media/a/result?a%2Fmoved', 20]);
    expect([sounds.result.paused, player.isPlaying]).toEqual([false, true]);
    await player.toggle();
    player.follow({ ...done, resultMedia: 'a/again' });
    expect([sounds.result.currentTime, sounds.result.paused, player.isPlaying]).toEqual([20, true, false]);
  });

  test('goes on in the original when the result that is heard is gone, and is still without either', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    player.follow({ ...done, resultMedia: null });
    expect([player.heard, sounds.source.currentTime, player.isPlaying]).toEqual(['source', 40, true]);
    player.follow({ ...done, sourceMedia: null, resultMedia: null });
    expect([player.isPlaying, player.seconds]).toEqual([false, 0]);
  });

  test('stays paused when switched while paused', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    await player.toggle();
    await player.swap();
    expect([player.heard, player.isPlaying, sounds.source.paused]).toEqual(['source', false, true]);
  });

  test('hears nothing that does not exist', async () => {
    const { player } = setUp();
    await player.listen(jobOf('b'));
    await player.hear('result');
    expect(player.heard).toBe('source');
    await player.listen(jobOf('c', { sourceMedia: null }));
    expect(player.track?.id).toBe('b');
  });

  test('seeks within the sound and never out of it', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seekBy(5);
    player.seekBy(-20);
    expect(sounds.result.currentTime).toBe(0);
    player.seek(999);
    expect([player.seconds, player.share]).toEqual([50, 1]);
  });

  test('takes the result in when it comes while the original is heard', async () => {
    const { player, sounds } = setUp();
    await player.listen(jobOf('a'));
    sounds.source.reach(10);
    player.follow(jobOf('a', { revision: 2, state: 'done', resultMedia: 'r' }));
    expect([player.canCompare, sounds.result.src, sounds.source.currentTime]).toEqual([true, 'media/a/result?r', 10]);
  });

  test('says when a sound cannot be played, and forgets it with the next one', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.dispatchEvent(new Event('error'));
    expect([player.hasFailed, player.isPlaying]).toEqual([true, false]);
    await player.listen(jobOf('b'));
    expect(player.hasFailed).toBe(false);
  });

  test('can be emptied', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.clear();
    expect([player.track, player.isPlaying, sounds.result.paused]).toEqual([null, false, true]);
  });
});
