import { createRawSnippet } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import VirtualList from './VirtualList.svelte';

const rowHeight = 40;
const row = createRawSnippet((item: () => unknown) => ({ render: () => `<span>${String(item())}</span>` }));

/** The window reports each as an unexpected problem. */
const errors: string[] = [];
addEventListener('error', ({ message }) => errors.push(message));
afterEach(() => expect(errors.splice(0)).toEqual([]));

async function renderList(count: number, change: Record<string, unknown> = {}) {
  const items = Array.from({ length: count }, (_, k) => `Take ${k + 1}`);
  const props = { label: 'Takes', items, keyOf: String, rowHeight, row, ...change };
  const { container } = await renderInApp(VirtualList, props);
  await expect.element(page.getByText('Take 1', { exact: true })).toBeVisible();
  return { rows: () => container.querySelectorAll('[role="row"]'), grid: page.getByRole('grid', { name: 'Takes' }) };
}

const focused = () => document.activeElement?.textContent;

it('renders only the rows in view, and exposes the number of all rows', async () => {
  const { rows, grid } = await renderList(5000);
  expect(rows().length).toBeLessThan(60);
  await expect.element(grid).toHaveAttribute('aria-rowcount', '5000');
});

it('exposes an unknown number of rows while more can be loaded', async () => {
  const { grid } = await renderList(50, { hasMore: true });
  await expect.element(grid).toHaveAttribute('aria-rowcount', '-1');
});

it('moves the focus by row, by page and to either end, and scrolls it into view', async () => {
  await renderList(5000);
  await userEvent.tab();
  expect(focused()).toBe('Take 1');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
  await expect.poll(focused).toBe('Take 2');
  await userEvent.keyboard('{End}');
  await expect.poll(focused).toBe('Take 5000');
  await expect.element(page.getByText('Take 5000', { exact: true })).toBeVisible();
  await userEvent.keyboard('{PageUp}');
  await expect.poll(focused).toMatch(/^Take 49\d\d$/);
  await userEvent.keyboard('{Home}');
  await expect.poll(focused).toBe('Take 1');
});

it('has the row that a key leads to in view, also among rows that turn out to be taller', async () => {
  const tall = createRawSnippet((item: () => unknown) => ({
    render: () => `<span style="block-size: 70px">${String(item())}</span>`,
  }));
  const { rows } = await renderList(60, { row: tall });
  await userEvent.tab();
  for (const [key, name] of [
    ['{End}', 'Take 60'],
    ['{Home}', 'Take 1'],
    ['{PageDown}', /^Take \d+$/],
    ['{End}{PageUp}', /^Take \d+$/],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.poll(focused).toMatch(name);
    // Until the rows are measured.
    for (let frame = 0; frame < 12; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    const row = document.activeElement?.getBoundingClientRect();
    const list = rows()[0]?.closest('.virtual-list')?.getBoundingClientRect();
    expect([row && list && row.top >= list.top, row && list && row.bottom <= list.bottom]).toEqual([true, true]);
  }
});

it('keeps its one tab stop rendered at any scroll offset', async () => {
  const { rows } = await renderList(5000);
  await userEvent.tab();
  const scroller = rows()[0]?.closest('.virtual-list');
  scroller?.scrollTo({ top: 100_000 });
  await expect.element(page.getByText('Take 2520', { exact: true })).toBeVisible();
  expect(focused()).toBe('Take 1');
  expect([...rows()].filter((one) => one.getAttribute('tabindex') === '0')).toHaveLength(1);
});

it('gives the focus of a removed row to the next one, or to the last one at the end', async () => {
  const items = ['a', 'b', 'c', 'd'];
  const props = { label: 'Takes', items, keyOf: String, rowHeight, row };
  const { rerender } = await renderInApp(VirtualList, props);
  await expect.element(page.getByText('d', { exact: true })).toBeVisible();
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.poll(focused).toBe('c');
  await rerender({ props: { props: { ...props, items: ['a', 'b', 'd'] } } });
  await expect.poll(focused).toBe('d');
  await rerender({ props: { props: { ...props, items: ['a', 'b'] } } });
  await expect.poll(focused).toBe('b');
});

it('gives its rows the same width with a scrollbar as without, so that one never makes the other come or go', async () => {
  // Its words take two lines beside a scrollbar, and one without.
  const words = createRawSnippet(() => ({
    render: () =>
      '<p style="display: flex; flex-wrap: wrap; line-height: 40px"><i style="inline-size: 200px">a</i><i style="inline-size: 200px">b</i></p>',
  }));
  const { container } = await renderInApp(VirtualList, {
    ...{ label: 'Takes', items: ['a', 'b', 'c'], keyOf: String, rowHeight, row: words },
  });
  const stage = container.querySelector<HTMLElement>('.stage') as HTMLElement;
  stage.style.inlineSize = '404px';
  const scroller = container.querySelector('.virtual-list') as HTMLElement;
  const widths = new Set<number>();
  for (const height of [400, 140, 400]) {
    stage.style.blockSize = `${height}px`;
    for (let frame = 0; frame < 12; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    widths.add(scroller.clientWidth);
  }
  expect([...widths]).toHaveLength(1);
});

it('requests more items near its end', async () => {
  const onNearEnd = vi.fn();
  const { rows } = await renderList(500, { hasMore: true, onNearEnd });
  expect(onNearEnd).not.toHaveBeenCalled();
  rows()[0]
    ?.closest('.virtual-list')
    ?.scrollTo({ top: 490 * rowHeight });
  await expect.poll(() => onNearEnd.mock.calls.length).toBeGreaterThan(0);
});

it('acts once on a key that is held, and moves on', async () => {
  const remove = vi.fn();
  const { grid } = await renderList(100, {
    keyAction: (event: KeyboardEvent) => (event.key === 'Delete' ? remove : undefined),
  });
  const hold = (key: string) =>
    [false, true, true].forEach((repeat) =>
      grid.element().dispatchEvent(new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true })),
    );
  hold('Delete');
  expect(remove).toHaveBeenCalledTimes(1);
  hold('ArrowDown');
  await expect.poll(focused).toBe('Take 4');
});

it('lets its owner handle a key before moving the focus', async () => {
  const remove = vi.fn<(item: unknown) => void>();
  const keyAction = ({ key }: KeyboardEvent, item: unknown) => (key === 'Delete' ? () => remove(item) : undefined);
  await renderList(5, { keyAction });
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}{Delete}');
  await expect.poll(() => remove.mock.calls).toEqual([['Take 2']]);
});

describe('a list whose first rows come and go', () => {
  const takes = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => `Take ${from + k}`);
  const high = createRawSnippet((item: () => unknown) => ({
    render: () => `<p style="block-size: ${rowHeight}px; margin: 0">${String(item())}</p>`,
  }));
  const topOf = (name: string) => page.getByText(name, { exact: true }).element().getBoundingClientRect().top;
  async function settle() {
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  }

  async function renderChanging() {
    const props = { label: 'Takes', items: takes(100, 300), keyOf: String, rowHeight, row: high };
    const { container, rerender } = await renderInApp(VirtualList, props);
    await expect.element(page.getByText('Take 100', { exact: true })).toBeVisible();
    const scroller = container.querySelector('.virtual-list') as HTMLElement;
    return {
      scroller,
      async setItems(items: readonly string[]) {
        await rerender({ props: { props: { ...props, items } } });
        await settle();
      },
    };
  }

  it('keeps what is in view in its place, so that no click hits another row', async () => {
    const { scroller, setItems } = await renderChanging();
    scroller.scrollTop = 50 * rowHeight + 10;
    await settle();
    const before = topOf('Take 152');
    await setItems(takes(90, 300));
    expect(topOf('Take 152')).toBe(before);
    // What was at the top is among those that go.
    await setItems([...takes(90, 140), ...takes(151, 300)]);
    expect(topOf('Take 152')).toBe(before);
    // Or it is moved to the start.
    await setItems(['Take 151', ...takes(90, 140), ...takes(152, 300)]);
    expect(topOf('Take 152')).toBe(before);
  });

  it('shows what comes while its start is in view', async () => {
    const { setItems } = await renderChanging();
    const before = topOf('Take 100');
    await setItems(takes(99, 300));
    expect(topOf('Take 99')).toBe(before);
  });

  it('keeps the row with the focus in its place', async () => {
    const { setItems } = await renderChanging();
    await userEvent.tab();
    const before = topOf('Take 100');
    await setItems(takes(10, 300));
    expect([focused(), topOf('Take 100')]).toEqual(['Take 100', before]);
  });
});

describe('a list that grows at both ends', () => {
  const takes = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => `Take ${from + k}`);

  async function renderGrowing() {
    const onNearStart = vi.fn();
    const props = {
      label: 'Takes',
      items: takes(1000, 1500),
      keyOf: String,
      rowHeight,
      row,
      onNearStart,
      isFollowing: true,
    };
    const { container, rerender } = await renderInApp(VirtualList, props);
    await expect.element(page.getByText('Take 1499', { exact: true })).toBeVisible();
    const scroller = container.querySelector('.virtual-list') as HTMLElement;
    return {
      onNearStart,
      scroller,
      isVisible: (name: string) => expect.element(page.getByText(name, { exact: true })).toBeInViewport(),
      setItems: (items: readonly string[]) => rerender({ props: { props: { ...props, items } } }),
    };
  }

  it('has the tab stop at its end, so that Tab does not scroll it away', async () => {
    const { scroller, isVisible } = await renderGrowing();
    await userEvent.tab();
    expect(document.activeElement?.textContent).toContain('Take 1499');
    await isVisible('Take 1499');
    await expect.poll(() => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight).toBeLessThanOrEqual(1);
  });

  it('begins at its end and follows it', async () => {
    const { isVisible, setItems, onNearStart } = await renderGrowing();
    expect(onNearStart).not.toHaveBeenCalled();
    await setItems(takes(1000, 1600));
    await isVisible('Take 1599');
  });

  it('requests earlier items near its start', async () => {
    const { scroller, onNearStart } = await renderGrowing();
    scroller.scrollTop = 10 * rowHeight;
    await expect.poll(() => onNearStart.mock.calls.length).toBeGreaterThan(0);
  });
});
