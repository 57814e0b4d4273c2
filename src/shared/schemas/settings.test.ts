import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defaultSettings, readSettings, settingsPatch } from './settings.ts';

describe('the name template', () => {
  it.each(['{name}, {voice}', '{voice}/{date} {name}', 'take'])('may be %j, and is kept', (nameTemplate) => {
    expect(v.parse(settingsPatch, { nameTemplate })).toEqual({ nameTemplate });
    expect(readSettings({ nameTemplate }).nameTemplate).toBe(nameTemplate);
  });

  it.each(['', '{nam}', '../{name}', 'x'.repeat(201)])('may not be %j', (nameTemplate) => {
    expect(v.is(settingsPatch, { nameTemplate })).toBe(false);
    expect(readSettings({ nameTemplate }).nameTemplate).toBe('{name}, {voice}');
  });
});

describe('the proxy setting', () => {
  it.each(['', 'direct', 'http://proxy.test', 'https://proxy.test:8443', 'http://user:pw@10.0.0.1:3128/'])(
    'may be %j, and is kept',
    (proxy) => {
      expect(v.parse(settingsPatch, { proxy })).toEqual({ proxy });
      expect(readSettings({ proxy }).proxy).toBe(proxy);
    },
  );

  it.each([
    'proxy.test:3128',
    'socks5://proxy.test',
    'http://proxy.test/path',
    'http://proxy.test?x',
    'none',
    'http://',
  ])('may not be %j, and says what it may be', (proxy) => {
    const { issues } = v.safeParse(settingsPatch, { proxy });
    expect(issues?.map(({ message }) => message)).toEqual([
      'must be empty, "direct" or the address of a proxy, such as http://proxy.example:8080',
    ]);
    expect(readSettings({ proxy, theme: 'dark' })).toEqual({ ...defaultSettings, theme: 'dark' });
  });
});
