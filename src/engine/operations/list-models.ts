import { sendJson, type Handler } from '../request-context.ts';
import { HttpError } from '../http-error.ts';
import type { ModelStore, VoiceModel } from '../models/model-store.ts';
import { queryInteger } from './query-integer.ts';

const defaultLimit = 20;
const maxLimit = 100;

const invalidPage = (details: string) => new HttpError(400, 'Invalid pagination parameters.', details);

const listed = ({ modelId, name, languageCode, gender, creationDate }: VoiceModel) => ({
  modelId,
  name,
  languageCode,
  gender,
  creationDate,
});

/** GET /api/models/list. Pages count from 1; one after the last is empty. */
export const listModels =
  (models: ModelStore): Handler =>
  async ({ query, response }) => {
    const page = queryInteger(query, 'page', 1, invalidPage);
    const limit = queryInteger(query, 'limit', defaultLimit, invalidPage);
    if (page < 1) throw invalidPage('page must be greater than 0.');
    if (limit < 1 || limit > maxLimit) throw invalidPage(`limit must be from 1 to ${maxLimit}.`);
    const all = await models.list();
    sendJson(response, 200, {
      status: 'success',
      models: all.slice((page - 1) * limit, page * limit).map(listed),
      pagination: { currentPage: page, totalPages: Math.ceil(all.length / limit), totalItems: all.length },
    });
  };
