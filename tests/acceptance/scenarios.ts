import { readdir } from 'node:fs/promises';
import type { Scenario } from './support/scenario.ts';

const folders = ['queue', 'watch', 'history', 'sounds', 'security', 'command-line'] as const;
/** Takes long, and begins before all others. */
const first = 'R1';

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

const place = ({ id }: Scenario): number => Number(id !== first);

/** Sorted by id, but for the one that takes long. */
export async function allScenarios(): Promise<readonly ListedScenario[]> {
  const modules = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(new URL(`./${folder}/`, import.meta.url));
      return names
        .filter((name) => name.endsWith('.ts'))
        .map((name) => new URL(`./${folder}/${name}`, import.meta.url));
    }),
  );
  const scenarios = (await Promise.all(modules.flat().map(scenariosOf))).flat();
  return scenarios.sort((a, b) => place(a) - place(b) || a.id.localeCompare(b.id, 'en', { numeric: true }));
}
