import { examples } from './examples.ts';
import { endpointOf, type OperationId } from './interface-table.ts';
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

const queryNames = (operation: OperationId, holes: Holes): Readonly<Record<string, string>> => {
  if (operation === 'voices') return { ...holes };
  return { voiceId: holes.voiceDetail, ...(operation === 'models' && { limit: holes.modelPageSize }) };
};

/** A whole request of an operation. `change` sets single fields of its query or body; undefined leaves one out. */
export function requestOf(operation: OperationId, subject: Subject, change: Json = {}): Asked {
  const { path, content, request } = endpointOf(operation);
  const fields = { ...examples[operation].fields(subject), ...change };
  if (content === 'form') {
    return {
      parameter: subject.taskId,
      headers: { 'Changer-Type': subject.changerType },
      form: { audioFile: subject.sound },
    };
  }
  if (path.includes('{')) return { parameter: subject.model };
  if (!request.some(({ place }) => place === 'query')) return content === 'json' ? { json: fields } : {};
  const names = queryNames(operation, subject.holes);
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return { query: Object.fromEntries(pairs.map(([name, value]) => [names[name] ?? name, String(value)])) };
}
