import { AppError } from '../../../shared/app-error.ts';
import type { ConnectionDocument, ConnectionInfo } from '../../../shared/wire/connection.ts';
import { systemClock, type Clock } from '../clock.ts';
import { createListeners } from '../listeners.ts';
import { originsOf } from '../voice-service/address.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { Http } from '../voice-service/http.ts';
import { pacedHttp } from '../voice-service/paced-http.ts';
import { createTokenBucket } from '../voice-service/token-bucket.ts';
import { createVoiceService, type VoiceService } from '../voice-service/voice-service.ts';
import { withLocalAddresses } from './local-addresses.ts';
import { withoutToken } from './without-token.ts';

/** All connections of this person, and the service behind each. */
export interface ConnectionBook {
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
  const bucket = createTokenBucket({ perMinute, clock });
  return { perMinute, over: (http) => pacedHttp(http, bucket), turn: bucket.take };
}

export function createConnectionBook(
  http: Http,
  connections: readonly Connection[],
  clock: Clock = systemClock,
): ConnectionBook {
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
