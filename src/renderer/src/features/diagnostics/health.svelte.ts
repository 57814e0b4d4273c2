import type { Problem } from '../../../../shared/errors.ts';
import type { LogRow } from '../../../../shared/schemas/log.ts';
import type { HealthReport } from '../../../../shared/schemas/diagnostics.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** The health checks, result by result. The last report stays until the first result of the next run arrives. */
export class HealthChecks {
  readonly #api: Api['diagnostics'];
  report = $state.raw<HealthReport | null>(null);
  isRunning = $state(false);
  /** Why the last run failed. */
  problem = $state.raw<Problem | null>(null);

  constructor(api: Api['diagnostics']) {
    this.#api = api;
  }

  subscribe(): () => void {
    return this.#api.onCheckChanged((report) => (this.report = report));
  }

  readonly failedChecks = $derived.by(() => this.report?.checks.filter(({ result }) => result?.ok === false) ?? []);

  /** Runs the checks unless there is a report: the first run waits until the view opens. */
  async runOnce(): Promise<void> {
    if (this.report === null) await this.run();
  }

  /** The newest log entries; none if the log cannot be read. */
  async readLog(): Promise<readonly LogRow[]> {
    try {
      return (await this.#api.readLog({ level: 'debug', text: '', direction: 'older', cursor: null })).rows;
    } catch {
      return [];
    }
  }

  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.problem = null;
    try {
      this.report = await this.#api.runChecks();
    } catch (error) {
      this.problem = toProblem(error);
    } finally {
      this.isRunning = false;
    }
  }
}
