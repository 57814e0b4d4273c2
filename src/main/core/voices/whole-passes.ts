import type { Voice, VoicePage } from '../../../shared/wire/voice.ts';
import type { VoiceQuery } from '../voice-service/list-voices.ts';

/** A catalogue that was read from its first page to its last. */
export interface WholePass {
  readonly voices: readonly Voice[];
  /** When its first page was asked for: no voice in it is older news. */
  readonly beganAt: number;
}

export interface WholePasses {
  /** Takes a page that the service answered; gives the whole catalogue with the page that ends it. */
  add(connectionId: string, query: VoiceQuery, answer: VoicePage, askedAt: number): WholePass | undefined;
}

interface Pass {
  nextPage: number;
  readonly total: number;
  readonly beganAt: number;
  /** As many as came, counting those that came twice. */
  received: number;
  readonly voices: Map<string, Voice>;
}

/** A catalogue of more is not kept: it is told by the service alone. */
const mostVoices = 20_000;

const isFiltered = ({ category = '', gender = '', language = '' }: VoiceQuery): boolean =>
  [category, gender, language].some((filter) => filter !== '' && filter !== 'all');

/**
 * Recognises catalogues that somebody pages through in order, whoever it is and whatever for: several at once, each by the size of
 * its pages. A page out of order, or another total, means that the catalogue changed under the reader: only a new first page begins
 * again.
 */
export function createWholePasses(): WholePasses {
  const passes = new Map<string, Map<number, Pass>>();

  return {
    add(connectionId, query, { voices, total }, askedAt) {
      if (isFiltered(query) || total > mostVoices) return undefined;
      const { page, limit } = query;
      const ofConnection = passes.get(connectionId) ?? new Map<number, Pass>();
      passes.set(connectionId, ofConnection);
      const pass: Pass | undefined =
        page === 0 ? { nextPage: 0, total, beganAt: askedAt, received: 0, voices: new Map() } : ofConnection.get(limit);
      if (pass?.nextPage !== page || pass.total !== total) {
        ofConnection.delete(limit);
        return undefined;
      }
      if (pass.voices.size + voices.length > mostVoices) {
        ofConnection.delete(limit);
        return undefined;
      }
      pass.nextPage += 1;
      pass.received += voices.length;
      for (const voice of voices) pass.voices.set(voice.id, voice);
      // A service that has no more to show has shown all, whatever its total says; one that shows nothing at all has not.
      const isWhole = pass.received >= total || (voices.length === 0 && page > 0);
      if (isWhole || voices.length === 0) ofConnection.delete(limit);
      else ofConnection.set(limit, pass);
      return isWhole ? { voices: [...pass.voices.values()], beganAt: pass.beganAt } : undefined;
    },
  };
}
