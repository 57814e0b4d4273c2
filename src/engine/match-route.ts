import type { Handler } from './request-context.ts';

/** A segment of `path` in braces matches any non-empty segment. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly run: Handler;
}

const decodeSegment = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

/**
 * Finds the route for a request target (`/path?query`, as in the request line). Splits the path
 * before decoding it and never normalises it, so an encoded slash or two dots remain part of an id.
 */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  target: string,
): { readonly run: Handler; readonly params: readonly string[]; readonly query: URLSearchParams } | null {
  const [, path = '', search = ''] = /^([^?#]*)\??([^#]*)/.exec(target) ?? [];
  const segments = path.split('/').map(decodeSegment);
  for (const route of routes) {
    const pattern = route.path.split('/');
    if (route.method !== method || pattern.length !== segments.length) continue;
    const params: string[] = [];
    const isMatch = pattern.every((segment, at) => {
      const value = segments[at];
      if (value === null || value === undefined) return false;
      if (!segment.startsWith('{')) return segment === value;
      params.push(value);
      return value !== '';
    });
    if (isMatch) return { run: route.run, params, query: new URLSearchParams(search) };
  }
  return null;
}
