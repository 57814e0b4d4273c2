import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { defaultSettings, fitSettings, readSettings, settingsPatch } from './settings.ts';

describe('settings', () => {
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
    ])('may not be %j, and says what is allowed', (proxy) => {
      const { issues } = v.safeParse(settingsPatch, { proxy });
      expect(issues?.map(({ message }) => message)).toEqual([
        'must be empty, "direct" or the address of a proxy, such as http://proxy.example:8080',
      ]);
      expect(readSettings({ proxy, theme: 'dark' })).toEqual({
        ...defaultSettings,
        theme: 'dark',
        isOfflineMode: true,
      });
    });
  });

  describe('an invalid stored value alone becomes its default (U3)', () => {
    const full = {
      theme: 'dark',
      contrast: 'more',
      language: 'de',
      connectionId: 'studio',
      conversion: {
        voiceId: 'low-bronze',
        pitch: 1.5,
        speed: 0.5,
        pitchControl: 'keep-formants',
        autoF0: false,
        engine: 'v5',
        format: '.mp3',
        platformInfo: 'x',
        audioName: 'y',
      },
      speech: { voiceId: 'clear-fjord', language: 'de', speed: 2, pitch: 0.5, engine: 'v1', platform: 'phone' },
      presets: { conversion: 'evening', speech: 'reader' },
      outputFolder: '/results',
      nameTemplate: '{voice}/{name}',
      proxy: 'direct',
      localConcurrency: 4,
      zoomPercent: 150,
      hasLetterKeys: false,
      keys: {},
      closeAction: 'quit',
      isOfflineMode: true,
      previewContent: 'recording',
      previewText: 'One, two.',
      isPausedOnBattery: true,
      copies: { isOn: true, maxGigabytes: 7, since: 12 },
      hook: { isOn: true, program: '/bin/up', args: [], timeoutSeconds: 5 },
      updates: { isOn: false, channel: 'beta' },
      ffmpegPath: '/bin/ffmpeg',
    };
    type Tree = Readonly<Record<string, unknown>>;
    const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
    const leavesOf = (tree: Tree, path: readonly string[] = []): readonly (readonly string[])[] =>
      Object.entries(tree).flatMap(([key, value]) =>
        isTree(value) ? leavesOf(value, [...path, key]) : [[...path, key]],
      );
    const at = (tree: unknown, path: readonly string[]): unknown =>
      path.reduce((value, key) => (isTree(value) ? value[key] : undefined), tree);
    const put = (tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): Tree => ({
      ...tree,
      [key]: rest.length > 0 ? put(tree[key] as Tree, rest, value) : value,
    });
    const leaves = leavesOf(full);
    // Neither is right anywhere: 25 leaves, each with ten of them.
    const wrong: readonly unknown[] = [
      undefined,
      {},
      [],
      'v6\ud800',
      -1,
      NaN,
      Infinity,
      1e9,
      '\ud800',
      { toString: 1 },
    ];

    it('holds for each leaf and each wrong value', () => {
      expect(readSettings(full)).toEqual(full);
      expect(leaves.length * wrong.length).toBeGreaterThanOrEqual(200);
      for (const leaf of leaves) {
        for (const value of wrong) {
          // A value beyond the limit of one leaf may be right in another.
          const stored = put(full, leaf, value);
          const read = readSettings(stored);
          for (const other of leaves)
            if (other !== leaf) expect([leaf, other, at(read, other)]).toEqual([leaf, other, at(full, other)]);
          if (at(read, leaf) === value) continue;
          const isUnsafe = leaf[0] === 'isOfflineMode' && value !== undefined;
          expect([leaf, at(read, leaf)]).toEqual([leaf, isUnsafe || at(defaultSettings, leaf)]);
          expect(v.is(settingsPatch, read)).toBe(true);
        }
      }
    });

    it.each([{}, { conversion: null, speech: [] }, { conversion: 'v7' }])('and %j gives all defaults', (stored) => {
      expect(readSettings(stored)).toEqual(defaultSettings);
    });

    it.each([null, 7, 'x', []])('and %j, which are no settings, gives all defaults, but offline', (stored) => {
      expect(readSettings(stored)).toEqual({ ...defaultSettings, isOfflineMode: true });
    });
  });
});

describe('fitSettings', () => {
  const ratio = { min: 0.5, max: 2, default: 1 };
  const service = { kind: 'remote', pitch: { min: -10, max: 10, default: 0 }, speed: ratio } as const;
  const computer = { kind: 'local', pitch: ratio, speed: ratio } as const;

  test('settings for another connection become the nearest that this one supports, and the rest is kept', () => {
    expect(fitSettings({ pitch: 24, speed: 0.25, voiceId: 'v' }, service)).toEqual({
      pitch: 10,
      speed: 0.5,
      voiceId: 'v',
    });
    expect(fitSettings({ pitch: -10, speed: 2 }, service)).toEqual({ pitch: -10, speed: 2 });
  });

  test.each([
    ['bright', ''],
    ['shift-formants', 'shift-formants'],
    ['', ''],
  ])('for the pitch control “%s” the local engine is asked for “%s”', (written, asked) => {
    expect(fitSettings({ pitch: 1, speed: 1, pitchControl: written }, computer).pitchControl).toBe(asked);
  });

  test('a service receives the pitch control unchanged', () => {
    expect(fitSettings({ pitch: 1, speed: 1, pitchControl: 'bright' }, service).pitchControl).toBe('bright');
  });
});
