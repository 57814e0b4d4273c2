import fc from 'fast-check';
import { mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legalName } from './legal-name.ts';
import { nastyNames } from './nasty-names.fixture.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'timbre-names-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Written anew from the rules of the three systems, not from the code. */
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
    if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'turns the reading direction';
    if (code >= 0xd800 && code <= 0xdfff) return 'half a letter';
  }
  const beforeDot = name.split('.')[0]?.trimEnd() ?? '';
  if (deviceNames.has(beforeDot.toUpperCase())) return 'a device';
  if (name === '' || /^[\s.]|[\s.]$/.test(name)) return 'a dot or space at an end';
  if (name.normalize('NFC') !== name) return 'not NFC';
  if (Buffer.byteLength(`${name} (10000).flac`) > 255) return 'too long';
  return null;
}

/** The name, checked against every rule and against a real disk. */
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
  ])('of %j is %j', (text, name) => {
    expect(legalName(text)).toBe(name);
  });

  it('is legal on all three systems, fits with its number, stays as it is, and is what the disk gives back: 200 nasty ones', () => {
    expect(nastyNames.length).toBeGreaterThanOrEqual(200);
    for (const text of nastyNames) mustBeLegal(text);
  });

  it('is so for 10,000 generated ones', () => {
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

  it('never cuts a letter that is made of several code points', () => {
    const family = '👨‍👩‍👧‍👦';
    const name = legalName(family.repeat(40));
    expect(name).toBe(family.repeat(name.length / family.length));
  });
});
