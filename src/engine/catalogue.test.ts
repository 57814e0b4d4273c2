import { expect, it } from 'vitest';
import { catalogue, findVoice } from './catalogue.ts';
import { languageFileFor } from './speech/spoken-languages.ts';

const count = (values: readonly unknown[]) => new Set(values).size;

it('has at least 120 voices in at least 18 languages', () => {
  expect(catalogue.length).toBeGreaterThanOrEqual(120);
  expect(count(catalogue.map(({ language }) => language))).toBeGreaterThanOrEqual(18);
});

it('can speak every language that it lists', () => {
  for (const { language, id } of catalogue) expect(languageFileFor(language), id).toBeDefined();
});

it('has ids that need encoding in an address: a non-ASCII letter, a slash, a percent sign, an ampersand', () => {
  for (const id of ['blå-fjord', 'oak/ash', '50%-brass', 'nebel-&-licht']) {
    expect(findVoice(id)?.id).toBe(id);
    expect(encodeURIComponent(id)).not.toBe(id);
  }
});

it('gives every voice a unique id that is a slug of its name', () => {
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

it('has no two voices that differ only in name', () => {
  const sound = catalogue.map(({ targetF0Hz, formantSemitones, tiltDb, effects }) =>
    JSON.stringify([targetF0Hz, formantSemitones, tiltDb, effects]),
  );
  expect(count(sound)).toBe(catalogue.length);
});

it('finds a voice only by its exact id', () => {
  expect(findVoice('low-bronze')?.name).toBe('Low bronze');
  expect(findVoice('Low bronze')).toBeUndefined();
  expect(findVoice('constructor')).toBeUndefined();
});
