import * as v from 'valibot';
import { connectionSchema } from '../../../shared/schemas/connection.ts';
import type { Connection } from '../voice-service/connection.ts';
import type { LocalEngine } from './local-engine.ts';

export const localConnectionId = 'local';

/** As it is called in documents and on the command line; the window has its own word in each language. */
export const localConnectionName = 'This computer';

/**
 * "This computer": exists from the first start and needs no account. It stores no address, because the engine listens on another
 * port each time, and it may repeat a conversion whose answer was lost, because the engine keeps what it finished.
 */
export function createLocalConnection(engine: LocalEngine, concurrency: () => number): Connection {
  const document = v.parse(connectionSchema, {
    name: localConnectionName,
    hosts: { voice: '', upload: '' },
    ranges: { pitch: { min: 0.25, max: 4, default: 1 }, speed: { min: 0.25, max: 4, default: 1 } },
    unknownOutcome: 'repeat',
  });
  return {
    id: localConnectionId,
    kind: 'local',
    get document() {
      return { ...document, limits: { ...document.limits, maxConcurrent: concurrency() } };
    },
    access: (signal) => engine.access(signal),
  };
}
