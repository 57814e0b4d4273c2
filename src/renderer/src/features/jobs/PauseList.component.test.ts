import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Pause } from '../../../../shared/schemas/job.ts';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { createInternalDrag } from '../../lib/file-drop.svelte.ts';
import { renderInApp } from '../../lib/render.fixture.ts';
import { Connections } from '../connections/connections.svelte.ts';
import { jobOf } from './job.fixture.ts';
import { Jobs } from './jobs.svelte.ts';
import PauseList from './PauseList.svelte';
import { Pauses } from './pauses.svelte.ts';

async function renderPause(change: Partial<Pause> & Pick<Pause, 'reason'>) {
  const pause: Pause = { connectionId: 'north', since: 0, resumesAt: null, problem: null, ...change };
  const { api, bridge } = createFakeApi({
    pauses: [pause],
    jobs: [jobOf('a', { connectionId: 'north' })],
    token: { place: null, keychainProblem: null, canBeInFile: true, isRemovalPending: false, otherOrigins: [] },
  });
  const jobs = new Jobs(api, createInternalDrag());
  const pauses = new Pauses(api.jobs);
  const connections = new Connections(api.connections, () => undefined);
  await Promise.all([jobs.load(), pauses.load(), connections.load()]);
  const runRemedy = vi.fn();
  const onchoosefolder = vi.fn();
  const props = {
    pauses,
    jobs,
    connections,
    nameOf: () => 'Studio North',
    onchoosefolder,
    onannounce: () => undefined,
  };
  await renderInApp(PauseList, props, runRemedy);
  const requests = (channel: string) => bridge.calls.filter(([name]) => name === channel).map(([, input]) => input);
  return { requests, runRemedy, onchoosefolder };
}

it('a rejected token is replaced in the notice, by keyboard alone', async () => {
  const { requests } = await renderPause({ reason: 'token', problem: { code: 'auth/refused' } });
  const field = page.getByLabelText('Token for Studio North');
  await expect.element(field).toBeVisible();
  await expect.poll(() => requests('connections:getTokenState')).toEqual([{ id: 'north' }]);
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('new-token{Enter}');
  await expect
    .poll(() => requests('connections:setToken'))
    .toEqual([{ id: 'north', token: 'new-token', place: 'keychain' }]);
  await expect.element(field).toHaveValue('');
});

it('a service that cannot be reached is tested in the notice', async () => {
  const { requests } = await renderPause({ reason: 'offline', problem: { code: 'network/unreachable' } });
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect.poll(() => requests('connections:test')).toEqual([{ id: 'north' }]);
  await expect.element(page.getByRole('status')).toBeVisible();
});

it('a pause on battery power ends with its button, and no other pause does', async () => {
  const { requests } = await renderPause({ reason: 'battery', connectionId: null });
  await page.getByRole('button', { name: 'Continue now' }).click();
  await expect.poll(() => requests('jobs:continueOnBattery')).toHaveLength(1);
  expect(requests('jobs:resume')).toEqual([]);
});

it('a full disk leads to the largest results', async () => {
  const { runRemedy } = await renderPause({
    reason: 'disk',
    connectionId: null,
    problem: { code: 'output/disk-full' },
  });
  await page.getByRole('button', { name: 'Show largest results' }).click();
  expect(runRemedy.mock.calls).toEqual([['free-space', null]]);
});

it('a folder that is gone can be replaced by another one', async () => {
  const { onchoosefolder } = await renderPause({
    reason: 'disk',
    connectionId: null,
    problem: { code: 'output/folder-missing', facts: { folder: '/media/usb/out' } },
  });
  await page.getByRole('button', { name: 'Choose another folder' }).click();
  expect(onchoosefolder).toHaveBeenCalledOnce();
});
