import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import type { InspectSound } from '../../sound/sound-inspector.ts';
import { acceptBody, sendJson, type Handler } from '../request-context.ts';
import { invalidInput } from '../http-error.ts';
import { receiveUpload, tooLargeError } from '../receive-upload.ts';
import type { TaskStore } from '../task-store.ts';
import { changerType } from './create-task.ts';
import { inspectUpload } from './inspect-upload.ts';

export interface UploadLimits {
  readonly maxBytes: number;
  readonly stallMs: number;
  readonly inspect: InspectSound;
}

/** Allowance for boundaries, headers and small fields of the form. */
const formBytes = 64 * 1024;

/**
 * POST /api/uploadaudiofile/{uuid}. Uploading again replaces the file. Earlier results are returned
 * only for the same content, because its hash is part of a request's fingerprint.
 */
export const uploadAudio =
  (tasks: TaskStore, { maxBytes, stallMs, inspect }: UploadLimits): Handler =>
  async (call) => {
    const [id = ''] = call.params;
    const { headers } = call.request;
    if (!(await tasks.read(id))) throw invalidInput(`The task ${id} does not exist.`, 404);
    if (headers['changer-type'] !== changerType) {
      throw invalidInput(`The Changer-Type header must be ${changerType}, as the creation of the task answered.`);
    }
    if (Number(headers['content-length'] ?? 0) > maxBytes + formBytes) throw tooLargeError(maxBytes);
    acceptBody(call);
    const part = tasks.pathOf(id, `${randomUUID()}.part`);
    try {
      const { name, bytes, sha256 } = await receiveUpload(call.request, {
        field: 'audioFile',
        path: part,
        maxBytes,
        stallMs,
      });
      const { seconds } = await inspectUpload(part, inspect);
      // Named after its content, because a conversion may still be reading an earlier upload.
      const file = `upload-${sha256}`;
      await rename(part, tasks.pathOf(id, file));
      await tasks.update(id, (task) => ({
        ...task,
        upload: { file, name, bytes, sha256, ...(seconds !== undefined && { seconds }) },
      }));
    } finally {
      await rm(part, { force: true });
    }
    sendJson(call.response, 200, { message: 'The audio file has been uploaded.', uuid: id });
  };
