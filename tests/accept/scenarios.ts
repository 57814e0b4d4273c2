import type { Scenario } from './scenario.ts';

/** The acceptance rows, in the order of the tables, but for two that take long and begin first. */
const modules = [
  './r1.ts',
  './s18.ts',
  './q1.ts',
  './q2.ts',
  './q3.ts',
  './q4.ts',
  './q5.ts',
  './q6.ts',
  './q7.ts',
  './q8.ts',
  './q9.ts',
  './q10.ts',
  './q11.ts',
  './q12.ts',
  './q12b.ts',
  './q13.ts',
  './q14.ts',
  './q15.ts',
  './q16.ts',
  './q17.ts',
  './q18.ts',
  './q19.ts',
  './q20.ts',
  './q21.ts',
  './q22.ts',
  './q26.ts',
  './q27.ts',
  './q28.ts',
  './q29.ts',
  './q30.ts',
  './q25.ts',
  './w1.ts',
  './w2.ts',
  './w3.ts',
  './w4.ts',
  './w5.ts',
  './w6.ts',
  './w7.ts',
  './w8.ts',
  './w9.ts',
  './w10.ts',
  './w11.ts',
  './w12.ts',
  './w13.ts',
  './w14.ts',
  './w15.ts',
  './w16.ts',
  './w17.ts',
  './w18.ts',
  './watch/unwritable.ts',
  './w20.ts',
  './w21.ts',
  './w22.ts',
  './w23.ts',
  './h1.ts',
  './h2.ts',
  './h3.ts',
  './h4.ts',
  './h5.ts',
  './h6.ts',
  './h7.ts',
  './h9.ts',
  './h10.ts',
  './h11.ts',
  './h12.ts',
  './library/imports.ts',
  './command-line/surroundings.ts',
  './command-line/lines.ts',
  './r2.ts',
  './r3.ts',
  './s14.ts',
  './s16.ts',
  './s17.ts',
  './s19.ts',
  './s20.ts',
  './s21.ts',
  './s23.ts',
  './r4.ts',
  './r5.ts',
];

/** A scenario and the module that exports it: its process needs no other. */
export interface ListedScenario extends Scenario {
  readonly module: URL;
}

/** Every scenario that a module exports, alone or in a list. */
export async function scenariosOf(module: URL): Promise<readonly ListedScenario[]> {
  const exported = (await import(module.href)) as Readonly<Record<string, Scenario | readonly Scenario[]>>;
  return Object.values(exported)
    .flat()
    .map((scenario) => ({ ...scenario, module }));
}

export const allScenarios = async (): Promise<readonly ListedScenario[]> =>
  (await Promise.all(modules.map((path) => scenariosOf(new URL(path, import.meta.url))))).flat();
