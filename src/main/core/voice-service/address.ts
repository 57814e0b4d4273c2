import { AppError } from '../../../shared/errors.ts';
import { isBaseAddress } from '../../../shared/schemas/connection.ts';

/** Where a request goes: kept apart, because a path that passes through URL resolution loses its `..` and deletes another thing. */
export interface Address {
  readonly origin: string;
  /** Begins with `/`, is percent-encoded, carries the query. */
  readonly path: string;
}

/** The origins of base addresses, each once; empty ones have none. */
export const originsOf = (hosts: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(Object.values(hosts).flatMap((base) => (URL.canParse(base) ? [new URL(base).origin] : []))),
];

type Query = Readonly<Record<string, string | number>>;

/** One segment of a path, safe for any name. Names that would change the path are refused before a call. */
export function segment(name: string): string {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) {
    throw new AppError('request/invalid', `a name that cannot stand in an address: ${JSON.stringify(name)}`);
  }
  return encodeURIComponent(name);
}

/** Puts a path and a query behind a base address, which may carry a path of its own. Empty values are left out of the query. */
export function addressOf(base: string, path: string, query: Query = {}): Address {
  if (!isBaseAddress(base)) {
    throw new AppError('connection/invalid', `no usable address for ${path}`, { facts: { address: base } });
  }
  const { origin, pathname } = new URL(base);
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  return { origin, path: pathname.replace(/\/+$/, '') + path + (pairs.length > 0 ? `?${pairs.join('&')}` : '') };
}

/**
 * The address of a result, which the service chose: https anywhere; http only on this computer, and only for a connection that is
 * itself on this computer.
 */
export function resultAddress(address: string, base: string): Address {
  if (!URL.canParse(address)) {
    throw new AppError('service/not-understood', 'the result has no address', { facts: { field: 'data.audioUrl' } });
  }
  const url = new URL(address);
  const fromLoopback = base.startsWith('http:') && isBaseAddress(base);
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && fromLoopback && isBaseAddress(url.origin));
  if (!allowed || url.username || url.password) {
    throw new AppError('network/insecure', `a result address that is not safe: ${url.origin}`);
  }
  return { origin: url.origin, path: url.pathname + url.search };
}
