import { flipFuses } from '@electron/fuses';
import { Arch } from 'electron-builder';
import { join } from 'node:path';
import { checkPackage } from './check-package.js';
import { openToAll } from './file-modes.js';
import { fuses } from './fuses.js';

/** What the packed program is called on each system. */
const endings = new Map([
  ['darwin', '.app'],
  ['win32', '.exe'],
  ['linux', ''],
]);

/**
 * Checks what was packed, lets every user read it, and sets the fuses in the packed binary before it is signed.
 * electron-builder's own setting knows eight of the nine.
 *
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const wrong = checkPackage(packager.getResourcesDir(appOutDir), `${electronPlatformName}-${Arch[arch]}`);
  if (wrong.length > 0) throw new Error(`This package must not be shipped:\n${wrong.join('\n')}`);
  openToAll(appOutDir);
  const { productFilename } = packager.appInfo;
  const name = electronPlatformName === 'linux' ? packager.config.linux?.executableName : productFilename;
  await flipFuses(join(appOutDir, `${name ?? productFilename}${endings.get(electronPlatformName) ?? ''}`), {
    ...fuses,
    // Changing the binary breaks the signature that Electron came with, and arm64 runs nothing unsigned.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
  });
}
