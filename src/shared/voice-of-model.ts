import type { Model } from './wire/model.ts';
import { ownVoiceCategory, type Voice } from './wire/voice.ts';

/** A person's model as one of the voices that something can be said in. */
export const voiceOfModel = ({ voiceId, name, languageCode, gender }: Model): Voice => ({
  id: voiceId,
  name,
  language: languageCode,
  gender,
  category: ownVoiceCategory,
});
