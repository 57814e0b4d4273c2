import { AppError } from '../../../shared/errors.ts';
import type { ConnectionDocument, ConnectionInfo } from '../../../shared/schemas/connection.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createListeners } from '../events.ts';
import { createRedactor, type Redactor } from '../secrets/redact.ts';
import type { SecretPlace, SecretStore } from '../secrets/secret-store.ts';
import { originsOf } from '../voice-service/address.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { Http } from '../voice-service/http.ts';
import { createRateLimit, rateLimitedHttp } from '../voice-service/rate-limit.ts';
import { createVoiceService, type VoiceService } from '../voice-service/voice-service.ts';

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

/**
 * The engine on this computer listens elsewhere each time it starts, and keeps its results: their addresses are handed out as paths,
 * which lead to the engine as it runs when they are used.
 */
export const withLocalAddresses = (service: VoiceService, { access }: Connection): VoiceService => ({
  ...service,
  async convertAudio(conversion, signal) {
    const converted = await service.convertAudio(conversion, signal);
    return { ...converted, audioUrl: pathOf(converted.audioUrl) };
  },
  async speakText(speech, signal) {
    const spoken = await service.speakText(speech, signal);
    return spoken.kind === 'address' ? { ...spoken, audioUrl: pathOf(spoken.audioUrl) } : spoken;
  },
  async downloadResult(download, signal) {
    const { hosts } = await access(signal);
    return service.downloadResult({ ...download, audioUrl: new URL(download.audioUrl, hosts.voice).href }, signal);
  },
});

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** What the service expects back as it gave it: a short token stands in these by chance, and to strike it would break the call. */
const identifiers: ReadonlySet<string> = new Set(['id', 'voiceId', 'modelId', 'modelName', 'taskId', 'changerType']);
const leastInIdentifiers = 8;
/** What is longer is cut, because catalogues are kept in memory: never before the token was struck out, nor an identifier. */
const longest: Readonly<Record<string, number>> = {
  name: 1024,
  description: 10_000,
  language: 256,
  languageCode: 256,
  gender: 256,
  category: 256,
  creationDate: 256,
  pitch: 256,
  speed: 256,
  supportedFormats: 256,
};
/** Said by us. */
const own: ReadonlySet<string> = new Set(['kind', 'sha256']);

/** What a service answered, without any form of the tokens. Addresses can be restored, so that what was paid for can be fetched. */
function replyWithout(tokens: readonly string[], reply: unknown): unknown {
  const all = createRedactor(...tokens);
  const long = createRedactor(...tokens.filter(({ length }) => length >= leastInIdentifiers));
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (own.has(key)) return value;
      if (key === 'audioUrl') return long.hide(value);
      const said = (identifiers.has(key) ? long : all).strike(value);
      const most = longest[key] ?? Infinity;
      // A copy: a slice would keep all of it in memory.
      return said.length <= most ? said : Buffer.from(said.slice(0, most)).toString();
    }
    if (Array.isArray(value)) return value.map((one) => clean(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clean(one, name)]));
  };
  return clean(reply, '');
}

function errorWithout({ strike, problemWithout }: Redactor, error: AppError): AppError {
  const { code, facts, words } = problemWithout(error.problem);
  return new AppError(code, strike(error.message), { cause: error.cause, facts, words });
}

/**
 * The service of a connection, which does not say our token back, in what it answers or refuses: that ends in rows, logs, exports and
 * on the screen. Struck out is what was handed out for its calls; no keychain is asked again, for which a person who cancels would
 * have to wait.
 */
export function withoutToken(connection: Connection, open: (connection: Connection) => VoiceService): VoiceService {
  const handedOut = new Set<string>();
  async function access(signal: AbortSignal) {
    const given = await connection.access(signal);
    if (given.token !== null) handedOut.add(given.token);
    return given;
  }
  const service = open({ ...connection, access });
  const guarded = (call: Call): Call =>
    async function guard(...args) {
      try {
        const reply = await call(...args);
        return replyWithout([...handedOut], reply);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw errorWithout(createRedactor(...handedOut), error);
      }
    };
  const { downloadResult } = service;
  const restoring: VoiceService = {
    ...service,
    async downloadResult(download, signal) {
      const { token, hosts } = await access(signal);
      const address = createRedactor(token).restore(download.audioUrl);
      // To another than the service itself, the token is not said either.
      const isOwn = Object.values(hosts).some((base) => base !== '' && address.startsWith(`${new URL(base).origin}/`));
      return downloadResult(isOwn ? { ...download, audioUrl: address } : download, signal);
    },
  };
  // Each operation takes and gives what it did before.
  return Object.fromEntries(
    Object.entries(restoring).map(([name, call]) => [name, guarded(call as Call)]),
  ) as unknown as VoiceService;
}

/** All connections of this person, and the service behind each. */
export interface ConnectionRegistry {
  list(): readonly ConnectionInfo[];
  has(id: string): boolean;
  get(id: string): Connection;
  /** The connection with this id or name. */
  named(name: string): Connection;
  service(id: string): VoiceService;
  /** The service as a job knew it when it was made: the document may have been edited since, the token is today's. */
  serviceAsOf(id: string, document: ConnectionDocument): VoiceService;
  /** Adds a connection at the end, or puts it in the place of the one with its id. */
  put(connection: Connection): void;
  remove(id: string): void;
  /** The service with something between it and the network, behind the connection's pace: for those who want to see what passes. */
  serviceThrough(id: string, through: (http: Http) => Http): VoiceService;
  onChanged(listener: (connections: readonly ConnectionInfo[]) => void): () => void;
}

/** The network of one connection, and the wait for a paid call. */
interface Pace {
  readonly perMinute: number | null;
  readonly over: (http: Http) => Http;
  readonly turn: VoiceService['turn'];
}

const toInfo = ({ id, kind, document }: Connection): ConnectionInfo => ({
  id,
  kind,
  name: document.name,
  pitch: document.ranges.pitch,
  speed: document.ranges.speed,
  maxTextLength: document.limits.maxTextLength,
});

/** An address that the engine gave out ends with it, so the engine's are asked for at each call; a service's are in its document. */
const asOf = (connection: Connection, document: ConnectionDocument): Connection => ({
  ...connection,
  document,
  async access(signal) {
    const access = await connection.access(signal);
    if (connection.kind === 'local') return access;
    return { ...access, tokenOrigins: access.tokenOrigins ?? originsOf(access.hosts), hosts: document.hosts };
  },
});

const freely = () => Promise.resolve();

function createPace(perMinute: number | null, clock: Clock): Pace {
  if (perMinute === null) return { perMinute, over: (http) => http, turn: freely };
  const bucket = createRateLimit({ perMinute, clock });
  return { perMinute, over: (http) => rateLimitedHttp(http, bucket), turn: bucket.take };
}

export function createConnectionRegistry(
  http: Http,
  connections: readonly Connection[],
  clock: Clock = systemClock,
): ConnectionRegistry {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const listeners = createListeners<readonly ConnectionInfo[]>();
  /** One a connection, because it counts for all that use it. */
  const paces = new Map<string, Pace>();
  const list = () => [...byId.values()].map(toInfo);

  function get(id: string): Connection {
    const connection = byId.get(id);
    if (!connection) throw new AppError('connection/not-found', `no connection ${id}`, { facts: { name: id } });
    return connection;
  }

  function paceOf({ id, document }: Connection): Pace {
    const { requestsPerMinute } = document.limits;
    const known = paces.get(id);
    const pace = known?.perMinute === requestsPerMinute ? known : createPace(requestsPerMinute, clock);
    paces.set(id, pace);
    return pace;
  }

  function serviceOver(network: Http, id: string, document: ConnectionDocument): VoiceService {
    const connection = get(id);
    const pace = paceOf(connection);
    const service = withoutToken(asOf(connection, document), (own) =>
      createVoiceService(pace.over(network), own, pace.turn),
    );
    return connection.kind === 'local' ? withLocalAddresses(service, connection) : service;
  }

  return {
    list,
    has: (id) => byId.has(id),
    get,
    named: (name) => [...byId.values()].find(({ document }) => document.name === name) ?? get(name),
    service: (id) => serviceOver(http, id, get(id).document),
    serviceAsOf: (id, document) => serviceOver(http, id, document),
    serviceThrough: (id, through) => serviceOver(through(http), id, get(id).document),
    put(connection) {
      byId.set(connection.id, connection);
      listeners.tell(list());
    },
    remove(id) {
      if (!byId.delete(id)) return;
      paces.delete(id);
      listeners.tell(list());
    },
    onChanged: listeners.add,
  };
}

/** The same book, which tells what a service says beside the sound that it made of a text: no job keeps that. */
export const withSpokenListener = (
  book: ConnectionRegistry,
  onSpoken: (message: string | null) => void,
): ConnectionRegistry => ({
  ...book,
  serviceAsOf(id, document) {
    const service = book.serviceAsOf(id, document);
    return {
      ...service,
      async speakText(speech, signal) {
        const spoken = await service.speakText(speech, signal);
        onSpoken(spoken.message);
        return spoken;
      },
    };
  },
});

/**
 * Keeps a token for the origins that the connection has now. The same token entered again keeps those that it was entered for before,
 * for the jobs that were made then; another one leaves them behind.
 */
export async function enterToken(
  secrets: SecretStore,
  { id, document }: Pick<Connection, 'id' | 'document'>,
  token: string,
  wish?: 'file',
): Promise<SecretPlace> {
  const before = await secrets.get(id);
  const entered = before?.token === token ? before.origins : [];
  return secrets.set(id, { token, origins: [...new Set([...originsOf(document.hosts), ...entered])] }, wish);
}
