import { speechEngines, speechPlatforms, type SpeechEngine } from '../shared/operations.ts';
import { badRequest } from './http-error.ts';
import { optionalChoice, optionalText } from './operations/body-fields.ts';
import { changeRange } from './plan-voice.ts';
import { isObject, type JsonObject } from './read-json.ts';
import type { SpeakRequest } from './speech/speak-to-file.ts';
import { languageFileFor } from './speech/spoken-languages.ts';
import type { VoiceRegistry } from './voice-registry.ts';

/** A speech request with all defaults applied. */
export interface SpeechRequest extends Omit<SpeakRequest, 'quality' | 'outputPath'> {
  readonly engine: SpeechEngine;
}

function decimal(parameter: JsonObject, field: 'Speed' | 'Pitch'): number {
  const text = optionalText(parameter, field, badRequest);
  if (text === undefined) return 1;
  const value = /^\d{1,6}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= changeRange.min && value <= changeRange.max)) throw badRequest();
  return value;
}

/**
 * Validates the body of a speech request. `engine` and `platform` may be in the body or in
 * `Parameter`, because the interface does not say which. Throws the interface's "Bad Request", which
 * has no details.
 */
export async function parseSpeech(body: JsonObject, voices: VoiceRegistry): Promise<SpeechRequest> {
  const parameter = body['Parameter'] ?? {};
  if (!isObject(parameter)) throw badRequest();
  optionalChoice(body, 'AppId', ['107'], badRequest);
  optionalChoice(body, 'FeatureId', ['22'], badRequest);
  const merged = { ...parameter, ...body };
  optionalChoice(merged, 'platform', speechPlatforms, badRequest);
  const engine = optionalChoice(merged, 'engine', speechEngines, badRequest) ?? 'v7';
  const text = optionalText(body, 'speech', badRequest) ?? '';
  const voice = await voices.find(optionalText(body, 'voice', badRequest) ?? '');
  if (text.trim() === '' || !voice) throw badRequest();
  const languageFile = languageFileFor(optionalText(parameter, 'LanguageCode', badRequest) || voice.language);
  if (languageFile === undefined) throw badRequest();
  return {
    text,
    voice,
    languageFile,
    speed: decimal(parameter, 'Speed'),
    pitch: decimal(parameter, 'Pitch'),
    engine,
  };
}
