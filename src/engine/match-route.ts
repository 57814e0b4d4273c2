import type { Operation } from './request-context.ts';

/** `path` in segments; one that starts with a colon takes anything that is not empty. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly run: Operation;
}

const decodeSegment = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

/**
 * Finds the route of a request target (`/path?query`, as it stands in the request line). The path is split before it is decoded and
 * never normalised: an encoded slash or two dots stay part of the id that they were sent as.
 */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  target: string,
): { readonly run: Operation; readonly params: readonly string[]; readonly query: URLSearchParams } | null {
  const [, path = '', search = ''] = /^([^?#]*)\??([^#]*)/.exec(target) ?? [];
  const given = path.split('/').map(decodeSegment);
  for (const route of routes) {
    const wanted = route.path.split('/');
    if (route.method !== method || wanted.length !== given.length) continue;
    const params: string[] = [];
    const fits = wanted.every((segment, at) => {
      const value = given[at];
      if (value === null || value === undefined) return false;
      if (!segment.startsWith(':')) return segment === value;
      params.push(value);
      return value !== '';
    });
    if (fits) return { run: route.run, params, query: new URLSearchParams(search) };
  }
  return null;
}
