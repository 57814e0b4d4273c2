import * as v from 'valibot';
import { defaultNameTemplate, maxTemplateLength, templateFaults } from '../name-template.ts';
import { isProxyAddress } from '../proxy-address.ts';
import {
  changerEngines,
  contrasts,
  isOutputFormat,
  languages,
  themes,
  zoomPercents,
  type OutputFormat,
  type Settings,
} from '../wire/settings.ts';
import { ratio, wellFormed } from './ratio.ts';
import { speechSettings } from './speech.ts';

export const conversionSettings = v.object({
  voiceId: v.pipe(v.string(), v.maxLength(1024), wellFormed),
  pitch: ratio,
  speed: ratio,
  pitchControl: v.pipe(v.string(), v.maxLength(256)),
  autoF0: v.boolean(),
  engine: v.picklist(changerEngines),
  format: v.custom<OutputFormat>((format) => typeof format === 'string' && isOutputFormat(format)),
  platformInfo: v.exactOptional(v.pipe(v.string(), v.maxLength(256))),
  audioName: v.exactOptional(v.pipe(v.string(), v.maxLength(256))),
});

/** Null puts each result beside its original. */
export const outputFolder = v.nullable(v.pipe(v.string(), v.minLength(1)));

const proxy = v.pipe(
  v.string(),
  v.maxLength(2048),
  v.check(
    (text) => text === '' || text === 'direct' || isProxyAddress(text),
    'must be empty, "direct" or the address of a proxy, such as http://proxy.example:8080',
  ),
);

export const connectionId = v.pipe(v.string(), v.maxLength(64), wellFormed);
const nameTemplate = v.pipe(
  v.string(),
  v.maxLength(maxTemplateLength),
  v.check((template) => templateFaults(template).length === 0, 'must be a template without faults'),
);

const entries = {
  theme: v.picklist(themes),
  contrast: v.picklist(contrasts),
  language: v.picklist(languages),
  connectionId,
  conversion: conversionSettings,
  speech: speechSettings,
  outputFolder,
  nameTemplate,
  proxy,
  localConcurrency: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8)),
  zoomPercent: v.picklist(zoomPercents),
  hasLetterKeys: v.boolean(),
};

export const settingsSchema = v.object(entries);
/** A change: the fields that are present, and no others, take a new value. */
export const settingsPatch = v.object({
  theme: v.exactOptional(entries.theme),
  contrast: v.exactOptional(entries.contrast),
  language: v.exactOptional(entries.language),
  connectionId: v.exactOptional(entries.connectionId),
  conversion: v.exactOptional(entries.conversion),
  speech: v.exactOptional(entries.speech),
  outputFolder: v.exactOptional(entries.outputFolder),
  nameTemplate: v.exactOptional(entries.nameTemplate),
  proxy: v.exactOptional(entries.proxy),
  localConcurrency: v.exactOptional(entries.localConcurrency),
  zoomPercent: v.exactOptional(entries.zoomPercent),
  hasLetterKeys: v.exactOptional(entries.hasLetterKeys),
});

export const defaultSettings: Settings = {
  theme: 'system',
  contrast: 'system',
  language: 'system',
  connectionId: 'local',
  conversion: { voiceId: '', pitch: 1, speed: 1, pitchControl: '', autoF0: true, engine: 'v7', format: 'same' },
  speech: { voiceId: '', language: '', speed: 1, pitch: 1, engine: 'v7', platform: 'web' },
  outputFolder: null,
  nameTemplate: defaultNameTemplate,
  proxy: '',
  localConcurrency: 2,
  zoomPercent: 100,
  hasLetterKeys: true,
};

/** The leaves of `stored` that fit, over `defaults`: one that does not fit takes no other with it. */
function readLeaves(leaves: v.ObjectEntries, stored: unknown, defaults: object): object {
  const source = v.is(v.record(v.string(), v.unknown()), stored) ? stored : {};
  const read: Record<string, unknown> = { ...defaults };
  for (const [key, schema] of Object.entries(leaves)) {
    const value = source[key];
    if ('entries' in schema) read[key] = readLeaves(schema.entries as v.ObjectEntries, value, read[key] as object);
    else if (value !== undefined && v.is(schema, value)) read[key] = value;
  }
  return read;
}

/** Reads stored settings: each value that no longer fits, or is not there, is the default. */
export const readSettings = (stored: unknown): Settings =>
  v.parse(settingsSchema, readLeaves(entries, stored, defaultSettings));
