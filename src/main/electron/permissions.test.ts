import type { Session } from 'electron';
import { describe, expect, it } from 'vitest';
import { refusePermissions } from './permissions.ts';

/** Every permission that electron.d.ts 45 names, for requests and for checks. */
const all = [
  'clipboard-read',
  'clipboard-sanitized-write',
  'deprecated-sync-clipboard-read',
  'display-capture',
  'fileSystem',
  'fullscreen',
  'geolocation',
  'hid',
  'idle-detection',
  'keyboardLock',
  'media',
  'mediaKeySystem',
  'midi',
  'midiSysex',
  'notifications',
  'openExternal',
  'pointerLock',
  'serial',
  'speaker-selection',
  'storage-access',
  'top-level-storage-access',
  'unknown',
  'usb',
  'window-management',
];

function handlers() {
  const given: Record<string, (...args: unknown[]) => unknown> = {};
  const keep = (name: string) => (handler: (...args: unknown[]) => unknown) => void (given[name] = handler);
  refusePermissions({
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
    setDisplayMediaRequestHandler: keep('display'),
  } as unknown as Session);
  return given;
}

describe('a page', () => {
  it('is refused every permission but writing text that was copied', () => {
    const { request, check } = handlers();
    const asked = (permission: string) => {
      let answer: unknown;
      request?.({}, permission, (granted: unknown) => (answer = granted));
      return answer;
    };
    expect(all.filter((permission) => asked(permission) !== false)).toEqual(['clipboard-sanitized-write']);
    expect(all.filter((permission) => check?.({}, permission) !== false)).toEqual(['clipboard-sanitized-write']);
  });

  it('is given no device and no picture of a screen', () => {
    const { device, display } = handlers();
    let answer: unknown;
    display?.({}, (streams: unknown) => (answer = streams));
    expect([device?.({ deviceType: 'usb' }), answer]).toEqual([false, {}]);
  });
});
