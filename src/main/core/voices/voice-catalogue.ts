import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import { numberFact } from '../../../shared/messages/facts.ts';
import {
  type CataloguePage,
  ownVoiceCategory,
  type Voice,
  voiceOfModel,
  type VoicePage,
} from '../../../shared/schemas/voice.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import type { VoiceService } from '../voice-service/voice-service.ts';
import type { VoiceQuery } from '../voice-service/voices.ts';
import type { VoiceCache } from './voice-cache.ts';

/**
 * Whether asking again would be as wrong: the service answered, and it was the question that it refused. Such an error is told as it
 * is, because an older answer to a wrong question is none.
 */
export function isClientError({ code, problem }: AppError): boolean {
  if (code === 'request/invalid' || code === 'connection/not-found') return true;
  const status = numberFact(problem.facts ?? {}, 'status') ?? 0;
  return code === 'service/refused' && status >= 400 && status < 500;
}

const pageLimit = 100;
/** How services answer that have catalogues and no list of models. */
const noSuchList: ReadonlySet<ErrorCode> = new Set([
  'connection/invalid',
  'service/not-found',
  'service/refused',
  'service/not-understood',
]);

/** Of each of the two lists: a lookup that goes through both asks no more than a thousand times. */
const mostPages = 500;
const mostEntries = 1_000_000;

/**
 * Whether to ask for another page of a list: not behind one that brings nothing new. Throws `service/not-understood` where the service
 * promises more than there can be, or brings something new without an end.
 */
export function createListing(list: 'voices' | 'models') {
  const ids = new Set<string>();
  let pages = 0;
  return {
    add(entries: readonly { readonly id: string }[], total: number): boolean {
      pages += 1;
      const before = ids.size;
      for (const { id } of entries) ids.add(id);
      if (pages >= mostPages || total > mostEntries) {
        throw new AppError('service/endless-list', `the list of ${list} has no end: page ${pages}, total ${total}`);
      }
      return ids.size > before;
    },
  };
}

/**
 * One of the person's own voices, which are in no catalogue. Undefined where there is none, or where the service has no such list;
 * throws what kept it from answering.
 */
export async function findOwnVoice(
  service: Pick<VoiceService, 'listModels'>,
  id: string,
  signal: AbortSignal,
): Promise<Voice | undefined> {
  try {
    const listing = createListing('models');
    for (let page = 1; ; page += 1) {
      const { models, pages, total } = await service.listModels({ page, limit: pageLimit }, signal);
      const found = models.find(({ voiceId }) => voiceId === id);
      if (found) return voiceOfModel(found);
      if (page >= pages || !listing.add(models, total)) return undefined;
    }
  } catch (error) {
    if (error instanceof AppError && noSuchList.has(error.code)) return undefined;
    throw error;
  }
}

/** A catalogue that was read from its first page to its last. */
export interface CatalogueSnapshot {
  readonly voices: readonly Voice[];
  /** When its first page was asked for: no voice in it is older news. */
  readonly beganAt: number;
}

export interface CatalogueSnapshots {
  /** Takes a page that the service answered; gives the whole catalogue with the page that ends it. */
  add(connectionId: string, query: VoiceQuery, answer: VoicePage, askedAt: number): CatalogueSnapshot | undefined;
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
export function createCatalogueSnapshots(): CatalogueSnapshots {
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
  readonly connections: ConnectionRegistry;
  /** Where copies are kept. Rejects where the database cannot be opened: the catalogue then goes on without. */
  copies(): Promise<VoiceCache>;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  /** A copy that could not be kept or read for a reason that nobody expected. */
  onDefect(error: unknown): void;
}
const mostRemembered = 20_000;

export function createVoiceCatalogue(dependencies: Dependencies): VoiceCatalogue {
  const { connections, copies, clock, signal, onDefect } = dependencies;
  const seen = new Map<string, Map<string, Voice>>();
  const passes = createCatalogueSnapshots();

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
  async function withCopies<T>(work: (kept: VoiceCache) => T): Promise<T | undefined> {
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
      if (!(error instanceof AppError) || isClientError(error)) throw error;
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
