import { expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { Excerpt, PreviewContent, Voice, VoicePreview } from '../../../../shared/schemas/voice.ts';
import { readyPreview, sentence, studio, type PreviewRequest } from './preview-player.fixture.ts';
import { VoiceComparison } from './voice-comparison.svelte.ts';

const voice = (id: string): Voice => ({ id, name: id, language: 'en-GB', gender: 'female', category: 'natural' });
const durations: Readonly<Record<string, number>> = { a: 4, b: 5, c: 2, d: 4 };

interface FakeSound extends EventTarget {
  src: string;
  volume: number;
  paused: boolean;
  currentTime: number;
  readonly duration: number;
}

/** Sounds whose time the test sets. */
function setUp(
  answer: (request: PreviewRequest) => Promise<VoicePreview> = ({ voiceId }) => Promise.resolve(readyPreview(voiceId)),
  source: { readonly content: PreviewContent; readonly recording: Excerpt | null } = sentence,
) {
  const counts = { cancels: 0 };
  const requests: PreviewRequest[] = [];
  const sounds: FakeSound[] = [];
  const heard: (readonly [voiceId: string, kind: PreviewContent['kind'], f0Hz: number | null])[] = [];
  function createSound() {
    const sound = Object.assign(new EventTarget(), {
      src: '',
      volume: 1,
      paused: true,
      ended: false,
      currentTime: 0,
      duration: 0,
      play() {
        sound.paused = false;
        return Promise.resolve();
      },
      pause: () => void (sound.paused = true),
      load: () => undefined,
      removeAttribute: () => void (sound.src = ''),
    });
    Object.defineProperty(sound, 'duration', { get: () => durations[/(\w)\.mp3$/.exec(sound.src)?.[1] ?? ''] ?? NaN });
    sounds.push(sound);
    return sound;
  }
  const comparison = new VoiceComparison(
    {
      preview(request) {
        requests.push(request);
        return answer(request);
      },
      cancelPreviews() {
        counts.cancels += 1;
        return Promise.resolve();
      },
    },
    {
      createSound,
      createMeter: () => ({ start: () => undefined, barScale: () => 1 }),
      volume: () => 0.5,
      source,
      onListen: () => undefined,
      onFeatures: (_, voiceId, { kind }, { f0Hz }) => void heard.push([voiceId, kind, f0Hz]),
    },
  );
  comparison.use(studio);
  for (const id of ['a', 'b', 'c']) comparison.toggle(voice(id));
  return {
    comparison,
    requests,
    counts,
    sounds,
    heard,
    audible: () =>
      sounds
        .filter(({ volume }) => volume > 0)
        .map(({ src }) => src.slice(-5, -4))
        .join(''),
    play: (k: number, seconds: number) => {
      const sound = sounds[k];
      if (!sound) return;
      sound.currentTime = seconds;
      sound.dispatchEvent(new Event('timeupdate'));
    },
  };
}

test('compares at most four voices, of one connection, each once', () => {
  const { comparison } = setUp();
  expect([comparison.toggle(voice('d')), comparison.toggle(voice('e'))]).toEqual([true, false]);
  expect(comparison.isRefused).toBe(true);
  expect(comparison.letterOf('d')).toBe('D');
  comparison.toggle(voice('b'));
  expect(comparison.isRefused).toBe(false);
  expect([comparison.letterOf('b'), comparison.letterOf('c')]).toEqual([undefined, 'B']);
  comparison.use({ ...studio, id: 'other' });
  expect(comparison.voices).toEqual([]);
});

test('reports how each voice sounds, also one that was paid for while another failed or the dialog was closed', async () => {
  const { comparison, heard } = setUp(({ voiceId }) =>
    voiceId === 'b' ? Promise.reject(new AppError('network/cut', 'cut')) : Promise.resolve(readyPreview(voiceId)),
  );
  const open = comparison.open();
  comparison.close();
  await open;
  expect(heard).toEqual([
    ['a', 'text', 120],
    ['c', 'text', 120],
  ]);
});

test('plays all voices at once and makes one audible, and switches at the same instant', async () => {
  const { comparison, sounds, audible, play } = setUp();
  await comparison.open();
  expect([comparison.status, audible(), sounds.map(({ paused }) => paused)]).toEqual([
    'ready',
    'a',
    [false, false, false],
  ]);
  play(0, 1.5);
  // The silent ones follow the audible one.
  expect(sounds.map(({ currentTime }) => currentTime)).toEqual([1.5, 1.5, 1.5]);
  comparison.select(1);
  expect([audible(), sounds[1]?.currentTime]).toEqual(['b', 1.5]);
  // Four is not there.
  comparison.select(3);
  expect(audible()).toBe('b');
});

test('begins all again where a shorter one has nothing at this instant, and when the audible one ends', async () => {
  const { comparison, sounds, audible, play } = setUp();
  await comparison.open();
  play(0, 3);
  comparison.select(2);
  expect([audible(), sounds.map(({ currentTime }) => currentTime)]).toEqual(['c', [0, 0, 0]]);
  play(2, 2);
  sounds[2]?.dispatchEvent(new Event('ended'));
  expect([comparison.isPlaying, sounds[2]?.currentTime]).toEqual([true, 0]);
  comparison.toggleLoop();
  play(2, 2);
  sounds[2]?.dispatchEvent(new Event('ended'));
  expect([comparison.isPlaying, sounds.every(({ paused }) => paused)]).toEqual([false, true]);
});

test('attenuates louder voices to the quietest one', async () => {
  const levels: Readonly<Record<string, number>> = { a: -20, b: -32, c: -26 };
  const { comparison, sounds } = setUp(({ voiceId }) =>
    Promise.resolve(readyPreview(voiceId, levels[voiceId] ?? null)),
  );
  await comparison.open();
  const volumes = [0, 1, 2].map((k) => {
    comparison.select(k);
    return sounds[k]?.volume ?? 0;
  });
  expect(volumes.map((volume) => Math.round(20 * Math.log10(volume / 0.5)))).toEqual([-12, 0, -6]);
});

test('asks how many calls it takes before any is made, and requests each missing preview once after that', async () => {
  const cached = new Set(['a', 'b']);
  const { comparison, requests } = setUp(({ voiceId, spending }) => {
    if (spending === 'agreed') cached.add(voiceId);
    return Promise.resolve(
      cached.has(voiceId) ? readyPreview(voiceId) : { kind: 'not-made', wasRequested: voiceId === 'd' },
    );
  });
  comparison.toggle(voice('d'));
  await comparison.open();
  expect([comparison.status, comparison.question]).toEqual([
    'asking',
    { cached: 2, calls: 2, repeated: 1, recordingSeconds: null },
  ]);
  expect(requests.every(({ spending }) => spending === 'nothing')).toBe(true);
  comparison.close();
  expect(comparison.status).toBe('closed');
  await comparison.open();
  await comparison.agree();
  expect([comparison.status, requests.filter(({ spending }) => spending === 'agreed').length]).toEqual(['ready', 4]);
});

test('says why it cannot compare, and asks again only for what is still missing', async () => {
  const cached = new Set(['a']);
  const { comparison } = setUp(({ voiceId, spending }) => {
    if (cached.has(voiceId)) return Promise.resolve(readyPreview(voiceId));
    if (spending === 'nothing') return Promise.resolve({ kind: 'not-made', wasRequested: false });
    if (voiceId === 'c') return Promise.reject(new AppError('network/cut', 'no'));
    cached.add(voiceId);
    return Promise.resolve(readyPreview(voiceId));
  });
  await comparison.open();
  await comparison.agree();
  expect([comparison.status, comparison.problem?.code]).toEqual(['failed', 'network/cut']);
  await comparison.open();
  expect(comparison.question).toEqual({ cached: 2, calls: 1, repeated: 0, recordingSeconds: null });
});

test('compares voices on the user’s recording, and says how long it is before it is converted', async () => {
  const recording = { id: 'part', name: 'take.wav', startSeconds: 3, seconds: 9.5 };
  const { comparison, requests } = setUp(
    ({ voiceId, spending }) =>
      Promise.resolve(spending === 'agreed' ? readyPreview(voiceId) : { kind: 'not-made', wasRequested: false }),
    { content: { kind: 'recording', excerptId: 'part' }, recording },
  );
  await comparison.open();
  expect(comparison.question).toEqual({ cached: 0, calls: 3, repeated: 0, recordingSeconds: 9.5 });
  await comparison.agree();
  expect([comparison.status, requests.at(-1)?.content]).toEqual(['ready', { kind: 'recording', excerptId: 'part' }]);
});

test('cancels what is still being prepared when it is closed, and nothing that is ready', async () => {
  const slow = Promise.withResolvers<VoicePreview>();
  const { comparison, counts } = setUp(() => slow.promise);
  const opening = comparison.open();
  comparison.close();
  expect(counts.cancels).toBe(1);
  slow.resolve(readyPreview('a'));
  await opening;
  await comparison.open();
  comparison.close();
  expect(counts.cancels).toBe(1);
});

test('a comparison that the media keys resume is shown as playing', async () => {
  const { comparison, sounds } = setUp();
  await comparison.open();
  comparison.pause();
  // Our own start may be heard of when it is paused again.
  sounds[0]?.dispatchEvent(new Event('play'));
  expect([comparison.isPlaying, sounds[0]?.paused]).toEqual([false, true]);
  for (const sound of sounds) {
    sound.paused = false;
    sound.dispatchEvent(new Event('play'));
  }
  expect(comparison.isPlaying).toBe(true);
});
