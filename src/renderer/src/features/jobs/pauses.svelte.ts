import type { JobInfo, Pause } from '../../../../shared/schemas/job.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

const keyOf = ({ connectionId, reason }: Pause): string => `${reason} ${connectionId ?? ''}`;

/** What holds the queue up, as main knows it: a snapshot, then changes, each of them the whole list. `subscribe` before `load`. */
export class Pauses extends ActionState {
  readonly #api: Pick<Api['jobs'], 'pauses' | 'pause' | 'resume' | 'allowToken' | 'onPausesChanged'>;
  /** Main's news of a list is never older than an answer that was asked for before it. */
  #news = 0;

  list = $state.raw<readonly Pause[]>([]);
  /** Came since `toldNew`, and no more than once each: a pause that only grows longer is not new. */
  fresh = $state.raw<readonly Pause[]>([]);
  readonly isPersons: boolean = $derived(this.list.some(({ reason }) => reason === 'person'));

  constructor(api: Pick<Api['jobs'], 'pauses' | 'pause' | 'resume' | 'allowToken' | 'onPausesChanged'>) {
    super();
    this.#api = api;
  }

  subscribe(): () => void {
    return this.#api.onPausesChanged((pauses) => {
      this.#news++;
      this.#put(pauses);
    });
  }

  async load(): Promise<void> {
    const before = this.#news;
    const pauses = await this.#api.pauses();
    if (this.#news === before) this.#put(pauses);
  }

  /** What a job that is not under way waits for, the person's own pause before all others. */
  holding({ connectionId, state }: Pick<JobInfo, 'connectionId' | 'state'>): Pause | undefined {
    const mine = this.list.filter((pause) => pause.connectionId === null || pause.connectionId === connectionId);
    // A result that is paid for is fetched, however empty the account.
    const held = mine.filter(({ reason }) => reason !== 'quota' || state !== 'converted');
    return held.find(({ reason }) => reason === 'person') ?? held[0];
  }

  toldNew(): void {
    this.fresh = [];
  }

  pause(): Promise<void> {
    return this.attempt(() => this.#api.pause());
  }

  /** Null is the person's own pause. */
  resume(connectionId: string | null): Promise<void> {
    return this.attempt(() => this.#api.resume({ connectionId }));
  }

  /** The token of a connection may go to this origin as well. */
  allowToken(connectionId: string, origin: string): Promise<void> {
    return this.attempt(() => this.#api.allowToken({ connectionId, origin }));
  }

  #put(pauses: readonly Pause[]): void {
    const known = this.list.map(keyOf);
    const waiting = this.fresh.map(keyOf);
    this.fresh = pauses.filter((pause) => waiting.includes(keyOf(pause)) || !known.includes(keyOf(pause)));
    this.list = pauses;
  }
}
