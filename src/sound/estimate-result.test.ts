import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { estimateResultBytes } from './estimate-result.ts';
import { outputFormats } from './sound-format.ts';
import { buzz, encoded, withFolder } from './sound.fixture.ts';

const estimate = (change: Partial<Parameters<typeof estimateResultBytes>[0]>) =>
  estimateResultBytes({ durationSeconds: 60, format: '.wav', speed: 1, sourceBytes: 1_000_000, ...change });

it.each(outputFormats)('reserves at least what a 48 kHz stereo %s needs if the source is one', async (format) => {
  const sound = [buzz(120, 3, 48_000), buzz(180, 3, 48_000)];
  await withFolder(async (folder) => {
    const path = join(folder, 'result');
    await writeFile(path, await encoded(format, sound, 48_000));
    const { size } = await stat(path);
    const bytes = estimate({ durationSeconds: 3, format, sourceBytes: 3 * 192_000 });
    expect(bytes).toBeGreaterThanOrEqual(size);
  });
});

it('does not estimate a film by its file size', () => {
  expect(estimate({ sourceBytes: 2_000_000_000 })).toBeLessThan(20_000_000);
});

it('reserves half for double speed, and double for half speed', () => {
  const head = estimate({ durationSeconds: 0 });
  const body = estimate({}) - head;
  expect(estimate({ speed: 2 }) - head).toBe(body / 2);
  expect(estimate({ speed: 0.5 }) - head).toBe(body * 2);
});

it('uses the size of the source if its duration is unknown', () => {
  for (const durationSeconds of [null, NaN, -1, Infinity]) {
    expect(estimate({ durationSeconds, speed: 2 })).toBe(estimate({ durationSeconds: 0 }) + 500_000);
  }
});

it('treats an unknown format as uncompressed, with or without the dot', () => {
  expect(estimate({ format: 'unknown' })).toBe(estimate({ format: '.WAV' }));
  expect(estimate({ format: 'mp3' })).toBe(estimate({ format: '.mp3' }));
  expect(estimate({ format: '.mp3' })).toBeLessThan(estimate({ format: '.wav' }) / 2);
});

it('is finite for an invalid speed', () => {
  for (const speed of [0, -1, NaN, Infinity]) expect(estimate({ speed })).toBe(estimate({ speed: 1 }));
});
