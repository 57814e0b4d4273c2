import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { AppUpdater, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import { AppError } from '../../shared/errors.ts';
import type { PackageKind } from '../../shared/schemas/release-list.ts';
import { replaceFile } from '../core/files/replace-file.ts';
import type { UpdateFile, UpdateInstaller } from '../core/updates/updates.ts';

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  /** See `findProgramFile`. */
  readonly file: string | null;
}

/** The package that replaces this Timbre. Null where the user or the system's package manager does that. */
export function findPackage({ platform, isPackaged, file }: Surroundings): PackageKind | null {
  if (!isPackaged) return null;
  if (platform === 'darwin') return 'zip';
  if (platform === 'win32') return file === null ? 'nsis' : null;
  return file === null ? null : 'appimage';
}

interface Dependencies {
  readonly package: PackageKind;
  /** The AppImage that is replaced; null for the other packages. */
  readonly file: string | null;
  /** electron-updater's updater for this package. */
  loadUpdater(): Promise<AppUpdater>;
  /** Ends Timbre, and starts it again. */
  restart(): void;
  /** Ends Timbre, and calls `last` as its last act. */
  quitThen(last: () => void): void;
}

/** The part of electron-updater's HTTP client that a whole download needs. */
interface HttpExecutor {
  download(url: URL, destination: string): Promise<string>;
}

/**
 * Installs with electron-updater. It is given only what the signed list of releases says, and Timbre's own HTTP client, which keeps
 * to the proxy and the offline mode of the settings.
 */
export function createUpdateInstaller(dependencies: Dependencies): UpdateInstaller {
  const { package: packageKind, file: image, loadUpdater, restart, quitThen } = dependencies;
  let downloaded: { readonly path: string; readonly file: UpdateFile; readonly updater: AppUpdater } | undefined;

  async function download(file: UpdateFile, save: (path: string) => Promise<void>): Promise<void> {
    const [updater, { Provider }] = await Promise.all([loadUpdater(), import('electron-updater')]);
    const info = { url: file.name, sha512: file.sha512, size: file.bytes };
    class ListedRelease extends Provider<UpdateInfo> {
      // The library does not export the types of these.
      constructor(_options: unknown, _updater: unknown, runtimeOptions: never) {
        super(runtimeOptions);
      }
      override getLatestVersion = (): Promise<UpdateInfo> =>
        Promise.resolve({
          version: file.version,
          files: [info],
          path: file.name,
          sha512: file.sha512,
          releaseDate: '',
        });
      override resolveFiles = (): ResolvedUpdateFileInfo[] => [{ url: file.address, info }];
    }
    const httpExecutor: HttpExecutor = { download: (_url, path) => save(path).then(() => path) };
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = false;
    // It would need more of the HTTP client.
    updater.disableDifferentialDownload = true;
    updater.setFeedURL({ provider: 'custom', updateProvider: ListedRelease as never });
    Object.assign(updater, { httpExecutor });
    if (!(await updater.checkForUpdates())?.isUpdateAvailable) {
      throw new AppError('update/failed', 'the updater does not take this release');
    }
    const [path] = await updater.downloadUpdate();
    if (path === undefined) throw new AppError('update/failed', 'the updater has no file');
    downloaded = { path, file, updater };
  }

  /** In place of the old one, under its name, to which menus, links and the command in a terminal point. */
  async function replaceImage(target: string, source: string, { sha512 }: UpdateFile): Promise<void> {
    await replaceFile(target, async (part) => {
      await copyFile(source, part, constants.COPYFILE_EXCL);
      await chmod(part, 0o755);
      const hash = createHash('sha512');
      await pipeline(createReadStream(part), hash);
      if (hash.digest('base64') !== sha512) throw new AppError('update/failed', 'what was downloaded has changed');
    });
  }

  /** Squirrel ends Timbre once it has taken the update. Settles only if it refuses it, as it does in an app without a signature. */
  const quitForSquirrel = (updater: AppUpdater): Promise<never> =>
    new Promise((_resolve, reject) => {
      updater.once('error', (cause) => reject(new AppError('update/failed', 'Squirrel refuses the update', { cause })));
      updater.quitAndInstall();
    });

  return {
    package: packageKind,
    download,
    async install() {
      if (!downloaded) return;
      const { path, file, updater } = downloaded;
      if (image !== null) {
        await replaceImage(image, path, file).catch((cause: unknown) => {
          // Of its codes, only this one says what the user can do.
          if (cause instanceof AppError && cause.code === 'output/disk-full') throw cause;
          throw new AppError('update/failed', `${image} cannot be replaced`, { cause });
        });
        restart();
      } else if (packageKind === 'zip') {
        await quitForSquirrel(updater);
      } else {
        // The setup would end a Timbre that still writes.
        quitThen(() => updater.quitAndInstall(true, true));
      }
    },
  };
}
