import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { Protocol } from '../chromium/cdp.mts';
import { strict } from '../strict.mts';

type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<CheckHandler>>[1];

/** Electron's permissions, as far as DevTools can grant them. */
const grantable: Partial<Record<Permission, Protocol.Browser.PermissionType[]>> = {
  'clipboard-read': ['clipboardReadWrite'],
  'clipboard-sanitized-write': ['clipboardSanitizedWrite'],
  geolocation: ['geolocation'],
  'idle-detection': ['idleDetection'],
  media: ['audioCapture', 'videoCapture'],
  midi: ['midi'],
  midiSysex: ['midiSysex'],
  notifications: ['notifications'],
};

export interface SessionHost {
  readonly session: typeof Electron.session;
  /** What the pages may do; all else is refused by Chromium without a prompt. */
  granted(): Protocol.Browser.PermissionType[];
}

/**
 * Electron's `session` with its one default session. Chromium refuses every permission, except those that the check
 * handler allows: it's asked once, when it is set, for any page at any origin. The other handlers could only refuse
 * once more; they are taken and never asked.
 *
 * @param onChange - called when `granted` may have changed
 */
export function createSession(onChange: () => void): SessionHost {
  const taken = () => undefined;
  let granted: Protocol.Browser.PermissionType[] = [];

  const members = {
    setPermissionCheckHandler(handler: CheckHandler) {
      const isAllowed = (permission: string) =>
        handler?.(null, permission as Permission, '', { isMainFrame: true }) ?? false;
      granted = Object.entries(grantable).flatMap(([permission, types]) => (isAllowed(permission) ? types : []));
      onChange();
    },
    setPermissionRequestHandler: taken,
    setDevicePermissionHandler: taken,
    setDisplayMediaRequestHandler: taken,
    // The host's Chromium has no dictionaries to check with.
    setSpellCheckerEnabled: taken,
  } satisfies Partial<Electron.Session>;
  const defaultSession = strict('session.defaultSession', Object.assign(new EventEmitter(), members));

  return {
    session: strict('session', { defaultSession }) as unknown as typeof Electron.session,
    granted: () => granted,
  };
}
