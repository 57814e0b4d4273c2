import { AppError } from '../../../shared/errors.ts';
import type { ConnectionDocument, ConnectionInfo } from '../../../shared/schemas/connection.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createListeners } from '../events.ts';
import { createRedactor, type Redactor } from '../secrets/redact.ts';
import type { SecretPlace, SecretStore } from '../secrets/secret-store.ts';
import { originsOf } from '../voice-service/address.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { Http } from '../voice-service/http.ts';
import { createRateLimiter, rateLimitedHttp } from '../voice-service/rate-limiter.ts';
import { createServiceClient, type ServiceClient } from '../voice-service/service-client.ts';

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

/**
 * The local engine uses another port after each start but keeps its results. Result URLs are
 * therefore handed out as paths and resolved against the running engine when used.
 */
const withLocalAddresses = (service: ServiceClient, { access }: Connection): ServiceClient => ({
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

/**
 * Values that must be sent back unchanged: a short token may occur in them by chance, and redacting
 * it would break the call.
 */
const identifiers: ReadonlySet<string> = new Set(['id', 'voiceId', 'modelId', 'modelName', 'taskId', 'changerType']);
const minLengthInIdentifiers = 8;
/**
 * Maximum lengths, because catalogues are kept in memory. Text is redacted before it is cut;
 * identifiers are never cut.
 */
const maxLengths: Readonly<Record<string, number>> = {
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
/** Fields that Timbre sets itself. */
const ownFields: ReadonlySet<string> = new Set(['kind', 'sha256']);

/** A reply without any form of the tokens. URLs can be restored, so that paid results can be downloaded. */
function replyWithout(tokens: readonly string[], reply: unknown): unknown {
  const anyToken = createRedactor(...tokens);
  const longTokens = createRedactor(...tokens.filter(({ length }) => length >= minLengthInIdentifiers));
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (ownFields.has(key)) return value;
      if (key === 'audioUrl') return longTokens.hide(value);
      const redactedText = (identifiers.has(key) ? longTokens : anyToken).redact(value);
      const maxLength = maxLengths[key] ?? Infinity;
      // Copies, since a slice would keep the whole text in memory.
      return redactedText.length <= maxLength ? redactedText : Buffer.from(redactedText.slice(0, maxLength)).toString();
    }
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, clean(field, name)]));
  };
  return clean(reply, '');
}

function errorWithout({ redact, problemWithout }: Redactor, error: AppError): AppError {
  const { code, facts, words } = problemWithout(error.problem);
  return new AppError(code, redact(error.message), { cause: error.cause, facts, words });
}

/**
 * Redacts the connection's token in replies and errors of its service, which end up in rows, logs,
 * exports and on screen. Only tokens already handed out for calls are redacted; the keychain is not
 * asked again, because cancelling must not wait for it.
 */
function withoutToken(connection: Connection, open: (connection: Connection) => ServiceClient): ServiceClient {
  const handedOut = new Set<string>();
  async function access(signal: AbortSignal) {
    const granted = await connection.access(signal);
    if (granted.token !== null) handedOut.add(granted.token);
    return granted;
  }
  const service = open({ ...connection, access });
  const guarded = (call: Call): Call =>
    async function guardedCall(...args) {
      try {
        const reply = await call(...args);
        return replyWithout([...handedOut], reply);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw errorWithout(createRedactor(...handedOut), error);
      }
    };
  const { downloadResult } = service;
  const restoring: ServiceClient = {
    ...service,
    async downloadResult(download, signal) {
      const { token, hosts } = await access(signal);
      const address = createRedactor(token).restore(download.audioUrl);
      // Requests to other hosts carry no token. A relative address is one of the service.
      const { origin } = URL.parse(address, hosts.voice) ?? {};
      const isOwn = origin !== undefined && originsOf(hosts).includes(origin);
      return downloadResult(isOwn ? { ...download, audioUrl: address } : download, signal);
    },
  };
  // The wrapper keeps the type of each operation.
  return Object.fromEntries(
    Object.entries(restoring).map(([name, call]) => [name, guarded(call as Call)]),
  ) as unknown as ServiceClient;
}

/** All connections of the user, and the service of each. */
export interface ConnectionRegistry {
  list(): readonly ConnectionInfo[];
  has(id: string): boolean;
  get(id: string): Connection;
  getInfo(id: string): ConnectionInfo;
  /** Display name; the id of one that was removed. */
  nameOf(id: string): string;
  service(id: string): ServiceClient;
  /**
   * The service with the document that a job was made with, and the current token. `wrap` sees each request
   * once the rate limit lets it through.
   */
  serviceWithDocument(id: string, document: ConnectionDocument, wrap?: (http: Http) => Http): ServiceClient;
  /** Adds a connection, or replaces the one with the same id in its place. */
  upsert(connection: Connection): void;
  remove(id: string): void;
  /**
   * The service with a wrapper around its network, inside the connection's rate limit: for
   * recording requests.
   */
  serviceWithHttp(id: string, through: (http: Http) => Http): ServiceClient;
  onChanged(listener: (connections: readonly ConnectionInfo[]) => void): () => void;
}

/** The network of one connection, and its wait for paid calls. */
interface ConnectionLimits {
  readonly perMinute: number | null;
  readonly wrapHttp: (http: Http) => Http;
  readonly waitForRateLimit: ServiceClient['waitForRateLimit'];
}

const toInfo = ({ id, kind, document }: Connection): ConnectionInfo => ({
  id,
  kind,
  name: document.name,
  pitch: document.ranges.pitch,
  speed: document.ranges.speed,
  maxTextLength: document.limits.maxTextLength,
});

/**
 * URLs of the engine become invalid when it stops, so its hosts are resolved per call; a service's
 * are in its document.
 */
const withDocument = (connection: Connection, document: ConnectionDocument): Connection => ({
  ...connection,
  document,
  async access(signal) {
    const access = await connection.access(signal);
    if (connection.kind === 'local') return access;
    return { ...access, tokenOrigins: access.tokenOrigins ?? originsOf(access.hosts), hosts: document.hosts };
  },
});

const noWait = () => Promise.resolve();

function createLimits(perMinute: number | null, clock: Clock): ConnectionLimits {
  if (perMinute === null) return { perMinute, wrapHttp: (http) => http, waitForRateLimit: noWait };
  const limiter = createRateLimiter({ perMinute, clock });
  return { perMinute, wrapHttp: (http) => rateLimitedHttp(http, limiter), waitForRateLimit: limiter.acquire };
}

export function createConnectionRegistry(
  http: Http,
  connections: readonly Connection[],
  clock: Clock = systemClock,
): ConnectionRegistry {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const listeners = createListeners<readonly ConnectionInfo[]>();
  /** One per connection: the rate limit counts all its users. */
  const limitsById = new Map<string, ConnectionLimits>();
  const list = () => [...byId.values()].map(toInfo);

  function get(id: string): Connection {
    const connection = byId.get(id);
    if (!connection) throw new AppError('connection/not-found', `no connection ${id}`, { facts: { name: id } });
    return connection;
  }

  function limitsOf({ id, document }: Connection): ConnectionLimits {
    const { requestsPerMinute } = document.limits;
    const known = limitsById.get(id);
    const limits = known?.perMinute === requestsPerMinute ? known : createLimits(requestsPerMinute, clock);
    limitsById.set(id, limits);
    return limits;
  }

  function serviceOver(network: Http, id: string, document: ConnectionDocument): ServiceClient {
    const connection = get(id);
    const limits = limitsOf(connection);
    const service = withoutToken(withDocument(connection, document), (own) =>
      createServiceClient(limits.wrapHttp(network), own, limits.waitForRateLimit),
    );
    return connection.kind === 'local' ? withLocalAddresses(service, connection) : service;
  }

  return {
    list,
    has: (id) => byId.has(id),
    get,
    getInfo: (id) => toInfo(get(id)),
    nameOf: (id) => byId.get(id)?.document.name ?? id,
    service: (id) => serviceOver(http, id, get(id).document),
    serviceWithDocument: (id, document, wrap = (own) => own) => serviceOver(wrap(http), id, document),
    serviceWithHttp: (id, through) => serviceOver(through(http), id, get(id).document),
    upsert(connection) {
      byId.set(connection.id, connection);
      listeners.emit(list());
    },
    remove(id) {
      if (!byId.delete(id)) return;
      limitsById.delete(id);
      listeners.emit(list());
    },
    onChanged: listeners.add,
  };
}

/** A registry that also reports the message a service sends with generated speech, which no job stores. */
export const withSpokenListener = (
  registry: ConnectionRegistry,
  onSpoken: (message: string | null) => void,
): ConnectionRegistry => ({
  ...registry,
  serviceWithDocument(id, document, wrap) {
    const service = registry.serviceWithDocument(id, document, wrap);
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

/** The token of a text that was entered: of a header that was copied whole, what its document puts around the token is no part. */
export function tokenIn(text: string, { authorization }: Pick<ConnectionDocument, 'authorization'>): string {
  const [before = '', after = ''] = authorization.split('{token}');
  const value = text.replace(/^authorization:\s*/i, '');
  const isWhole = value.toLowerCase().startsWith(before.toLowerCase()) && value.endsWith(after);
  const token = isWhole ? value.slice(before.length, value.length - after.length).trim() : value;
  return token === '' ? text : token;
}

/**
 * Stores a token for the connection's current origins. Entering the same token again keeps its
 * previous origins, which older jobs still use; a new token drops them.
 */
export async function enterToken(
  secrets: SecretStore,
  { id, document }: Pick<Connection, 'id' | 'document'>,
  entered: string,
  intent?: 'file',
): Promise<SecretPlace> {
  const token = tokenIn(entered, document);
  const before = await secrets.get(id);
  const previousOrigins = before?.token === token ? before.origins : [];
  return secrets.set(id, { token, origins: [...new Set([...originsOf(document.hosts), ...previousOrigins])] }, intent);
}
