import { AppError, type ErrorCode, type Problem } from '../../../shared/errors.ts';
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
import type { ServiceClient } from '../voice-service/service-client.ts';
import type { VoiceQuery } from '../voice-service/voices.ts';
import type { VoiceCache } from './voice-cache.ts';

/**
 * True if the service rejected the request itself, so that a retry fails too. Such an error is
 * reported as it is: a cached reply to a wrong request would be wrong.
 */
function isClientError({ code, problem }: AppError): boolean {
  if (code === 'request/invalid' || code === 'connection/not-found') return true;
  const status = numberFact(problem.facts ?? {}, 'status') ?? 0;
  return code === 'service/refused' && status >= 400 && status < 500;
}

const pageLimit = 100;
/** Errors of services that have catalogues but no list of models. */
const noModelListCodes: ReadonlySet<ErrorCode> = new Set([
  'connection/invalid',
  'service/not-found',
  'service/refused',
  'service/not-understood',
]);
/** True if the service has catalogues only: nobody has voices of their own there. */
export const hasNoModelList = (error: unknown): boolean =>
  error instanceof AppError && noModelListCodes.has(error.code);

/** Errors of services that have no page after the last one, which may lack voices that they count. */
const noPageCodes: ReadonlySet<ErrorCode> = new Set(['service/not-found', 'service/refused']);

/** Per list: looking a voice up in both makes at most 1,000 requests. */
const maxPages = 500;
const maxEntries = 1_000_000;

/**
 * Decides whether to request another page: not after one without new entries. Throws
 * `service/not-understood` if the service announces an impossible total or never stops sending new
 * entries.
 */
function createListing(list: 'voices' | 'models') {
  const ids = new Set<string>();
  let pages = 0;
  return {
    add(entries: readonly { readonly id: string }[], total: number): boolean {
      pages += 1;
      const before = ids.size;
      for (const { id } of entries) ids.add(id);
      if (pages >= maxPages || total > maxEntries) {
        throw new AppError('service/endless-list', `the list of ${list} has no end: page ${pages}, total ${total}`);
      }
      return ids.size > before;
    },
  };
}

async function collect(pages: AsyncIterable<readonly Voice[]>): Promise<readonly Voice[]> {
  const all: Voice[] = [];
  for await (const voices of pages) all.push(...voices);
  return all;
}

/**
 * The user's own voices, which no catalogue contains, page by page; none if the service has no such list. Throws other
 * errors.
 */
async function* ownVoicePages(
  service: Pick<ServiceClient, 'listModels'>,
  signal: AbortSignal,
): AsyncGenerator<readonly Voice[], void> {
  const listing = createListing('models');
  let received = 0;
  for (let page = 1; ; page += 1) {
    let reply;
    try {
      reply = await service.listModels({ page, limit: pageLimit }, signal);
    } catch (error) {
      if (hasNoModelList(error)) return;
      throw error;
    }
    yield reply.models.map(voiceOfModel);
    received += reply.models.length;
    const isLast = page >= reply.pages && received >= reply.total;
    if (isLast || !listing.add(reply.models, reply.total)) return;
  }
}

/** A catalogue read from its first to its last page. */
interface CatalogueSnapshot {
  readonly voices: readonly Voice[];
  /** Time of the first page's request: no voice in the snapshot is older. */
  readonly startedAt: number;
}

interface CatalogueAssembler {
  /** Adds a page; returns the complete catalogue with its last page. */
  add(connectionId: string, query: VoiceQuery, reply: VoicePage, requestedAt: number): CatalogueSnapshot | undefined;
}

interface Pass {
  nextPage: number;
  readonly total: number;
  readonly startedAt: number;
  /** Number of received entries, including duplicates. */
  received: number;
  readonly voices: Map<string, Voice>;
}

/** Larger catalogues are not cached. */
const maxVoices = 20_000;

const isFiltered = ({ category = '', gender = '', language = '' }: VoiceQuery): boolean =>
  [category, gender, language].some((filter) => filter !== '' && filter !== 'all');

/**
 * Assembles catalogues that any caller pages through in order, several at once by page size. A page
 * out of order or a changed total means that the catalogue changed: only a new first page starts
 * again.
 */
export function createCatalogueAssembler(): CatalogueAssembler {
  const passes = new Map<string, Map<number, Pass>>();

  return {
    add(connectionId, query, { voices, total }, requestedAt) {
      if (isFiltered(query) || total > maxVoices) return undefined;
      const { page, limit } = query;
      const connectionPasses = passes.get(connectionId) ?? new Map<number, Pass>();
      passes.set(connectionId, connectionPasses);
      const pass: Pass | undefined =
        page === 0
          ? { nextPage: 0, total, startedAt: requestedAt, received: 0, voices: new Map() }
          : connectionPasses.get(limit);
      if (pass?.nextPage !== page || pass.total !== total) {
        connectionPasses.delete(limit);
        return undefined;
      }
      if (pass.voices.size + voices.length > maxVoices) {
        connectionPasses.delete(limit);
        return undefined;
      }
      pass.nextPage += 1;
      pass.received += voices.length;
      for (const voice of voices) pass.voices.set(voice.id, voice);
      // An empty page after the first completes the catalogue, whatever its total says; an empty first
      // page does not.
      const isComplete = pass.received >= total || (voices.length === 0 && page > 0);
      if (isComplete || voices.length === 0) connectionPasses.delete(limit);
      else connectionPasses.set(limit, pass);
      return isComplete ? { voices: [...pass.voices.values()], startedAt: pass.startedAt } : undefined;
    },
  };
}

export interface AllVoices {
  readonly voices: readonly Voice[];
  /** Why voices may be missing: the catalogue is from the cache, or the user's own cannot be listed. */
  readonly problem: Problem | null;
}

const foldName = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Returns a function that finds the voice of an id, or else those of a name in any case. */
export function createVoiceFinder(voices: readonly Voice[]): (written: string) => readonly Voice[] {
  const byId = new Map(voices.map((voice) => [voice.id, voice]));
  const byName = Map.groupBy(byId.values(), ({ name }) => foldName(name));
  return (written) => {
    const voice = byId.get(written);
    return voice ? [voice] : (byName.get(foldName(written)) ?? []);
  };
}

/**
 * The voices of each connection, from the service, or from the cache if the service cannot be
 * reached. Seen voices are remembered, so that jobs can show their names.
 */
export interface VoiceCatalogue {
  listPage(connectionId: string, query: VoiceQuery): Promise<CataloguePage>;
  /**
   * Finds a voice in the catalogue or among the user's own. Throws `voice/missing` for an empty id
   * and `voice/not-found` for an unknown one.
   */
  get(connectionId: string, voiceId: string): Promise<Voice>;
  /** All voices of the catalogue and the user's own. Throws if the catalogue cannot be read. */
  listAll(connectionId: string): Promise<AllVoices>;
  /** Remembers voices received elsewhere. */
  remember(connectionId: string, voices: readonly Voice[]): void;
  /** Forgets own voices of this name after their deletion; the next lookup asks the service. */
  forgetOwn(connectionId: string, name: string): void;
}

interface Dependencies {
  readonly connections: ConnectionRegistry;
  /** The cache. Rejects if the database cannot be opened; the catalogue then works without it. */
  cache(): Promise<VoiceCache>;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  /** Reports unexpected errors of the cache. */
  onDefect(error: unknown): void;
}
const maxRemembered = 20_000;

export function createVoiceCatalogue(dependencies: Dependencies): VoiceCatalogue {
  const { connections, cache, clock, signal, onDefect } = dependencies;
  const seen = new Map<string, Map<string, Voice>>();
  const assembler = createCatalogueAssembler();

  function remember(connectionId: string, voices: readonly Voice[]): void {
    const known = seen.get(connectionId) ?? new Map<string, Voice>();
    for (const voice of voices) {
      // Drops the oldest, so that an endless catalogue cannot fill the memory.
      known.delete(voice.id);
      known.set(voice.id, voice);
      const [oldest] = known.keys();
      if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
    }
    seen.set(connectionId, known);
  }

  /** The cache is optional: its errors never reach the caller. */
  async function withCache<T>(work: (voiceCache: VoiceCache) => T): Promise<T | undefined> {
    try {
      return work(await cache());
    } catch (error) {
      signal.throwIfAborted();
      // A database that cannot be opened is reported with its jobs.
      if (!(error instanceof AppError)) onDefect(error);
      return undefined;
    }
  }

  async function listPage(connectionId: string, query: VoiceQuery): Promise<CataloguePage> {
    const requestedAt = clock.now();
    try {
      const reply = await connections.service(connectionId).listVoices(query, signal);
      remember(connectionId, reply.voices);
      const pass = assembler.add(connectionId, query, reply, requestedAt);
      if (pass) {
        await withCache((voiceCache) => {
          // A connection removed in the meantime has lost its cache entry too.
          if (connections.has(connectionId)) voiceCache.replace(connectionId, pass.voices, pass.startedAt);
        });
      }
      return { ...reply, readAt: requestedAt, problem: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError) || isClientError(error)) throw error;
      const cached = await withCache((voiceCache) => voiceCache.findPage(connectionId, query));
      if (!cached) throw error;
      remember(connectionId, cached.voices);
      return { ...cached, problem: error.problem };
    }
  }

  /** `onCached` is called with the reason if a page is from the cache. */
  async function* cataloguePages(
    connectionId: string,
    onCached: (problem: Problem) => void = () => undefined,
  ): AsyncGenerator<readonly Voice[], void> {
    const listing = createListing('voices');
    let received = 0;
    for (let number = 0, end = Infinity; ; number += 1) {
      const page = await listPage(connectionId, { page: number, limit: pageLimit }).catch((error: unknown) => {
        if (error instanceof AppError && number >= end && noPageCodes.has(error.code)) return undefined;
        throw error;
      });
      if (!page || (page.problem && number >= end && noPageCodes.has(page.problem.code))) return;
      const { voices, total, limit, problem } = page;
      end = total / limit;
      if (problem) onCached(problem);
      yield voices;
      received += voices.length;
      // Counted, as a service may send fewer in a page than it says.
      if (received >= total || !listing.add(voices, total)) return;
    }
  }

  async function search(pages: AsyncIterable<readonly Voice[]>, voiceId: string): Promise<Voice | undefined> {
    for await (const voices of pages) {
      const found = voices.find(({ id }) => id === voiceId);
      if (found) return found;
    }
    return undefined;
  }

  const ownPages = (connectionId: string) => ownVoicePages(connections.service(connectionId), signal);

  async function searchOwn(connectionId: string, voiceId: string): Promise<Voice | undefined> {
    const found = await search(ownPages(connectionId), voiceId);
    if (found) remember(connectionId, [found]);
    return found;
  }

  /** An endless catalogue must not hide the user's own voices. */
  async function searchEverywhere(connectionId: string, voiceId: string): Promise<Voice | undefined> {
    let endless: AppError | undefined;
    try {
      const voice = await search(cataloguePages(connectionId), voiceId);
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
    listPage,
    async listAll(connectionId) {
      let problem: Problem | null = null;
      const voices = await collect(cataloguePages(connectionId, (cause) => (problem = cause)));
      try {
        return { voices: [...voices, ...(await collect(ownPages(connectionId)))], problem };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        return { voices, problem: error.problem };
      }
    },
    async get(connectionId, voiceId) {
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
