import { AppError } from '../../../shared/errors.ts';
import { isBaseAddress } from '../../../shared/schemas/connection.ts';

/**
 * The target of a request. The path is kept separate: URL resolution would drop `..` and delete
 * another resource.
 */
export interface Address {
  readonly origin: string;
  /** Starts with `/`, is percent-encoded and includes the query. */
  readonly path: string;
}

/** The distinct origins of base addresses; empty ones are skipped. */
export const originsOf = (hosts: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(Object.values(hosts).flatMap((base) => (URL.canParse(base) ? [new URL(base).origin] : []))),
];

export type Query = Readonly<Record<string, string | number>>;

/** Encodes a name as one path segment. Rejects names that would change the path. */
export function segment(name: string): string {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) {
    throw new AppError('request/invalid', `a name that cannot stand in an address: ${JSON.stringify(name)}`);
  }
  return encodeURIComponent(name);
}

/**
 * Appends a path and a query to a base address, which may have its own path. Empty query values are
 * omitted.
 */
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
 * Validates the result URL that a service chose: https anywhere; http only on this computer, for a
 * connection on this computer. One that begins with `/` is relative to `base`, the service's own
 * address (RFC 3986, 4.2): it is paid for, and nobody could fetch it otherwise.
 */
export function resultAddress(address: string, base: string): Address {
  const root = address.startsWith('/') ? base : undefined;
  if (!URL.canParse(address, root)) {
    throw new AppError('service/not-understood', 'the result has no address', { facts: { field: 'data.audioUrl' } });
  }
  const url = new URL(address, root);
  const fromLoopback = base.startsWith('http:') && isBaseAddress(base);
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && fromLoopback && isBaseAddress(url.origin));
  if (!allowed || url.username || url.password) {
    throw new AppError('network/insecure', `a result address that is not safe: ${url.origin}`, {
      facts: { resultHost: url.host || url.protocol },
    });
  }
  return { origin: url.origin, path: url.pathname + url.search };
}
