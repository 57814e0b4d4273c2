import type { Messages } from '../../../../shared/messages/index.ts';
import type { ConnectionDocument, ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

export type FieldPath = keyof Messages['connectionFields']['names'];
export type FieldGroup = keyof Messages['connectionFields']['groups'];
/** What a wrong one is told. */
type Fault = keyof Messages['connectionFields']['errors'];
type Option = keyof Messages['connectionFields']['options'];

export interface ConnectionField {
  readonly path: FieldPath;
  readonly group: FieldGroup;
  /** `limit` is a number, or empty for none; `list` is written with commas. */
  readonly kind: 'text' | 'number' | 'limit' | 'list' | 'switch' | 'choice';
  readonly fault: Fault;
  readonly options?: readonly [Option, ...Option[]];
}

const text = (group: FieldGroup, path: FieldPath, fault: Fault = 'text'): ConnectionField => ({
  path,
  group,
  kind: 'text',
  fault,
});
const number = (group: FieldGroup, path: FieldPath, fault: Fault = 'number'): ConnectionField => ({
  path,
  group,
  kind: fault === 'limit' ? 'limit' : 'number',
  fault,
});
const toggle = (group: FieldGroup, path: FieldPath): ConnectionField => ({
  path,
  group,
  kind: 'switch',
  fault: 'text',
});
const choice = (group: FieldGroup, path: FieldPath, options: readonly [Option, ...Option[]]): ConnectionField => ({
  path,
  group,
  kind: 'choice',
  fault: 'text',
  options,
});

/** Every field of a connection's document, in the order in which a person fills it in. */
export const connectionFields: readonly ConnectionField[] = [
  text('service', 'name', 'name'),
  text('service', 'hosts.voice', 'address'),
  text('service', 'hosts.upload', 'address'),
  text('service', 'hosts.converter', 'address'),
  text('service', 'hosts.models', 'address'),
  text('service', 'hosts.sample', 'address'),
  text('access', 'authorization', 'authorization'),
  toggle('access', 'voiceDetailAuthorized'),
  toggle('access', 'sampleAuthorized'),
  choice('work', 'unknownOutcome', ['ask', 'repeat', 'stop']),
  number('work', 'limits.maxConcurrent'),
  number('work', 'limits.requestsPerMinute', 'limit'),
  number('work', 'limits.maxUploadBytes', 'limit'),
  number('work', 'limits.maxTextLength', 'limit'),
  number('work', 'limits.maxSeconds', 'limit'),
  number('ranges', 'ranges.pitch.min', 'range'),
  number('ranges', 'ranges.pitch.default', 'range'),
  number('ranges', 'ranges.pitch.max', 'range'),
  number('ranges', 'ranges.speed.min', 'range'),
  number('ranges', 'ranges.speed.default', 'range'),
  number('ranges', 'ranges.speed.max', 'range'),
  { path: 'changerType.fields', group: 'names', kind: 'list', fault: 'list' },
  text('names', 'changerType.fallback'),
  text('names', 'voiceQuery.version'),
  text('names', 'voiceQuery.category'),
  text('names', 'voiceQuery.gender'),
  text('names', 'voiceQuery.language'),
  text('names', 'voiceDetailQuery'),
  text('names', 'modelPageSizeQuery'),
  text('names', 'voiceField'),
  text('names', 'modelVoiceField'),
  number('names', 'firstVoicePage', 'page'),
  choice('names', 'speechPlacement', ['body', 'Parameter']),
  text('names', 'speechDelivery'),
  text('names', 'platform', 'short'),
  text('names', 'audioName', 'short'),
  { path: 'omit', group: 'names', kind: 'list', fault: 'omit' },
  number('times', 'timeouts.connectMs'),
  number('times', 'timeouts.stallMs'),
  number('times', 'timeouts.convertMs'),
];

/** What stands in the fields: text, and for switches whether they are on. */
export type FieldValues = Readonly<Record<FieldPath, string | boolean>>;

type Tree = { [name: string]: unknown };

function valueAt(document: ConnectionDocument, path: FieldPath): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Tree)[name], document);
}

function toValue(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

export const toValues = (document: ConnectionDocument): FieldValues =>
  // Every path of the table is a key of the record, and no other.
  Object.fromEntries(connectionFields.map(({ path }) => [path, toValue(valueAt(document, path))])) as FieldValues;

/**
 * A number where there is one; what is none stays as it was written, to be refused by name. A comma is a decimal point only where a
 * fraction may stand: of a size, `5,000` would be five.
 */
function toNumber(written: string, mayBeFraction: boolean): number | string {
  const plain = mayBeFraction ? written.trim().replace(',', '.') : written.trim();
  const number = Number(plain);
  return plain === '' || Number.isNaN(number) ? written : number;
}

function fromValue({ kind, fault }: ConnectionField, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  if (kind === 'limit' && value.trim() === '') return null;
  if (kind === 'number' || kind === 'limit') return toNumber(value, fault === 'range');
  if (kind === 'list')
    return value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  return value.trim();
}

/** The document that the fields describe, right or wrong. */
export function toDocument(values: FieldValues): Readonly<Record<string, unknown>> {
  const document: Tree = {};
  for (const field of connectionFields) {
    const names = field.path.split('.');
    const last = names.pop() ?? '';
    const place = names.reduce<Tree>((at, name) => (at[name] ??= {}) as Tree, document);
    place[last] = fromValue(field, values[field.path]);
  }
  return document;
}

/** A connection that somebody writes: a new one, or another document for one that exists. Main says which fields are wrong. */
export class ConnectionForm extends ActionState {
  readonly #api: Pick<Api['connections'], 'getDocument' | 'save'>;
  /** Null for a new one. */
  readonly id: string | null;

  /** Null while it is being read. */
  values = $state.raw<FieldValues | null>(null);
  faults = $state.raw<readonly FieldPath[]>([]);
  isSaving = $state(false);

  constructor(api: Pick<Api['connections'], 'getDocument' | 'save'>, id: string | null) {
    super();
    this.#api = api;
    this.id = id;
  }

  load(): Promise<void> {
    return this.attempt(async () => void (this.values = toValues(await this.#api.getDocument({ id: this.id }))));
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
    const document = toDocument(this.values);
    this.isSaving = true;
    const saved = await this.attempt(() => this.#api.save({ id: this.id, document }));
    this.isSaving = false;
    if (saved?.kind === 'kept') return saved.connection;
    if (saved) {
      this.faults = connectionFields
        .map(({ path }) => path)
        .filter((path) => saved.fields.some((wrong) => isPartOf(path, wrong)));
    }
    return null;
  }
}

/** Of a range that is wrong as a whole, each number is. */
const isPartOf = (path: FieldPath, wrong: string): boolean =>
  path === wrong || path.startsWith(`${wrong}.`) || wrong.startsWith(`${path}.`);
