import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { whenNothingIsDone } from '../../../../shared/schemas/app.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { jobOf } from '../jobs/job.fixture.ts';
import { Jobs } from '../jobs/jobs.svelte.ts';
import { ProcessingSpeeds } from '../jobs/processing-speed.svelte.ts';
import { WhenDoneState } from '../jobs/when-done.svelte.ts';
import QueueHeader from './QueueHeader.svelte';

const t = messages.queue.whenDone;

async function renderHeader(jobs: Parameters<typeof createFakeApi>[0], onpause = () => undefined) {
  const { api, bridge } = createFakeApi(jobs);
  const state = new Jobs(api, createInternalDrag());
  const whenDone = new WhenDoneState(api.app);
  whenDone.subscribe();
  await state.load();
  await whenDone.load();
  await renderInApp(QueueHeader, {
    jobs: state,
    processingSpeeds: new ProcessingSpeeds(api.jobs),
    whenDone,
    isPaused: false,
    canPause: true,
    onpause,
  });
  return bridge;
}

it('offers what happens when the work is done only while there is work', async () => {
  await renderHeader({ jobs: [] });
  await expect.element(page.getByRole('button', { name: t.label })).not.toBeInTheDocument();
});

it('stays paused after a double click on Pause', async () => {
  const onpause = vi.fn(() => undefined);
  await renderHeader({ jobs: [jobOf('a')] }, onpause);
  await page.getByRole('button', { name: messages.queue.pause }).dblClick();
  expect(onpause).toHaveBeenCalledOnce();
});

it('shows what was chosen, and takes it back', async () => {
  const bridge = await renderHeader({ jobs: [jobOf('a')] });
  const choices = () => bridge.calls.filter(([channel]) => channel === 'app:chooseWhenDone').map(([, input]) => input);
  const chosen = page.getByRole('button', { name: t.set({ action: t.actions['shut-down'] }) });
  await page.getByRole('button', { name: t.label }).click();
  await page.getByRole('menuitemcheckbox', { name: t.actions['shut-down'] }).click();
  await chosen.click();
  await expect.element(page.getByRole('menuitemcheckbox', { name: t.actions['shut-down'] })).toBeChecked();
  await page.getByRole('menuitemcheckbox', { name: t.actions.nothing }).click();
  await expect.element(chosen).not.toBeInTheDocument();
  expect(choices()).toEqual([{ action: 'shut-down' }, { action: 'nothing' }]);
});

it('stays while something is chosen, also without work', async () => {
  await renderHeader({ jobs: [], whenDone: { ...whenNothingIsDone, action: 'sleep' } });
  await expect.element(page.getByRole('button', { name: t.set({ action: t.actions.sleep }) })).toBeVisible();
});
