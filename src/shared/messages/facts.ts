import { type ErrorCode, type Facts, isErrorCode } from '../errors.ts';

/** Returns a fact, or undefined if it is missing or has another type. */
export function numberFact(facts: Facts, name: string): number | undefined {
  const value = facts[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textFact(facts: Facts, name: string): string | undefined {
  const value = facts[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const unreachable: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What is wrong with a proxy, from the status that it answered with or else the system's reason. */
export function proxyFault(facts: Facts): 'credentials' | 'refused' | 'unreachable' | 'address' | 'other' {
  const status = numberFact(facts, 'status');
  if (status !== undefined) return status === 407 ? 'credentials' : 'refused';
  const reason = textFact(facts, 'reason');
  if (reason === undefined) return 'address';
  return unreachable.has(reason) ? 'unreachable' : 'other';
}

/** The rows that `table/bad-rows` names, each with its problem. */
export const badRowsOf = (facts: Facts): readonly { readonly row: string; readonly code: ErrorCode }[] =>
  (textFact(facts, 'rows') ?? '').split(', ').flatMap((written) => {
    const [row = '', code = ''] = written.split(' ');
    return isErrorCode(code) ? [{ row, code }] : [];
  });
