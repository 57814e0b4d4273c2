import type { UpdateStatus } from '../../../../shared/schemas/update.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

const seenKey = 'seen-update';

/** Newer versions of Timbre: what was found, and what the user does about it. */
export class UpdatesState extends ActionState {
  readonly #api: Api['updates'];
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Null until there is a version to compare it with. */
  #seen = $state<string | null>(null);

  /** Null until it was loaded. */
  status = $state.raw<UpdateStatus | null>(null);
  /** The version to tell about: one that the user has not seen in Settings yet, or one that is ready. Null if there is none. */
  readonly notice: string | null = $derived.by(() => {
    const { available, phase } = this.status ?? {};
    return available && (phase === 'downloaded' || available.version !== this.#seen) ? available.version : null;
  });

  constructor(api: Api['updates'], storage: Pick<Storage, 'getItem' | 'setItem'>) {
    super();
    this.#api = api;
    this.#storage = storage;
  }

  subscribe(): () => void {
    return this.#api.onChanged((status) => this.#set(status));
  }

  async load(): Promise<void> {
    await this.#take(() => this.#api.status());
  }

  /** The user has the available version before them. */
  markSeen(): void {
    const version = this.status?.available?.version;
    if (version === undefined || version === this.#seen) return;
    this.#seen = version;
    this.#storage.setItem(seenKey, version);
  }

  check(): Promise<void> {
    return this.#take(() => this.#api.check());
  }

  download(): Promise<void> {
    return this.#take(() => this.#api.download());
  }

  async install(): Promise<void> {
    await this.attempt(() => this.#api.install());
  }

  async openPage(): Promise<void> {
    await this.attempt(() => this.#api.openPage());
  }

  async #take(action: () => Promise<UpdateStatus>): Promise<void> {
    const status = await this.attempt(action);
    if (status) this.#set(status);
  }

  #set(status: UpdateStatus): void {
    if (status.available) this.#seen ??= this.#storage.getItem(seenKey) ?? '';
    this.status = status;
  }
}
