import { expect, it } from 'vitest';
import { catalogue, findVoice } from './catalogue.ts';

const count = (values: readonly unknown[]) => new Set(values).size;

it('has at least 36 voices in at least 12 languages, several in each', () => {
  expect(catalogue.length).toBeGreaterThanOrEqual(36);
  const byLanguage = Map.groupBy(catalogue, ({ language }) => language);
  expect(byLanguage.size).toBeGreaterThanOrEqual(12);
  for (const voices of byLanguage.values()) expect(voices.length).toBeGreaterThanOrEqual(2);
});

it('gives every voice an id that is a slug of its name, once', () => {
  expect(count(catalogue.map(({ id }) => id))).toBe(catalogue.length);
  for (const { id, name } of catalogue) expect(id).toBe(name.toLowerCase().replaceAll(' ', '-'));
});

it('keeps F0 plausible: men 80 to 160 Hz, women 160 to 300 Hz', () => {
  for (const { id, gender, targetF0Hz } of catalogue) {
    const [low, high] = gender === 'male' ? [80, 160] : [160, 300];
    expect(targetF0Hz, id).toBeGreaterThanOrEqual(low);
    expect(targetF0Hz, id).toBeLessThanOrEqual(high);
  }
});

it('has no two voices that differ in name only', () => {
  const sound = catalogue.map(({ targetF0Hz, formantSemitones, tiltDb, effects }) =>
    JSON.stringify([targetF0Hz, formantSemitones, tiltDb, effects]),
  );
  expect(count(sound)).toBe(catalogue.length);
});

it('finds a voice by its id and no other', () => {
  expect(findVoice('low-bronze')?.name).toBe('Low bronze');
  expect(findVoice('Low bronze')).toBeUndefined();
  expect(findVoice('constructor')).toBeUndefined();
});
