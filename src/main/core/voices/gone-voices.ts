import { AppError } from '../../../shared/errors.ts';
import { ownVoiceCategory, type Voice } from '../../../shared/schemas/voice.ts';
import { type Clock, isWithin } from '../clock.ts';
import type { ServiceClient } from '../voice-service/service-client.ts';

/** Tells whether a voice is why a service refused a call, which the interface gives no code for. */
export interface GoneVoices {
  /**
   * True if the service certainly has the voice no longer. Asks it by one free call, for all callers, at most once in five
   * minutes. Never rejects: a service that cannot be asked has told of no voice that it is gone.
   */
  isGone(connectionId: string, voice: Voice, service: VoiceLookup, signal: AbortSignal): Promise<boolean>;
  /** Call when the service has taken the voice. */
  forget(connectionId: string, voiceId: string): void;
}

type VoiceLookup = Pick<ServiceClient, 'voiceDetail' | 'listModels'>;

/** A hundred jobs may be refused alike; a voice may be deleted, or return, later. */
const rememberedMs = 5 * 60_000;
/** The interface's words for a voice that does not exist (operation 6). It does not fix their HTTP status. */
const unknownVoice = 'Invalid voice identifier.';
/** The interface's maximum. */
const pageLimit = 100;

async function isUnknown(id: string, service: VoiceLookup, signal: AbortSignal): Promise<boolean> {
  try {
    await service.voiceDetail(id, signal);
    return false;
  } catch (error) {
    return error instanceof AppError && error.problem.words?.startsWith(unknownVoice) === true;
  }
}

/** Own voices are in no catalogue. A list of more than one page would take more calls, and leaves it open. */
async function isUnlisted(id: string, service: VoiceLookup, signal: AbortSignal): Promise<boolean> {
  const { models, pages, total } = await service.listModels({ page: 1, limit: pageLimit }, signal);
  const isWhole = pages <= 1 && models.length >= total && models.length < pageLimit;
  return isWhole && !models.some(({ voiceId }) => voiceId === id);
}

export function createGoneVoices({ now }: Pick<Clock, 'now'>): GoneVoices {
  const answers = new Map<string, { readonly askedAt: number; readonly isGone: Promise<boolean> }>();
  const keyOf = (connectionId: string, voiceId: string) => `${connectionId} ${voiceId}`;
  return {
    isGone(connectionId, { id, category }, service, signal) {
      const key = keyOf(connectionId, id);
      const known = answers.get(key);
      if (known && isWithin(rememberedMs, known.askedAt, now())) return known.isGone;
      const ask = category === ownVoiceCategory ? isUnlisted : isUnknown;
      const isGone = ask(id, service, signal).catch(() => false);
      answers.set(key, { askedAt: now(), isGone });
      return isGone;
    },
    forget: (connectionId, voiceId) => void answers.delete(keyOf(connectionId, voiceId)),
  };
}
