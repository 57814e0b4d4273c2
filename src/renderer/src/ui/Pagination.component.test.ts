import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import Pagination from './Pagination.svelte';

it.each([
  [1, 0],
  [2, 1],
] as const)('a list of %i pages has %i controls to turn them', async (pages, navigations) => {
  await renderInApp(Pagination, { page: 0, pages, onpage: () => undefined });
  expect(page.getByRole('navigation').elements()).toHaveLength(navigations);
});
