import { expect, it } from 'vitest';
import { chooseScenarios } from './choose-scenarios.ts';
import type { ListedScenario } from '../scenarios.ts';

const module = new URL(import.meta.url);
const named = (id: string): ListedScenario => ({ id, title: id, module, run: () => Promise.resolve({}) });
const known = ['Q1', 'Q2', 'Q10'].map(named);
const idsOf = (...args: readonly string[]) => chooseScenarios(args, known).scenarios.map(({ id }) => id);

it('chooses all scenarios without an id, otherwise the named ones in their order', () => {
  expect(idsOf()).toEqual(['Q1', 'Q2', 'Q10']);
  expect(idsOf('q10', 'Q1')).toEqual(['Q10', 'Q1']);
});

it('reads sizes, seed and whether to keep folders', () => {
  expect(chooseScenarios(['Q1'], known)).toMatchObject({ full: false, keep: false, seed: null, report: null });
  expect(chooseScenarios(['--full', '--seed', '7', '--keep', 'Q1', '--report', 'a.json'], known)).toMatchObject({
    full: true,
    keep: true,
    seed: 7,
    report: 'a.json',
  });
});

it.each([
  [['Q3'], 'There is no scenario "Q3". There are: Q1, Q2, Q10.'],
  [['--seed', 'x'], 'A seed is a whole number'],
  [['--seed', '-1'], 'argument'],
  [['--fast'], '--fast'],
])('rejects %j', (args, sentence) => {
  expect(() => chooseScenarios(args, known)).toThrow(sentence);
});

it('fails if there is nothing to run', () => {
  expect(() => chooseScenarios([], [])).toThrow('There is no scenario yet.');
});
