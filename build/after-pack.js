import { flipFuses } from '@electron/fuses';
import { join } from 'node:path';
import { fuses } from './fuses.js';

/** What the packed program is called on each system. */
const endings = new Map([
  ['darwin', '.app'],
  ['win32', '.exe'],
  ['linux', ''],
]);

/**
 * Sets the fuses in the packed binary, before it is signed. electron-builder's own setting knows eight of the nine.
 *
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const { productFilename } = packager.appInfo;
  const name = electronPlatformName === 'linux' ? packager.config.linux?.executableName : productFilename;
  await flipFuses(join(appOutDir, `${name ?? productFilename}${endings.get(electronPlatformName) ?? ''}`), {
    ...fuses,
    // Changing the binary breaks the signature that Electron came with, and arm64 runs nothing unsigned.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
  });
}
