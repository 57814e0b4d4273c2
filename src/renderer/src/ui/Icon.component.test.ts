import { LoaderCircle, Play } from 'lucide';
import { expect, it } from 'vitest';
import { renderInApp } from '../lib/render.fixture.ts';
import Icon from './Icon.svelte';

it('turns where it means that something is loading', async () => {
  const animations = async (icon: typeof Play): Promise<number> => {
    const { container, unmount } = await renderInApp(Icon, { icon, size: 16 });
    const { length } = container.querySelector('svg')?.getAnimations() ?? [];
    await unmount();
    return length;
  };
  expect([await animations(LoaderCircle), await animations(Play)]).toEqual([1, 0]);
});
