import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { promises } from '../../scripts/security-promises.mts';
import { allScenarios } from '../acceptance/scenarios.ts';

const root = join(import.meta.dirname, '../..');

it('every security promise names tests that exist', async () => {
  const rows = (await allScenarios()).map(({ id }) => id);
  const missing = promises.flatMap(({ id, tests }) =>
    tests
      .filter((test) =>
        'row' in test
          ? !rows.includes(test.row)
          : // Names that a table completes are written with a placeholder there.
            !readFileSync(join(root, test.file), 'utf8').includes(test.name.replace(/item \d+ /, 'item %i ')),
      )
      .map((test) => `${id}: ${'row' in test ? test.row : test.name}`),
  );
  expect(missing).toEqual([]);
  expect(promises.map(({ id }) => id).filter((id) => /^\d+$/.test(id))).toHaveLength(20);
  expect(promises.filter(({ tests }) => tests.length === 0)).toEqual([]);
});
