import * as v from 'valibot';

const id = v.string();
const paths = v.array(v.string());
const filesOf = { id, paths };

const root = v.object({
  id,
  path: v.string(),
  identity: v.object({ marker: v.nullable(v.string()), device: v.string(), inode: v.string() }),
  isRecursive: v.boolean(),
  endings: v.array(v.string()),
  excluded: v.array(v.string()),
});

/** What the watcher's process is told: the calls of `Eyes`, as plain messages. Its answers are the news as they are. */
export const eyesRequest = v.variant('type', [
  v.object({ type: v.literal('watch'), root }),
  v.object({ type: v.literal('unwatch'), id }),
  v.object({ type: v.literal('consider'), ...filesOf }),
  v.object({ type: v.literal('measure'), ...filesOf }),
  v.object({ type: v.literal('rescan') }),
  v.object({ type: v.literal('stop') }),
]);

export type EyesRequest = v.InferOutput<typeof eyesRequest>;
