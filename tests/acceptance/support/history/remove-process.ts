// A process that removes history entries with their files, one after the other, and undoes every second one or the given one. It is
// killed meanwhile. Argument: a `RemoveOrder` as JSON.
import { openHistory } from './open-history.ts';

export interface RemoveOrder {
  readonly folder: string;
  readonly ids: readonly string[];
  readonly undo: 'all' | 'none' | 'every second';
}

export type RemoveMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'removing' | 'removed' | 'undoing' | 'undone'; readonly id: string }
  | { readonly type: 'over' };

const { folder, ids, undo } = JSON.parse(process.argv[2] ?? '') as RemoveOrder;
const tell = (message: RemoveMessage) => new Promise<void>((resolve) => process.send?.(message, () => resolve()));

const app = await openHistory({ folder, onEnd: () => undefined });
await app.sound();
await tell({ type: 'ready' });
for (const [k, id] of ids.entries()) {
  await tell({ type: 'removing', id });
  const removal = await app.api.history.remove({ choice: { ids: [id] }, withFiles: true });
  await tell({ type: 'removed', id });
  if (undo === 'none' || (undo === 'every second' && k % 2 === 0)) continue;
  await tell({ type: 'undoing', id });
  await app.api.history.undo({ undo: removal.undo });
  await tell({ type: 'undone', id });
}
await tell({ type: 'over' });
// Waits for its parent to kill it.
process.on('message', () => undefined);
