import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { mediaTypeOf } from '../../sound/sound-format.ts';
import type { Handler } from '../request-context.ts';
import type { Clock } from '../clock.ts';
import { HttpError } from '../http-error.ts';
import type { TaskStore } from '../task-store.ts';

const notFound = () => new HttpError(404, 'Not found.', 'There is no such result, or it is no longer kept.');

/**
 * GET /results/{taskId}/{file}. A result that was read to its end counts as delivered: the task store
 * decides how long it is kept.
 */
export const sendResult =
  (tasks: TaskStore, clock: Clock): Handler =>
  async ({ response, params }) => {
    const [id = '', file = ''] = params;
    const task = await tasks.read(id);
    // Accepts only recorded names, so that nothing of the path reaches the file system.
    const [key, result] = Object.entries(task?.results ?? {}).find(([, { file: name }]) => name === file) ?? [];
    if (!key || !result) throw notFound();
    const handle = await open(tasks.pathOf(id, result.file)).catch(() => null);
    if (!handle) throw notFound();
    response.writeHead(200, {
      'content-type': mediaTypeOf(result.format),
      'content-length': result.bytes,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(result.name.toWellFormed())}`,
    });
    try {
      await pipeline(handle.createReadStream({ end: result.bytes - 1, autoClose: false }), response);
    } finally {
      // A pipeline to a disconnected client never starts and would not close the file.
      await handle.close();
    }
    await tasks.update(id, (current) => ({
      ...current,
      results: { ...current.results, [key]: { ...result, deliveredAt: clock.now() } },
    }));
  };
