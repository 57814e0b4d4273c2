import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Statistics } from '../../../../shared/schemas/statistics.ts';
import { entriesOf } from '../../../../../tests/fakes/fake-history.ts';
import { noAmounts, noStatistics, statisticsOf } from '../../../../../tests/fakes/fake-statistics.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import StatisticsPanel from './StatisticsPanel.svelte';
import { HistoryStatistics } from './statistics.svelte.ts';

const names = Array.from({ length: 12 }, (_, k) => `Voice ${k}`);
const busy = statisticsOf({
  now: new Date(2026, 10, 18).getTime(),
  years: 2,
  voices: names,
  voiceCount: 1234,
  connections: [
    { id: 'local', name: 'Its former name' },
    { id: 'imported:North', name: 'North' },
  ],
});

async function renderPanel(change: Partial<Statistics> = {}, isTable = false) {
  const { api } = createFakeApi({
    history: { entries: entriesOf([]), statistics: (query) => ({ ...busy(query), ...change }) },
  });
  const statistics = new HistoryStatistics(api.history);
  statistics.isTable = isTable;
  const connections = new Connections(api.connections, () => undefined);
  await connections.load();
  await renderInApp(StatisticsPanel, { statistics, connections });
  return statistics;
}
const table = (name: string) => page.getByRole('table', { name });

it('has a table behind the chart, with every month, also those without results', async () => {
  await renderPanel();
  const months = table('Per month').getByRole('row');
  await expect.poll(() => months.elements().length).toBe(13);
  const empty = table('Per month').getByRole('row', { name: /^April 2026/ });
  await expect.element(empty.getByRole('cell').first()).toHaveTextContent('0');
  expect(
    table('Per month')
      .getByRole('columnheader')
      .elements()
      .map((one) => one.textContent),
  ).toEqual(['Month', 'Results', 'Minutes', 'Characters', 'Failed', 'Cancelled', 'Unknown']);
});

it('names the ten voices that lead by the selected measure, and sums up the others', async () => {
  const { voices, total } = busy({ period: '12m', kind: 'all' });
  const last = voices.at(-1);
  const statistics = await renderPanel({
    voices: voices.map((one) => (one === last ? { ...one, characters: total.characters } : one)),
  });
  const rows = table('Voices').getByRole('row');
  await expect.poll(() => rows.elements().length).toBe(12);
  await expect.element(rows.first().getByRole('columnheader').first()).toHaveTextContent('Voice');
  await expect.poll(() => rows.nth(1).element().textContent.trim()).toMatch(/^Voice 0/);
  await expect.poll(() => rows.last().element().textContent.trim()).toMatch(/^1,224 other voices/);
  statistics.selectMeasure('characters');
  await expect.poll(() => rows.nth(1).element().textContent.trim()).toMatch(/^Voice 11/);
});

it('names a connection as it is called now, and one that is gone as it was', async () => {
  await renderPanel();
  await expect.element(table('Connections').getByRole('rowheader', { name: 'This computer' })).toBeVisible();
  await expect.element(table('Connections').getByRole('rowheader', { name: 'North' })).toBeVisible();
});

it('says how long what was spoken is, and how many texts have no length', async () => {
  const total = { ...noAmounts, results: 3, characters: 1200, spokenSeconds: 90 * 60, unmeasuredTexts: 2 };
  await renderPanel({ total });
  await expect.element(page.getByText(/^1.h.30.min.+1,200 characters$/)).toBeVisible();
  await expect.element(page.getByText('2 texts have an unknown length and add nothing to the minutes.')).toBeVisible();
});

it('says what was saved only if anything was', async () => {
  await renderPanel({ local: noAmounts, duplicates: { recordings: 1, seconds: 0 } });
  const saved = page.getByRole('region', { name: 'Saved' });
  await expect
    .element(saved)
    .toHaveTextContent(
      'Saved 1 recording in watched folders wasn’t converted a second time, because the same audio already was. Only folders that you still watch count.',
    );
});

it('says that nothing was made in a period, and nothing was saved', async () => {
  await renderPanel({ ...noStatistics({ period: '12m', kind: 'all' }), time: [], years: [2020] });
  await expect.element(page.getByRole('status').filter({ hasText: 'Nothing was made in this period.' })).toBeVisible();
  expect(page.getByRole('region', { name: 'Saved' }).elements()).toEqual([]);
});

it('says that there is no history yet', async () => {
  await renderPanel(noStatistics({ period: '12m', kind: 'all' }));
  await expect.element(page.getByRole('heading', { name: 'No history yet' })).toBeVisible();
});

it('shows all amounts of each voice as a table', async () => {
  await renderPanel({}, true);
  await expect.poll(() => table('Voices').getByRole('row').nth(1).getByRole('cell').elements().length).toBe(6);
});
