import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { PassageState, SpeechSettings } from '../../../../shared/schemas/speech.ts';
import { splitText } from '../../../../shared/text/split-text.ts';
import { PassagePlayer } from './passage-player.svelte.ts';
import { Passages } from './passages.svelte.ts';

const settings: SpeechSettings = {
  ...{ voiceId: 'bronze', language: '', speed: 1, pitch: 1, engine: 'v7', platform: 'web' },
} as const;
const pageSize = 2;

let speech: { text: string; isLoaded: boolean; flush(): Promise<number | null> };
/** Texts of the passages that are spoken. */
let spoken: Set<string>;
/** Takes of passages that have several, and those that were chosen. */
let takes: Map<string, readonly string[]>;
let chosen: Map<string, string>;
let calls: string[];
let failure: AppError | null;
let isSpeaking = false;
let passages: Passages;

const takesOf = (text: string): readonly string[] => takes.get(text) ?? (spoken.has(text) ? [`a/${text}`] : []);
const states = (): readonly PassageState[] =>
  splitText(speech.text, { language: '', maxLength: null }).map(({ start, end, ends, text }) => ({
    ...{ start, end, ends },
    media: chosen.get(text) ?? takesOf(text).at(-1) ?? null,
    takes: takesOf(text),
    durationSeconds: spoken.has(text) ? 1 : null,
  }));

beforeEach(() => {
  vi.useFakeTimers();
  [spoken, calls, failure] = [new Set(), [], null];
  takes = new Map();
  chosen = new Map();
  speech = { text: 'One.\n\nTwo.\n\nThree.', isLoaded: true, flush: () => Promise.resolve(0) };
  passages = new Passages(
    {
      outline() {
        calls.push('outline');
        if (failure) return Promise.reject(failure);
        const all = states();
        const open = all.filter(({ media }) => media === null).length;
        return Promise.resolve({
          passages: all.length,
          spoken: all.length - open,
          calls: open,
          characters: 0,
          paragraphs: 1,
          subtitles: null,
        });
      },
      chooseTake({ media }) {
        for (const [text, all] of takes) if (all.includes(media)) chosen.set(text, media);
        return Promise.resolve();
      },
      listPassages({ from }) {
        calls.push(`page ${from}`);
        const next = from + pageSize;
        return Promise.resolve({
          passages: states().slice(from, next),
          next: next < states().length ? next : null,
        });
      },
    },
    speech,
    () => isSpeaking,
  );
});

const settle = () => vi.advanceTimersByTimeAsync(1000);
const media = () => passages.list.map((passage) => passage.media);

describe('passages', () => {
  test('that say the same are spoken again by one call', async () => {
    speech.text = 'One.\n\nTwo.\n\nOne.';
    for (const text of ['One.', 'Two.']) spoken.add(text);
    passages.follow(settings, { isListed: true });
    await settle();
    const [first] = passages.list;
    if (!first) throw new Error('no passages');
    passages.toggleRetake(first);
    expect(passages.retakes).toHaveLength(2);
    expect(passages.retakeCalls).toEqual({ calls: 1, characters: 4 });
  });

  test('that are spoken can be marked to be spoken again, until they were or another take is chosen', async () => {
    for (const text of ['One.', 'Two.', 'Three.']) spoken.add(text);
    passages.follow(settings, { isListed: true });
    await settle();
    const [first, second] = passages.list;
    if (!first || !second) throw new Error('no passages');
    passages.toggleRetake(first);
    passages.toggleRetake(second);
    expect([passages.retakes, passages.retakeCalls]).toEqual([[first, second], { calls: 2, characters: 8 }]);
    passages.toggleRetake(first);
    expect(passages.retakes).toEqual([second]);

    takes.set('Two.', ['a/Two.', 'a/Two.-2']);
    passages.follow(settings, { isListed: true });
    await settle();
    expect([media()[1], passages.retakes]).toEqual(['a/Two.-2', []]);
    await passages.choose('a/Two.');
    expect([media()[1], passages.retakes]).toEqual(['a/Two.', []]);
  });

  test('are counted while the user writes, and listed only when they are shown', async () => {
    passages.follow(settings, { isListed: false });
    passages.follow(settings, { isListed: false });
    await settle();
    expect(passages.outline).toMatchObject({ passages: 3, spoken: 0 });
    expect(calls).toEqual(['outline']);
    passages.follow(settings, { isListed: true });
    await settle();
    expect(calls).toEqual(['outline', 'outline', 'page 0', 'page 2']);
    expect(media()).toEqual([null, null, null]);
  });

  test('that are being spoken are read again, page by page as they come', async () => {
    passages.follow(settings, { isListed: true });
    await settle();
    for (const text of ['One.', 'Two.']) spoken.add(text);
    passages.follow(settings, { isListed: true });
    await settle();
    spoken.add('Three.');
    calls = [];
    passages.follow(settings, { isListed: true });
    await settle();
    expect(calls).toEqual(['outline', 'page 2']);
    expect(media()).toEqual(['a/One.', 'a/Two.', 'a/Three.']);
  });

  test('of another text replace the list at once, never mixed with the one before', async () => {
    passages.follow(settings, { isListed: true });
    await settle();
    speech.text = 'Four.\n\nFive.';
    passages.follow(settings, { isListed: true });
    await settle();
    expect([passages.text, passages.list.length]).toEqual([speech.text, 2]);
  });

  test('that were read while a job spoke may grow, even if it has ended since', async () => {
    isSpeaking = true;
    const refreshing = (passages.follow(settings, { isListed: false }), passages.refresh());
    isSpeaking = false;
    await refreshing;
    expect(passages.isGrowing).toBe(true);
    await passages.refresh();
    expect(passages.isGrowing).toBe(false);
  });

  test('of a draft that could not be saved are not read: main would divide the one before', async () => {
    passages.follow(settings, { isListed: true });
    await settle();
    const { list, loads } = passages;
    speech.text = 'Another.';
    speech.flush = () => Promise.resolve(null);
    await passages.refresh();
    expect([passages.text, passages.list, passages.loads]).toEqual(['One.\n\nTwo.\n\nThree.', list, loads]);
  });

  test('that cannot be read say why, until they can', async () => {
    failure = new AppError('connection/not-found', '');
    passages.follow(settings, { isListed: false });
    await settle();
    expect(passages.problem?.code).toBe('connection/not-found');
    failure = null;
    await passages.refresh();
    expect(passages.problem).toBeNull();
  });

  test('are found by a place in the text', async () => {
    passages.follow(settings, { isListed: true });
    await settle();
    expect([0, 3, 8, 999].map((offset) => passages.indexAt(offset))).toEqual([0, 0, 1, 2]);
  });
});

describe('the player of passages', () => {
  let sound: EventTarget & { src: string; isPlaying: boolean };
  let isGrowing: boolean;
  let player: PassagePlayer;
  let list: readonly PassageState[];

  beforeEach(() => {
    isGrowing = false;
    list = [];
    const element = Object.assign(new EventTarget(), {
      src: '',
      volume: 1,
      paused: true,
      isPlaying: false,
      ended: false,
      play() {
        element.isPlaying = true;
        return Promise.resolve();
      },
      pause: () => void (element.isPlaying = false),
      load: () => undefined,
      removeAttribute: () => undefined,
    });
    sound = element;
    player = new PassagePlayer({
      createSound: () => element,
      volume: () => 0.5,
      list: () => list,
      isGrowing: () => isGrowing,
      pauses: () => undefined,
      onListen: () => undefined,
    });
  });

  const make = (...spokenOnes: readonly boolean[]) => {
    list = spokenOnes.map((isSpoken, k) => ({
      ...{ start: k, end: k + 1, ends: 'sentence' as const },
      media: isSpoken ? `a/${k}` : null,
      takes: isSpoken ? [`a/${k}`] : [],
      durationSeconds: null,
    }));
  };
  const end = async () => {
    sound.dispatchEvent(new Event('ended'));
    await vi.advanceTimersByTimeAsync(350);
  };

  test('plays one after the other, and stops after the last one', async () => {
    make(true, true);
    player.toggle(0);
    expect([sound.src, player.index]).toEqual(['media/take/a/0', 0]);
    await end();
    expect([sound.src, player.index]).toEqual(['media/take/a/1', 1]);
    await end();
    expect([player.status, player.index]).toEqual(['idle', null]);
  });

  test('waits for a passage that is still spoken, and goes on once it is', async () => {
    make(true, false);
    isGrowing = true;
    player.toggle(0);
    await end();
    expect([player.status, player.index]).toEqual(['waiting', 1]);
    make(true, true);
    player.notify();
    expect([player.status, sound.src]).toEqual(['playing', 'media/take/a/1']);
  });

  test('stops at a passage that nobody speaks', async () => {
    make(true, false);
    player.toggle(0);
    await end();
    expect(player.status).toBe('idle');
    player.toggle(1);
    expect(player.status).toBe('idle');
  });

  test('stops waiting when the job ends without the passage', () => {
    make(false);
    isGrowing = true;
    player.toggle(0);
    expect(player.status).toBe('waiting');
    isGrowing = false;
    player.notify();
    expect(player.status).toBe('idle');
  });

  test('stops in the pause between two passages', async () => {
    make(true, true);
    player.toggle(0);
    sound.dispatchEvent(new Event('ended'));
    player.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect([player.status, sound.src]).toEqual(['idle', 'media/take/a/0']);
  });
});
