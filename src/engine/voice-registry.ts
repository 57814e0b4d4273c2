import { findVoice } from './catalogue.ts';
import { voiceOfModel, type ModelStore } from './models/model-store.ts';
import type { EngineVoice } from './voice.ts';

/** All available voices: the catalogue's, and the user's own models by id. */
export interface VoiceRegistry {
  find(id: string): Promise<EngineVoice | undefined>;
}

export const createVoiceRegistry = (models: ModelStore): VoiceRegistry => ({
  async find(id) {
    const voice = findVoice(id);
    if (voice) return voice;
    const model = await models.find(id);
    return model && voiceOfModel(model);
  },
});
