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
  ['main/index\\.ts'],
  ['processes/'],
];
/** The rooms of `src/main/core`. Those of one line may import each other. */
const coreRooms = [
  ['(clock|events|child-process|data-folder)\\.ts', 'files/'],
  ['database/'],
  ['voice-service/'],
  ['secrets/'],
  ['connections/'],
  ['voices/'],
  ['jobs/'],
  ['scanner/'],
  ['watch/'],
  ['history/'],
  ['diagnostics/', 'media/', '(settings|speech-draft|waveforms|ipc-server)\\.ts'],
  ['data\\.ts'],
  ['core\\.ts'],
];

/** What is still to be mended: this list may only become shorter. */
const exceptions = [
  'back up: src/main/core/diagnostics/health-checks.ts -> src/main/core/core.ts',
  'back up: src/main/core/files/identity.ts -> src/main/core/scanner/scanner.ts',
  'back up: src/main/core/files/stash.ts -> src/main/core/history/removal-store.ts',
  'back up: src/main/core/files/stash.ts -> src/main/core/jobs/job.ts',
  'back up: src/main/core/voice-service/reply.ts -> src/main/core/secrets/redact.ts',
  'back up: src/main/core/voice-service/speech.ts -> src/main/core/secrets/redact.ts',
  'circle: host/electron-api/browser-window.mts -> host/electron-api/web-contents.mts',
  'circle: host/electron-api/browser-window.mts -> host/launch/surroundings.mts',
  'circle: host/electron-api/web-contents.mts -> host/launch/surroundings.mts',
  'circle: src/main/core/database/integrity-worker.ts -> src/main/core/database/integrity.ts',
  'circle: src/main/core/files/content.ts -> src/main/core/files/pending-output.ts',
  'circle: src/main/core/files/folders.ts -> src/main/core/files/publish.ts',
  'circle: src/main/core/files/identity.ts -> src/main/core/scanner/scanner.ts',
  'circle: src/main/core/jobs/job-commands.ts -> src/main/core/jobs/scheduler.ts',
  'circle: src/main/core/jobs/job-queries.ts -> src/main/core/jobs/job-store.ts',
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
  it('has no import circle, and no import that runs back up', async () => {
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
    expect(found.toSorted()).toEqual(exceptions.toSorted());
  });

  it('has no file, export or package that nothing uses', async () => {
    const knip = join(root, 'node_modules/.bin/knip');
    const run = promisify(execFile)(knip, ['--no-progress', '--no-config-hints'], { cwd: root });
    // It ends with 1 where it found something, and prints what.
    await expect(run.then(({ stdout }) => stdout)).resolves.toBe('');
  });
});
