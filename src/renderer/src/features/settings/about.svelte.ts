import type { Notice } from '../../../../shared/schemas/app.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** The version of Timbre, and what ships with it. */
export class AboutState extends ActionState {
  readonly #api: Pick<Api['app'], 'notices'>;

  version = $state('');
  isOpen = $state(false);
  /** Null until they were loaded. */
  notices = $state.raw<readonly Notice[] | null>(null);

  constructor(api: Pick<Api['app'], 'notices'>) {
    super();
    this.#api = api;
  }

  async openNotices(): Promise<void> {
    this.isOpen = true;
    this.notices ??= (await this.attempt(() => this.#api.notices())) ?? null;
  }
}
