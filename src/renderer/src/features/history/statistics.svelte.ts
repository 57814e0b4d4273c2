import {
  type Amounts,
  madeSeconds,
  type Statistics,
  type StatisticsKind,
  type StatisticsQuery,
} from '../../../../shared/schemas/statistics.ts';
import { ActionState, createLatest } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** What bars show. */
export type Measure = 'results' | 'seconds' | 'characters';

/** The measures that entries of a kind have. */
export const measuresOf = (kind: StatisticsKind): readonly Measure[] =>
  kind === 'conversion' ? ['results', 'seconds'] : ['results', 'seconds', 'characters'];

/** Of seconds those of recordings and of what was spoken. */
export const amountOf = (amounts: Amounts, measure: Measure): number =>
  measure === 'seconds' ? madeSeconds(amounts) : amounts[measure];

/** The statistics in the history view: what was asked for, and the last answer, which stays until the next one. */
export class HistoryStatistics extends ActionState {
  readonly #api: Pick<Api['history'], 'statistics'>;
  readonly #begin = createLatest();
  #isStale = false;
  #isShown = false;
  #selectedMeasure = $state<Measure>('results');

  isOpen = $state(false);
  isLoading = $state(false);
  /** Tables with all amounts instead of charts. */
  isTable = $state(false);
  query = $state.raw<StatisticsQuery>({ period: '12m', kind: 'all' });
  value = $state.raw<Statistics | null>(null);

  readonly measure: Measure = $derived(
    measuresOf(this.query.kind).includes(this.#selectedMeasure) ? this.#selectedMeasure : 'results',
  );

  constructor(api: Pick<Api['history'], 'statistics'>) {
    super();
    this.#api = api;
  }

  /** Called when it is shown. Returns a function to call when it no longer is. */
  show(): () => void {
    this.#isShown = true;
    void this.load();
    return () => (this.#isShown = false);
  }

  selectMeasure(measure: Measure): void {
    this.#selectedMeasure = measure;
  }

  select(change: Partial<StatisticsQuery>): Promise<void> {
    this.query = { ...this.query, ...change };
    return this.load();
  }

  /** An earlier call has no effect any more. */
  async load(): Promise<void> {
    const isLatest = this.#begin();
    this.#isStale = false;
    this.isLoading = true;
    const value = await this.attempt(async () => {
      try {
        return await this.#api.statistics(this.query);
      } catch (error) {
        if (isLatest()) throw error;
        return null;
      }
    });
    if (!isLatest()) return;
    this.value = value ?? this.value;
    this.isLoading = false;
    await this.#loadIfStale();
  }

  #loadIfStale(): Promise<void> {
    return this.#isStale ? this.load() : Promise.resolve();
  }

  /** Entries were added or removed. One answer is awaited at a time: a busy queue would end each before it is there. */
  refresh(): void {
    if (!this.#isShown) return;
    if (this.isLoading) this.#isStale = true;
    else void this.load();
  }
}
