import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import { localInfo } from './connections.fixture.ts';
import ConnectionList from './ConnectionList.svelte';
import { Connections } from './connections.svelte.ts';

it('takes away what it refused once the user leaves Settings', async () => {
  const { api } = createFakeApi();
  const connections = new Connections(api.connections, () => undefined);
  await connections.load();
  const [selected] = connections.list;
  const { unmount } = await renderInApp(ConnectionList, {
    connections,
    selected,
    usersOf: () => ({ folders: [], presets: [] }),
    onchoose: vi.fn(),
  });
  connections.problem = { code: 'connection/in-use' };
  const { advice } = messages.problems['connection/in-use'];
  await expect.poll(() => document.querySelector('[role="alert"]')?.textContent).toContain(advice);
  await unmount();
  expect(connections.problem).toBeNull();
});

it('asks before a connection is removed, and names what uses it and what becomes of that', async () => {
  const { api, bridge } = createFakeApi();
  const connections = new Connections(api.connections, () => undefined);
  const north: ConnectionInfo = { ...localInfo, id: 'north', name: 'North', kind: 'remote' };
  connections.list = [localInfo, north];
  const users = { folders: ['a', 'b', 'c', 'd', 'e'], presets: ['Narrator'] };
  await renderInApp(ConnectionList, {
    connections,
    selected: localInfo,
    usersOf: (id: string) => (id === 'north' ? users : { folders: [], presets: [] }),
    onchoose: vi.fn(),
  });
  const removed = () => bridge.calls.filter(([channel]) => channel === 'connections:remove');
  const { removing, removeNamed, confirmRemove } = messages.connections;
  const open = () => page.getByRole('button', { name: removeNamed({ name: 'North' }) }).click();
  await open();
  const dialog = page.getByRole('dialog');
  const names = ['“a”', '“b”', '“c”', removing.others({ n: 2 })];
  await expect.element(dialog.getByText(removing.folders({ n: 5, names }))).toBeVisible();
  await expect.element(dialog.getByText(removing.presets({ n: 1, names: ['“Narrator”'] }))).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(removed()).toEqual([]);
  await open();
  await dialog.getByRole('button', { name: confirmRemove }).click();
  await expect.poll(removed).toEqual([['connections:remove', { id: 'north' }]]);
});
