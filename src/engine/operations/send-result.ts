import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { mediaTypeOf } from '../../sound/sound-format.ts';
import type { Operation } from '../request-context.ts';
import type { Clock } from '../clock.ts';
import { HttpError } from '../http-error.ts';
import type { TaskStore } from '../task-store.ts';

const gone = () => new HttpError(404, 'Not found.', 'There is no such result, or it is no longer kept.');

/** GET /results/{taskId}/{file}. Read to its end once, a result counts as delivered, and is kept for 24 hours more. */
export const sendResult =
  (tasks: TaskStore, clock: Clock): Operation =>
  async ({ response, params }) => {
    const [id = '', file = ''] = params;
    const task = await tasks.read(id);
    // Only names that are on record: nothing of the path reaches the file system.
    const [key, result] = Object.entries(task?.results ?? {}).find(([, { file: name }]) => name === file) ?? [];
    if (!key || !result) throw gone();
    const handle = await open(tasks.pathOf(id, result.file)).catch(() => null);
    if (!handle) throw gone();
    response.writeHead(200, {
      'content-type': mediaTypeOf(result.format),
      'content-length': result.bytes,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(result.name.toWellFormed())}`,
    });
    try {
      await pipeline(handle.createReadStream({ end: result.bytes - 1, autoClose: false }), response);
    } finally {
      // By us: a pipeline to somebody who has left already never begins, and closes nothing.
      await handle.close();
    }
    await tasks.update(id, (current) => ({
      ...current,
      results: { ...current.results, [key]: { ...result, deliveredAt: clock.now() } },
    }));
  };
