import type { OperationId } from '../../src/shared/operations.ts';
import * as v from 'valibot';
import { AppError } from '../../src/shared/errors.ts';
import type { Emitters, Handlers } from '../../src/shared/ipc/define-contract.ts';
import { type LogRow, matchesLog } from '../../src/shared/schemas/log.ts';
import type { Contract } from '../../src/shared/ipc/contract.ts';
import { type HealthReport, type ChosenFile, apiCall, type Exchange } from '../../src/shared/schemas/diagnostics.ts';

/** The result of the health checks, and the exchange of each operation. */
export interface DiagnosticsScene {
  readonly round: HealthReport;
  /** Subjects whose check is still running. */
  readonly running: readonly string[];
  readonly file: ChosenFile | null;
  /** Oldest first. */
  readonly log: readonly LogRow[];
  readonly exchanges: Partial<Readonly<Record<OperationId, Exchange>>>;
}

const nothing: DiagnosticsScene = {
  round: { at: 0, version: '0.1.0', system: 'Linux', checks: [] },
  running: [],
  file: null,
  log: [],
  exchanges: {},
};

/** Validates calls with main's schema. A call of an operation without an exchange is never answered. */
export function fakeDiagnostics(
  scene: DiagnosticsScene = nothing,
  emit: Emitters<Contract>['diagnostics'],
): Handlers<Contract>['diagnostics'] {
  return {
    readLog: ({ direction, level, text }) => ({
      rows: direction === 'newer' ? [] : scene.log.filter((row) => matchesLog(row, { level, text })),
      start: null,
      end: '',
    }),
    revealLog: () => undefined,
    runChecks: () => {
      if (scene.running.length === 0) return scene.round;
      const checks = scene.round.checks.map((line) =>
        scene.running.includes(line.subject) ? { ...line, result: null } : line,
      );
      emit.checkChanged({ ...scene.round, checks });
      return new Promise(() => undefined);
    },
    chooseFile: () => scene.file,
    call: ({ call }) => {
      const parsed = v.safeParse(apiCall, call);
      if (!parsed.success) {
        const field = `call.${v.getDotPath(parsed.issues[0]) ?? ''}`;
        throw new AppError('request/invalid', field, { facts: { field } });
      }
      return scene.exchanges[call.operation] ?? new Promise(() => undefined);
    },
    cancelCall: () => undefined,
  };
}
