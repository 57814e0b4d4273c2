import type { Problem } from '../../../shared/problem.ts';
import type { ConnectionInfo } from '../../../shared/wire/connection.ts';
import type { Api } from '../api.ts';
import { connectionFields, toDocument, toValues, type FieldPath, type FieldValues } from './connection-fields.ts';
import { problemOf } from './problem-of.ts';

/** A connection that somebody writes: a new one, or another document for one that exists. Main says which fields are wrong. */
export class ConnectionDraft {
  readonly #api: Pick<Api['connections'], 'document' | 'save'>;
  /** Null for a new one. */
  readonly id: string | null;

  /** Null while it is being read. */
  values = $state.raw<FieldValues | null>(null);
  faults = $state.raw<readonly FieldPath[]>([]);
  isSaving = $state(false);
  problem = $state.raw<Problem | null>(null);

  constructor(api: Pick<Api['connections'], 'document' | 'save'>, id: string | null) {
    this.#api = api;
    this.id = id;
  }

  async load(): Promise<void> {
    this.problem = null;
    try {
      this.values = toValues(await this.#api.document({ id: this.id }));
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  write(path: FieldPath, value: string | boolean): void {
    if (!this.values) return;
    this.values = { ...this.values, [path]: value };
    // Told again when it is kept: until then nobody is scolded for half a word.
    this.faults = this.faults.filter((faulty) => faulty !== path);
  }

  /** The connection that was kept; null where `faults` or `problem` says why not. */
  async save(): Promise<ConnectionInfo | null> {
    if (!this.values || this.isSaving) return null;
    this.isSaving = true;
    this.problem = null;
    try {
      const saved = await this.#api.save({ id: this.id, document: toDocument(this.values) });
      if (saved.kind === 'kept') return saved.connection;
      this.faults = connectionFields
        .map(({ path }) => path)
        .filter((path) => saved.fields.some((wrong) => isPartOf(path, wrong)));
    } catch (error) {
      this.problem = problemOf(error);
    } finally {
      this.isSaving = false;
    }
    return null;
  }
}

/** Of a range that is wrong as a whole, each number is. */
const isPartOf = (path: FieldPath, wrong: string): boolean =>
  path === wrong || path.startsWith(`${wrong}.`) || wrong.startsWith(`${path}.`);
