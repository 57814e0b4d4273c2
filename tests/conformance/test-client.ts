import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createHttp, type Http } from '../../src/main/core/voice-service/http.ts';
import { createServiceClient, type ServiceClient } from '../../src/main/core/voice-service/service-client.ts';
import { importConnection } from './import-connection.ts';
import type { Json } from './plain-client.ts';
import { startRecordingService, type RecordingService } from './recording-service.ts';

/** Our client for a file of tests, with a folder; services that are started here end with the file. */
export function useClient() {
  const services: { stop(): Promise<void> }[] = [];
  let http: Http;
  let folder = '';
  beforeAll(async () => {
    http = createHttp();
    folder = await mkdtemp(join(tmpdir(), 'timbre-conformance-'));
  });
  afterAll(async () => {
    await http.close();
    await Promise.all(services.map((service) => service.stop()));
    await rm(folder, { recursive: true, force: true });
  });
  const keep = <S extends { stop(): Promise<void> }>(service: S): S => {
    services.push(service);
    return service;
  };
  return {
    folder: () => folder,
    keep,
    /** A client that knows a service by its document alone. */
    client: (document: Json, token?: string): ServiceClient =>
      createServiceClient(http, importConnection(document, token)),
    record: async (...answers: Parameters<typeof startRecordingService>): Promise<RecordingService> =>
      keep(await startRecordingService(...answers)),
  };
}
