import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { VoiceDetail } from '../../../../shared/schemas/voice.ts';
import { Favourites } from './voice-browser.svelte.ts';
import { VoiceDetails } from './voice-details.svelte.ts';

describe('favourites', () => {
  test('show a change at once, and then follow main', async () => {
    const answer = Promise.withResolvers<readonly string[]>();
    const favourites = new Favourites({
      listFavourites: () => Promise.resolve(['a']),
      setFavourite: () => answer.promise,
    });
    await favourites.load('c');
    const toggled = favourites.toggle('b');
    expect(favourites.has('b')).toBe(true);
    answer.resolve(['a', 'b', 'from elsewhere']);
    await toggled;
    expect(favourites.ids).toEqual(['a', 'b', 'from elsewhere']);
  });

  test('are restored with a reason when a change cannot be saved', async () => {
    const favourites = new Favourites({
      listFavourites: () => Promise.resolve(['a']),
      setFavourite: () => Promise.reject(new AppError('data/unreadable', 'no')),
    });
    await favourites.load('c');
    await favourites.toggle('a');
    expect([favourites.ids, favourites.problem?.code]).toEqual([['a'], 'data/unreadable']);
  });
});

const detail = (voiceId: string): VoiceDetail => ({
  voiceId,
  name: voiceId,
  gender: 'male',
  language: 'en-GB',
  category: '',
  description: '',
  pitch: null,
  speed: null,
  supportedFormats: [],
});

describe('the details of a voice', () => {
  test('are requested one voice at a time, and then for the latest one', async () => {
    const requested: string[] = [];
    const first = Promise.withResolvers<VoiceDetail>();
    const details = new VoiceDetails({
      get: ({ voiceId }) => {
        requested.push(voiceId);
        return voiceId === 'a' ? first.promise : Promise.resolve(detail(voiceId));
      },
    });
    const done = details.show('c', 'a');
    await Promise.all(['b', 'c', 'd'].map((id) => details.show('c', id)));
    first.resolve(detail('a'));
    await done;
    expect([requested, details.current?.voiceId]).toEqual([['a', 'd'], 'd']);
    await details.show('c', 'a');
    expect([requested, details.current?.voiceId]).toEqual([['a', 'd'], 'a']);
  });

  test('report why they could not be loaded, and can be requested again', async () => {
    const faults = [new AppError('network/timeout', 'no')];
    const details = new VoiceDetails({
      get: ({ voiceId }) => {
        const fault = faults.shift();
        return fault ? Promise.reject(fault) : Promise.resolve(detail(voiceId));
      },
    });
    await details.show('c', 'a');
    expect([details.current, details.problem?.code]).toEqual([null, 'network/timeout']);
    await details.retry();
    expect([details.current?.voiceId, details.problem]).toEqual(['a', null]);
  });
});
