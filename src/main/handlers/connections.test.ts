import { expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import { createConnectionHandlers } from './connections.ts';

it('a removed connection leaves no token behind, even if the settings that name it cannot be written', async () => {
  const removed: string[] = [];
  const remove = (what: string) => (id: string) => void removed.push(`${what} ${id}`);
  const handlers = createConnectionHandlers({
    connections: { get: () => ({ kind: 'remote' }), remove: remove('connection') },
    data: () => Promise.resolve({ connectionStore: { remove: remove('stored') } }),
    settings: () =>
      Promise.resolve({
        get: () => ({ ...defaultSettings, connectionId: 'studio' }),
        update() {
          throw new AppError('data/not-writable', 'the disk is full');
        },
      }),
    secrets: {
      async clear(id: string) {
        await Promise.resolve();
        remove('token')(id);
      },
    },
  } as never);
  await expect(handlers.remove({ id: 'studio' })).rejects.toMatchObject({ code: 'data/not-writable' });
  expect(removed).toEqual(['stored studio', 'connection studio', 'token studio']);
});
