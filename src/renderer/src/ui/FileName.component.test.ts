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
  return parts
    .map((part) =>
      [...part.childNodes]
        .filter(isSeen)
        .map(({ textContent }) => textContent)
        .join(''),
    )
    .filter((text) => text !== '');
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

it.each([
  ['words', 'The ferry had left without him again.', true],
  ['a name of letters that join', 'الفانوس الذي لم يستطع أحد أن يدفع ثمن زيته.wav', false],
])('clips %s at the end only', async (_, name, isTitle) => {
  expect(await render({ name, isTitle })).toEqual([name]);
  const whole = page.getByText(name).element();
  expect(whole.scrollWidth).toBeGreaterThan(whole.clientWidth);
});

it('shows the ending that a file has, on one line, whatever its name holds', async () => {
  const { container } = await renderInApp(FileName, { name: 'take\n\u202e3pm.wav' });
  const { container: plain } = await renderInApp(FileName, { name: 'take.wav' });
  expect(container.querySelector('[title]')?.getAttribute('title')).toBe('take\ufffd\ufffd3pm.wav');
  expect(container.getBoundingClientRect().height).toBe(plain.getBoundingClientRect().height);
});

it('shows one name after the other in the same elements, split or not', async () => {
  const { container, rerender } = await renderInApp(FileName, { name: 'The ferry, take 12.txt' });
  const name = container.querySelector('[title]');
  const shown = () => [...container.querySelectorAll('bdi > span')].map((part) => part.textContent);
  expect(shown()).toEqual(['The ferry, take 12.txt', 'ke 12.txt']);
  await rerender({ props: { props: { name: 'The ferry had left.', isTitle: true } } });
  expect(shown()).toEqual(['The ferry had left.', '']);
  await rerender({ props: { props: { name: 'lantern.mp3', isTitle: false, terms: ['ant'] } } });
  expect(shown()).toEqual(['lantern.mp3', 'ntern.mp3']);
  expect(container.querySelector('[title]')).toBe(name);
});
