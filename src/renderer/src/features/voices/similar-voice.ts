import { foldText } from '../../../../shared/text/fold-text.ts';
import type { Voice, VoiceFeatures } from '../../../../shared/schemas/voice.ts';

const languageOf = ({ language }: Voice): string => foldText(language).split(/[-_]/)[0] ?? '';

/** What is missing in both is nothing that they have in common. */
const isAlike = (one: string, two: string): boolean => one !== '' && one === two;

function similarity(gone: Voice, voice: Voice): number {
  const isNamesake = isAlike(foldText(voice.name), foldText(gone.name));
  const hasLanguage = isAlike(languageOf(voice), languageOf(gone));
  if (!isNamesake && !hasLanguage) return 0;
  return (
    (isNamesake ? 16 : 0) +
    (hasLanguage ? 8 : 0) +
    (isAlike(foldText(voice.gender), foldText(gone.gender)) ? 4 : 0) +
    (isAlike(foldText(voice.language), foldText(gone.language)) ? 2 : 0) +
    (isAlike(voice.category, gone.category) ? 1 : 0)
  );
}

/**
 * The voice that is most like one that is gone: of its name, else of its language, then of its gender, region and category; the
 * first of several. Null if none has its name or language.
 */
export function findSimilarVoice(gone: Voice, voices: readonly Voice[]): Voice | null {
  let best: Voice | null = null;
  let most = 0;
  for (const voice of voices) {
    const score = voice.id === gone.id ? 0 : similarity(gone, voice);
    if (score > most) [best, most] = [voice, score];
  }
  return best;
}

/** Differences that are heard as much as each other, about the spread of adult speakers of one gender. */
const pitchUnitOctaves = 0.25;
const brightnessUnit = 0.1;
/** What is further away does not sound similar. */
const maxDistance = 2;
const mostSimilar = 5;

/** How different two voices sound, by their measured F0 and brightness; Infinity if that is unknown. */
function soundDistance(one: VoiceFeatures | undefined, two: VoiceFeatures | undefined): number {
  if (!one?.f0Hz || !two?.f0Hz) return Infinity;
  return Math.hypot(
    Math.log2(one.f0Hz / two.f0Hz) / pitchUnitOctaves,
    (one.brightness - two.brightness) / brightnessUnit,
  );
}

/** Voices that sound most like a voice, the most similar first. Only those that were heard are measured. */
export function findVoicesLike(
  voice: Voice,
  voices: readonly Voice[],
  heard: ReadonlyMap<string, VoiceFeatures>,
): readonly Voice[] {
  const sound = heard.get(voice.id);
  return voices
    .filter(({ id }) => id !== voice.id)
    .map((one) => ({ one, distance: soundDistance(sound, heard.get(one.id)) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostSimilar)
    .map(({ one }) => one);
}
