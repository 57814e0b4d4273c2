import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../lib/render.fixture.ts';
import FormRow from './FormRow.svelte';

it('puts choices below each other that are too long to stand beside each other', async () => {
  const choices = ['オリジナルと同じ場所', 'すべての結果を1つのフォルダーに保存'];
  const buttons = choices.map((label) => `<button type="button"><span>${label}</span></button>`).join('');
  const children = createRawSnippet(() => ({ render: () => `<div class="segmented">${buttons}</div>` }));
  const { container } = await renderInApp(FormRow, { label: 'フォルダー', children });
  container.style.inlineSize = '480px';
  expect(container.scrollWidth).toBe(480);
});
