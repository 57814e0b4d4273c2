import { app, autoUpdater as squirrel } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { UpdateStatus } from '../../shared/schemas/update.ts';
import type { Core } from '../core/core.ts';
import { systemClock } from '../core/clock.ts';
import type { Log } from '../core/diagnostics/log.ts';
import { findProgramFile } from '../core/program-file.ts';
import type { SettingsStore } from '../core/settings.ts';
import { readFeed } from '../core/updates/release-feed.ts';
import { createHttp } from '../core/voice-service/http.ts';
import { createUpdates, type Updates } from '../core/updates/updates.ts';
import { restartApp } from './app-lifecycle.ts';
import type { QuitGuard } from './quit.ts';
import { createUpdateInstaller, findPackage } from './update-installer.ts';

interface Dependencies {
  readonly dataFolder: string;
  readonly core: Pick<Core, 'data' | 'signal'>;
  settings(): Promise<SettingsStore>;
  emitChanged(status: UpdateStatus): void;
  readonly quitGuard: Pick<QuitGuard, 'quitThen' | 'quitBy'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

async function loadUpdater(log: Dependencies['log']): Promise<AppUpdater> {
  const { autoUpdater } = await import('electron-updater');
  const line = (text: unknown) => String(text);
  autoUpdater.logger = {
    info: (text) => log.info('update', line(text)),
    warn: (text) => log.warn('update', line(text)),
    error: (text) => log.error('update', new Error(line(text))),
  };
  return autoUpdater;
}

/** A queue that the user has paused is at rest. Data that cannot be opened, or only be read, may need the update. */
async function hasOpenJobs({ data }: Pick<Core, 'data'>): Promise<boolean> {
  try {
    const {
      queue: { store, breaker },
      refusal,
    } = await data();
    return refusal === null && store.hasUnfinished() && !breaker.list().some(({ reason }) => reason === 'user');
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Starts to look for updates of this program, until the core stops. */
export async function startUpdates(dependencies: Dependencies): Promise<Updates> {
  const { dataFolder, core, settings, emitChanged, quitGuard, log } = dependencies;
  const [manifest, store] = await Promise.all([readFile(join(app.getAppPath(), 'package.json'), 'utf8'), settings()]);
  const { platform } = process;
  const file = findProgramFile(process);
  const packageKind = findPackage({ platform, isPackaged: app.isPackaged, file });
  // Not the client of the core, which makes no call while the data of a newer Timbre can only be read.
  const http = createHttp({
    proxy: () => store.get().proxy,
    isAllowed: () => !store.get().isOfflineMode,
  });
  const updates = createUpdates({
    clock: systemClock,
    http,
    dataFolder,
    version: app.getVersion(),
    arch: process.arch,
    feed: readFeed(JSON.parse(manifest)),
    installer:
      packageKind &&
      createUpdateInstaller({
        package: packageKind,
        file: packageKind === 'appimage' ? file : null,
        loadUpdater: () => loadUpdater(log),
        squirrel,
        restart: () => restartApp(quitGuard),
        quitThen: quitGuard.quitThen,
        quitBy: quitGuard.quitBy,
      }),
    hasOpenJobs: () => hasOpenJobs(core),
    onError: (error) => log.error('update', error),
  });
  updates.onChanged(emitChanged);
  const stop = (): void => {
    updates.stop();
    http.close().catch((error: unknown) => log.error('update', error));
  };
  core.signal.addEventListener('abort', stop, { once: true });
  updates.follow(store.get());
  store.onChanged(updates.follow);
  await updates.start();
  return updates;
}
