import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptBody, sendJson, type Handler } from '../request-context.ts';
import { invalidInput } from '../http-error.ts';
import type { ModelStore } from '../models/model-store.ts';
import { receiveUpload, tooLargeError } from '../receive-upload.ts';
import type { VoiceChanger } from '../voice-changer.ts';
import { inspectUpload } from './inspect-upload.ts';
import { soundProblem } from './sound-problem.ts';
import type { UploadLimits } from './upload-audio.ts';

const maxNameLength = 100;
const defaultLanguage = 'en-US';
/** Between the average man's 110 Hz and woman's 205 Hz. */
const genderBoundaryHz = 165;

function nameOf(fields: ReadonlyMap<string, string>): string {
  const name = fields.get('name')?.trim() ?? '';
  if (name === '' || name === '.' || name === '..') throw invalidInput('The name field is required.');
  if (name.length > maxNameLength) throw invalidInput(`A name has at most ${maxNameLength} characters.`);
  return name;
}

/**
 * POST /local/models, the only route beyond the interface: creates the user's own voice from a
 * recording (form fields `name`, `audioFile` and optionally `languageCode`). Measures F0 and
 * formants; the recording is not stored.
 */
export const createModel =
  (
    models: ModelStore,
    voiceChanger: VoiceChanger,
    folder: string,
    { maxBytes, stallMs, inspect }: UploadLimits,
  ): Handler =>
  async (call) => {
    if (Number(call.request.headers['content-length'] ?? 0) > maxBytes) throw tooLargeError(maxBytes);
    acceptBody(call);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${randomUUID()}.part`);
    try {
      const { fields } = await receiveUpload(call.request, { field: 'audioFile', path, maxBytes, stallMs });
      const name = nameOf(fields);
      await inspectUpload(path, inspect);
      const measured = await voiceChanger.measure(path).catch((cause: unknown) => {
        throw soundProblem(cause);
      });
      const model = await models.create({
        ...measured,
        name,
        languageCode: fields.get('languageCode')?.trim() || defaultLanguage,
        gender: measured.targetF0Hz < genderBoundaryHz ? 'male' : 'female',
      });
      if (!model) throw invalidInput(`There is a model ${name} already.`, 409);
      sendJson(call.response, 200, { status: 'success', message: 'The model has been made.', modelId: model.modelId });
    } finally {
      await rm(path, { force: true });
    }
  };
