import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { Protocol } from '../chromium/cdp.mts';
import { strict } from '../strict.mts';

type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<CheckHandler>>[1];

/** Electron's permissions that DevTools can grant. */
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
  /** Permissions of the pages; Chromium denies all others without a prompt. */
  granted(): Protocol.Browser.PermissionType[];
}

/**
 * Electron's `session` with only the default session. Chromium denies every permission except those that the check
 * handler allows; it is called once, when it is set, for all pages and origins. The other handlers could only deny again:
 * they are accepted and never called.
 *
 * @param onChange - called when `granted` may have changed
 */
export function createSession(onChange: () => void): SessionHost {
  const ignore = () => undefined;
  let granted: Protocol.Browser.PermissionType[] = [];

  const members = {
    setPermissionCheckHandler(handler: CheckHandler) {
      const isAllowed = (permission: string) =>
        handler?.(null, permission as Permission, '', { isMainFrame: true }) ?? false;
      granted = Object.entries(grantable).flatMap(([permission, types]) => (isAllowed(permission) ? types : []));
      onChange();
    },
    setPermissionRequestHandler: ignore,
    setDevicePermissionHandler: ignore,
    setDisplayMediaRequestHandler: ignore,
    // The host's Chromium has no dictionaries.
    setSpellCheckerEnabled: ignore,
  } satisfies Partial<Electron.Session>;
  const defaultSession = strict('session.defaultSession', Object.assign(new EventEmitter(), members));

  return {
    session: strict('session', { defaultSession }) as unknown as typeof Electron.session,
    granted: () => granted,
  };
}
