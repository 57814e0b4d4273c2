import { SvelteMap } from 'svelte/reactivity';
import type { Messages } from '../../../../shared/messages/index.ts';
import type { ConnectionCheck, ConnectionInfo, TokenState } from '../../../../shared/schemas/connection.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';
import { ConnectionForm } from './connection-form.svelte.ts';

/** Names of the watched folders and presets that use a connection. */
export interface ConnectionUsers {
  readonly folders: readonly string[];
  readonly presets: readonly string[];
}

/** The connections, with the form, tokens and tests of each. */
export class Connections extends ActionState {
  readonly #api: Api['connections'];
  readonly #onChange: (id: string) => void;
  list = $state.raw<readonly ConnectionInfo[]>([]);
  /** The open form; it stays open while another view is shown. */
  form = $state.raw<ConnectionForm | null>(null);
  /** State of each token, requested when it is shown, because a keychain may be slow. */
  readonly tokens = new SvelteMap<string, TokenState>();
  /** The latest test of each connection. */
  readonly tests = new SvelteMap<string, 'running' | readonly ConnectionCheck[]>();
  /** Pending writes of documents and tokens, which a test waits for. */
  #saving: Promise<unknown> = Promise.resolve();
  /** The latest test of each connection; results of earlier ones are ignored. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not shown
  readonly #latestTest = new Map<string, symbol>();
  /** `onChange` is called after a token or document was saved: the service may accept requests now. */
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

  find(id: string): ConnectionInfo | undefined {
    return this.list.find((connection) => connection.id === id);
  }

  /** The connection with this id, else the first one: the selected connection may have been removed. */
  findOrFirst(id: string): ConnectionInfo | undefined {
    return this.find(id) ?? this.list[0];
  }

  /** Opens the form of a new or an existing connection, and discards the previous form. */
  edit(id: string | null): void {
    this.form = new ConnectionForm(this.#api, id);
    void this.form.load();
  }

  closeForm(): void {
    this.form = null;
  }

  /** Saves the form, and closes it if that succeeds. */
  async saveForm(): Promise<void> {
    const { form } = this;
    const saving = form?.save();
    void this.#trackSave(saving);
    const connection = await saving;
    if (!connection || this.form !== form) return;
    this.form = null;
    this.#forgetTest(connection.id);
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

  loadTokenState(id: string): Promise<void> {
    return this.attempt(async () => void this.tokens.set(id, await this.#api.getTokenState({ id })));
  }

  setToken(id: string, token: string, place: 'keychain' | 'file'): Promise<void> {
    return this.#trackSave(
      this.attempt(async () => {
        this.tokens.set(id, await this.#api.setToken({ id, token, place }));
        this.#forgetTest(id);
        this.#onChange(id);
      }),
    );
  }

  clearToken(id: string): Promise<void> {
    return this.#trackSave(
      this.attempt(async () => {
        this.tokens.set(id, await this.#api.clearToken({ id }));
        this.#forgetTest(id);
      }),
    );
  }

  /** Tests a connection after pending writes have ended. */
  async test(id: string): Promise<void> {
    this.tests.set(id, 'running');
    await this.#saving;
    this.tests.set(id, 'running');
    const test = Symbol(id);
    this.#latestTest.set(id, test);
    await this.attempt(async () => {
      const checks = await this.#api.test({ id });
      if (this.#latestTest.get(id) === test) this.tests.set(id, checks);
    });
    // A failed test has no results; `problem` has the reason.
    if (this.#latestTest.get(id) === test && this.tests.get(id) === 'running') this.tests.delete(id);
  }

  /** Results for the previous document or token are obsolete. */
  #forgetTest(id: string): void {
    this.tests.delete(id);
    this.#latestTest.delete(id);
  }

  #trackSave<P extends Promise<unknown> | undefined>(saving: P): P {
    this.#saving = Promise.allSettled([this.#saving, saving]);
    return saving;
  }
}

/** The display name of a connection; empty if there is none. The local engine has a translated name. */
export const connectionName = (connection: ConnectionInfo | undefined, { connection: t }: Messages): string =>
  connection?.kind === 'local' ? t.thisComputer : (connection?.name ?? '');
