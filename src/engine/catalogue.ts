import type { EngineVoice } from './voice.ts';
import { englishVoices } from './voices/english-voices.ts';
import { europeanVoices } from './voices/european-voices.ts';
import { asianVoices } from './voices/asian-voices.ts';
import { easternVoices } from './voices/eastern-voices.ts';
import { furtherVoices } from './voices/further-voices.ts';
import { newWorldVoices } from './voices/new-world-voices.ts';
import { westernVoices } from './voices/western-voices.ts';

/**
 * The engine's voices in list order. Men's F0 is 80 to 160 Hz, women's 160 to 300 Hz; formants
 * follow (Peterson and Barney 1952: women's about 17 % = 2.7 semitones above men's), except for
 * characters. Names describe the voice. Ids are never reused or removed, because history refers to
 * them.
 */
export const catalogue: readonly EngineVoice[] = [
  ...englishVoices,
  ...europeanVoices,
  ...furtherVoices,
  ...westernVoices,
  ...easternVoices,
  ...asianVoices,
  ...newWorldVoices,
];

const byId: ReadonlyMap<string, EngineVoice> = new Map(catalogue.map((voice) => [voice.id, voice]));

export const findVoice = (id: string): EngineVoice | undefined => byId.get(id);
