import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { CheckResult } from '../../../../shared/schemas/diagnostics.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import HealthStrip from './HealthStrip.svelte';

it('what is below stays where it is when a problem of two lines takes the place of the summary', async () => {
  await page.viewport(600, 600);
  async function heightWith(result: CheckResult | null): Promise<number> {
    const props = { checks: [{ subject: 'clock' as const, result }], isRunning: false, summary: 'Checking' };
    const { container, unmount } = await renderInApp(HealthStrip, props);
    const { height } = container.getBoundingClientRect();
    await unmount();
    return height;
  }
  const finding = { kind: 'clock-off', connection: 'Studio North', seconds: 600 } as const;
  expect(await heightWith({ ok: false, finding })).toBe(await heightWith(null));
});

it('problems are explained together once all checks have ended, so that the console moves once', async () => {
  const finding = { kind: 'clock-off', connection: 'Studio North', seconds: 600 } as const;
  const failed = { subject: 'clock' as const, result: { ok: false, finding } };
  const props = { checks: [failed, { subject: 'disk' as const, result: null }], isRunning: true, summary: 'Checking' };
  const { rerender } = await renderInApp(HealthStrip, props);
  const explained = () => page.getByRole('status').element().textContent;
  expect(explained()).toBe('Checking');
  await rerender({ props: { props: { ...props, isRunning: false } } });
  await expect.poll(explained).toContain('Studio North');
});
