import { AppError } from '../../../shared/app-error.ts';
import type { Voice, VoicePage } from '../../../shared/wire/voice.ts';
import type { ConnectionBook } from '../connections/connection-book.ts';

/** The voices of each connection, as the service lists them. What was seen is remembered, so that a job can name its voice. */
export interface VoiceCatalogue {
  page(connectionId: string, page: number): Promise<VoicePage>;
  /** The voice with this id. Throws `voice/missing` for an empty id and `voice/not-found` for one that is not in the catalogue. */
  voice(connectionId: string, voiceId: string): Promise<Voice>;
}

/** The most that the interface allows. */
const pageLimit = 100;

export function createVoiceCatalogue(connections: ConnectionBook, signal: AbortSignal): VoiceCatalogue {
  const seen = new Map<string, Map<string, Voice>>();

  async function page(connectionId: string, number: number): Promise<VoicePage> {
    const answer = await connections.service(connectionId).listVoices({ page: number, limit: pageLimit }, signal);
    const known = seen.get(connectionId) ?? new Map<string, Voice>();
    for (const voice of answer.voices) known.set(voice.id, voice);
    seen.set(connectionId, known);
    return answer;
  }

  async function search(connectionId: string, voiceId: string): Promise<Voice | undefined> {
    for (let number = 0; ; number += 1) {
      const { voices, total, limit } = await page(connectionId, number);
      const found = voices.find(({ id }) => id === voiceId);
      if (found || voices.length === 0 || (number + 1) * limit >= total) return found;
    }
  }

  return {
    page,
    async voice(connectionId, voiceId) {
      if (voiceId === '') throw new AppError('voice/missing', 'no voice was chosen');
      const voice = seen.get(connectionId)?.get(voiceId) ?? (await search(connectionId, voiceId));
      if (!voice) throw new AppError('voice/not-found', `no voice ${voiceId}`, { facts: { name: voiceId } });
      return voice;
    },
  };
}
