import { AppError } from '../../../shared/app-error.ts';
import { ownVoiceCategory, type CataloguePage, type Voice } from '../../../shared/wire/voice.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionBook } from '../connections/connection-book.ts';
import type { VoiceQuery } from '../voice-service/list-voices.ts';
import { isAskersMistake } from './askers-mistake.ts';
import { createListing, findOwnVoice } from './own-voices.ts';
import type { VoiceCopies } from './voice-copies.ts';
import { createWholePasses } from './whole-passes.ts';

/**
 * The voices of each connection, as the service lists them, or as it last did where it cannot be asked. What was seen is remembered,
 * so that a job can name its voice.
 */
export interface VoiceCatalogue {
  page(connectionId: string, query: VoiceQuery): Promise<CataloguePage>;
  /**
   * The voice with this id, of the catalogue or the person's own. Throws `voice/missing` for an empty id and `voice/not-found` for one
   * that is neither.
   */
  voice(connectionId: string, voiceId: string): Promise<Voice>;
  /** Voices that somebody else was told of. */
  remember(connectionId: string, voices: readonly Voice[]): void;
  /** Own voices of this name are gone: the next who asks for one hears it from the service. */
  forgetOwn(connectionId: string, name: string): void;
}

interface Dependencies {
  readonly connections: ConnectionBook;
  /** Where copies are kept. Rejects where the database cannot be opened: the catalogue then goes on without. */
  copies(): Promise<VoiceCopies>;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  /** A copy that could not be kept or read for a reason that nobody expected. */
  onDefect(error: unknown): void;
}

/** The most that the interface allows. */
const pageLimit = 100;
const mostRemembered = 20_000;

export function createVoiceCatalogue(dependencies: Dependencies): VoiceCatalogue {
  const { connections, copies, clock, signal, onDefect } = dependencies;
  const seen = new Map<string, Map<string, Voice>>();
  const passes = createWholePasses();

  function remember(connectionId: string, voices: readonly Voice[]): void {
    const known = seen.get(connectionId) ?? new Map<string, Voice>();
    for (const voice of voices) {
      // The oldest go: a catalogue without an end must not fill the memory.
      known.delete(voice.id);
      known.set(voice.id, voice);
      const [oldest] = known.keys();
      if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
    }
    seen.set(connectionId, known);
  }

  /** A copy is a convenience: where there is none to be had, whoever asks hears of the service and of nothing else. */
  async function withCopies<T>(work: (kept: VoiceCopies) => T): Promise<T | undefined> {
    try {
      return work(await copies());
    } catch (error) {
      signal.throwIfAborted();
      // A database that cannot be opened is told where its jobs would be.
      if (!(error instanceof AppError)) onDefect(error);
      return undefined;
    }
  }

  async function page(connectionId: string, query: VoiceQuery): Promise<CataloguePage> {
    const askedAt = clock.now();
    try {
      const answer = await connections.service(connectionId).listVoices(query, signal);
      remember(connectionId, answer.voices);
      const pass = passes.add(connectionId, query, answer, askedAt);
      if (pass) {
        await withCopies((kept) => {
          // One that was removed meanwhile has taken its copy along.
          if (connections.has(connectionId)) kept.replace(connectionId, pass.voices, pass.beganAt);
        });
      }
      return { ...answer, readAt: askedAt, problem: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError) || isAskersMistake(error)) throw error;
      const copy = await withCopies((kept) => kept.page(connectionId, query));
      if (!copy) throw error;
      remember(connectionId, copy.voices);
      return { ...copy, problem: error.problem };
    }
  }

  async function search(connectionId: string, voiceId: string): Promise<Voice | undefined> {
    const listing = createListing('voices');
    for (let number = 0; ; number += 1) {
      const { voices, total, limit } = await page(connectionId, { page: number, limit: pageLimit });
      const found = voices.find(({ id }) => id === voiceId);
      if (found) return found;
      if ((number + 1) * limit >= total || !listing.add(voices, total)) return undefined;
    }
  }

  async function searchOwn(connectionId: string, voiceId: string): Promise<Voice | undefined> {
    const found = await findOwnVoice(connections.service(connectionId), voiceId, signal);
    if (found) remember(connectionId, [found]);
    return found;
  }

  /** A catalogue without an end hides no voice of the person's own. */
  async function searchEverywhere(connectionId: string, voiceId: string): Promise<Voice | undefined> {
    let endless: AppError | undefined;
    try {
      const voice = await search(connectionId, voiceId);
      if (voice) return voice;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'service/endless-list') throw error;
      endless = error;
    }
    const own = await searchOwn(connectionId, voiceId);
    if (!own && endless) throw endless;
    return own;
  }

  return {
    page,
    async voice(connectionId, voiceId) {
      if (voiceId === '') throw new AppError('voice/missing', 'no voice was chosen');
      const voice = seen.get(connectionId)?.get(voiceId) ?? (await searchEverywhere(connectionId, voiceId));
      if (!voice) throw new AppError('voice/not-found', `no voice ${voiceId}`, { facts: { name: voiceId } });
      return voice;
    },
    remember,
    forgetOwn(connectionId, name) {
      const known = seen.get(connectionId);
      for (const voice of known?.values() ?? []) {
        if (voice.category === ownVoiceCategory && voice.name === name) known?.delete(voice.id);
      }
    },
  };
}
