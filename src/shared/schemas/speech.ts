import * as v from 'valibot';
import { speechEngines, speechPlatforms } from '../wire/speech.ts';
import { ratio, wellFormed } from './ratio.ts';

export const speechSettings = v.object({
  voiceId: v.pipe(v.string(), v.maxLength(1024), wellFormed),
  language: v.pipe(v.string(), v.maxLength(64), wellFormed),
  speed: ratio,
  pitch: ratio,
  engine: v.picklist(speechEngines),
  platform: v.picklist(speechPlatforms),
});
