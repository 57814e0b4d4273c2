import { mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '../../../shared/errors.ts';
import { defaultNameTemplate } from '../../../shared/text/name-template.ts';
import { legalName, type NameFacts, nameKey, numberedName, outputPath } from './names.ts';
import { nastyNames } from './nasty-names.fixture.ts';

describe('legal name', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'timbre-names-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Written from the rules of the three systems, independent of the code. */
  const forbiddenAnywhere = new Set('<>:"/\\|?*\u061c\u200e\u200f\u2028\u2029\ufeff');
  const deviceNames = new Set(
    'CON PRN AUX NUL CONIN$ CONOUT$'
      .split(' ')
      .concat(...['COM', 'LPT'].map((port) => Array.from('0123456789¹²³', (digit) => port + digit))),
  );

  function faultOf(name: string): string | null {
    for (const letter of name) {
      const code = letter.codePointAt(0) ?? 0;
      if (forbiddenAnywhere.has(letter) || code < 32 || (code >= 127 && code < 160)) return `U+${code.toString(16)}`;
      if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
        return 'turns the reading direction';
      if (code >= 0xd800 && code <= 0xdfff) return 'half a letter';
    }
    const beforeDot = name.split('.')[0]?.trimEnd() ?? '';
    if (deviceNames.has(beforeDot.toUpperCase())) return 'a device';
    if (name === '' || /^[\s.]|[\s.]$/.test(name)) return 'a dot or space at an end';
    if (name.normalize('NFC') !== name) return 'not NFC';
    if (Buffer.byteLength(`${name} (10000).flac`) > 255) return 'too long';
    return null;
  }

  /** Checks the name against every rule and a real disk, and returns it. */
  function mustBeLegal(text: string): void {
    const name = legalName(text);
    expect(faultOf(name), JSON.stringify({ text, name })).toBe(null);
    expect(legalName(name)).toBe(name);
    const file = `${name} (10000).flac`;
    writeFileSync(join(folder, file), '');
    expect(readdirSync(folder)).toEqual([file]);
    unlinkSync(join(folder, file));
  }

  describe('a legal name', () => {
    it.each([
      ['CON', '_CON'],
      ['nul.tar', '_nul.tar'],
      ['aux .x', '_aux .x'],
      ['COM¹', '_COM¹'],
      ['console', 'console'],
      ['a<b>c:d"e/f\\g|h?i*j', 'a_b_c_d_e_f_g_h_i_j'],
      ['trailing. . ', 'trailing'],
      ['.hidden', '_hidden'],
      ['../x', '__x'],
      ['   ', 'recording'],
      ['..', 'recording'],
      ['/', 'recording'],
      ['\u202egnp.exe', '_gnp.exe'],
      ['\ud800lone', '\ufffdlone'],
      ['e\u0301', '\u00e9'],
    ])('for %j is %j', (text, name) => {
      expect(legalName(text)).toBe(name);
    });

    it('is legal on all systems, short enough, stable, and unchanged by the disk: 200 difficult names', () => {
      expect(nastyNames.length).toBeGreaterThanOrEqual(200);
      for (const text of nastyNames) mustBeLegal(text);
    });

    it('holds the same for 10,000 generated names', () => {
      const letters = fc.oneof(
        fc.constantFrom(...Array.from('/\\:*?"<>|. \u0000\t\n\u007f\u202e\u2066\u200f\ufeff\u0301\u00e9ßİ')),
        fc.constantFrom('con', 'nul', 'com1', '.', '..', '👨‍👩‍👧‍👦', 'x'.repeat(100), 'a\u0300'.repeat(40)),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
      );
      const text = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(''));
      fc.assert(fc.property(text, mustBeLegal), { numRuns: 10_000 });
    });

    it('never cuts within a grapheme of several code points', () => {
      const family = '👨‍👩‍👧‍👦';
      const name = legalName(family.repeat(40));
      expect(name).toBe(family.repeat(name.length / family.length));
    });
  });
});

describe('output path', () => {
  const folder = resolve('/music/out');
  const facts: NameFacts = {
    name: 'chapter 04',
    voice: 'Low bronze',
    connection: 'This computer',
    createdAt: new Date(2026, 0, 9, 7, 5, 3),
    format: '.flac',
    language: 'en-GB',
  };
  const pathOf = (template: string, change: Partial<NameFacts> = {}, attempt = 1) =>
    relative(folder, outputPath(folder, template, { ...facts, ...change }, attempt))
      .split('\\')
      .join('/');

  describe('the path of a result', () => {
    it('contains the recording, the voice and the extension, and a number from the second try on', () => {
      expect(pathOf(defaultNameTemplate)).toBe('chapter 04, Low bronze.flac');
      expect(pathOf(defaultNameTemplate, {}, 2)).toBe('chapter 04, Low bronze (2).flac');
    });

    it('fills in every field, with the time as local time', () => {
      expect(pathOf('{date} {time} {name} {voice} {connection} {language}')).toBe(
        '2026-01-09 07-05-03 chapter 04 Low bronze This computer en-GB.flac',
      );
    });

    it('has folders only where the template has slashes', () => {
      expect(pathOf('{voice}/{date}/{name}')).toBe('Low bronze/2026-01-09/chapter 04.flac');
      expect(pathOf('{voice}/{name}', { voice: 'a/b', name: '../x' })).toBe('a_b/__x.flac');
      expect(pathOf('{voice}/{name}', { voice: '../..', name: 'x\\y' })).toBe('__/x_y.flac');
      expect(pathOf('{voice}/{name}', { voice: '..', name: '' })).toBe('recording/recording.flac');
    });

    it('shortens a long name before anything else in it', () => {
      const name = 'ü'.repeat(125);
      const stem = pathOf(defaultNameTemplate, { name }).replace('.flac', '');
      expect(stem).toMatch(/^ü+, Low bronze$/);
      expect(Buffer.byteLength(stem)).toBeGreaterThan(229);
      expect(pathOf('{voice}/{name} {date}', { name })).toMatch(/^Low bronze\/ü+ 2026-01-09\.flac$/);
      expect(pathOf('{name}, {voice}', { voice: name })).toMatch(/^chapter 04, ü+\.flac$/);
      const inFolder = pathOf('{voice}/{name}', { voice: name, name: 'chapter 04 of a book' });
      expect(inFolder).toMatch(/^ü+\/chapter 04 of a book\.flac$/);
    });

    it('does not expand templates within values', () => {
      expect(pathOf('{name}', { name: '{voice}' })).toBe('{voice}.flac');
    });

    it('accepts an audio format in any case, and no other format', () => {
      expect(pathOf('{name}', { format: '.MP3' })).toBe('chapter 04.mp3');
      for (const format of ['.exe', '', '.', '.wav/../x', '.wav\u202e']) {
        expect(() => pathOf('{name}', { format })).toThrow(
          expect.objectContaining({ code: 'output/failed' }) as AppError,
        );
      }
    });

    it('never leaves the folder, and has as many levels as the template, whatever the values', () => {
      const nasty = fc.oneof(fc.constantFrom(...nastyNames), fc.string({ unit: 'binary' }));
      fc.assert(
        fc.property(nasty, nasty, nasty, (name, voice, language) => {
          const path = outputPath(folder, '{language}/{voice}/{name}', { ...facts, name, voice, language }, 3);
          expect(dirname(dirname(dirname(path)))).toBe(folder);
          expect(path.endsWith(' (3).flac')).toBe(true);
          const parts = relative(folder, path).split(/[\\/]/);
          expect(parts.every((part) => Buffer.byteLength(part) <= 255 && part !== '..' && part !== '.')).toBe(true);
        }),
        { numRuns: 2000 },
      );
      fc.assert(
        fc.property(nasty, (template) => {
          const path = outputPath(folder, template, facts, 1);
          expect(path.startsWith(join(folder, '/')) && resolve(path) === path).toBe(true);
        }),
      );
    });
  });
});

describe('a name with a number', () => {
  it('keeps its extension and, unless that is too long, all of its characters', () => {
    expect([1, 2, 10].map((attempt) => numberedName('take.1.wav', attempt))).toEqual([
      'take.1.wav',
      'take.1 (2).wav',
      'take.1 (10).wav',
    ]);
    expect(numberedName('.hidden', 2)).toBe('.hidden (2)');
  });

  it('is cut between characters to 255 bytes', () => {
    // Each has seven bytes, in two code points.
    expect(numberedName('🎙️'.repeat(36), 2)).toBe(`${'🎙️'.repeat(35)} (2)`);
    expect(numberedName(`${'a'.repeat(251)}.wav`, 10)).toBe(`${'a'.repeat(246)} (10).wav`);
  });
});

describe('nameKey', () => {
  describe('the key of a name', () => {
    it.each([
      ['Straße.WAV', 'STRASSE.wav'],
      ['ẞ', 'ß'],
      ['é', 'E\u0301'],
      ['ΟΔΟΣ', 'οδοσ'],
      ['οδος', 'οδοσ'],
      ['\u212b', 'å'],
      ['\u2126', 'ω'],
      ['\u212a', 'k'],
      ['ǅ', 'ǆ'],
      ['\u017f', 's'],
      ['İ', 'i\u0307'],
    ])('is the same for %s and %s', (one, other) => {
      expect(nameKey(one)).toBe(nameKey(other));
    });

    it('is the same for every letter and its upper-case, lower-case and decomposed form', () => {
      for (let code = 1; code < 0x20000; code += 1) {
        if (code >= 0xd800 && code <= 0xdfff) continue;
        const letter = String.fromCodePoint(code);
        const key = nameKey(letter);
        for (const form of [letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD')]) {
          expect(nameKey(form) === key, `U+${code.toString(16)} ${form}`).toBe(true);
        }
      }
    });

    it('differs for different names', () => {
      expect(nameKey('a (2).wav')).not.toBe(nameKey('a (3).wav'));
      expect(nameKey('e')).not.toBe(nameKey('é'));
    });
  });
});
