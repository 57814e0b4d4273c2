import * as v from 'valibot';
import { wellFormed } from './ratio.ts';

const connectionId = v.pipe(v.string(), v.maxLength(64), wellFormed);
const voiceId = v.pipe(v.string(), v.minLength(1), v.maxLength(1024), wellFormed);
const filter = v.pipe(v.string(), v.maxLength(256), wellFormed);
/** The interface's own bound, for both lists. */
const limit = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
const pageFrom = (first: number) => v.pipe(v.number(), v.integer(), v.minValue(first));

export const voiceInputs = {
  list: v.object({
    connectionId,
    page: pageFrom(0),
    limit,
    category: filter,
    gender: filter,
    language: filter,
  }),
  detail: v.object({ connectionId, voiceId }),
  favourites: v.object({ connectionId }),
  setFavourite: v.object({ connectionId, voiceId, isFavourite: v.boolean() }),
};

export const modelInputs = {
  list: v.object({ connectionId, page: pageFrom(1), limit }),
  // Names are the service's: any that it lists can be deleted.
  remove: v.object({ connectionId, name: v.pipe(v.string(), v.minLength(1), v.maxLength(4096), wellFormed) }),
  create: v.object({
    connectionId,
    name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
    languageCode: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64)),
  }),
};
