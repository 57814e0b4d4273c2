import { describe, expect, test, vi } from 'vitest';
import type { WaveformData } from '../../../../shared/schemas/job.ts';
import { Waveforms } from './waveforms.svelte.ts';

const job = (id: string) => ({ id, sourceMedia: `${id}-source`, resultMedia: null });
const info: WaveformData = { columns: btoa('abcdef'), durationSeconds: 3, levelDb: -20 };

describe('drawings of sounds', () => {
  test('are asked for once, however often they are looked at', async () => {
    const fold = vi.fn(() => Promise.resolve(info));
    const folds = new Waveforms(fold);
    folds.get(job('a'), 'source');
    folds.get(job('a'), 'source');
    await expect.poll(() => folds.get(job('a'), 'source')?.durationSeconds).toBe(3);
    expect(fold).toHaveBeenCalledTimes(1);
  });

  test('are those of each job, also where another has a recording of the same name and place', async () => {
    const folds = new Waveforms(({ id }) => Promise.resolve({ ...info, levelDb: id === 'old' ? -40 : -10 }));
    const both = ['old', 'new'].map((id) => ({ id, sourceMedia: 'vo.wav', resultMedia: null }));
    const levels = () => both.map((one) => folds.get(one, 'source')?.levelDb);
    levels();
    await expect.poll(() => levels()).toEqual([-40, -10]);
  });

  test('are asked for anew where a file was found in another place', async () => {
    const found = { ...job('a'), sourceMedia: 'elsewhere' };
    const fold = vi.fn(() => Promise.resolve<WaveformData | null>(info)).mockResolvedValueOnce(null);
    const folds = new Waveforms(fold);
    folds.get(job('a'), 'source');
    await expect.poll(() => fold).toHaveBeenCalledTimes(1);
    await expect.poll(() => folds.get(found, 'source')).not.toBeNull();
  });

  test('are not asked for where there is no sound', async () => {
    const fold = vi.fn(() => Promise.resolve(info));
    expect(new Waveforms(fold).get(job('a'), 'result')).toBeNull();
    await Promise.resolve();
    expect(fold).not.toHaveBeenCalled();
  });

  test('come newest first, three at a time', async () => {
    const asked: string[] = [];
    const gates: PromiseWithResolvers<WaveformData | null>[] = [];
    const folds = new Waveforms(({ id }) => {
      asked.push(id);
      const gate = Promise.withResolvers<WaveformData | null>();
      gates.push(gate);
      return gate.promise;
    });
    for (const id of ['a', 'b', 'c', 'd', 'e']) folds.get(job(id), 'source');
    await expect.poll(() => asked).toEqual(['e', 'd', 'c']);
    gates[0]?.resolve(null);
    await expect.poll(() => asked).toEqual(['e', 'd', 'c', 'b']);
  });

  test('that fail are no drawing, and hold up nothing', async () => {
    const folds = new Waveforms(({ id }) => (id === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve(info)));
    folds.get(job('good'), 'source');
    folds.get(job('bad'), 'source');
    await expect.poll(() => folds.get(job('good'), 'source')).not.toBeNull();
    expect(folds.get(job('bad'), 'source')).toBeNull();
  });
});
