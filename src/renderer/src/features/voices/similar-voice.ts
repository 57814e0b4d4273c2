import { foldText } from '../../../../shared/text/fold-text.ts';
import type { Voice } from '../../../../shared/schemas/voice.ts';

const languageOf = ({ language }: Voice): string => foldText(language).split(/[-_]/)[0] ?? '';

function similarity(gone: Voice, voice: Voice): number {
  const isNamesake = foldText(voice.name) === foldText(gone.name);
  if (!isNamesake && languageOf(voice) !== languageOf(gone)) return 0;
  return (
    (isNamesake ? 16 : 0) +
    (languageOf(voice) === languageOf(gone) ? 8 : 0) +
    (foldText(voice.gender) === foldText(gone.gender) ? 4 : 0) +
    (foldText(voice.language) === foldText(gone.language) ? 2 : 0) +
    (voice.category === gone.category ? 1 : 0)
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
