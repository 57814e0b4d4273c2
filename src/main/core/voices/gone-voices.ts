import { AppError } from '../../../shared/errors.ts';
import { ownVoiceCategory, type Voice } from '../../../shared/schemas/voice.ts';
import { type Clock, isWithin } from '../clock.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';
import { hasNoModelList } from './voice-catalogue.ts';

/** Finds out whether a service refused a call because of its voice, for which the interface has no error code. */
export interface GoneVoices {
  /**
   * True if the service certainly has the voice no longer. Asks it by free calls, for all callers, at most once in five minutes.
   * Never rejects: false if the service cannot be asked.
   */
  isGone(connectionId: string, voice: KnownVoice, service: VoiceLookup, signal: AbortSignal): Promise<boolean>;
  /** Call when the service has taken the voice. */
  forget(connectionId: string, voiceId: string): void;
}

/** Without a category it may be an own voice. */
type KnownVoice = Pick<Voice, 'id'> & Partial<Pick<Voice, 'category'>>;
type VoiceLookup = Pick<ServiceClient, 'voiceDetail' | 'listModels'>;

/** A hundred jobs may be refused alike; a voice may be deleted, or return, later. */
const rememberedMs = 5 * 60_000;
/** The interface's words for a voice that does not exist (operation 6). It does not fix their HTTP status. */
const unknownVoice = 'Invalid voice identifier.';
/** The interface's maximum. */
const pageLimit = 100;
/** A user who has more is shown what the service said. */
const maxPages = 100;

async function isUnknown(id: string, service: VoiceLookup, signal: AbortSignal): Promise<boolean> {
  try {
    await service.voiceDetail(id, signal);
    return false;
  } catch (error) {
    return error instanceof AppError && error.problem.words?.startsWith(unknownVoice) === true;
  }
}

/** Own voices are in no catalogue. An incomplete list proves nothing. `hasNone` recognizes a service without such a list. */
async function isUnlisted(
  id: string,
  service: VoiceLookup,
  signal: AbortSignal,
  hasNone: (error: unknown) => boolean = () => false,
): Promise<boolean> {
  const listed = new Set<string>();
  for (let page = 1; page <= maxPages; page += 1) {
    const before = listed.size;
    const reply = await service.listModels({ page, limit: pageLimit }, signal).catch((error: unknown) => {
      if (page > 1 || !hasNone(error)) throw error;
      return null;
    });
    if (!reply) return true;
    const { models, pages, total } = reply;
    if (models.some(({ voiceId }) => voiceId === id)) return false;
    for (const model of models) listed.add(model.id);
    if (models.length < pageLimit && page >= pages && listed.size >= total) return true;
    if (listed.size === before) return false;
  }
  return false;
}

const isUnknownAndUnlisted = async (id: string, service: VoiceLookup, signal: AbortSignal): Promise<boolean> =>
  (await isUnknown(id, service, signal)) && (await isUnlisted(id, service, signal, hasNoModelList));

export function createGoneVoices({ now }: Pick<Clock, 'now'>): GoneVoices {
  const answers = new Map<string, { readonly askedAt: number; readonly isGone: Promise<boolean> }>();
  const keyOf = (connectionId: string, voiceId: string) => `${connectionId} ${voiceId}`;
  return {
    isGone(connectionId, { id, category }, service, signal) {
      const key = keyOf(connectionId, id);
      const known = answers.get(key);
      if (known && isWithin(rememberedMs, known.askedAt, now())) return known.isGone;
      const ask =
        category === undefined ? isUnknownAndUnlisted : category === ownVoiceCategory ? isUnlisted : isUnknown;
      const isGone = ask(id, service, signal).catch(() => false);
      answers.set(key, { askedAt: now(), isGone });
      return isGone;
    },
    forget: (connectionId, voiceId) => void answers.delete(keyOf(connectionId, voiceId)),
  };
}
