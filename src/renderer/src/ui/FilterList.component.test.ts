import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import FilterList from './FilterList.svelte';

it('shows the beginning of a pasted text that matches nothing, and the button that clears it', async () => {
  const query = 'pasted '.repeat(1000);
  const option = createRawSnippet(() => ({ render: () => '<span></span>' }));
  const labels = { label: 'Find', listLabel: 'All', noMatch: `Nothing matches “${query}”.` };
  await renderInApp(FilterList, { query, items: [], ...labels, option, onchoose: () => undefined });
  const button = page.getByRole('button', { name: 'Clear search' });
  await expect.element(button).toBeVisible();
  expect(button.element().getBoundingClientRect().bottom).toBeLessThan(200);
});
