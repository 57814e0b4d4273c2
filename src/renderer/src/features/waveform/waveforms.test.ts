import { describe, expect, test, vi } from 'vitest';
import type { WaveformData } from '../../../../shared/schemas/job.ts';
import { plainColumns } from './waveform-columns.ts';
import { Waveforms } from './waveforms.svelte.ts';

const job = (id: string) => ({ id, sourceMedia: `${id}-source`, resultMedia: null });
const info: WaveformData = { columns: btoa('abcdef'), durationSeconds: 3, levelDb: -20 };

describe('waveforms', () => {
  test('are requested once', async () => {
    const getWaveform = vi.fn(() => Promise.resolve(info));
    const waveforms = new Waveforms(getWaveform);
    waveforms.request(job('a'), 'source');
    waveforms.request(job('a'), 'source');
    await expect.poll(() => waveforms.request(job('a'), 'source')?.durationSeconds).toBe(3);
    expect(getWaveform).toHaveBeenCalledTimes(1);
  });

  test('belong to their job, even if another has a file with the same path', async () => {
    const waveforms = new Waveforms(({ id }) => Promise.resolve({ ...info, levelDb: id === 'old' ? -40 : -10 }));
    const both = ['old', 'new'].map((id) => ({ id, sourceMedia: 'vo.wav', resultMedia: null }));
    const levels = () => both.map((one) => waveforms.request(one, 'source')?.levelDb);
    levels();
    await expect.poll(() => levels()).toEqual([-40, -10]);
  });

  test('are requested again when a file has moved', async () => {
    const found = { ...job('a'), sourceMedia: 'elsewhere' };
    const getWaveform = vi.fn(() => Promise.resolve<WaveformData | null>(info)).mockResolvedValueOnce(null);
    const waveforms = new Waveforms(getWaveform);
    waveforms.request(job('a'), 'source');
    await expect.poll(() => getWaveform).toHaveBeenCalledTimes(1);
    await expect.poll(() => waveforms.request(found, 'source')).not.toBeNull();
  });

  test('are a plain bar while ffmpeg is missing, and drawn once it is there', async () => {
    const getWaveform = vi.fn(() => Promise.resolve(info)).mockResolvedValueOnce({ ...info, columns: '' });
    const waveforms = new Waveforms(getWaveform);
    const columns = () => waveforms.request(job('a'), 'source')?.columns;
    await expect.poll(columns).toBe(plainColumns);
    waveforms.redrawPlain();
    await expect.poll(() => columns()?.peak.length).toBe(2);
    expect(columns()).not.toBe(plainColumns);
  });

  test('are not requested for a side without a file', async () => {
    const getWaveform = vi.fn(() => Promise.resolve(info));
    expect(new Waveforms(getWaveform).request(job('a'), 'result')).toBeNull();
    await Promise.resolve();
    expect(getWaveform).not.toHaveBeenCalled();
  });

  test('are loaded newest first, three at a time', async () => {
    const requested: string[] = [];
    const gates: PromiseWithResolvers<WaveformData | null>[] = [];
    const waveforms = new Waveforms(({ id }) => {
      requested.push(id);
      const gate = Promise.withResolvers<WaveformData | null>();
      gates.push(gate);
      return gate.promise;
    });
    for (const id of ['a', 'b', 'c', 'd', 'e']) waveforms.request(job(id), 'source');
    await expect.poll(() => requested).toEqual(['e', 'd', 'c']);
    gates[0]?.resolve(null);
    await expect.poll(() => requested).toEqual(['e', 'd', 'c', 'b']);
  });

  test('are requested again when they are shown again, after a disk did not answer', async () => {
    const getWaveform = vi.fn(() => Promise.resolve(info)).mockRejectedValueOnce(new Error('no answer'));
    const waveforms = new Waveforms(getWaveform);
    await expect.poll(() => waveforms.request(job('a'), 'source')).not.toBeNull();
    expect(getWaveform).toHaveBeenCalledTimes(2);
  });

  test('are null if they fail, and do not block others', async () => {
    const waveforms = new Waveforms(({ id }) =>
      id === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve(info),
    );
    waveforms.request(job('good'), 'source');
    waveforms.request(job('bad'), 'source');
    await expect.poll(() => waveforms.request(job('good'), 'source')).not.toBeNull();
    expect(waveforms.request(job('bad'), 'source')).toBeNull();
  });
});
