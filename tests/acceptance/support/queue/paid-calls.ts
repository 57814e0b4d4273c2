import type { Call } from '../../../faults/call.ts';

/** How often a paid call reached the service, by what was paid for: a task, or a text. */
export function paidCalls(calls: readonly Call[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operation, task, text, body, reachedService } of calls) {
    if (!reachedService || (operation !== 'convert' && operation !== 'speech')) continue;
    const uuid = typeof body === 'object' && body !== null ? String(Reflect.get(body, 'uuid')) : '';
    const key = operation === 'speech' ? `text ${text ?? ''}` : `task ${task ?? uuid}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export const most = (counts: ReadonlyMap<string, number>): number => Math.max(0, ...counts.values());
