import * as v from 'valibot';
import type { Contract } from '../contract.ts';
import { mostParts } from '../wire/history.ts';
import { speechEngines } from '../wire/speech.ts';
import type { InputSchemas } from './inputs.ts';
import { connectionId, conversionSettings, outputFolder } from './settings.ts';
import { speechSettings } from './speech.ts';

const id = v.pipe(v.string(), v.uuid());
const ids = v.pipe(v.array(id), v.maxLength(mostParts));
const some = v.object({ ids: v.pipe(v.array(id), v.maxLength(100)) });
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
// Of any length, because anything can be pasted: what is too long for a search is told by it.
const text = v.string();
const tag = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64));
const tags = v.exactOptional(v.pipe(v.array(tag), v.maxLength(50)));
const choice = v.union([
  v.object({ ids }),
  v.object({
    list: index,
    ranges: v.pipe(v.array(v.pipe(v.tuple([index, index]), v.readonly())), v.maxLength(mostParts)),
  }),
]);

const { voiceId, pitch, speed, pitchControl, autoF0, format } = conversionSettings.entries;
const { language, platform } = speechSettings.entries;
const changes = v.strictObject(
  {
    connectionId: v.exactOptional(connectionId),
    voiceId: v.exactOptional(voiceId),
    pitch: v.exactOptional(pitch),
    speed: v.exactOptional(speed),
    pitchControl: v.exactOptional(pitchControl),
    autoF0: v.exactOptional(autoF0),
    format: v.exactOptional(format),
    language: v.exactOptional(language),
    platform: v.exactOptional(platform),
    // Speech knows each engine that a conversion knows.
    engine: v.exactOptional(v.picklist(speechEngines)),
    outputFolder: v.exactOptional(outputFolder),
  },
  'must hold settings of conversions or of speech, and nothing else',
);

export const historyInputs = {
  search: v.object({ text }),
  rows: v.object({ list: index, from: index, count: v.pipe(index, v.maxValue(100)) }),
  suggest: v.object({ text, caret: index }),
  detail: v.object({ id }),
  look: some,
  find: v.object({ id, which: v.picklist(['source', 'result']) }),
  mark: v.object({ choice, isFavourite: v.exactOptional(v.boolean()), addTags: tags, removeTags: tags }),
  tags: v.optional(v.undefined()),
  stop: v.optional(v.undefined()),
  remove: v.object({ choice, withFiles: v.boolean() }),
  undo: v.object({ undo: id }),
  again: v.object({ choice, changes: v.exactOptional(changes) }),
  exportTo: v.object({ choice: v.nullable(choice), what: v.picklist(['list', 'sound']) }),
  importFrom: v.optional(v.undefined()),
  copyPaths: some,
  drag: some,
} satisfies InputSchemas<Contract>['history'];
