import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';

const range = { min: 0.5, max: 2, default: 1 };

/** The local engine. */
export const localInfo: ConnectionInfo = {
  id: 'local',
  name: 'This computer',
  kind: 'local',
  pitch: range,
  speed: range,
  maxTextLength: null,
};

/** A remote service. */
export const studioInfo: ConnectionInfo = { ...localInfo, id: 'studio', name: 'Studio', kind: 'remote' };
