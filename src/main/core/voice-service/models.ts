import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import type { DeletedModel, ModelPage } from '../../../shared/wire/model.ts';
import { addressOf, segment } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { identifier } from './identifier.ts';
import { openText, readEntries, readJson } from './read-json.ts';
import { authorizationOf, jsonTimeoutsOf } from './service-call.ts';

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
/** A name is what a model is deleted by: it is taken as it is, or not at all. */
const modelEntry = v.looseObject({
  modelId: v.string(),
  name: v.pipe(v.string(), v.maxLength(1024)),
  languageCode: openText,
  gender: openText,
  creationDate: openText,
});
const deletion = v.object({ message: v.optional(v.string(), ''), modelName: v.string() });

/** Interface, operation 7. Which field of a model goes into `voice` is a hole: `modelVoiceField` of the connection. */
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
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.models || access.hosts.voice, '/api/models/list', {
    page,
    [modelPageSizeQuery]: limit,
  });
  const reply = await http.send({
    method: 'GET',
    address,
    headers: authorizationOf(connection, access, address),
    ...jsonTimeoutsOf(connection),
    signal,
  });
  const { models, pagination } = await readJson(reply, modelPage);
  return {
    page: pagination.currentPage || page,
    pages: pagination.totalPages,
    total: pagination.totalItems,
    models: readEntries(models, 'models[]', modelEntry, (model) => ({
      id: model.modelId,
      name: model.name,
      voiceId: identifier(model[modelVoiceField], `models[].${modelVoiceField}`),
      languageCode: model.languageCode,
      gender: model.gender,
      creationDate: model.creationDate,
    })),
  };
}

/** Interface, operation 8. The name is one segment of the path, whatever stands in it; one that would be resolved away is refused. */
export async function deleteModel(
  http: Http,
  connection: Connection,
  name: string,
  signal: AbortSignal,
): Promise<DeletedModel> {
  const path = `/v1/models/${segment(name)}`;
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.models || access.hosts.voice, path);
  const reply = await http.send({
    method: 'DELETE',
    address,
    headers: authorizationOf(connection, access, address),
    ...jsonTimeoutsOf(connection),
    signal,
  });
  return readJson(reply, deletion);
}
