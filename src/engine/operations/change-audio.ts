import { AppError } from '../../shared/errors.ts';
import { sendJson, type Handler } from '../request-context.ts';
import type { ConversionCache } from '../conversion-cache.ts';
import { invalidParameters } from '../http-error.ts';
import { parseConversion } from '../parse-conversion.ts';
import { readJson } from '../read-json.ts';
import type { TaskStore } from '../task-store.ts';
import type { VoiceRegistry } from '../voice-registry.ts';
import { optionalText } from './body-fields.ts';
import { soundProblem } from './sound-problem.ts';

/** Converts a conversion error to the interface's words. */
function conversionProblem(cause: unknown): unknown {
  if (!(cause instanceof AppError)) return cause;
  switch (cause.code) {
    case 'input/not-audio':
    case 'input/needs-ffmpeg':
      return invalidParameters('The uploaded file holds no audio that can be read.', 422, { cause });
    case 'input/cut':
      return invalidParameters('The uploaded audio file is incomplete.', 422, { cause });
    case 'input/missing':
      return invalidParameters('The uploaded audio file is gone; upload it again.', 409, { cause });
    default:
      return soundProblem(cause);
  }
}

/**
 * POST /api/changeaudiofile. Responds when the audio is ready. A client that disconnects does not
 * stop the work.
 */
export const changeAudio =
  (tasks: TaskStore, conversions: ConversionCache, voices: VoiceRegistry): Handler =>
  async (call) => {
    const body = await readJson(call, invalidParameters);
    const id = optionalText(body, 'uuid', invalidParameters);
    if (!id) throw invalidParameters('The uuid field is required.');
    const task = await tasks.read(id);
    if (!task) throw invalidParameters(`The task ${id} does not exist.`, 404);
    const request = await parseConversion(body, task, voices);
    if (!task.upload) throw invalidParameters('No audio file has been uploaded for this task.', 409);
    const result = await conversions.convert(task, task.upload, request).catch((error: unknown) => {
      throw conversionProblem(error);
    });
    sendJson(call.response, 200, {
      status: 'success',
      message: 'The audio file has been converted.',
      data: { audioUrl: `${call.origin}/results/${id}/${result.file}`, processingTime: result.processingTimeMs },
    });
  };
