import type { ConnectionInfo } from '../../../shared/wire/connection.ts';
import type { Api } from '../api.ts';

/** The connections that recordings can go through. */
export class Connections {
  readonly #api: Api['connections'];
  list = $state.raw<readonly ConnectionInfo[]>([]);

  constructor(api: Api['connections']) {
    this.#api = api;
  }

  async load(): Promise<void> {
    this.list = await this.#api.list();
  }

  /** The one with this id, else the first: a connection may be gone since it was chosen. */
  find(id: string): ConnectionInfo | undefined {
    return this.list.find((connection) => connection.id === id) ?? this.list[0];
  }
}
