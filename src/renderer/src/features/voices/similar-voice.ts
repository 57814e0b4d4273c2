import { foldText } from '../../../../shared/text/fold-text.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';

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
