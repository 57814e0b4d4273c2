import { expect, test } from 'vitest';
import { createSchemeMap } from './scheme-url.mts';

const map = createSchemeMap();
map.add('app');

test('addresses of the app map to Chromium and back', () => {
  for (const [own, chromium] of [
    ['app://timbre/', 'http://timbre.app.localhost/'],
    ['app://timbre/a?b=app://c#d', 'http://timbre.app.localhost/a?b=app://c#d'],
    ['app://timbre', 'http://timbre.app.localhost'],
    ['app://two.words/x', 'http://two.words.app.localhost/x'],
  ] as const) {
    expect(map.toChromium(own)).toBe(chromium);
    expect(map.toApp(chromium)).toBe(own);
  }
});

test('all other addresses are unchanged', () => {
  for (const url of [
    'https://example.com/app://x',
    'http://localhost/',
    'http://a.other.localhost/',
    'about:blank',
    'other://x/',
  ]) {
    expect(map.toChromium(url)).toBe(url);
    expect(map.toApp(url)).toBe(url);
  }
});

test('a policy is mapped to the addresses of Chromium, and the rest is unchanged', () => {
  const policy = "default-src 'self' app:; img-src app://timbre data:, blob:;script-src 'nonce-app:'";
  expect(map.policyToChromium(policy)).toBe(
    "default-src 'self' http://*.app.localhost; img-src http://timbre.app.localhost data:, blob:;script-src 'nonce-app:'",
  );
});
