// `npm run package`: builds installers for this system and processor into dist; others need a keychain's module of their own.
// Reports what is missing if there is no Electron binary, or only half of what updates need.
import { build, type Configuration } from 'electron-builder';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import configuration from '../build/electron-builder.js';
import { commandFolder } from '../build/command-files.js';
import { openToAll } from '../build/file-modes.js';
import { updatesFrom } from '../build/updates.js';
import { buildBundles } from './build-bundles.mts';
import { writeCommandFiles } from './write-command-files.mts';
import { installedElectron, fetchElectron } from './find-host.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';

function readUpdates(): Configuration {
  try {
    return updatesFrom(process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const updates = readUpdates();
if (isStale()) buildBundles();
if (!installedElectron() && !fetchElectron()) {
  console.error(
    'The installers need the Electron binary, and it could not be fetched.\n' +
      'Run "npx install-electron" where its download is allowed, or unpack electron for this system into ' +
      'node_modules/electron/dist and write the name of its executable into node_modules/electron/path.txt. ' +
      'Then run "npm run package" again.',
  );
  process.exit(1);
}
// What electron-builder writes beside the app, such as the desktop entry.
process.umask(0o022);
openToAll(join(root, 'build/icons'));
writeCommandFiles(commandFolder);
const dist = join(root, 'node_modules/electron/dist');
const config = { ...configuration, ...updates, ...(existsSync(dist) && { electronDist: dist }) };
// A tag would otherwise publish to wherever the repository is.
await build({ projectDir: root, publish: 'never', config });
