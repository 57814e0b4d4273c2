import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { testVoice } from '../jobs/job.fixture.ts';
import type { AllVoices } from '../voices/voice-catalogue.ts';
import { createSubfolderVoices } from './subfolder-voices.ts';

const voice = (id: string, name: string): Voice => ({ ...testVoice, id, name });
let now: number;
let lists: number;
let answer: () => Promise<AllVoices>;
let find: (path: string) => Promise<string | undefined>;
let forget: () => void;

beforeEach(() => {
  now = 1_000_000;
  lists = 0;
  const listed = [
    voice('v-1', 'Anna'),
    voice('v-2', 'Zoë'),
    voice('v-3', 'Twin'),
    voice('v-4', 'twin'),
    voice('v-5', 'Low: bass/2'),
  ];
  answer = () => Promise.resolve({ voices: listed, problem: null });
  const voices = createSubfolderVoices({
    clock: { now: () => now },
    voices: {
      listAll: () => {
        lists += 1;
        return answer();
      },
    },
  });
  ({ forget } = voices);
  find = async (path) => (await voices.find('studio', join(...path.split('/'))))?.id;
});
const rejection = (path: string) =>
  find(path).then(
    (id) => `found ${id}`,
    (error: unknown) => (error instanceof AppError ? error.problem : error),
  );

describe('the voice of a subfolder', () => {
  it.each([
    ['Anna/a.wav', 'v-1'],
    [' anna /a.wav', 'v-1'],
    ['2026/Anna/take 1/a.wav', 'v-1'],
    ['Anna/Zoë/a.wav', 'v-2'],
    ['ZOE\u0308/a.wav', 'v-2'],
    ['v-3/a.wav', 'v-3'],
    // The name of a folder that a template makes.
    ['Low_ bass_2/a.wav', 'v-5'],
  ])('is the innermost one that is named after a voice: %j', async (path, id) => {
    expect(await find(path)).toBe(id);
  });

  it('is none in the folder itself, for which nothing is listed', async () => {
    expect([await find('a.wav'), lists]).toEqual([undefined, 0]);
  });

  it('is never guessed', async () => {
    expect(await rejection('Ann/b/a.wav')).toEqual({ code: 'watch/no-voice', facts: { folder: 'Ann/b' } });
    expect(await rejection('Zoe/a.wav')).toMatchObject({ code: 'watch/no-voice' });
    expect(await rejection('2026/Twin/x/a.wav')).toEqual({ code: 'watch/several-voices', facts: { name: 'Twin' } });
    expect(await rejection('../a.wav')).toMatchObject({ code: 'watch/no-voice' });
  });

  const ben: AllVoices = { voices: [voice('v-1', 'Anna'), voice('v-9', 'Ben')], problem: null };

  it('is looked up in one list for many files, and in a new one if that may lack it', async () => {
    await Promise.all([find('Anna/a.wav'), find('Zoë/a.wav'), rejection('Ben/a.wav')]);
    expect(lists).toBe(1);
    answer = () => Promise.resolve(ben);
    now += 59_000;
    expect(await rejection('Ben/a.wav')).toMatchObject({ code: 'watch/no-voice' });
    expect([await find('Anna/a.wav'), lists]).toEqual(['v-1', 1]);
    now += 1000;
    expect([await find('Ben/a.wav'), lists]).toEqual(['v-9', 2]);
    now += 600_000;
    expect([await find('Ben/a.wav'), lists]).toEqual(['v-9', 3]);
  });

  it('is looked up in a new list if a folder further in may be named after a newer voice', async () => {
    expect(await find('Anna/Ben/a.wav')).toBe('v-1');
    answer = () => Promise.resolve(ben);
    now += 60_000;
    expect(await find('Anna/Ben/a.wav')).toBe('v-9');
  });

  it('costs one list, however many files wait for it and however long it takes', async () => {
    await find('Anna/a.wav');
    now += 600_000;
    const burst = () => Promise.all(Array.from({ length: 200 }, (_, k) => rejection(`Cora/${k}.wav`)));
    await burst();
    expect(lists).toBe(2);
    const slow = Promise.withResolvers<AllVoices>();
    answer = () => slow.promise;
    now += 60_000;
    const waiting = burst();
    now += 61_000;
    answer = () => Promise.resolve(ben);
    slow.resolve(ben);
    await waiting;
    expect(lists).toBe(3);
  });

  it('is listed again once a connection has changed', async () => {
    await find('Anna/a.wav');
    answer = () => Promise.resolve({ voices: [voice('v-7', 'Anna')], problem: null });
    forget();
    expect([await find('Anna/a.wav'), lists]).toEqual(['v-7', 2]);
  });

  it('is not decided while the voices, or only the user’s own, cannot be listed', async () => {
    answer = () => Promise.reject(new AppError('network/unreachable', 'no'));
    expect(await rejection('Anna/a.wav')).toEqual({ code: 'network/unreachable' });
    answer = () => Promise.resolve({ voices: [voice('v-1', 'Anna')], problem: { code: 'network/timeout' } });
    expect(await rejection('Anna/a.wav')).toEqual({ code: 'network/timeout' });
    expect(await rejection('Anna/My clone/a.wav')).toEqual({ code: 'network/timeout' });
  });
});
