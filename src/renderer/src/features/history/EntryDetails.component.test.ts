import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { Player } from '../player/player.svelte.ts';
import { Waveforms } from '../waveform/waveforms.svelte.ts';
import { HistoryEntry } from './entry.svelte.ts';
import EntryDetails from './EntryDetails.svelte';
import { detailOf, rowOf } from './history.fixture.ts';

it('a tag that was begun for one entry is not in the field of the next one', async () => {
  const { api } = createFakeApi();
  const props = {
    ...{ row: rowOf('a'), entry: new HistoryEntry(({ id }) => Promise.resolve(detailOf(id))), fileStatus: undefined },
    ...{ hookProblem: null, connections: [], knownTags: [], items: [], now: 0 },
    ...{ waveforms: new Waveforms(api.jobs.getWaveform), player: new Player(), ontag: vi.fn() },
    ...{ onlisten: vi.fn(), onshow: vi.fn(), onrepeat: vi.fn(), onrestore: vi.fn(), onfavourite: vi.fn() },
    ...{ onfind: vi.fn(), ondrag: vi.fn() },
  };
  const { rerender } = await renderInApp(EntryDetails, props);
  const field = page.getByRole('combobox', { name: messages.history.details.addTag });
  await field.fill('for Anna');
  await rerender({ props: { props: { ...props, row: rowOf('a', 0, { isFavourite: true }) } } });
  await expect.element(field).toHaveValue('for Anna');
  await rerender({ props: { props: { ...props, row: rowOf('b') } } });
  await expect.element(field).toHaveValue('');
});
