import type { AutoUpdater } from 'electron';
import { once } from 'node:events';
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
  /** The system's updater of macOS, to which electron-updater hands what it has downloaded. */
  readonly squirrel: Pick<AutoUpdater, 'checkForUpdates'> & NodeJS.EventEmitter;
  /** Ends Timbre, and starts it again, unless the user cancels. */
  restart(): void;
  /** Ends Timbre, and calls `last` as its last act, unless the user cancels. */
  quitThen(last: () => void): void;
  /** Ends Timbre by calling `quit`, unless the user cancels. */
  quitBy(quit: () => void): void;
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
  const { package: packageKind, file: image, loadUpdater, squirrel, restart, quitThen, quitBy } = dependencies;
  let downloaded: { readonly path: string; readonly file: UpdateFile; readonly updater: AppUpdater } | undefined;
  /** What Squirrel has checked, and installs when Timbre ends. */
  let taken: typeof downloaded;

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
    // Squirrel says only so that it updates no app without a signature, and then answers nothing any more.
    const refusals: unknown[] = [];
    const refuse = (cause: unknown): void => void refusals.push(cause);
    updater.on('error', refuse);
    const [path] = await updater.downloadUpdate().finally(() => updater.off('error', refuse));
    if (path === undefined || refusals.length > 0) {
      throw new AppError('update/failed', 'the updater does not take the file', { cause: refusals[0] });
    }
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

  /** While Timbre still runs, so that a refusal can be shown. A user who then cancels finds the update at the next start. */
  async function handToSquirrel(): Promise<void> {
    if (taken === downloaded) return;
    const answer = once(squirrel, 'update-downloaded');
    squirrel.checkForUpdates();
    await answer.catch((cause: unknown) => {
      throw new AppError('update/failed', 'Squirrel refuses the update', { cause });
    });
    taken = downloaded;
  }

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
        await handToSquirrel();
        // It closes the windows before Electron asks whether Timbre may quit.
        quitBy(() => {
          updater.once('error', restart);
          updater.quitAndInstall();
        });
      } else {
        // The setup would end a Timbre that still writes.
        quitThen(() => updater.quitAndInstall(true, true));
      }
    },
  };
}
