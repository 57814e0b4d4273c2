import { findVoice } from './catalogue.ts';
import { voiceOfModel, type ModelStore } from './models/model-store.ts';
import type { EngineVoice } from './voice.ts';

/** Every voice that can be asked for: those of the catalogue, and a person's own models by their id. */
export interface VoiceRegistry {
  find(id: string): Promise<EngineVoice | undefined>;
}

export const createVoiceRegistry = (models: ModelStore): VoiceRegistry => ({
  async find(id) {
    const known = findVoice(id);
    if (known) return known;
    const model = await models.find(id);
    return model && voiceOfModel(model);
  },
});
