import { SvelteMap } from 'svelte/reactivity';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { ConnectionCheck, ConnectionInfo, TokenState } from '../../../../shared/schemas/connection.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';
import { ConnectionForm } from './connection-form.svelte.ts';

/** The connections that recordings can go through, and what a person does with them. */
export class Connections extends ActionState {
  readonly #api: Api['connections'];
  readonly #onChange: (id: string) => void;
  list = $state.raw<readonly ConnectionInfo[]>([]);
  /** The form that is open; it stays so while the person looks elsewhere in the window. */
  draft = $state.raw<ConnectionForm | null>(null);
  /** What is known of each token; asked for when somebody wants to see it, because a keychain may take its time. */
  readonly tokens = new SvelteMap<string, TokenState>();
  /** The last test of each; `running` until it has its lines. */
  readonly tests = new SvelteMap<string, 'running' | readonly ConnectionCheck[]>();
  /** The document or token that is being kept: a test before its end would be one of the old one. */
  #keeping: Promise<unknown> = Promise.resolve();
  /** The last test of each: lines of an earlier one say nothing of a connection that has changed since. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing of it is shown
  readonly #latest = new Map<string, symbol>();
  /** `onChange` is told of a token or a document that was kept: what was refused before may be let in now. */
  constructor(api: Api['connections'], onChange: (id: string) => void) {
    super();
    this.#api = api;
    this.#onChange = onChange;
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

  /** Opens the form of a new connection, or of one that exists; what was written in another form is gone. */
  edit(id: string | null): void {
    this.draft = new ConnectionForm(this.#api, id);
    void this.draft.load();
  }

  closeDraft(): void {
    this.draft = null;
  }

  /** Keeps what the form says; it stays open where it cannot be kept. */
  async saveDraft(): Promise<void> {
    const { draft } = this;
    const saving = draft?.save();
    void this.#keep(saving);
    const connection = await saving;
    if (!connection || this.draft !== draft) return;
    this.draft = null;
    // What was found out about the old document says nothing of the new one.
    this.tests.delete(connection.id);
    this.#latest.delete(connection.id);
    this.#onChange(connection.id);
  }

  importFile(): Promise<void> {
    return this.attempt(async () => void (await this.#api.importFile()));
  }

  exportFile(id: string): Promise<void> {
    return this.attempt(async () => void (await this.#api.exportFile({ id })));
  }

  remove(id: string): Promise<void> {
    return this.attempt(() => this.#api.remove({ id }));
  }

  lookAtToken(id: string): Promise<void> {
    return this.attempt(async () => void this.tokens.set(id, await this.#api.getTokenState({ id })));
  }

  setToken(id: string, token: string, place: 'keychain' | 'file'): Promise<void> {
    return this.#keep(
      this.attempt(async () => {
        this.tokens.set(id, await this.#api.setToken({ id, token, place }));
        this.#onChange(id);
      }),
    );
  }

  clearToken(id: string): Promise<void> {
    return this.#keep(this.attempt(async () => void this.tokens.set(id, await this.#api.clearToken({ id }))));
  }

  /** Tests what the person sees: what is being kept is kept first. */
  async test(id: string): Promise<void> {
    this.tests.set(id, 'running');
    await this.#keeping;
    this.tests.set(id, 'running');
    const test = Symbol(id);
    this.#latest.set(id, test);
    await this.attempt(async () => {
      const checks = await this.#api.test({ id });
      if (this.#latest.get(id) === test) this.tests.set(id, checks);
    });
    // A test that could not be made has no lines; why stands above.
    if (this.#latest.get(id) === test && this.tests.get(id) === 'running') this.tests.delete(id);
  }

  #keep<P extends Promise<unknown> | undefined>(keeping: P): P {
    this.#keeping = Promise.allSettled([this.#keeping, keeping]);
    return keeping;
  }
}

/** What a person calls it: the engine of this computer has a name of ours, all others have theirs. Empty for none. */
export const connectionName = (connection: ConnectionInfo | undefined, { connection: t }: Messages): string =>
  connection?.kind === 'local' ? t.thisComputer : (connection?.name ?? '');
