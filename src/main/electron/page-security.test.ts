import { EventEmitter } from 'node:events';
import type { App, CustomScheme, Protocol, Session } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { externalLink, guardAllContents, refusePermissions, registerAppScheme } from './page-security.ts';

describe('guardAllContents', () => {
  function guarded() {
    const app = new EventEmitter();
    const openExternal = vi.fn(() => Promise.resolve());
    guardAllContents(app as App, openExternal);
    let open: ((details: { url: string }) => unknown) | undefined;
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: typeof open) => void (open = handler),
    });
    app.emit('web-contents-created', {}, contents);
    const prevented = (name: string, url: string) => {
      const event = { url, preventDefault: vi.fn() };
      contents.emit(name, event);
      return event.preventDefault.mock.calls.length > 0;
    };
    return { prevented, openExternal, open: (url: string) => open?.({ url }) };
  }

  const hostile = [
    'http://timbre/',
    'https://example.com/',
    'app://timbre.evil/',
    'app://evil/timbre',
    'app://user@timbre/',
    'APP://TIMBRE:1/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:app://timbre/1',
    'about:blank',
    ' https://example.com',
    '',
  ];

  describe('a page', () => {
    it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('cannot navigate away by %s', (event) => {
      const { prevented } = guarded();
      for (const url of hostile) expect(prevented(event, url), url).toBe(true);
      expect(prevented(event, 'app://timbre/index.html')).toBe(false);
    });

    it('cannot contain a webview', () => {
      expect(guarded().prevented('will-attach-webview', 'app://timbre/')).toBe(true);
    });

    it('opens no window, whatever it requests', () => {
      const { open } = guarded();
      for (const url of [...hostile, 'app://timbre/', 'https://www.gnu.org/licenses/']) {
        expect(open(url)).toEqual({ action: 'deny' });
      }
    });

    it('opens only our own links in the system’s browser', () => {
      const { open, openExternal } = guarded();
      for (const url of hostile) open(url);
      expect(openExternal).not.toHaveBeenCalled();
      open('https://www.gnu.org/licenses/gpl-3.0.html');
      expect(openExternal).toHaveBeenCalledExactlyOnceWith('https://www.gnu.org/licenses/gpl-3.0.html');
    });
  });
});

it('the page’s scheme is a standard, secure one under the page’s policy, whose scripts are compiled once', () => {
  const registered: CustomScheme[] = [];
  const registerSchemesAsPrivileged: Protocol['registerSchemesAsPrivileged'] = (schemes) =>
    void registered.push(...schemes);
  registerAppScheme({ registerSchemesAsPrivileged } as Protocol);
  expect(registered).toMatchObject([{ scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } }]);
  expect(registered[0]?.privileges).not.toHaveProperty('bypassCSP');
});

describe('permissions', () => {
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
    it('is denied every permission but writing copied text', () => {
      const { request, check } = handlers();
      const asked = (permission: string) => {
        let answer: unknown;
        request?.({}, permission, (granted: unknown) => (answer = granted));
        return answer;
      };
      expect(all.filter((permission) => asked(permission) !== false)).toEqual(['clipboard-sanitized-write']);
      expect(all.filter((permission) => check?.({}, permission) !== false)).toEqual(['clipboard-sanitized-write']);
    });

    it('gets no device and no screen capture', () => {
      const { device, display } = handlers();
      let answer: unknown;
      display?.({}, (streams: unknown) => (answer = streams));
      expect([device?.({ deviceType: 'usb' }), answer]).toEqual([false, {}]);
    });
  });
});

describe('externalLink', () => {
  const hosts = ['www.gnu.org', 'example.com', 'www.gnu.org.example.com', 'xn--gnu-9na.org', 'gnu.org', '127.0.0.1'];
  const hostile = [
    ...[
      'file',
      'smb',
      'ms-settings',
      'ms-msdt',
      'search-ms',
      'javascript',
      'data',
      'http',
      'ftp',
      'app',
      'vbscript',
    ].flatMap((scheme) => [`${scheme}://www.gnu.org/`, `${scheme}:www.gnu.org`, ` ${scheme}://www.gnu.org/`]),
    ...hosts.slice(1).map((host) => `https://${host}/`),
    'https://www.gnu.org@example.com/',
    'https://user:pw@www.gnu.org/',
    'https://www.gnu.org:8443/',
    'https://www.gnu.org\\@example.com/x@y',
    'https://example.com/https://www.gnu.org/',
    'https:example.com',
    '//www.gnu.org/',
    '\\\\www.gnu.org\\share',
    '/etc/passwd',
    'www.gnu.org',
    'https://',
    'https://www.gnu.org%00.example.com/',
    'https://www.gnu.org%2eexample.com/',
    'https://www%2egnu.org.evil/',
    'calculator:',
    'C:\\Windows\\System32\\calc.exe',
    'about:blank',
    'blob:https://www.gnu.org/1',
    'view-source:https://www.gnu.org/',
    'intent://www.gnu.org/#Intent;end',
    '\u202ehttps://www.gnu.org/',
    '',
    ' ',
  ];

  describe('external links', () => {
    it(`include none of ${hostile.length} hostile ones`, () => {
      expect(hostile.length).toBeGreaterThanOrEqual(60);
      // A parser reads a backslash as a slash: that one does go to the host that it names.
      const opened = hostile.map(externalLink).filter((link) => link !== undefined);
      expect(opened.filter((link) => !link.startsWith('https://www.gnu.org/'))).toEqual([]);
      expect(opened).toHaveLength(1);
    });

    it('are opened as parsed, not as given', () => {
      expect(externalLink(' HTTPS://WWW.GNU.ORG/a/../b ')).toBe('https://www.gnu.org/b');
    });
  });
});
