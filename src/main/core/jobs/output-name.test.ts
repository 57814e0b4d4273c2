import fc from 'fast-check';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { legalStem, outputName } from './output-name.ts';

const bytes = (text: string) => Buffer.byteLength(text);

describe('names of results', () => {
  it('hold the recording, the voice and the ending, and a number from the second try on', () => {
    expect(outputName('/x/chapter 04.m4a', 'Low bronze', '.flac', 1)).toBe('chapter 04, Low bronze.flac');
    expect(outputName('/x/chapter 04.m4a', 'Low bronze', '.flac', 2)).toBe('chapter 04, Low bronze (2).flac');
  });

  it.each([
    ['CON', '_CON'],
    ['nul.tar', '_nul.tar'],
    ['COM¹', '_COM¹'],
    ['a<b>c:d"e/f\\g|h?i*j', 'a_b_c_d_e_f_g_h_i_j'],
    ['trailing. . ', 'trailing'],
    ['   ', 'recording'],
    ['\u202egnp.exe', '_gnp.exe'],
    ['\ud800lone', '\ufffdlone'],
    ['e\u0301', '\u00e9'],
  ])('turn %j into %j', (given, legal) => {
    expect(legalStem(given, 4)).toBe(legal);
  });

  it('are legal on all three systems, fit into 255 bytes with their number, and stay as they are a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const stem = legalStem(text, 5);
        expect(bytes(`${stem} (10000).flac`)).toBeLessThanOrEqual(255);
        // eslint-disable-next-line no-control-regex -- they must not be there
        expect(stem).not.toMatch(/[\u0000-\u001f<>:"/\\|?*]|[. ]$|^ /);
        expect(stem).not.toBe('');
        expect(legalStem(stem, 5)).toBe(stem);
      }),
      { numRuns: 2000 },
    );
  });

  it('never cut a letter that is made of several code points', () => {
    const family = '👨‍👩‍👧‍👦';
    const stem = legalStem(family.repeat(40), 4);
    expect(stem).toBe(family.repeat(stem.length / family.length));
  });

  it('are what the disk gives back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-names-'));
    const names = ['ü', '日本', 'שלום', '-rf', "quote'", 'new\nline', 'x'.repeat(300)].map(
      (name) => `${legalStem(name, 4)}.wav`,
    );
    for (const name of names) await writeFile(join(folder, name), '');
    expect((await readdir(folder)).sort()).toEqual([...names].sort());
    await rm(folder, { recursive: true });
  });
});
