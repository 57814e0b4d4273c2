/**
 * The tables of the service's interface as data, written by hand from its document, one row a line. They are the measure for the
 * engine and for the client alike: nothing here may be taken from either. `docs/interface.md` has a line for every row.
 */

export type Host = 'voice' | 'upload' | 'converter' | 'models' | 'sample';

/**
 * `decimal` is a string that holds a decimal number, `extension` a format name with a leading dot, `formats` an array of those
 * without one, `language` a language tag, `region` one of the pattern language-REGION, `time` ISO 8601 in UTC.
 */
export type FieldType =
  | 'string'
  | 'decimal'
  | 'extension'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'file'
  | 'uuid'
  | 'url'
  | 'language'
  | 'region'
  | 'time'
  | 'formats';

export interface Field {
  /** A dotted path; `[]` means every entry of a list. */
  readonly name: string;
  readonly type: FieldType;
  /** All that it may be, where the interface says so. */
  readonly values?: readonly string[];
}

interface RequestField extends Field {
  readonly place: 'path' | 'query' | 'header' | 'part' | 'body';
}

export const operationIds = [
  'create-task',
  'upload',
  'convert',
  'speech',
  'voices',
  'voice-detail',
  'models',
  'delete-model',
  'plant',
] as const;
export type OperationId = (typeof operationIds)[number];

export interface Endpoint {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly host: Host;
  /** With its parameters in braces. */
  readonly path: string;
  readonly content: 'json' | 'form' | 'none';
  /** `open` where the interface leaves it open whether Authorization is needed. */
  readonly authorization: 'required' | 'open';
  readonly request: readonly RequestField[];
  readonly reply: readonly Field[];
}

const field =
  (place: RequestField['place']) =>
  (name: string, type: FieldType, values?: readonly string[]): RequestField => ({
    place,
    name,
    type,
    ...(values && { values }),
  });
const [inPath, inQuery, inHeader, inPart, inBody] = [
  field('path'),
  field('query'),
  field('header'),
  field('part'),
  field('body'),
];
const answer = (name: string, type: FieldType, values?: readonly string[]): Field => ({
  name,
  type,
  ...(values && { values }),
});

const genders = ['male', 'female'];
const changerEngines = ['v5', 'v7'];
const speechEngines = ['v1', 'v5', 'v7'];

export const endpoints: readonly Endpoint[] = [
  {
    id: 'create-task',
    method: 'POST',
    host: 'voice',
    path: '/api/createaudiofilechanger',
    content: 'json',
    authorization: 'required',
    request: [
      inBody('voice', 'string'),
      inBody('from', 'string', ['fv-file-changer']),
      inBody('operation', 'string', ['FVC']),
      inBody('engine', 'string', changerEngines),
    ],
    reply: [answer('message', 'string'), answer('taskId', 'string')],
  },
  {
    id: 'upload',
    method: 'POST',
    host: 'upload',
    path: '/api/uploadaudiofile/{uuid}',
    content: 'form',
    authorization: 'required',
    request: [inPath('uuid', 'string'), inHeader('Changer-Type', 'string'), inPart('audioFile', 'file')],
    reply: [answer('message', 'string'), answer('uuid', 'uuid')],
  },
  {
    id: 'convert',
    method: 'POST',
    host: 'voice',
    path: '/api/changeaudiofile',
    content: 'json',
    authorization: 'required',
    request: [
      inBody('uuid', 'string'),
      inBody('voice', 'string'),
      inBody('pitch', 'number'),
      inBody('speed', 'number'),
      inBody('from', 'string', ['fv-file-changer']),
      inBody('outputFormat', 'extension'),
      inBody('audioName', 'string'),
      inBody('platform', 'string'),
      inBody('pitch_control', 'string'),
      inBody('operation', 'string', ['FVC']),
      inBody('engine', 'string', changerEngines),
      inBody('auto_f0_adjust', 'boolean'),
    ],
    reply: [
      answer('status', 'string', ['success']),
      answer('message', 'string'),
      answer('data.audioUrl', 'url'),
      answer('data.processingTime', 'integer'),
    ],
  },
  {
    id: 'speech',
    method: 'POST',
    host: 'converter',
    path: '/api/fsmstexttospeech',
    content: 'json',
    authorization: 'required',
    request: [
      inBody('AppId', 'string', ['107']),
      inBody('FeatureId', 'string', ['22']),
      inBody('speech', 'string'),
      inBody('voice', 'string'),
      inBody('Parameter.Speed', 'decimal'),
      inBody('Parameter.LanguageCode', 'string'),
      inBody('Parameter.Pitch', 'decimal'),
      inBody('engine', 'string', speechEngines),
      inBody('platform', 'string', ['web', 'win', 'mac', 'phone']),
    ],
    reply: [answer('message', 'string')],
  },
  {
    id: 'voices',
    method: 'GET',
    host: 'converter',
    path: '/api/pagevoices',
    content: 'none',
    authorization: 'required',
    request: [
      inQuery('version', 'string', ['v2']),
      inQuery('category', 'string'),
      inQuery('gender', 'string', ['all', ...genders]),
      inQuery('language', 'string'),
      inQuery('page', 'integer'),
      inQuery('limit', 'integer'),
    ],
    reply: [
      answer('page', 'integer'),
      answer('limit', 'integer'),
      answer('total', 'integer'),
      answer('voices[].id', 'string'),
      answer('voices[].name', 'string'),
      answer('voices[].language', 'region'),
      answer('voices[].gender', 'string', genders),
      answer('voices[].category', 'string'),
    ],
  },
  {
    id: 'voice-detail',
    method: 'GET',
    host: 'converter',
    path: '/api/getvoicedetail',
    content: 'none',
    authorization: 'open',
    request: [inQuery('voiceId', 'string')],
    reply: [
      answer('status', 'string', ['success']),
      answer('voiceId', 'string'),
      answer('name', 'string'),
      answer('gender', 'string', genders),
      answer('language', 'language'),
      answer('category', 'string'),
      answer('description', 'string'),
      answer('additionalDetails.pitch', 'string'),
      answer('additionalDetails.speed', 'string'),
      answer('additionalDetails.supportedFormats', 'formats'),
    ],
  },
  {
    id: 'models',
    method: 'GET',
    host: 'models',
    path: '/api/models/list',
    content: 'none',
    authorization: 'required',
    request: [inQuery('page', 'integer'), inQuery('limit', 'integer')],
    reply: [
      answer('status', 'string'),
      answer('models[].modelId', 'uuid'),
      answer('models[].name', 'string'),
      answer('models[].languageCode', 'language'),
      answer('models[].gender', 'string'),
      answer('models[].creationDate', 'time'),
      answer('pagination.currentPage', 'integer'),
      answer('pagination.totalPages', 'integer'),
      answer('pagination.totalItems', 'integer'),
    ],
  },
  {
    id: 'delete-model',
    method: 'DELETE',
    host: 'models',
    path: '/v1/models/{name}',
    content: 'none',
    authorization: 'required',
    request: [inPath('name', 'string')],
    reply: [answer('status', 'string'), answer('message', 'string'), answer('modelName', 'string')],
  },
  {
    id: 'plant',
    method: 'POST',
    host: 'sample',
    path: '/plants',
    content: 'json',
    authorization: 'required',
    request: [inBody('id', 'integer'), inBody('name', 'string'), inBody('tag', 'string')],
    reply: [answer('name', 'string'), answer('tag', 'string')],
  },
];

export const endpointOf = (id: OperationId): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`the table has no ${id}`);
  return found;
};
