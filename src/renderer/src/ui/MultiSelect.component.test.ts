import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import MultiSelect from './MultiSelect.svelte';

const options = ['German', 'English', 'French'].map((label) => ({ value: label.toLowerCase(), label, count: 1 }));

it.each([
  { values: [], first: 'Any language' },
  { values: ['french', 'english'], first: 'English' },
])('has the focus on its first selected value as soon as it is open: $first', async ({ values, first }) => {
  const texts = { label: 'Language', anyLabel: 'Any language', valueLabel: values.join() };
  await renderInApp(MultiSelect, { ...texts, options, values, onchange: () => undefined });
  (page.getByRole('button').element() as HTMLElement).click();
  expect(document.activeElement?.querySelector('.name')?.textContent).toBe(first);
});
