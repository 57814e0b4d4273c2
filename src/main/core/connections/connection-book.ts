import { AppError } from '../../../shared/app-error.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import type { ConnectionInfo } from '../../../shared/wire/connection.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { Http } from '../voice-service/http.ts';
import { pacedHttp } from '../voice-service/paced-http.ts';
import { createTokenBucket } from '../voice-service/token-bucket.ts';
import { createVoiceService, type VoiceService } from '../voice-service/voice-service.ts';
import { withLocalAddresses } from './local-addresses.ts';

/** All connections of this person, and the service behind each. */
export interface ConnectionBook {
  list(): readonly ConnectionInfo[];
  has(id: string): boolean;
  get(id: string): Connection;
  service(id: string): VoiceService;
  /** The service as a job knew it when it was made: the document may have been edited since, the token is today's. */
  serviceAsOf(id: string, document: ConnectionDocument): VoiceService;
}

const toInfo = ({ id, kind, document }: Connection): ConnectionInfo => ({
  id,
  kind,
  name: document.name,
  pitch: document.ranges.pitch,
  speed: document.ranges.speed,
});

/** An address that the engine gave out ends with it, so the engine's are asked for at each call; a service's are in its document. */
const asOf = (connection: Connection, document: ConnectionDocument): Connection => ({
  ...connection,
  document,
  async access(signal) {
    const access = await connection.access(signal);
    return connection.kind === 'local' ? access : { ...access, hosts: document.hosts };
  },
});

/** The network of one connection, and the wait for a paid call. */
interface Pace {
  readonly http: Http;
  readonly turn: VoiceService['turn'];
}

const freely = () => Promise.resolve();

function paced(http: Http, perMinute: number, clock: Clock): Pace {
  const bucket = createTokenBucket({ perMinute, clock });
  return { http: pacedHttp(http, bucket), turn: bucket.take };
}

export function createConnectionBook(
  http: Http,
  connections: readonly Connection[],
  clock: Clock = systemClock,
): ConnectionBook {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const get = (id: string): Connection => {
    const connection = byId.get(id);
    if (!connection) throw new AppError('connection/not-found', `no connection ${id}`, { facts: { name: id } });
    return connection;
  };
  /** One a connection, because it counts for all that use it. */
  const paces = new Map<string, Pace>();
  const paceOf = ({ id, document }: Connection): Pace => {
    const { requestsPerMinute: perMinute } = document.limits;
    const pace = paces.get(id) ?? (perMinute === null ? { http, turn: freely } : paced(http, perMinute, clock));
    paces.set(id, pace);
    return pace;
  };
  const serviceAsOf = (id: string, document: ConnectionDocument): VoiceService => {
    const connection = get(id);
    const pace = paceOf(connection);
    const service = createVoiceService(pace.http, asOf(connection, document), pace.turn);
    return connection.kind === 'local' ? withLocalAddresses(service, connection) : service;
  };
  return {
    list: () => connections.map(toInfo),
    has: (id) => byId.has(id),
    get,
    service: (id) => serviceAsOf(id, get(id).document),
    serviceAsOf,
  };
}
