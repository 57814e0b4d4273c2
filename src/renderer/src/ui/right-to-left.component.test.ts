import { Pencil } from 'lucide';
import { textDirection } from '../../../shared/messages/languages.ts';
import { createRawSnippet } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderInApp } from '../lib/render.fixture.ts';
import FileName from './FileName.svelte';
import Keys from './Keys.svelte';
import MenuPanel from './MenuPanel.svelte';
import Pagination from './Pagination.svelte';
import SegmentedControl from './SegmentedControl.svelte';
import Slider from './Slider.svelte';
import Tabs from './Tabs.svelte';
import VirtualList from './VirtualList.svelte';

beforeEach(() => (document.documentElement.dir = textDirection('ar')));
afterEach(() => document.documentElement.removeAttribute('dir'));

const boxOf = (text: string): DOMRect => page.getByText(text, { exact: true }).element().getBoundingClientRect();
const focused = (): string | undefined => document.activeElement?.textContent.trim();
const scales = (container: Element): readonly string[] =>
  [...container.querySelectorAll('.icon')].map((icon) => getComputedStyle(icon).scale);

describe('from right to left, the left arrow key', () => {
  it('leads to the next tab', async () => {
    const onchange = vi.fn();
    const tabs = ['queue', 'done', 'failed'].map((id) => ({ id, label: id, count: '1' }));
    await renderInApp(Tabs, { label: 'Jobs', tabs, selected: 'queue', panel: 'panel', onchange });
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}');
    expect(onchange).toHaveBeenLastCalledWith('done');
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(onchange).toHaveBeenLastCalledWith('failed');
  });

  it('leads to the next choice of a radio group', async () => {
    const onchange = vi.fn();
    const options = ['mono', 'stereo'].map((value) => ({ value, label: value }));
    await renderInApp(SegmentedControl, { label: 'Channels', options, value: 'mono', onchange });
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}');
    expect(onchange).toHaveBeenCalledExactlyOnceWith('stereo');
  });

  it('leads into the buttons of a row, and the right one back', async () => {
    const row = createRawSnippet((item: () => unknown) => ({
      render: () => `<span>${String(item())} <button tabindex="-1">Play</button></span>`,
    }));
    await renderInApp(VirtualList, { label: 'Takes', items: ['Take 1', 'Take 2'], keyOf: String, rowHeight: 40, row });
    await expect.element(page.getByRole('row').first()).toBeVisible();
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}');
    expect(focused()).toBe('Play');
    await userEvent.keyboard('{ArrowRight}');
    expect(focused()).toBe('Take 1 Play');
  });

  it('raises the value of a slider, which begins on the right', async () => {
    const onchange = vi.fn();
    const props = { label: 'Pitch', min: 0, max: 10, step: 1, value: 2, origin: 0, text: '2', resetHint: '', onchange };
    const { container } = await renderInApp(Slider, props);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowLeft}');
    expect(onchange).toHaveBeenCalledExactlyOnceWith(3);
    const [bar, fill] = ['.bar', '.fill'].map((part) => container.querySelector(part)?.getBoundingClientRect());
    expect(fill?.right).toBeCloseTo(bar?.right ?? 0);
    expect(fill?.width).toBeCloseTo((bar?.width ?? 0) / 5);
  });
});

describe('from right to left', () => {
  it('icons that point along the line are mirrored, and are not within what runs left to right', async () => {
    const { container } = await renderInApp(Pagination, { page: 0, pages: 2, onpage: vi.fn() });
    expect(scales(container)).toEqual(['-1 1', '-1 1']);
    container.setAttribute('dir', 'ltr');
    expect(scales(container)).toEqual(['none', 'none']);
  });

  it('keys stay in the order in which they are pressed', async () => {
    await renderInApp(Keys, { keys: ['ctrl', 'K'] });
    expect(boxOf('Ctrl').right).toBeLessThan(boxOf('K').left);
  });

  it('a name begins at the start of its column, and its parts keep their order', async () => {
    const { container } = await renderInApp(FileName, { name: 'kitchen, a rather long second take (2).wav' });
    const [head, tail] = [...container.querySelectorAll('bdi > span')].map((part) => part.getBoundingClientRect());
    expect(head?.right).toBeCloseTo(tail?.left ?? 0);
    expect(tail?.right).toBeCloseTo(document.querySelector('.stage')?.getBoundingClientRect().right ?? 0);
  });

  it('a menu opens to the left of the pointer', async () => {
    const items = [{ label: 'Rename', icon: Pencil, onchoose: vi.fn() }];
    const props = {
      id: 'menu',
      label: 'Menu',
      items,
      position: { x: 600, y: 50 },
      onclose: vi.fn(),
      ontoggle: vi.fn(),
    };
    await renderInApp(MenuPanel, props);
    expect(page.getByRole('menu').element().getBoundingClientRect().right).toBeCloseTo(600);
  });
});
