import { operationIds, operations } from '../../src/shared/operations.ts';
import type { Operation } from './call.ts';

const patternOf = (path: string) => new RegExp(`${path.replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`);
const routes: readonly (readonly [method: string, path: RegExp, operation: Operation])[] = [
  ...operationIds.map((id) => [operations[id].method, patternOf(operations[id].path), id] as const),
  ['GET', /\/(?:results|speech)\/([^/]+)\/[^/]+$/, 'download'],
];

/** The operation of a request line, and the task if the path contains it. */
export function identifyCall(
  method: string,
  target: string,
): { readonly operation: Operation; readonly task: string | null } {
  const [path = ''] = target.split('?');
  for (const [wanted, pattern, operation] of routes) {
    const found = method === wanted ? pattern.exec(path) : null;
    const hasTask = operation === 'upload' || operation === 'download';
    if (found) return { operation, task: (hasTask && found[1]) || null };
  }
  return { operation: 'other', task: null };
}

/** A field of parsed JSON, by dotted path; null unless it is text. */
export function textAt(json: unknown, path: string): string | null {
  let value = json;
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return typeof value === 'string' ? value : null;
}

/** The task that an address of a result belongs to. */
export const taskOfResult = (address: string): string | null =>
  /\/(?:results|speech)\/([^/]+)\//.exec(address)?.[1] ?? null;
