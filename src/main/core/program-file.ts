import { posix, win32 } from 'node:path';

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the executable that runs. */
  readonly execPath: string;
}

/**
 * The file that the user starts where it is not the executable that runs, which is gone when Timbre ends: an AppImage, or the
 * portable exe for Windows. Null for all others.
 */
export function findProgramFile({ platform, env, execPath }: Surroundings): string | null {
  // Programs that another AppImage starts inherit its variables.
  const { APPIMAGE: image = '', APPDIR: mounted = '', PORTABLE_EXECUTABLE_FILE: portable = '' } = env;
  if (platform === 'linux') {
    const isMounted = posix.isAbsolute(image) && posix.isAbsolute(mounted) && execPath.startsWith(`${mounted}/`);
    return isMounted ? image : null;
  }
  // The portable exe unpacks itself into a folder of this shape (app-builder-lib, templates/nsis/portable.nsi).
  const isUnpacked = platform === 'win32' && /\\ns[^\\]*\.tmp\\app\\[^\\]+$/i.test(execPath);
  return isUnpacked && win32.isAbsolute(portable) ? portable : null;
}
