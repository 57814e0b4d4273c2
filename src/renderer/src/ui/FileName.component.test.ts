import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import FileName from './FileName.svelte';

/** The element of a name in a narrow column, and the parts of which it consists. */
async function render(props: { readonly name: string; readonly isTitle?: boolean }) {
  const { container } = await renderInApp(FileName, props);
  container.style.inlineSize = '120px';
  await expect.element(page.getByTitle(props.name)).toBeVisible();
  const parts = [...container.querySelectorAll<HTMLElement>('bdi > span')];
  return parts.map((part) =>
    [...part.childNodes]
      .filter(isSeen)
      .map(({ textContent }) => textContent)
      .join(''),
  );
}

const isSeen = (node: Node): boolean => !(node instanceof Element) || node.getBoundingClientRect().width > 0;

it('keeps the end of a file’s name, in which names of one folder differ', async () => {
  expect(await render({ name: 'The ferry had left without him, take 12.txt' })).toEqual([
    'The ferry had left without him, ta',
    'ke 12.txt',
  ]);
});

it('is read as one word, however it is split', async () => {
  const { container } = await renderInApp(FileName, { name: 'lantern.mp3', terms: ['ant'] });
  container.setAttribute('role', 'button');
  await expect.element(container).toHaveAccessibleName('lantern.mp3');
  expect([...container.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['a', 'nt']);
});

it('clips words at their end only', async () => {
  expect(await render({ name: 'The ferry had left without him again.', isTitle: true })).toEqual([]);
  const title = page.getByTitle('The ferry had left without him again.').element();
  expect(title.textContent).toBe('The ferry had left without him again.');
  expect(title.scrollWidth).toBeGreaterThan(title.clientWidth);
});
