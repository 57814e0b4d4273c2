import type { Messages } from '../../../../shared/messages/index.ts';
import {
  genderFilters,
  type CallOf,
  type ConsoleCall,
  type Operation,
} from '../../../../shared/schemas/diagnostics.ts';
import { changerEngines } from '../../../../shared/schemas/settings.ts';
import { speechEngines, speechPlatforms } from '../../../../shared/schemas/speech.ts';

/** One field, by the interface's own name. */
export interface FormField {
  readonly name: string;
  readonly kind: 'text' | 'long' | 'number' | 'choice' | 'switch' | 'file';
  readonly options?: readonly string[];
  /** What stands in it at first. */
  readonly start?: string | boolean;
  /** The sentence for a value that is refused. */
  readonly refusal?: keyof Messages['diagnostics']['refused'];
}

export interface OperationForm {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** A service may want money for it. */
  readonly isPaid?: boolean;
  readonly fields: readonly FormField[];
  /** What the interface fixes, so that nobody is asked. */
  readonly fixed?: string;
}

export type Values = Readonly<Record<string, string | boolean>>;

const voice: FormField = { name: 'voice', kind: 'text', refusal: 'voice' };
const uuid: FormField = { name: 'uuid', kind: 'text', refusal: 'task' };
const text = (name: string, start = ''): FormField => ({ name, kind: 'text', start });
const number = (name: string): FormField => ({ name, kind: 'number', start: '1', refusal: 'number' });
const choice = (name: string, options: readonly string[], start: string): FormField => ({
  name,
  kind: 'choice',
  options,
  start,
});
const page = (start: string, refusal: 'fromZero' | 'fromOne'): FormField => ({
  name: 'page',
  kind: 'number',
  start,
  refusal,
});
const limit = (refusal: 'toHundred' | 'fromOne'): FormField => ({
  name: 'limit',
  kind: 'number',
  start: '20',
  refusal,
});
const engine = choice('engine', changerEngines, 'v7');

/** The nine forms, with every field of the interface's tables. */
export const forms: Readonly<Record<Operation, OperationForm>> = {
  create: { method: 'POST', fields: [voice, engine], fixed: 'from fv-file-changer, operation FVC' },
  upload: {
    method: 'POST',
    fields: [uuid, text('Changer-Type'), { name: 'audioFile', kind: 'file', refusal: 'file' }],
  },
  convert: {
    method: 'POST',
    isPaid: true,
    fields: [
      uuid,
      voice,
      number('pitch'),
      number('speed'),
      text('outputFormat', '.wav'),
      text('audioName'),
      text('platform', 'web'),
      text('pitch_control'),
      engine,
      { name: 'auto_f0_adjust', kind: 'switch', start: false },
    ],
    fixed: 'from fv-file-changer, operation FVC',
  },
  speech: {
    method: 'POST',
    isPaid: true,
    fields: [
      { name: 'speech', kind: 'long', refusal: 'speech' },
      voice,
      number('Speed'),
      text('LanguageCode', 'en-GB'),
      number('Pitch'),
      choice('engine', speechEngines, 'v7'),
      choice('platform', speechPlatforms, 'web'),
    ],
    fixed: 'AppId 107, FeatureId 22',
  },
  voices: {
    method: 'GET',
    fields: [
      text('category'),
      choice('gender', genderFilters, ''),
      text('language'),
      page('0', 'fromZero'),
      limit('toHundred'),
    ],
    fixed: 'version v2',
  },
  voice: { method: 'GET', fields: [voice] },
  models: { method: 'GET', fields: [page('1', 'fromOne'), limit('fromOne')] },
  delete: { method: 'DELETE', fields: [{ name: 'name', kind: 'text', refusal: 'model' }] },
  plant: {
    method: 'POST',
    fields: [
      { name: 'id', kind: 'text', start: '9223372036854775807', refusal: 'int64' },
      { name: 'name', kind: 'text', refusal: 'name' },
      text('tag'),
    ],
  },
};

export const startValues = (operation: Operation): Record<string, string | boolean> =>
  Object.fromEntries(forms[operation].fields.map(({ name, start = '' }) => [name, start]));

const written = (values: Values, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value : '';
};

/** What is no number becomes NaN, which main refuses with the field's name. A comma is a point to whoever writes German. */
function numberIn(values: Values, name: string): number {
  const value = written(values, name).trim().replace(',', '.');
  return value === '' ? Number.NaN : Number(value);
}

const oneOf = <const T extends string>(values: Values, name: string, options: readonly [T, ...T[]]): T =>
  options.find((option) => option === values[name]) ?? options[0];

const builders: { readonly [O in Operation]: (values: Values) => CallOf<O> } = {
  create: (v) => ({ operation: 'create', voice: written(v, 'voice'), engine: oneOf(v, 'engine', changerEngines) }),
  upload: (v) => ({
    operation: 'upload',
    uuid: written(v, 'uuid'),
    'Changer-Type': written(v, 'Changer-Type'),
    audioFile: written(v, 'audioFile'),
  }),
  convert: (v) => ({
    operation: 'convert',
    uuid: written(v, 'uuid'),
    voice: written(v, 'voice'),
    pitch: numberIn(v, 'pitch'),
    speed: numberIn(v, 'speed'),
    outputFormat: written(v, 'outputFormat'),
    audioName: written(v, 'audioName'),
    platform: written(v, 'platform'),
    pitch_control: written(v, 'pitch_control'),
    engine: oneOf(v, 'engine', changerEngines),
    auto_f0_adjust: v['auto_f0_adjust'] === true,
  }),
  speech: (v) => ({
    operation: 'speech',
    speech: written(v, 'speech'),
    voice: written(v, 'voice'),
    Speed: numberIn(v, 'Speed'),
    LanguageCode: written(v, 'LanguageCode'),
    Pitch: numberIn(v, 'Pitch'),
    engine: oneOf(v, 'engine', speechEngines),
    platform: oneOf(v, 'platform', speechPlatforms),
  }),
  voices: (v) => ({
    operation: 'voices',
    category: written(v, 'category'),
    gender: oneOf(v, 'gender', genderFilters),
    language: written(v, 'language'),
    page: numberIn(v, 'page'),
    limit: numberIn(v, 'limit'),
  }),
  voice: (v) => ({ operation: 'voice', voice: written(v, 'voice') }),
  models: (v) => ({ operation: 'models', page: numberIn(v, 'page'), limit: numberIn(v, 'limit') }),
  delete: (v) => ({ operation: 'delete', name: written(v, 'name') }),
  plant: (v) => ({
    operation: 'plant',
    id: written(v, 'id').trim(),
    name: written(v, 'name'),
    tag: written(v, 'tag'),
  }),
};

export const callOf = (operation: Operation, values: Values): ConsoleCall => builders[operation](values);
