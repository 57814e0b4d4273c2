import type { OperationId } from './interface-table.ts';
import type { Asked, Holes, Json } from './plain-client.ts';

/** What the plain client's requests are about. */
export interface Subject {
  readonly voice: string;
  readonly taskId: string;
  readonly changerType: string;
  readonly model: string;
  readonly sound: Uint8Array;
  readonly holes: Holes;
}

/** Every field of the interface's tables, with a value that a service must take. */
export const fieldsOf = (operation: OperationId, { voice, taskId }: Subject): Json => {
  switch (operation) {
    case 'create-task':
      return { voice, from: 'fv-file-changer', operation: 'FVC', engine: 'v7' };
    case 'convert':
      return {
        uuid: taskId,
        voice,
        pitch: 1.1,
        speed: 1,
        from: 'fv-file-changer',
        outputFormat: '.wav',
        audioName: 'tone',
        platform: 'web',
        pitch_control: '',
        operation: 'FVC',
        engine: 'v7',
        auto_f0_adjust: true,
      };
    case 'speech':
      return {
        AppId: '107',
        FeatureId: '22',
        speech: 'Good evening.',
        voice,
        Parameter: { Speed: '1.0', LanguageCode: 'en-US', Pitch: '1.0' },
        engine: 'v7',
        platform: 'web',
      };
    case 'voices':
      return { version: 'v2', category: '', gender: 'all', language: '', page: 0, limit: 100 };
    case 'voice-detail':
      return { voiceId: voice };
    case 'models':
      return { page: 1, limit: 20 };
    case 'plant':
      return { id: 7, name: 'Fern', tag: 'green' };
    case 'upload':
    case 'delete-model':
      return {};
  }
};

const queryNames = (operation: OperationId, holes: Holes): Readonly<Record<string, string>> => {
  if (operation === 'voices') return { ...holes };
  return { voiceId: holes.voiceDetail, ...(operation === 'models' && { limit: holes.modelPageSize }) };
};

/** A whole request of an operation. `change` sets single fields of its query or body; undefined leaves one out. */
export function requestOf(operation: OperationId, subject: Subject, change: Json = {}): Asked {
  const fields = { ...fieldsOf(operation, subject), ...change };
  switch (operation) {
    case 'upload':
      return {
        parameter: subject.taskId,
        headers: { 'Changer-Type': subject.changerType },
        form: { audioFile: subject.sound },
      };
    case 'delete-model':
      return { parameter: subject.model };
    case 'voices':
    case 'voice-detail':
    case 'models': {
      const names = queryNames(operation, subject.holes);
      const pairs = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
      return { query: Object.fromEntries(pairs.map(([name, value]) => [names[name] ?? name, String(value)])) };
    }
    default:
      return { json: fields };
  }
}
