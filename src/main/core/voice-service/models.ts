import { basename } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { DeletedModel, ModelPage } from '../../../shared/schemas/voice.ts';
import { addressOf } from './address.ts';
import { authorizationOf, type Connection, timeoutsOf } from './connection.ts';
import type { Http } from './http.ts';
import { openText, readValidItems, readJson } from './reply.ts';
import { sendOperation } from './send-operation.ts';
import { audioForm, openForUpload, readAhead } from './upload-body.ts';
import { identifier } from './voices.ts';

export interface ModelQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

const modelPage = v.object({
  models: v.array(v.unknown()),
  pagination: v.object({
    currentPage: v.fallback(v.number(), 0),
    totalPages: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
    totalItems: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
  }),
});
/** Models are deleted by name, so a name that is too long is rejected, not shortened. */
const modelEntry = v.looseObject({
  modelId: v.string(),
  name: v.pipe(v.string(), v.maxLength(1024)),
  languageCode: openText,
  gender: openText,
  creationDate: openText,
});
const deletion = v.object({ message: v.optional(v.string(), ''), modelName: v.string() });

/**
 * Interface, operation 7. It leaves open which field of a model is sent as `voice`:
 * `modelVoiceField` of the connection.
 */
export async function listModels(
  http: Http,
  connection: Connection,
  { page, limit }: ModelQuery,
  signal: AbortSignal,
): Promise<ModelPage> {
  if (!Number.isInteger(page) || page < 1) {
    throw new AppError('request/invalid', `page ${page} of models`, { facts: { field: 'page' } });
  }
  const { modelPageSizeQuery, modelVoiceField } = connection.document;
  const query = { page, [modelPageSizeQuery]: limit };
  const reply = await sendOperation(http, connection, 'models', { query }, signal);
  const { models, pagination } = await readJson(reply, modelPage);
  return {
    page: pagination.currentPage || page,
    pages: pagination.totalPages,
    total: pagination.totalItems,
    models: readValidItems(models, 'models[]', modelEntry, (model) => ({
      id: model.modelId,
      name: model.name,
      voiceId: identifier(model[modelVoiceField], `models[].${modelVoiceField}`),
      languageCode: model.languageCode,
      gender: model.gender,
      creationDate: model.creationDate,
    })),
  };
}

/** Interface, operation 8. Throws `request/invalid` for a name that would change the path. */
export async function deleteModel(
  http: Http,
  connection: Connection,
  name: string,
  signal: AbortSignal,
): Promise<DeletedModel> {
  const reply = await sendOperation(http, connection, 'delete-model', { parameters: [name] }, signal);
  return readJson(reply, deletion);
}

export interface NewModel {
  readonly name: string;
  readonly languageCode: string;
  /** The recording whose voice it gets. */
  readonly path: string;
}

export interface MadeModel {
  readonly modelId: string;
}

const made = v.object({ modelId: v.string() });

/**
 * Makes the user's own voice from a recording, which is streamed and not stored. Not part of the
 * interface: only the local engine has it. Throws `input/…` if the recording cannot be read, and the
 * engine's error if it is not audio or the name is taken.
 */
export async function createModel(
  http: Http,
  connection: Connection,
  { name, languageCode, path }: NewModel,
  signal: AbortSignal,
): Promise<MadeModel> {
  const access = await connection.access(signal);
  const { convertMs } = connection.document.timeouts;
  const file = await openForUpload(path);
  try {
    const { size } = await file.stat();
    const { contentType, head, tail } = audioForm({ fileName: basename(path), fields: { name, languageCode } });
    async function* body(): AsyncGenerator<Buffer> {
      yield head;
      yield* readAhead(file, size);
      yield tail;
    }
    const address = addressOf(access.hosts.models || access.hosts.voice, '/local/models');
    const reply = await http.send({
      method: 'POST',
      address,
      headers: {
        ...authorizationOf(connection, access, address),
        'content-type': contentType,
        'content-length': String(head.length + size + tail.length),
      },
      body: body(),
      ...timeoutsOf(connection),
      // The engine analyses the whole recording before it responds.
      replyTimeoutMs: convertMs,
      totalTimeoutMs: convertMs,
      signal,
    });
    return await readJson(reply, made);
  } finally {
    await file.close();
  }
}
