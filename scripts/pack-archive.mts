// `node scripts/pack-archive.mts FOLDER`: packs the app as the installers do, but without the Electron binary, which is a
// stand-in. Then unpacks the archive into FOLDER/app.asar, from where Node and the Chromium host can start it.
import { extractAll } from '@electron/asar';
import { Arch, build, type Configuration, Platform } from 'electron-builder';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import configuration from '../build/electron-builder.js';
import { root } from './root.mts';

export interface Packed {
  /** Folder that holds the program, as it is installed. */
  readonly program: string;
  /** Folder that holds `app.asar` and the files beside it. */
  readonly resources: string;
}

/** Before the fuses in an Electron binary: https://github.com/electron/fuses. */
const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const [fuseVersion, fuseCount] = [1, 9];

/** What electron-builder and the fuses need of an Electron: its names, and the place of its fuses, all off. */
function writeStandIn(folder: string): void {
  const fuses = Buffer.concat([Buffer.from([fuseVersion, fuseCount]), Buffer.from('0'.repeat(fuseCount))]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from(fuseSentinel), fuses]));
  chmodSync(join(folder, 'electron'), 0o755);
  writeFileSync(join(folder, 'LICENSE'), readFileSync(join(root, 'node_modules/electron/LICENSE')));
}

/** Packs the built app for Linux and this processor into a folder. `changes` replace parts of the configuration. */
export async function packArchive(folder: string, changes: Configuration = {}): Promise<Packed> {
  const electron = mkdtempSync(join(tmpdir(), 'timbre-stand-in-'));
  try {
    writeStandIn(electron);
    // electron-builder changes what it is given.
    const { directories, ...config } = structuredClone({ ...configuration, ...changes });
    const arch = process.arch === 'arm64' ? Arch.arm64 : Arch.x64;
    await build({
      projectDir: root,
      targets: Platform.LINUX.createTarget('dir', arch),
      publish: 'never',
      config: { ...config, electronDist: electron, directories: { ...directories, output: folder } },
    });
    const program = join(folder, arch === Arch.arm64 ? 'linux-arm64-unpacked' : 'linux-unpacked');
    return { program, resources: join(program, 'resources') };
  } finally {
    rmSync(electron, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? 'dist/archive');
  mkdirSync(folder, { recursive: true });
  const { resources } = await packArchive(folder);
  const app = join(folder, 'app.asar');
  rmSync(app, { recursive: true, force: true });
  extractAll(join(resources, 'app.asar'), app);
  console.log(app);
}
