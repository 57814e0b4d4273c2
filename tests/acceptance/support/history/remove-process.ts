// A process that takes entries out of history one after the other, with their files, and takes back every second one, or the one that it
// is told. It is killed on the way. Argument: a `RemoveOrder` as JSON.
import { openLibrary } from './open-history.ts';

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

const library = await openLibrary({ folder, onEnd: () => undefined });
await library.sound();
await tell({ type: 'ready' });
for (const [k, id] of ids.entries()) {
  await tell({ type: 'removing', id });
  const removal = await library.api.history.remove({ choice: { ids: [id] }, withFiles: true });
  await tell({ type: 'removed', id });
  if (undo === 'none' || (undo === 'every second' && k % 2 === 0)) continue;
  await tell({ type: 'undoing', id });
  await library.api.history.undo({ undo: removal.undo });
  await tell({ type: 'undone', id });
}
await tell({ type: 'over' });
// Whoever started it kills it: what is left then is left by a kill.
process.on('message', () => undefined);
