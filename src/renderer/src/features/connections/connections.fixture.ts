import type { ConnectionInfo } from '../../../../shared/schemas/connection.ts';

const range = { min: 0.5, max: 2, default: 1 };

/** The engine of this computer, as main tells of it. */
export const localInfo: ConnectionInfo = {
  id: 'local',
  name: 'This computer',
  kind: 'local',
  pitch: range,
  speed: range,
  maxTextLength: null,
};

/** A service. */
export const studioInfo: ConnectionInfo = { ...localInfo, id: 'studio', name: 'Studio', kind: 'remote' };
