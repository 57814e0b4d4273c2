import { FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * All nine fuses, each said. Integrity of the archive is checked where Electron can (macOS, Windows); a custom V8 snapshot would
 * cost Electron its own; there are no cookies, and a keychain that is asked for their key may ask for a password; our page has a scheme of its own, so `file:` needs no privileges.
 */
export const fuses = /** @type {const} */ ({
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
});
