/**
 * The operations of the service's interface, each described once. The client's requests, the
 * engine's routes, the API console's forms and checks, and the fields that a connection may omit
 * derive from this table. `tests/conformance` compares it with the interface's own tables.
 */

/** Versions of the voice changer and of the speech synthesizer. */
export const changerEngines = ['v5', 'v7'] as const;
export const speechEngines = ['v1', 'v5', 'v7'] as const;
export const speechPlatforms = ['web', 'win', 'mac', 'phone'] as const;
export type ChangerEngine = (typeof changerEngines)[number];
export type SpeechEngine = (typeof speechEngines)[number];
export type SpeechPlatform = (typeof speechPlatforms)[number];

interface FieldBase {
  readonly place: 'path' | 'query' | 'header' | 'part' | 'body';
  /** True if a connection may omit the field because its service rejects it. */
  readonly isOmittable?: true;
}

/**
 * A request field. `fixed` fields are always sent as they are; the others are filled in by the
 * caller. `start` is the console's first value.
 */
export type RequestField = FieldBase &
  (
    | { readonly kind: 'fixed'; readonly value: string }
    /** The identifiers of a voice, a task or a model, which must not be empty. */
    | { readonly kind: 'voice' | 'task' | 'model' }
    | { readonly kind: 'text'; readonly isRequired?: true; readonly start?: string }
    /** Text to speak. */
    | { readonly kind: 'speech' }
    | { readonly kind: 'number'; readonly start: string }
    | { readonly kind: 'integer'; readonly min: number; readonly max?: number; readonly start: string }
    /** A decimal string: a JavaScript number would round it. */
    | { readonly kind: 'int64'; readonly start: string }
    | { readonly kind: 'choice'; readonly options: readonly string[]; readonly start: string }
    | { readonly kind: 'switch' }
    | { readonly kind: 'file' }
  );

interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Which of a connection's base addresses it is on. */
  readonly host: 'voice' | 'upload' | 'converter' | 'models' | 'sample';
  /** With its parameters in braces, in the order of the fields whose place is `path`. */
  readonly path: string;
  readonly content: 'json' | 'form' | 'none';
  /** Whether the token is sent: always, or if this property of the connection is true. */
  readonly authorization: 'always' | 'voiceDetailAuthorized' | 'sampleAuthorized';
  /** True if a service may charge for it. */
  readonly isPaid?: true;
  /** By the interface's names; dots separate the names of nested fields. */
  readonly request: Readonly<Record<string, RequestField>>;
}

const task = { kind: 'task' } as const;
const voice = { place: 'body', kind: 'voice' } as const;
const from = { place: 'body', kind: 'fixed', value: 'fv-file-changer', isOmittable: true } as const;
const operation = { place: 'body', kind: 'fixed', value: 'FVC', isOmittable: true } as const;
const engine = { place: 'body', kind: 'choice', options: changerEngines, start: 'v7', isOmittable: true } as const;
const factor = { place: 'body', kind: 'number', start: '1', isOmittable: true } as const;

export const operations = {
  'create-task': {
    method: 'POST',
    host: 'voice',
    path: '/api/createaudiofilechanger',
    content: 'json',
    authorization: 'always',
    request: { voice, from, operation, engine },
  },
  upload: {
    method: 'POST',
    host: 'upload',
    path: '/api/uploadaudiofile/{uuid}',
    content: 'form',
    authorization: 'always',
    request: {
      uuid: { place: 'path', ...task },
      'Changer-Type': { place: 'header', kind: 'text' },
      audioFile: { place: 'part', kind: 'file' },
    },
  },
  convert: {
    method: 'POST',
    host: 'voice',
    path: '/api/changeaudiofile',
    content: 'json',
    authorization: 'always',
    isPaid: true,
    request: {
      uuid: { place: 'body', ...task },
      voice: { ...voice, isOmittable: true },
      pitch: factor,
      speed: factor,
      from,
      outputFormat: { place: 'body', kind: 'text', start: '.wav', isOmittable: true },
      audioName: { place: 'body', kind: 'text', isOmittable: true },
      platform: { place: 'body', kind: 'text', start: 'web', isOmittable: true },
      pitch_control: { place: 'body', kind: 'text', isOmittable: true },
      operation,
      engine,
      auto_f0_adjust: { place: 'body', kind: 'switch', isOmittable: true },
    },
  },
  speech: {
    method: 'POST',
    host: 'converter',
    path: '/api/fsmstexttospeech',
    content: 'json',
    authorization: 'always',
    isPaid: true,
    request: {
      AppId: { place: 'body', kind: 'fixed', value: '107', isOmittable: true },
      FeatureId: { place: 'body', kind: 'fixed', value: '22', isOmittable: true },
      speech: { place: 'body', kind: 'speech' },
      voice,
      'Parameter.Speed': factor,
      'Parameter.LanguageCode': { place: 'body', kind: 'text', start: 'en-GB', isOmittable: true },
      'Parameter.Pitch': factor,
      engine: { place: 'body', kind: 'choice', options: speechEngines, start: 'v7', isOmittable: true },
      platform: { place: 'body', kind: 'choice', options: speechPlatforms, start: 'web', isOmittable: true },
    },
  },
  voices: {
    method: 'GET',
    host: 'converter',
    path: '/api/pagevoices',
    content: 'none',
    authorization: 'always',
    request: {
      version: { place: 'query', kind: 'fixed', value: 'v2', isOmittable: true },
      category: { place: 'query', kind: 'text' },
      gender: { place: 'query', kind: 'choice', options: ['', 'all', 'male', 'female'], start: '' },
      language: { place: 'query', kind: 'text' },
      page: { place: 'query', kind: 'integer', min: 0, start: '0' },
      limit: { place: 'query', kind: 'integer', min: 1, max: 100, start: '20' },
    },
  },
  'voice-detail': {
    method: 'GET',
    host: 'converter',
    path: '/api/getvoicedetail',
    content: 'none',
    authorization: 'voiceDetailAuthorized',
    request: { voiceId: { place: 'query', kind: 'voice' } },
  },
  models: {
    method: 'GET',
    host: 'models',
    path: '/api/models/list',
    content: 'none',
    authorization: 'always',
    request: {
      page: { place: 'query', kind: 'integer', min: 1, start: '1' },
      limit: { place: 'query', kind: 'integer', min: 1, start: '20' },
    },
  },
  'delete-model': {
    method: 'DELETE',
    host: 'models',
    path: '/v1/models/{name}',
    content: 'none',
    authorization: 'always',
    request: { name: { place: 'path', kind: 'model' } },
  },
  plant: {
    method: 'POST',
    host: 'sample',
    path: '/plants',
    content: 'json',
    authorization: 'sampleAuthorized',
    request: {
      id: { place: 'body', kind: 'int64', start: '9223372036854775807' },
      name: { place: 'body', kind: 'text', isRequired: true },
      tag: { place: 'body', kind: 'text' },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;
type Request<O extends OperationId> = (typeof operations)[O]['request'];

/** In the interface's order. */
export const operationIds = Object.keys(operations) as readonly OperationId[];

/** The table's entry with its general type. */
export const operationOf = (id: OperationId): Operation => operations[id];

type ValueOf<F> = F extends { kind: 'number' | 'integer' }
  ? number
  : F extends { kind: 'switch' }
    ? boolean
    : F extends { kind: 'choice'; options: readonly (infer T)[] }
      ? T
      : string;

type Filled<R> = { readonly [K in keyof R as R[K] extends { kind: 'fixed' } ? never : K]: ValueOf<R[K]> };

/** The names of an operation's body fields whose values are not fixed. */
export type BodyFieldName<O extends OperationId> = {
  [K in keyof Request<O>]: Request<O>[K] extends { kind: 'fixed' }
    ? never
    : Request<O>[K] extends { place: 'body' }
      ? K
      : never;
}[keyof Request<O>] &
  string;

/** One call as the user enters it in the API console: the values of all fields that are not fixed. */
export type ApiCallOf<O extends OperationId> = { readonly operation: O } & Filled<Request<O>>;
export type ApiCall = { [O in OperationId]: ApiCallOf<O> }[OperationId];

/** `<operation>.<field>` of a field that a connection may omit. */
export type OmittableField = {
  [O in OperationId]: {
    [K in keyof Request<O>]: Request<O>[K] extends { isOmittable: true } ? `${O}.${K & string}` : never;
  }[keyof Request<O>];
}[OperationId];

export const omittableFields = operationIds.flatMap((id) =>
  Object.entries(operationOf(id).request).flatMap(([name, { isOmittable }]) => (isOmittable ? [`${id}.${name}`] : [])),
) as readonly OmittableField[];

/** Increases when the local engine makes another sound of the same request: what was made before is made again. */
export const engineSoundRevision = 2;
