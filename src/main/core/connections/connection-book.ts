import { AppError } from '../../../shared/app-error.ts';
import type { ConnectionInfo } from '../../../shared/wire/connection.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { Http } from '../voice-service/http.ts';
import { createVoiceService, type VoiceService } from '../voice-service/voice-service.ts';

/** All connections of this person, and the service behind each. */
export interface ConnectionBook {
  list(): readonly ConnectionInfo[];
  get(id: string): Connection;
  service(id: string): VoiceService;
}

const toInfo = ({ id, kind, document }: Connection): ConnectionInfo => ({
  id,
  kind,
  name: document.name,
  pitch: document.ranges.pitch,
  speed: document.ranges.speed,
});

export function createConnectionBook(http: Http, connections: readonly Connection[]): ConnectionBook {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const get = (id: string): Connection => {
    const connection = byId.get(id);
    if (!connection) throw new AppError('connection/not-found', `no connection ${id}`, { facts: { name: id } });
    return connection;
  };
  return {
    list: () => connections.map(toInfo),
    get,
    service: (id) => createVoiceService(http, get(id)),
  };
}
