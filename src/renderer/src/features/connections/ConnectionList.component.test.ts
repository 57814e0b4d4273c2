import { expect, it, vi } from 'vitest';
import { createFakeApi } from '../../lib/api.fixture.ts';
import { messages, renderInApp } from '../../lib/render.fixture.ts';
import ConnectionList from './ConnectionList.svelte';
import { Connections } from './connections.svelte.ts';

it('takes away what it refused once the user leaves Settings', async () => {
  const { api } = createFakeApi();
  const connections = new Connections(api.connections, () => undefined);
  await connections.load();
  const [selected] = connections.list;
  const { unmount } = await renderInApp(ConnectionList, { connections, selected, onchoose: vi.fn() });
  connections.problem = { code: 'connection/in-use' };
  const { advice } = messages.problems['connection/in-use'];
  await expect.poll(() => document.querySelector('[role="alert"]')?.textContent).toContain(advice);
  await unmount();
  expect(connections.problem).toBeNull();
});
