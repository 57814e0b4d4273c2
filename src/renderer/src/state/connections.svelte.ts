import { SvelteMap } from 'svelte/reactivity';
import type { Problem } from '../../../shared/problem.ts';
import type { ConnectionCheck, ConnectionInfo, TokenState } from '../../../shared/wire/connection.ts';
import type { Api } from '../api.ts';
import { problemOf } from './problem-of.ts';

/** The connections that recordings can go through, and what a person does with them. */
export class Connections {
  readonly #api: Api['connections'];
  readonly #onToken: (id: string) => void;
  list = $state.raw<readonly ConnectionInfo[]>([]);
  /** What is known of each token; asked for when somebody wants to see it, because a keychain may take its time. */
  readonly tokens = new SvelteMap<string, TokenState>();
  /** The last test of each; `running` until it has its lines. */
  readonly tests = new SvelteMap<string, 'running' | readonly ConnectionCheck[]>();
  /** Why the last wish of the person failed. */
  problem = $state.raw<Problem | null>(null);

  /** `onToken` is told of a token that was set: what was refused before may be let in now. */
  constructor(api: Api['connections'], onToken: (id: string) => void) {
    this.#api = api;
    this.#onToken = onToken;
  }

  subscribe(): () => void {
    return this.#api.onChanged((list) => (this.list = list));
  }

  async load(): Promise<void> {
    this.list = await this.#api.list();
  }

  /** The one with this id, else the first: a connection may be gone since it was chosen. */
  find(id: string): ConnectionInfo | undefined {
    return this.list.find((connection) => connection.id === id) ?? this.list[0];
  }

  importFile(): Promise<void> {
    return this.#wish(async () => void (await this.#api.importFile()));
  }

  exportFile(id: string): Promise<void> {
    return this.#wish(async () => void (await this.#api.exportFile({ id })));
  }

  remove(id: string): Promise<void> {
    return this.#wish(() => this.#api.remove({ id }));
  }

  lookAtToken(id: string): Promise<void> {
    return this.#wish(async () => void this.tokens.set(id, await this.#api.token({ id })));
  }

  setToken(id: string, token: string, place: 'keychain' | 'file'): Promise<void> {
    return this.#wish(async () => {
      this.tokens.set(id, await this.#api.setToken({ id, token, place }));
      this.#onToken(id);
    });
  }

  clearToken(id: string): Promise<void> {
    return this.#wish(async () => void this.tokens.set(id, await this.#api.clearToken({ id })));
  }

  async test(id: string): Promise<void> {
    this.tests.set(id, 'running');
    await this.#wish(async () => void this.tests.set(id, await this.#api.test({ id })));
    // A test that could not be made has no lines; why stands above.
    if (this.tests.get(id) === 'running') this.tests.delete(id);
  }

  async #wish(wish: () => Promise<void>): Promise<void> {
    this.problem = null;
    try {
      await wish();
    } catch (error) {
      this.problem = problemOf(error);
    }
  }
}
