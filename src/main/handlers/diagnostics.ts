import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { arch, release, type } from 'node:os';
import { basename, join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { HealthCheck, HealthReport } from '../../shared/schemas/diagnostics.ts';
import type { Clock } from '../core/clock.ts';
import type { Core } from '../core/core.ts';
import type { ApiConsole } from '../core/diagnostics/api-console.ts';
import { logFileNames } from '../core/diagnostics/log.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Dialogs } from './dialogs.ts';

export interface DiagnosticsDesktop {
  readonly version: string;
  readonly dataFolder: string;
  emitChecked(report: HealthReport): void;
}

interface Dependencies extends DiagnosticsDesktop, Pick<Dialogs, 'chooseFile'> {
  readonly core: Core;
  readonly isPortable: boolean;
  readonly settings: () => Promise<SettingsStore>;
  readonly clock: Clock;
  /** Shows a file in the system's file manager. */
  reveal(path: string): void;
}

function systemLine(isPortable: boolean): string {
  const { electron, node } = process.versions;
  return [
    `${type()} ${release()} ${arch()}`,
    electron && `Electron ${electron}`,
    `Node ${node}`,
    isPortable && 'portable',
  ]
    .filter((part) => part)
    .join(', ');
}

/** Loads its modules on first use: diagnostics are not needed before the first paint. */
export function createDiagnosticsHandlers(dependencies: Dependencies): Handlers<Contract>['diagnostics'] {
  const { core, settings, clock, version, isPortable, dataFolder, chooseFile, emitChecked } = dependencies;
  let running: Promise<HealthReport> | undefined;
  let console: Promise<ApiConsole> | undefined;
  let readLog: ReturnType<typeof openLog> | undefined;
  let upload: { readonly id: string; readonly path: string } | undefined;

  async function check(): Promise<HealthReport> {
    const { planChecks, runChecks } = await import('../core/diagnostics/health-checks.ts');
    const at = clock.now();
    const system = systemLine(isPortable);
    const reportOf = (checks: readonly HealthCheck[]): HealthReport => ({ at, version, system, checks });
    const plan = await planChecks(core, { dataFolder, outputFolder: (await settings()).get().outputFolder });
    return reportOf(await runChecks(plan, core.signal, (checks) => emitChecked(reportOf(checks))));
  }

  async function openConsole(): Promise<ApiConsole> {
    const { createApiConsole } = await import('../core/diagnostics/api-console.ts');
    return createApiConsole(core);
  }

  async function openLog() {
    const { createLogReader } = await import('../core/diagnostics/log-reader.ts');
    return createLogReader(dataFolder);
  }

  return {
    // Concurrent requests share one run.
    runChecks: () => (running ??= check().finally(() => (running = undefined))),
    readLog: async (query) => (await (readLog ??= openLog()))(query),
    revealLog: () => dependencies.reveal(join(dataFolder, logFileNames[0])),
    async chooseFile() {
      const path = await chooseFile();
      if (path === null) return null;
      const { size } = await stat(path).catch((cause: unknown) => {
        throw new AppError('input/unreadable', `cannot read ${path}`, { cause });
      });
      upload = { id: randomUUID(), path };
      return { id: upload.id, name: basename(path), sizeBytes: size };
    },
    async call({ connectionId, call }) {
      const path = call.operation === 'upload' && call.audioFile === upload?.id ? upload.path : null;
      return (await (console ??= openConsole())).call(connectionId, call, path);
    },
    async cancelCall() {
      (await console)?.stop();
    },
  };
}
