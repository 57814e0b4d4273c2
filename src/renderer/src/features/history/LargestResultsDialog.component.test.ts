import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { DiskResults } from '../../../../shared/schemas/history.ts';
import { entriesOf } from '../../../../../tests/fakes/fake-history.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import LargestResultsDialog from './LargestResultsDialog.svelte';
import { LargestResults } from './largest-results.svelte.ts';

async function renderDialog(largestResults: readonly DiskResults[]) {
  const { api, bridge } = createFakeApi({ history: { entries: entriesOf([]), largestResults } });
  const largest = new LargestResults(api);
  await largest.open();
  await renderInApp(LargestResultsDialog, { largest });
  return { largest, calls: bridge.calls };
}

it('names the largest results of each disk with their size, and shows one in its folder', async () => {
  const { calls } = await renderDialog([
    {
      disk: '/media/anna/Field recorder',
      freeBytes: 12e6,
      results: [{ id: 'r1', name: 'choir.flac', folder: '/media/anna/Field recorder/out', sizeBytes: 1.2e9 }],
    },
  ]);
  const disk = page.getByRole('region', { name: /Field recorder, 12/ });
  await expect.element(disk.getByText('choir.flac')).toBeVisible();
  await disk.getByRole('button', { name: 'Show choir.flac in its folder' }).click();
  await expect.poll(() => calls.at(-1)).toEqual(['jobs:reveal', { id: 'r1', which: 'result' }]);
});

it('says so if no result takes up space', async () => {
  await renderDialog([]);
  await expect.element(page.getByText(/Delete or move other files/)).toBeVisible();
});

it('is closed by its button', async () => {
  const { largest } = await renderDialog([]);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(largest.isOpen).toBe(false);
});
