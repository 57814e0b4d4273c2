import fc from 'fast-check';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../shared/app-error.ts';
import { defaultNameTemplate } from '../../../shared/name-template.ts';
import { nastyNames } from './nasty-names.fixture.ts';
import { outputPath, type NameFacts } from './output-path.ts';

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
  it('holds the recording, the voice and the ending, and a number from the second try on', () => {
    expect(pathOf(defaultNameTemplate)).toBe('chapter 04, Low bronze.flac');
    expect(pathOf(defaultNameTemplate, {}, 2)).toBe('chapter 04, Low bronze (2).flac');
  });

  it('fills in every field, time as local time', () => {
    expect(pathOf('{date} {time} {name} {voice} {connection} {language}')).toBe(
      '2026-01-09 07-05-03 chapter 04 Low bronze This computer en-GB.flac',
    );
  });

  it('has folders where the template has slashes, and nowhere else', () => {
    expect(pathOf('{voice}/{date}/{name}')).toBe('Low bronze/2026-01-09/chapter 04.flac');
    expect(pathOf('{voice}/{name}', { voice: 'a/b', name: '../x' })).toBe('a_b/__x.flac');
    expect(pathOf('{voice}/{name}', { voice: '../..', name: 'x\\y' })).toBe('__/x_y.flac');
    expect(pathOf('{voice}/{name}', { voice: '..', name: '' })).toBe('recording/recording.flac');
  });

  it('does not take a value for a template', () => {
    expect(pathOf('{name}', { name: '{voice}' })).toBe('{voice}.flac');
  });

  it('takes a format in any case, and none that is not sound', () => {
    expect(pathOf('{name}', { format: '.MP3' })).toBe('chapter 04.mp3');
    for (const format of ['.exe', '', '.', '.wav/../x', '.wav\u202e']) {
      expect(() => pathOf('{name}', { format })).toThrow(
        expect.objectContaining({ code: 'output/failed' }) as AppError,
      );
    }
  });

  it('never leaves the folder, and has as many levels as the template, whatever the values or the template', () => {
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
