import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessages } from './compile-messages.mts';
import { stamp } from './is-stale.mts';
import { writeNotices } from './notices.mts';
import { root } from './root.mts';
import { writeSpeechData } from './speech-data.mts';

/** Builds main, preload, page, engine, workers and command line into `out`. Exits the process if the build fails. */
export function buildBundles(): void {
  compileMessages();
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  // The builder's output goes to stderr, because stdout may be a pipe.
  const { status } = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeSpeechData();
  writeNotices();
  writeFileSync(stamp, '');
}
