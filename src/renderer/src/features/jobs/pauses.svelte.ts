import type { JobInfo, Pause } from '../../../../shared/schemas/job.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

const keyOf = ({ connectionId, reason }: Pause): string => `${reason} ${connectionId ?? ''}`;

/** The pauses of main: a snapshot, then events with the whole list. Call `subscribe` before `load`. */
export class Pauses extends ActionState {
  readonly #api: Pick<
    Api['jobs'],
    'pauses' | 'pause' | 'resume' | 'continueOnBattery' | 'allowToken' | 'onPausesChanged'
  >;
  /** An event during `load` has a newer list than its reply. */
  #eventCount = 0;

  list = $state.raw<readonly Pause[]>([]);
  /** Pauses that began since `markAnnounced`. A new end time of a known pause does not count. */
  unannounced = $state.raw<readonly Pause[]>([]);
  readonly isPausedByUser: boolean = $derived(this.list.some(({ reason }) => reason === 'user'));

  constructor(
    api: Pick<Api['jobs'], 'pauses' | 'pause' | 'resume' | 'continueOnBattery' | 'allowToken' | 'onPausesChanged'>,
  ) {
    super();
    this.#api = api;
  }

  subscribe(): () => void {
    return this.#api.onPausesChanged((pauses) => {
      this.#eventCount++;
      this.#set(pauses);
    });
  }

  async load(): Promise<void> {
    const before = this.#eventCount;
    const pauses = await this.#api.pauses();
    if (this.#eventCount === before) this.#set(pauses);
  }

  /** The pause that a waiting job waits for; the user's own pause comes first. */
  findFor({ connectionId, state }: Pick<JobInfo, 'connectionId' | 'state'>): Pause | undefined {
    const applicable = this.list.filter((pause) => pause.connectionId === null || pause.connectionId === connectionId);
    // Downloading a converted result costs nothing, so it goes on without credit.
    const pauses = applicable.filter(({ reason }) => reason !== 'quota' || state !== 'converted');
    return pauses.find(({ reason }) => reason === 'user') ?? pauses[0];
  }

  markAnnounced(): void {
    this.unannounced = [];
  }

  pause(): Promise<void> {
    return this.attempt(() => this.#api.pause());
  }

  /** Null ends the user's own pause. */
  resume(connectionId: string | null): Promise<void> {
    return this.attempt(() => this.#api.resume({ connectionId }));
  }

  /** Ends the pause on battery power until the source of power changes. */
  continueOnBattery(): Promise<void> {
    return this.attempt(() => this.#api.continueOnBattery());
  }

  /** Allows sending the connection's token to another origin. */
  allowToken(connectionId: string, origin: string): Promise<void> {
    return this.attempt(() => this.#api.allowToken({ connectionId, origin }));
  }

  #set(pauses: readonly Pause[]): void {
    const known = this.list.map(keyOf);
    const unannounced = this.unannounced.map(keyOf);
    this.unannounced = pauses.filter((pause) => unannounced.includes(keyOf(pause)) || !known.includes(keyOf(pause)));
    this.list = pauses;
  }
}
