import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Each room may import those before it. */
const rooms = [
  ['shared/'],
  ['sound/'],
  ['engine/'],
  ['main/core/'],
  ['main/handlers/'],
  ['main/electron/'],
  ['main/(index|program)\\.ts', 'cli/'],
  ['processes/'],
];
/** The rooms of `src/main/core`. Those of one line may import each other. */
const coreRooms = [
  ['(clock|events|child-process|data-folder)\\.ts', 'files/'],
  ['database/'],
  ['secrets/'],
  ['voice-service/'],
  ['connections/'],
  ['voices/'],
  ['presets/'],
  ['speech/'],
  ['jobs/'],
  ['scanner/'],
  ['watch/'],
  ['history/'],
  ['hooks/'],
  ['diagnostics/', 'media/', 'updates/', '(settings|waveforms|ipc-server)\\.ts'],
  ['data\\.ts'],
  ['core\\.ts'],
];

const backUp = (base: string, levels: readonly (readonly string[])[]) =>
  levels.slice(0, -1).map((level, k) => ({
    name: 'back up',
    from: { path: `^${base}(${level.join('|')})`, pathNot: '\\.(test|fixture)\\.ts$' },
    to: {
      path: `^${base}(${levels
        .slice(k + 1)
        .flat()
        .join('|')})`,
    },
  }));

describe('the tree', () => {
  it('has no import circle, and no import against the arrows', async () => {
    const rules = [{ name: 'circle', from: {}, to: { circular: true } }, ...backUp('src/', rooms)];
    const { output } = await cruise(['src', 'host'], {
      baseDir: root,
      ruleSet: {
        forbidden: [...rules, ...backUp('src/main/core/', coreRooms)].map((rule) => ({ ...rule, severity: 'error' })),
      },
      validate: true,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '\\.test\\.m?ts$' },
    });
    const { violations, totalCruised } = (output as ICruiseResult).summary;
    expect(totalCruised).toBeGreaterThan(400);
    const found = violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
    expect(found).toEqual([]);
  });

  it('has no unused file, export or package', async () => {
    const knip = join(root, 'node_modules/.bin/knip');
    const run = promisify(execFile)(knip, ['--no-progress', '--no-config-hints'], { cwd: root });
    // It ends with 1 where it found something, and prints what.
    await expect(run.then(({ stdout }) => stdout)).resolves.toBe('');
  });
});
