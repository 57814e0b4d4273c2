import { describe, expect, test } from 'vitest';
import { jobOf } from '../jobs/job.fixture.ts';
import type { Side } from '../waveform/waveforms.svelte.ts';
import { Player, type Sound } from './player.svelte.ts';

/** A fake audio element: it has its length once loaded, and its position changes only on request. */
class FakeSound extends EventTarget implements Sound {
  src = '';
  error: MediaError | null = null;
  currentTime = 0;
  duration = Number.NaN;
  volume = 1;
  loop = false;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  paused = true;
  readonly length: number;
  /** Loads only when `arrive` is called. */
  isSlow = false;

  constructor(length: number) {
    super();
    this.length = length;
  }
  removeAttribute(): void {
    this.src = '';
  }
  load(): void {
    this.error = null;
    this.currentTime = 0;
    this.playbackRate = this.defaultPlaybackRate;
    this.paused = true;
    this.duration = Number.NaN;
    if (this.src !== '' && !this.isSlow) this.arrive();
  }
  arrive(): void {
    this.duration = this.length;
    this.dispatchEvent(new Event('durationchange'));
  }
  fail(): void {
    this.error = {} as MediaError;
    this.dispatchEvent(new Event('error'));
  }
  play(): Promise<void> {
    if (this.src === '' || this.error) return Promise.reject(new DOMException('no source', 'NotSupportedError'));
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
  const player = new Player({ levelMeter: { start: () => undefined, barScale: () => 1 } });
  const sounds: Record<Side, FakeSound> = { source: new FakeSound(100), result: new FakeSound(50) };
  player.attach('source', sounds.source);
  player.attach('result', sounds.result);
  return { player, sounds };
}
const done = jobOf('a', { state: 'done', resultMedia: 'a/result' });

describe('the player', () => {
  test('plays the result, else the source', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    expect([player.side, player.isPlaying, sounds.result.src]).toEqual(['result', true, 'media/a/result?a%2Fresult']);
    await player.listen(jobOf('b'));
    expect([player.side, sounds.source.src, sounds.result.paused]).toEqual(['source', 'media/b/source?b-source', true]);
  });

  test('pauses and resumes the loaded track', async () => {
    const { player } = setUp();
    await player.listen(done);
    await player.listen(done);
    expect(player.isPlaying).toBe(false);
    await player.listen(done);
    expect(player.isPlaying).toBe(true);
  });

  test('goes on playing although the event of an earlier pause arrives late, after fast switches', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.dispatchEvent(new Event('pause'));
    expect(player.isPlaying).toBe(true);
  });

  test('compares and seeks in a recording that states no length, as browsers make them', async () => {
    const player = new Player({ levelMeter: { start: () => undefined, barScale: () => 1 } });
    const sounds = { source: new FakeSound(Infinity), result: new FakeSound(50) };
    player.attach('source', sounds.source);
    player.attach('result', sounds.result);
    await player.listen({ ...done, durationSeconds: 100 });
    sounds.result.reach(10);
    await player.selectSide('source');
    expect([player.duration, sounds.source.currentTime]).toEqual([100, 20]);
    player.seekBy(5);
    expect(sounds.source.currentTime).toBe(25);
    // At its end, the element knows its length, and is not sent back.
    sounds.source.reach(99);
    Object.assign(sounds.source, { length: 99 }).arrive();
    expect([player.duration, sounds.source.currentTime]).toEqual([99, 99]);
  });

  test('matches the loudness of both sides to the quieter one at any volume', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.matchLevels(-30, -24);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([1, expect.closeTo(0.5, 2)]);
    player.setVolume(0.5);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([0.5, expect.closeTo(0.25, 2)]);
    player.matchLevels(-20, null);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([0.5, 0.5]);
    player.matchLevels(-20, -90);
    expect(sounds.source.volume).toBeCloseTo(0.5 * 10 ** (-24 / 20), 5);
  });

  test('matches all results of a recording to the quietest one that was played', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.matchLevels(-18, -20);
    const other = { ...done, id: 'other voice', resultMedia: 'a/other' };
    await player.listen(other);
    player.matchLevels(-18, -26);
    expect([sounds.source.volume, sounds.result.volume]).toEqual([expect.closeTo(10 ** (-8 / 20), 5), 1]);
    await player.listen(done);
    player.matchLevels(-18, -20);
    expect(sounds.result.volume).toBeCloseTo(10 ** (-6 / 20), 5);
    await player.listen(jobOf('b', { state: 'done', resultMedia: 'b/result' }));
    player.matchLevels(-18, -20);
    expect(sounds.result.volume).toBe(1);
  });

  test('keeps the position in another result of the same recording, and starts any other at its beginning', async () => {
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

  test('keeps the position as a share when it switches sides', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    await player.selectSide('source');
    expect([sounds.source.currentTime, sounds.source.paused, sounds.result.paused]).toEqual([40, false, true]);
    expect([player.seconds, player.isPlaying]).toEqual([40, true]);
  });

  test('switches at the current position, not at that of the last event', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    sounds.result.currentTime = 20.25;
    await player.selectSide('source');
    expect([sounds.source.currentTime, player.seconds]).toEqual([40.5, 40.5]);
    sounds.source.currentTime = 41;
    await player.listen({ ...done, id: 'other voice', resultMedia: 'a/other' });
    expect(sounds.result.currentTime).toBe(20.5);
    sounds.result.currentTime = 20.75;
    player.seekBy(1);
    expect(sounds.result.currentTime).toBe(21.75);
  });

  test('keeps the position in a sound that loads after the switch', async () => {
    const { player, sounds } = setUp();
    sounds.source.isSlow = true;
    await player.listen(done);
    sounds.result.reach(20);
    await player.selectSide('source');
    expect(player.share).toBeCloseTo(0.4);
    sounds.source.arrive();
    expect([sounds.source.currentTime, sounds.source.paused, player.seconds]).toEqual([40, false, 40]);
  });

  test('returns to the position from a sound that never loaded', async () => {
    const { player, sounds } = setUp();
    sounds.source.isSlow = true;
    await player.listen(done);
    sounds.result.reach(20);
    await player.switchSide();
    await player.switchSide();
    expect([sounds.result.currentTime, player.seconds, player.isPlaying]).toEqual([20, 20, true]);
    sounds.source.arrive();
    expect(sounds.result.currentTime).toBe(20);
  });

  test('keeps the same track object when nothing in it changed', () => {
    const { player } = setUp();
    void player.listen(done);
    const { track } = player;
    player.update(track ?? undefined);
    player.update({ ...done });
    expect(player.track).toBe(track);
  });

  test('keeps the position when the audible file has moved', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    player.update({ ...done, resultMedia: 'a/moved' });
    expect([sounds.result.src, sounds.result.currentTime]).toEqual(['media/a/result?a%2Fmoved', 20]);
    expect([sounds.result.paused, player.isPlaying]).toEqual([false, true]);
    await player.toggle();
    player.update({ ...done, resultMedia: 'a/again' });
    expect([sounds.result.currentTime, sounds.result.paused, player.isPlaying]).toEqual([20, true, false]);
  });

  test('continues with the source when the result no longer exists, and stops without either', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.reach(20);
    player.update({ ...done, resultMedia: null });
    expect([player.side, sounds.source.currentTime, player.isPlaying]).toEqual(['source', 40, true]);
    player.update({ ...done, sourceMedia: null, resultMedia: null });
    expect([player.isPlaying, player.seconds]).toEqual([false, 0]);
  });

  test('stays paused when it switches sides', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    await player.toggle();
    await player.switchSide();
    expect([player.side, player.isPlaying, sounds.source.paused]).toEqual(['source', false, true]);
  });

  test('ignores a side without a file', async () => {
    const { player } = setUp();
    await player.listen(jobOf('b'));
    await player.selectSide('result');
    expect(player.side).toBe('source');
    await player.listen(jobOf('c', { sourceMedia: null }));
    expect(player.track?.id).toBe('b');
  });

  test('seeks within the sound only', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seekBy(5);
    player.seekBy(-20);
    expect(sounds.result.currentTime).toBe(0);
    player.seek(999);
    expect([player.seconds, player.share]).toEqual([50, 1]);
  });

  test('loads a result that arrives while the source plays', async () => {
    const { player, sounds } = setUp();
    await player.listen(jobOf('a'));
    sounds.source.reach(10);
    player.update(jobOf('a', { revision: 2, state: 'done', resultMedia: 'r' }));
    expect([player.canCompare, sounds.result.src, sounds.source.currentTime]).toEqual([true, 'media/a/result?r', 10]);
  });

  test('reports a sound that cannot be played until the next one is loaded', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.dispatchEvent(new Event('error'));
    expect([player.hasFailed, player.isPlaying]).toEqual([true, false]);
    await player.listen(jobOf('b'));
    expect(player.hasFailed).toBe(false);
  });

  test('loads a sound that failed again when it is to be played, and goes on where it was', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    sounds.result.currentTime = 20;
    sounds.result.fail();
    await player.toggle();
    expect([player.hasFailed, player.isPlaying, sounds.result.currentTime]).toEqual([false, true, 20]);
  });

  test('stops when it is cleared', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.clear();
    expect([player.track, player.isPlaying, sounds.result.paused]).toEqual([null, false, true]);
  });

  test('repeats a passage on both sides, and goes back as soon as its end is reached', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seek(10);
    player.startPassage();
    player.seek(20);
    player.endPassage();
    expect(player.passage).toEqual({ start: 0.2, end: 0.4 });
    expect([player.isLooping, sounds.result.loop]).toEqual([true, false]);
    sounds.result.reach(19.9);
    expect(sounds.result.currentTime).toBe(19.9);
    sounds.result.reach(20.1);
    expect(sounds.result.currentTime).toBe(10);
    await player.switchSide();
    sounds.source.reach(40.2);
    expect(sounds.source.currentTime).toBe(20);
  });

  test('plays on where the user seeks beyond the passage, and rests at its end while it is paused', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seek(20);
    player.endPassage();
    player.seek(30);
    sounds.result.reach(30);
    expect(sounds.result.currentTime).toBe(30);
    player.seek(0);
    player.pause();
    sounds.result.reach(20.2);
    expect(sounds.result.currentTime).toBe(20.2);
  });

  test('plays on where the user seeks beyond the passage, at any distance, until the passage is heard again', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seek(10);
    player.startPassage();
    player.seek(20);
    player.endPassage();
    player.seek(20.5);
    sounds.result.reach(20.5);
    expect(sounds.result.currentTime).toBe(20.5);
    player.seek(15);
    sounds.result.reach(15);
    sounds.result.reach(20.1);
    expect(sounds.result.currentTime).toBe(10);
  });

  test('repeats a passage whose end was passed long before the event, as in a hidden window', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seek(10);
    player.startPassage();
    player.seek(20);
    player.endPassage();
    sounds.result.reach(23);
    expect(sounds.result.currentTime).toBe(10);
  });

  test('plays on beyond the passage on the other side too', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seek(20);
    player.endPassage();
    player.seek(30);
    await player.switchSide();
    sounds.source.reach(60.5);
    expect(sounds.source.currentTime).toBe(60.5);
  });

  test('repeats a passage that lasts to the end of the sound', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seek(40);
    player.startPassage();
    expect(player.passage).toEqual({ start: 0.8, end: 1 });
    sounds.result.reach(50);
    sounds.result.pause();
    sounds.result.dispatchEvent(new Event('ended'));
    await expect.poll(() => player.isPlaying).toBe(true);
    expect(sounds.result.currentTime).toBe(40);
  });

  test('makes no passage of nothing: an end beyond the other moves that one away', async () => {
    const { player } = setUp();
    await player.listen(done);
    player.seek(20);
    player.startPassage();
    player.seek(5);
    player.endPassage();
    expect(player.passage).toEqual({ start: 0, end: 0.1 });
    player.seek(30);
    player.startPassage();
    expect(player.passage).toEqual({ start: 0.6, end: 1 });
  });

  test('never makes a passage shorter than a tenth of a second', async () => {
    const { player } = setUp();
    await player.listen(done);
    player.seek(50);
    player.startPassage();
    expect(player.passage).toEqual({ start: 1 - 0.1 / 50, end: 1 });
    player.toggleLoop();
    player.seek(0);
    player.endPassage();
    expect(player.passage).toEqual({ start: 0, end: 0.1 / 50 });
  });

  test('keeps the passage for another result of the same recording, and for no other recording', async () => {
    const { player } = setUp();
    await player.listen(done);
    player.seek(20);
    player.endPassage();
    await player.listen(jobOf('again', { sourceMedia: done.sourceMedia, state: 'done', resultMedia: 'other' }));
    expect(player.passage).toEqual({ start: 0, end: 0.4 });
    await player.listen(jobOf('b'));
    expect(player.passage).toBeNull();
  });

  test('ends the passage with the loop', async () => {
    const { player, sounds } = setUp();
    await player.listen(done);
    player.seek(20);
    player.endPassage();
    player.toggleLoop();
    expect([player.passage, player.isLooping, sounds.result.loop]).toEqual([null, false, false]);
    player.toggleLoop();
    expect([player.passage, player.isLooping, sounds.result.loop]).toEqual([null, true, true]);
  });

  test('keeps its speed for every sound', async () => {
    const { player, sounds } = setUp();
    player.setSpeed(1.5);
    await player.listen(done);
    expect([sounds.source.playbackRate, sounds.result.playbackRate]).toEqual([1.5, 1.5]);
  });
});
