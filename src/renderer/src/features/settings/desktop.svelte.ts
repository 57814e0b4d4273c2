import type { DesktopInfo } from '../../../../shared/schemas/app.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** Where Timbre is found without its window, whether it opens at sign-in, and `timbre` in a terminal. The system knows, and the user may change it there. */
export class DesktopState extends ActionState {
  readonly #api: Pick<Api['app'], 'desktop' | 'setLoginItem' | 'setTerminalCommand'>;

  /** Null until `load` has succeeded. */
  info = $state.raw<DesktopInfo | null>(null);

  constructor(api: Pick<Api['app'], 'desktop' | 'setLoginItem' | 'setTerminalCommand'>) {
    super();
    this.#api = api;
  }

  async load(): Promise<void> {
    this.info = (await this.attempt(() => this.#api.desktop())) ?? this.info;
  }

  async setLoginItem(isOn: boolean): Promise<void> {
    this.info = (await this.attempt(() => this.#api.setLoginItem({ isOn }))) ?? this.info;
  }

  async setTerminalCommand(isOn: boolean): Promise<void> {
    this.info = (await this.attempt(() => this.#api.setTerminalCommand({ isOn }))) ?? this.info;
  }
}
