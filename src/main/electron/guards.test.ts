import type { App } from 'electron';
import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { guardAllContents } from './guards.ts';

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
  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('leaves by %s for nowhere', (event) => {
    const { prevented } = guarded();
    for (const url of hostile) expect(prevented(event, url), url).toBe(true);
    expect(prevented(event, 'app://timbre/index.html')).toBe(false);
  });

  it('holds no webview', () => {
    expect(guarded().prevented('will-attach-webview', 'app://timbre/')).toBe(true);
  });

  it('opens no window, whatever it asks for', () => {
    const { open } = guarded();
    for (const url of [...hostile, 'app://timbre/', 'https://www.gnu.org/licenses/']) {
      expect(open(url)).toEqual({ action: 'deny' });
    }
  });

  it('hands only links of ours to the system’s browser', () => {
    const { open, openExternal } = guarded();
    for (const url of hostile) open(url);
    expect(openExternal).not.toHaveBeenCalled();
    open('https://www.gnu.org/licenses/gpl-3.0.html');
    expect(openExternal).toHaveBeenCalledExactlyOnceWith('https://www.gnu.org/licenses/gpl-3.0.html');
  });
});
