import type { Problem } from '../../../../shared/errors.ts';
import type { HealthReport } from '../../../../shared/schemas/diagnostics.ts';
import { type Api, toProblem } from '../../lib/api.ts';

/** What the doctor found, line by line as it comes. The lines of the last round stay until those of the next are there. */
export class HealthChecks {
  readonly #api: Api['diagnostics'];
  round = $state.raw<HealthReport | null>(null);
  isRunning = $state(false);
  /** Why the last round came to no end. */
  problem = $state.raw<Problem | null>(null);

  constructor(api: Api['diagnostics']) {
    this.#api = api;
  }

  subscribe(): () => void {
    return this.#api.onCheckChanged((round) => (this.round = round));
  }

  /** Lines that say that something is wrong. */
  readonly bad = $derived.by(() => this.round?.checks.filter(({ result }) => result?.ok === false) ?? []);

  /** The first round is taken when somebody wants to see it. */
  async look(): Promise<void> {
    if (this.round === null) await this.again();
  }

  /** The newest entries of the log; empty where it can't be read, which the log itself would say. */
  readLog(): Promise<string> {
    return this.#api.log().catch(() => '');
  }

  async again(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.problem = null;
    try {
      this.round = await this.#api.runChecks();
    } catch (error) {
      this.problem = toProblem(error);
    } finally {
      this.isRunning = false;
    }
  }
}
