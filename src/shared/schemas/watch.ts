import * as v from 'valibot';
import { afterwards, watchedEndings } from '../wire/watch.ts';
import { connectionId, conversionSettings } from './settings.ts';

const path = v.pipe(v.string(), v.minLength(1), v.maxLength(32_768));

export const watchSettings = v.object({
  path,
  isRecursive: v.boolean(),
  endings: v.pipe(v.array(v.picklist(watchedEndings)), v.minLength(1)),
  connectionId,
  conversion: conversionSettings,
  outputFolder: v.nullable(path),
  afterwards: v.picklist(afterwards),
  dailyMinutes: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(100_000))),
});

const nothing = v.optional(v.undefined());
const id = v.pipe(v.string(), v.uuid());
const folder = v.object({ id });

export const watchInputs = {
  list: nothing,
  preview: v.object({ settings: watchSettings }),
  save: v.object({ id: v.nullable(id), settings: watchSettings }),
  remove: folder,
  setPaused: v.object({ id, isPaused: v.boolean() }),
  answerExisting: v.object({ id, answer: v.picklist(['convert', 'leave']) }),
  files: v.object({
    id,
    before: v.nullable(v.pipe(v.number(), v.integer())),
    only: v.picklist(['all', 'attention']),
  }),
  convert: v.object({ id, paths: v.pipe(v.array(path), v.maxLength(1000)) }),
  explain: nothing,
  reveal: v.object({ id, path: v.nullable(path) }),
};
