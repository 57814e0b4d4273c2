import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { Excerpt, PreviewContent, Voice, VoicePreview } from '../../../../shared/schemas/voice.ts';
import type { PreviewPlayer } from './preview-player.svelte.ts';
import { createSilentPlayer, type PreviewRequest, readyPreview, sentence, studio } from './preview-player.fixture.ts';

const voice = (id: string): Voice => ({ id, name: id, language: 'en', gender: 'female', category: 'natural' });
const [anna, berta] = [voice('anna'), voice('berta')];

let answer: (request: PreviewRequest) => Promise<VoicePreview>;
let source: { content: PreviewContent; recording: Excerpt | null };
let silent: ReturnType<typeof createSilentPlayer>;
let previews: PreviewPlayer;

beforeEach(() => {
  source = { ...sentence };
  answer = ({ voiceId }) => Promise.resolve(readyPreview(voiceId));
  silent = createSilentPlayer({ answer: (request) => answer(request), source });
  ({ previews } = silent);
});

const heard = () => silent.heard();

describe('a voice that is pressed', () => {
  test('is heard, at the volume of the player, which pauses', async () => {
    await previews.toggle(studio, anna);
    expect([heard(), silent.sounds[0]?.volume, silent.counts.listens]).toEqual([['media/preview/anna.mp3'], 0.5, 1]);
    expect([previews.statusOf(studio, 'anna'), previews.statusOf(studio, 'berta')]).toEqual(['playing', 'idle']);
    expect(previews.barScaleOf(studio, 'anna')?.(3)).toBe(1.03);
    expect(previews.barScaleOf(studio, 'berta')).toBeUndefined();
  });

  test('stops when it is pressed again, also while it is loading', async () => {
    await previews.toggle(studio, anna);
    await previews.toggle(studio, anna);
    expect([heard(), previews.status, previews.isListening]).toEqual([[], 'idle', false]);
    const slow = Promise.withResolvers<VoicePreview>();
    answer = () => slow.promise;
    const first = previews.toggle(studio, anna);
    expect(previews.status).toBe('loading');
    await previews.toggle(studio, anna);
    slow.resolve(readyPreview('anna'));
    await first;
    expect([heard(), previews.status]).toEqual([[], 'idle']);
  });

  test('is attenuated to a common level if it is louder, so that no voice seems better for that', async () => {
    answer = ({ voiceId }) => Promise.resolve(readyPreview(voiceId, -20));
    await previews.toggle(studio, anna);
    expect(silent.sounds[0]?.volume).toBeCloseTo(0.5 * 10 ** (-6 / 20));
  });

  test('follows the volume of the player while it is heard', async () => {
    answer = ({ voiceId }) => Promise.resolve(readyPreview(voiceId, -20));
    await previews.toggle(studio, anna);
    silent.player.volume = 0.1;
    previews.applyVolume();
    expect(silent.sounds[0]?.volume).toBeCloseTo(0.1 * 10 ** (-6 / 20));
  });

  test('is over when a media key pauses it, and cannot be resumed by one then, or after it was stopped', async () => {
    await previews.toggle(studio, anna);
    silent.sounds[0]?.pause();
    await Promise.resolve();
    expect([previews.status, silent.sounds[0]?.src]).toEqual(['idle', '']);
    await previews.toggle(studio, anna);
    previews.stop();
    expect(silent.sounds[0]?.src).toBe('');
  });

  test('is over when its sound breaks off', async () => {
    await previews.toggle(studio, anna);
    silent.sounds[0]?.dispatchEvent(new Event('error'));
    expect([previews.status, heard()]).toEqual(['idle', []]);
  });

  test('leaves no reason of its failure behind for the next view', async () => {
    answer = () => Promise.reject(new AppError('auth/refused', 'no'));
    await previews.toggle(studio, anna);
    previews.leave();
    expect(previews.problem).toBeNull();
  });

  test('is heard with what the user chose', async () => {
    source.content = { kind: 'text', text: 'One, two, three.' };
    await previews.toggle(studio, anna);
    source.content = { kind: 'recording', excerptId: 'part' };
    await previews.toggle(studio, berta);
    expect(silent.requests.map(({ content }) => content)).toEqual([
      { kind: 'text', text: 'One, two, three.' },
      { kind: 'recording', excerptId: 'part' },
    ]);
  });

  test('is drawn as it speaks, and not as it sounds with a recording', async () => {
    source.content = { kind: 'recording', excerptId: 'part' };
    await previews.toggle(studio, anna);
    expect(previews.featuresOf(studio, 'anna')).toBeUndefined();
  });

  test('is cancelled while it is made, by a stop and by the next voice', async () => {
    const slow = Promise.withResolvers<VoicePreview>();
    answer = () => slow.promise;
    void previews.toggle(studio, anna);
    expect(silent.counts.cancels).toBe(0);
    void previews.toggle(studio, berta);
    expect(silent.counts.cancels).toBe(1);
    previews.stop();
    expect(silent.counts.cancels).toBe(2);
    answer = ({ voiceId }) => Promise.resolve(readyPreview(voiceId));
    await previews.toggle(studio, anna);
    await previews.toggle(studio, berta);
    previews.stop();
    expect(silent.counts.cancels).toBe(2);
  });

  test('may cost only what the user agreed to', async () => {
    answer = ({ spending, voiceId }) =>
      Promise.resolve(
        spending === 'agreed'
          ? readyPreview(voiceId)
          : { kind: 'ask', reason: 'first', material: { kind: 'text', text: 'Good morning.' } },
      );
    await previews.toggle(studio, anna);
    expect(previews.question).toEqual({
      reason: 'first',
      material: { kind: 'text', text: 'Good morning.' },
      connection: studio,
      voice: anna,
      ownText: null,
    });
    await previews.answer(false);
    expect([previews.question, heard(), previews.isListening]).toEqual([null, [], false]);
    await previews.toggle(studio, anna);
    await previews.answer(true);
    expect(heard()).toEqual(['media/preview/anna.mp3']);
    expect(silent.requests.map(({ spending }) => spending)).toEqual(['as-agreed', 'as-agreed', 'agreed']);
  });

  test('says a text of its own, also after the user agreed to it, and is heard as that text alone', async () => {
    answer = ({ spending, voiceId }) =>
      Promise.resolve(
        spending === 'agreed'
          ? readyPreview(voiceId)
          : { kind: 'ask', reason: 'first', material: { kind: 'text', text: 'engine x' } },
      );
    await previews.toggle(studio, anna, 'engine x');
    await previews.answer(true);
    const own = { kind: 'text', text: 'engine x' };
    expect(silent.requests).toMatchObject([{ content: own }, { content: own }]);
    expect(previews.statusOf(studio, anna.id, 'engine x')).toBe('playing');
    expect([previews.statusOf(studio, anna.id), previews.featuresOf(studio, anna.id)]).toEqual(['idle', undefined]);
  });

  test('is only selected, without a question, where the user has not agreed to a call yet', async () => {
    answer = () => Promise.resolve({ kind: 'ask', reason: 'first', material: { kind: 'text', text: 'Good morning.' } });
    await previews.playIfAgreed(studio, anna);
    expect([previews.question, heard(), previews.isListening]).toEqual([null, [], false]);
    answer = ({ voiceId }) => Promise.resolve(readyPreview(voiceId));
    await previews.playIfAgreed(studio, anna);
    expect(heard()).toEqual(['media/preview/anna.mp3']);
  });

  test('asks if it is pressed while it is not yet known whether the one that was selected can be heard', async () => {
    const slow = Promise.withResolvers<VoicePreview>();
    answer = () => slow.promise;
    const selected = previews.playIfAgreed(studio, anna);
    await previews.toggle(studio, anna);
    slow.resolve({ kind: 'ask', reason: 'first', material: { kind: 'text', text: 'Good morning.' } });
    await selected;
    expect([previews.question?.voice.id, previews.status]).toEqual(['anna', 'idle']);
    expect([silent.requests.length, silent.counts.cancels]).toEqual([1, 0]);
  });

  test('stops when it is pressed twice while the one that was selected is loading', async () => {
    const slow = Promise.withResolvers<VoicePreview>();
    answer = () => slow.promise;
    const selected = previews.playIfAgreed(studio, anna);
    await previews.toggle(studio, anna);
    await previews.toggle(studio, anna);
    slow.resolve(readyPreview('anna'));
    await selected;
    expect([heard(), previews.status, previews.question]).toEqual([[], 'idle', null]);
  });

  test('says why it cannot be heard', async () => {
    answer = () => Promise.reject(new AppError('auth/refused', 'no'));
    await previews.toggle(studio, anna);
    expect([previews.problem?.code, previews.status]).toEqual(['auth/refused', 'idle']);
    answer = ({ voiceId }) => Promise.resolve(readyPreview(voiceId));
    await previews.toggle(studio, anna);
    expect(previews.problem).toBeNull();
  });
});

describe('a voice that the focus moves to', () => {
  test('is not heard before the user listens to one', async () => {
    await previews.follow(studio, anna);
    expect(silent.requests).toEqual([]);
  });

  test('is heard while the user is listening, if it costs nothing', async () => {
    await previews.toggle(studio, anna);
    await previews.follow(studio, berta);
    expect([heard(), silent.requests.at(-1)?.spending]).toEqual([['media/preview/berta.mp3'], 'nothing']);
    answer = () => Promise.resolve({ kind: 'not-made', wasRequested: false });
    await previews.follow(studio, voice('clara'));
    expect([heard(), previews.status, previews.question, previews.isListening]).toEqual([[], 'idle', null, true]);
  });

  test('takes the place of one that is still loading', async () => {
    await previews.toggle(studio, anna);
    const slow = Promise.withResolvers<VoicePreview>();
    answer = ({ voiceId }) => (voiceId === 'berta' ? slow.promise : Promise.resolve(readyPreview(voiceId)));
    const late = previews.follow(studio, berta);
    await previews.follow(studio, voice('clara'));
    slow.resolve(readyPreview('berta'));
    await late;
    expect(heard()).toEqual(['media/preview/clara.mp3']);
  });

  test('is requested when it is pressed before it is known whether it costs nothing', async () => {
    await previews.toggle(studio, anna);
    const unknown = Promise.withResolvers<VoicePreview>();
    answer = ({ spending }) => (spending === 'nothing' ? unknown.promise : Promise.resolve(readyPreview('berta')));
    const followed = previews.follow(studio, berta);
    await previews.toggle(studio, berta);
    unknown.resolve({ kind: 'not-made', wasRequested: false });
    await followed;
    expect([heard(), previews.statusOf(studio, 'berta')]).toEqual([['media/preview/berta.mp3'], 'playing']);
  });

  test('is heard after the one before has ended', async () => {
    await previews.toggle(studio, anna);
    silent.sounds[0]?.dispatchEvent(new Event('ended'));
    expect(previews.status).toBe('idle');
    await previews.follow(studio, berta);
    expect(previews.statusOf(studio, 'berta')).toBe('playing');
  });
});

test('features are learnt from a text that a voice spoke elsewhere, but not from a recording that it converted', () => {
  const { previews } = createSilentPlayer();
  const features = { f0Hz: 98, brightness: 0.3, levelDb: -30 };
  previews.learn(studio, 'carla', { kind: 'recording' }, features);
  expect(previews.featuresOf(studio, 'carla')).toBeUndefined();
  previews.learn(studio, 'carla', { kind: 'text' }, features);
  expect(previews.heardOf(studio)).toEqual(new Map([['carla', features]]));
});

test('features of voices are known from earlier previews and from each new one', async () => {
  await previews.loadFeatures(studio);
  expect(previews.featuresOf(studio, 'berta')?.f0Hz).toBe(90);
  expect(previews.featuresOf(studio, 'anna')).toBeUndefined();
  await previews.toggle(studio, anna);
  expect(previews.featuresOf(studio, 'anna')?.f0Hz).toBe(120);
});
