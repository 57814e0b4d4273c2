import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { JobInfo } from '../../../../shared/schemas/job.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import { Player } from '../player/player.svelte.ts';
import { Waveforms } from '../waveform/waveforms.svelte.ts';
import { jobOf } from './job.fixture.ts';
import JobList from './JobList.svelte';
import { HookState } from './hook.svelte.ts';
import { Jobs } from './jobs.svelte.ts';
import { Pauses } from './pauses.svelte.ts';
import { ProcessingSpeeds } from './processing-speed.svelte.ts';

async function renderList(list: readonly JobInfo[]) {
  const { api, bridge } = createFakeApi({ jobs: list });
  const jobs = new Jobs(api, createInternalDrag());
  jobs.subscribe();
  await jobs.load();
  const props = {
    label: 'Queue',
    list: [...jobs.done, ...jobs.queue],
    jobs,
    pauses: new Pauses(api.jobs),
    hook: new HookState(api.hook),
    processingSpeeds: new ProcessingSpeeds(api.jobs),
    waveforms: new Waveforms(api.jobs.getWaveform),
    player: new Player(),
    onaction: vi.fn(),
    onremove: vi.fn(),
    onannounce: vi.fn(),
  };
  await renderInApp(JobList, props);
  await expect.element(page.getByRole('grid', { name: 'Queue' })).toBeVisible();
  const requests = (channel: string) => bridge.calls.filter(([name]) => name === channel).map(([, input]) => input);
  return { ...props, requests };
}

const queued = ['a', 'b', 'c'].map((id, k) => jobOf(id, { position: k + 1 }));

it('moves a waiting job with Alt and an arrow key, and announces its new position', async () => {
  const { requests, onannounce } = await renderList(queued);
  await userEvent.tab();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.poll(() => requests('jobs:reorder')).toEqual([{ ids: ['a'], before: 'c' }]);
  await expect.poll(() => onannounce.mock.calls.length).toBe(1);
});

it('does not move the first job up', async () => {
  const { requests } = await renderList(queued);
  await userEvent.tab();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}{ArrowDown}{Alt>}{ArrowUp}{/Alt}');
  await expect.poll(() => requests('jobs:reorder')).toEqual([{ ids: ['b'], before: 'a' }]);
});

it('removes the focused job with Delete, and makes its neighbour active', async () => {
  const { onremove } = await renderList(queued);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}{Delete}');
  expect(onremove.mock.calls.map(([job]) => (job as JobInfo).id)).toEqual(['b']);
  await expect.poll(() => document.activeElement?.textContent).toContain('c.wav');
});

it('runs the first action of a failed job with Enter', async () => {
  const failed = jobOf('a', { state: 'failed', problem: { code: 'network/timeout' } });
  const { onaction } = await renderList([failed]);
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(onaction.mock.calls).toEqual([[failed, 'retry']]);
});

it('offers to speak a text again, and to convert a recording again', async () => {
  const problem = { code: 'service/refused' } as const;
  await renderList([
    jobOf('a', { state: 'failed', problem }),
    jobOf('b', { state: 'failed', problem, kind: 'speech', position: 2 }),
  ]);
  const labels = page
    .getByRole('row')
    .elements()
    .map((row) => row.querySelector('.actions button')?.textContent.trim());
  expect(labels).toEqual(['Change and convert again', 'Change and speak again']);
});

it('leads Enter on an uncertain job to its buttons, since each may cost money', async () => {
  const { onaction } = await renderList([jobOf('a', { state: 'uncertain' })]);
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(onaction).not.toHaveBeenCalled();
  const button = page.getByRole('button', { name: messages.problemActions['convert-again'] });
  await expect.element(button).toHaveFocus();
});

it('takes a double click on a button of a row for one click, as the next row may be there by the second', async () => {
  const doubtful = ['a', 'b'].map((id, k) => jobOf(id, { state: 'uncertain', position: k + 1 }));
  const { onaction, onremove } = await renderList(doubtful);
  await page.getByRole('button', { name: messages.problemActions['convert-again'] }).first().dblClick();
  await page.getByRole('button', { name: messages.job.dismiss }).first().dblClick();
  expect(onaction.mock.calls).toEqual([[doubtful[0], 'convert-again']]);
  expect(onremove.mock.calls).toEqual([[doubtful[0]]]);
});

it('drags the result of a finished recording out, and copies its path with Ctrl+C', async () => {
  const done = jobOf('d', { state: 'done', resultMedia: 'd/result' });
  const { requests, onannounce } = await renderList([done, jobOf('q', { position: 9 })]);
  const rows = page.getByRole('row').elements();
  const dragged = rows.map((row) => {
    const target = row.querySelector('.job') as HTMLElement;
    const event = new DragEvent('dragstart', { bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    return [target.draggable, event.defaultPrevented];
  });
  expect(dragged).toEqual([
    [true, true],
    [false, true],
  ]);
  await expect.poll(() => requests('history:drag')).toEqual([{ ids: ['d'] }]);
  await userEvent.tab();
  await userEvent.keyboard('{Control>}c{/Control}');
  await expect.poll(() => requests('history:copyPaths')).toEqual([{ ids: ['d'] }]);
  await expect.poll(() => onannounce.mock.calls.length).toBe(1);
});
