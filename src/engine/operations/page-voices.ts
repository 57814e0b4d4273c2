import type { Voice } from '../../shared/schemas/voice.ts';
import { sendJson, type Handler } from '../request-context.ts';
import { catalogue } from '../catalogue.ts';
import { invalidParameters } from '../http-error.ts';
import { queryInteger } from './query-integer.ts';
import type { EngineVoice } from '../voice.ts';

const maxLimit = 100;
const defaultLimit = 20;

/** `en` matches all English voices, `en-GB` only British ones. */
const matchesLanguage = (tag: string, filter: string) => {
  const [language, prefix] = [tag.toLowerCase(), filter.toLowerCase()];
  return language === prefix || language.startsWith(`${prefix}-`);
};

const listed = ({ id, name, language, gender, category }: EngineVoice): Voice => ({
  id,
  name,
  language,
  gender,
  category,
});

/** GET /api/pagevoices. Pages count from 0. Empty or missing filters match everything. */
export const pageVoices: Handler = ({ query, response }) => {
  const version = query.get('version') ?? '';
  const category = query.get('category')?.toLowerCase() ?? '';
  const gender = query.get('gender')?.toLowerCase() ?? '';
  const language = query.get('language') ?? '';
  const page = queryInteger(query, 'page', 0, invalidParameters);
  const limit = queryInteger(query, 'limit', defaultLimit, invalidParameters);
  if (version !== '' && version !== 'v2') throw invalidParameters('version must be v2.');
  if (!['', 'all', 'male', 'female'].includes(gender)) throw invalidParameters('gender must be all, male or female.');
  if (page < 0) throw invalidParameters('page must be 0 or greater.');
  if (limit < 1) throw invalidParameters('limit must be at least 1.');
  if (limit > maxLimit) throw invalidParameters(`limit exceeds the maximum allowed value of ${maxLimit}.`);
  const found = catalogue.filter(
    (voice) =>
      (category === '' || category === 'all' || voice.category === category) &&
      (gender === '' || gender === 'all' || voice.gender === gender) &&
      (language === '' || matchesLanguage(voice.language, language)),
  );
  const voices = found.slice(page * limit, (page + 1) * limit).map(listed);
  sendJson(response, 200, { page, limit, total: found.length, voices });
  return Promise.resolve();
};
