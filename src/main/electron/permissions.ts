import type { Session } from 'electron';

/** Writing text that was just copied is the one thing that the page may do beyond its own window. */
const allowed: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Electron grants everything that nobody refuses, so all four doors get a guard. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => allowed.has(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
}
