import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { CheckResult } from '../../../../shared/schemas/diagnostics.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import HealthStrip from './HealthStrip.svelte';

it('what is below stays where it is when a problem of two lines takes the place of the summary', async () => {
  await page.viewport(600, 600);
  async function heightWith(result: CheckResult | null): Promise<number> {
    const props = { checks: [{ subject: 'clock', result }], summary: 'Checking' };
    const { container, unmount } = await renderInApp(HealthStrip, props);
    const { height } = container.getBoundingClientRect();
    await unmount();
    return height;
  }
  const finding = { kind: 'clock-off', connection: 'Studio North', seconds: 600 } as const;
  expect(await heightWith({ ok: false, finding })).toBe(await heightWith(null));
});
