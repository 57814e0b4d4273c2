import type { Messages } from '../../../../shared/messages/index.ts';
import type { ConnectionDocument, ConnectionInfo } from '../../../../shared/schemas/connection.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

export type FieldPath = keyof Messages['connectionFields']['names'];
export type FieldGroup = keyof Messages['connectionFields']['groups'];
/** The message for an invalid value. */
type ErrorKey = keyof Messages['connectionFields']['errors'];
type Option = keyof Messages['connectionFields']['options'];

export interface ConnectionField {
  readonly path: FieldPath;
  readonly group: FieldGroup;
  /** `limit` is a number or empty; `list` is separated by commas; `formats` is a list or one word for many formats. */
  readonly kind: 'text' | 'number' | 'limit' | 'list' | 'formats' | 'switch' | 'choice';
  readonly error: ErrorKey;
  readonly options?: readonly [Option, ...Option[]];
}

const text = (group: FieldGroup, path: FieldPath, error: ErrorKey = 'text'): ConnectionField => ({
  path,
  group,
  kind: 'text',
  error,
});
const number = (group: FieldGroup, path: FieldPath, error: ErrorKey = 'number'): ConnectionField => ({
  path,
  group,
  kind: error === 'limit' ? 'limit' : 'number',
  error,
});
const toggle = (group: FieldGroup, path: FieldPath): ConnectionField => ({
  path,
  group,
  kind: 'switch',
  error: 'text',
});
const choice = (group: FieldGroup, path: FieldPath, options: readonly [Option, ...Option[]]): ConnectionField => ({
  path,
  group,
  kind: 'choice',
  error: 'text',
  options,
});

/** All fields of a connection document, in the order of the form. */
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
  { path: 'uploadFormats', group: 'work', kind: 'formats', error: 'formats' },
  number('ranges', 'ranges.pitch.min', 'range'),
  number('ranges', 'ranges.pitch.default', 'range'),
  number('ranges', 'ranges.pitch.max', 'range'),
  number('ranges', 'ranges.speed.min', 'range'),
  number('ranges', 'ranges.speed.default', 'range'),
  number('ranges', 'ranges.speed.max', 'range'),
  { path: 'changerType.fields', group: 'names', kind: 'list', error: 'list' },
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
  { path: 'omit', group: 'names', kind: 'list', error: 'omit' },
  number('times', 'timeouts.connectMs'),
  number('times', 'timeouts.stallMs'),
  number('times', 'timeouts.convertMs'),
];

/** Values of the fields: text, or a boolean for switches. */
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
  // The keys are exactly the paths of the table.
  Object.fromEntries(connectionFields.map(({ path }) => [path, toValue(valueAt(document, path))])) as FieldValues;

/**
 * The number that was entered, or else the text, which main rejects. A comma is a decimal point only where fractions are allowed:
 * `5,000` bytes must not become 5.
 */
function toNumber(entered: string, allowsFraction: boolean): number | string {
  const normalized = allowsFraction ? entered.trim().replace(',', '.') : entered.trim();
  const number = Number(normalized);
  return normalized === '' || Number.isNaN(number) ? entered : number;
}

const manyFormats: ReadonlySet<string> = new Set(['any', 'decodable']);

const namesIn = (value: string): readonly string[] =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function fromValue({ kind, error }: ConnectionField, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  if (kind === 'limit' && value.trim() === '') return null;
  if (kind === 'number' || kind === 'limit') return toNumber(value, error === 'range');
  if (kind === 'list') return namesIn(value);
  if (kind === 'formats') {
    const formats = namesIn(value).map((name) => name.toLowerCase().replace(/^\./, ''));
    return formats.length === 1 && manyFormats.has(formats[0] ?? '') ? formats[0] : formats;
  }
  return value.trim();
}

/** The document of the fields, valid or not. */
export function toDocument(values: FieldValues): Readonly<Record<string, unknown>> {
  const document: Tree = {};
  for (const field of connectionFields) {
    const names = field.path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce<Tree>((at, name) => (at[name] ??= {}) as Tree, document);
    parent[last] = fromValue(field, values[field.path]);
  }
  return document;
}

/** The form of a new or an existing connection. Main validates the document. */
export class ConnectionForm extends ActionState {
  readonly #api: Pick<Api['connections'], 'getDocument' | 'save'>;
  /** Null for a new connection. */
  readonly id: string | null;

  /** Null while it is loading. */
  values = $state.raw<FieldValues | null>(null);
  invalidFields = $state.raw<readonly FieldPath[]>([]);
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
    // Validated again on save, so that unfinished input shows no error.
    this.invalidFields = this.invalidFields.filter((invalid) => invalid !== path);
  }

  /** The saved connection; null if `invalidFields` or `problem` has the reason. */
  async save(): Promise<ConnectionInfo | null> {
    if (!this.values || this.isSaving) return null;
    const document = toDocument(this.values);
    this.isSaving = true;
    const saved = await this.attempt(() => this.#api.save({ id: this.id, document }));
    this.isSaving = false;
    if (saved?.kind === 'saved') return saved.connection;
    if (saved) {
      this.invalidFields = connectionFields
        .map(({ path }) => path)
        .filter((path) => saved.fields.some((invalid) => overlaps(path, invalid)));
    }
    return null;
  }
}

/** An invalid range makes each of its numbers invalid. */
const overlaps = (path: FieldPath, invalid: string): boolean =>
  path === invalid || path.startsWith(`${invalid}.`) || invalid.startsWith(`${path}.`);
